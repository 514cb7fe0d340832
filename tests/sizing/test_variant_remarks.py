"""Reserves, growth, what lifts an obstacle: the whole of a variant, for every kind of task."""

import pytest

from apps.sizing.readiness import critical_questions
from tests.sizing.test_assemble import LORA, outcome
from tests.sizing.test_explorations import KINDS, document

ON_PREM = {
    "strategy": "finetune",
    "method": "full",
    "model": {"name": "Llama-3.1-8B"},
    "recipe": {
        "stage": "sft",
        "framework": "hf-trainer",
        "precision": "bf16-mixed",
        "optimizer": "adamw",
        "sequence_length": 8192,
        "micro_batch": 1,
        "grad_accumulation": 8,
        "activation_checkpointing": "full",
        "epochs": 2,
    },
    "data": {"tokens": 1e9, "bytes": 4e9, "kind": "text"},
    "cycle": {"target_hours": 72, "scope": "run"},
    "horizon": {"use": "3-5y", "growth": 1.5},
}
NARROW = {"kw_usable": 5, "feeds": 1, "cooling": "containment", "rack_units": 20}
WIDE = {**NARROW, "kw_usable": 12, "feeds": 2}
BOARDS = ("H100-SXM5-80", "H200-SXM-141")


def variants(**parts):
    return {v["key"]: v for v in outcome({**ON_PREM, **parts})["variants"]}


def keys(messages):
    return [message["key"] for message in messages]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_variant_of_every_kind_is_complete(kind):
    result = outcome(document(kind, site=WIDE))
    assert result["variants"] or result["variants_reason"]
    for variant in result["variants"]:
        assert variant["layout"]["name"], "a variant without a scheme could not be built"
        assert variant["verdicts"]["memory"] in ("fits", "tight")
        assert variant["when"]
        assert len(variant["grows"]) == 1
        assert set(variant["reserves"]) == {"memory_ratio", "power_ratio", "time_ratio"}
        for block in ("memory", "time", "interconnect", "storage", "host", "rack"):
            assert variant[block] is not None or variant["reasons"][block]


def test_the_narrow_rack_blocks_eight_boards_and_says_what_is_missing():
    found = variants(site=NARROW)
    blocked = found["V3"]
    assert (blocked["gpus"], blocked["accelerator"]) == (8, "H100-SXM5-80")
    assert blocked["verdicts"]["rack"] == "does-not-fit"
    power = blocked["rack"]["power"]
    assert power["feed_capacity_kw"] == 5
    assert power["missing_kw"] == pytest.approx(power["required_feed_kw"] - 5)
    assert blocked["reserves"]["power_ratio"] < 0
    lifts = blocked["lifts"]
    assert lifts[0]["key"] == "rack.lift.feed"
    assert lifts[0]["params"]["required_kw"] == power["required_feed_kw"]
    assert "rack.lift.circuit" in keys(lifts)
    assert blocked["when"][0]["key"] == "variant.when.more-power"


def test_in_the_narrow_rack_every_node_of_eight_boards_is_blocked_and_smaller_ones_stay():
    result = outcome({**ON_PREM, "site": NARROW})
    racks = {row["platform"]: row["verdicts"]["rack"] for row in result["candidates"]}
    for card in BOARDS:
        assert racks[f"SYS-821GE-TNHR/{card}x8"] == "does-not-fit"
    passing = [v for v in result["variants"] if not v["rented"] and not v["lifts"]]
    assert len(passing) >= 2
    assert all(v["verdicts"]["overall"] in ("fits", "tight") for v in passing)


def test_twelve_kilowatts_on_two_feeds_open_the_boards():
    result = outcome({**ON_PREM, "site": WIDE})
    racks = {row["platform"]: row["verdicts"]["rack"] for row in result["candidates"]}
    for card in BOARDS:
        assert racks[f"SYS-821GE-TNHR/{card}x8"] in ("fits", "tight")
    largest = next(v for v in result["variants"] if v["key"] == "V3")
    assert largest["verdicts"]["overall"] in ("fits", "tight")
    assert largest["lifts"] == []


def test_two_feeds_have_each_to_carry_everything():
    lift = variants(site={**NARROW, "feeds": 2})["V3"]["lifts"][0]
    assert lift["key"] == "rack.lift.each-feed"
    assert lift["params"]["feed_count"] == 2


def test_a_board_does_not_grow_and_a_chassis_of_cards_does():
    found = variants(site=NARROW)
    assert found["V3"]["grows"][0]["key"] == "variant.growth.board"
    assert found["V3"]["free_gpu_slots"] == 0
    assert found["V1"]["grows"][0]["key"] == "variant.growth.places"
    assert found["V1"]["free_gpu_slots"] > 0
    assert found["V0"]["grows"][0]["key"] == "variant.growth.rented"


def test_reserves_are_of_the_high_end():
    variant = variants(site=NARROW)["V1"]
    memory, power, cycle = (
        variant["memory"],
        variant["rack"]["power"],
        variant["time"]["cycle"],
    )
    expected = {
        "memory_ratio": 1 - memory["device_gib"]["high"] / memory["capacity_gib"],
        # Of what the verdict lets the feed carry: the reserve that policy keeps is not free.
        "power_ratio": 1 - power["load_kw"]["high"] / power["feed_limit_kw"],
        "time_ratio": 1 - cycle["hours"]["high"] / 72,
    }
    assert variant["reserves"] == pytest.approx(expected)


def test_no_growth_over_years_is_a_risk_and_a_single_project_has_none():
    flat = variants(site=WIDE, horizon={"use": "3-5y", "growth": 1})
    assert "variant.risk.no-growth-planned" in keys(flat["V1"]["risks"])
    project = variants(site=WIDE, horizon={"use": "one-off", "growth": 1})
    assert "variant.risk.no-growth-planned" not in keys(project["V1"]["risks"])


def test_what_goes_into_the_reserve_is_a_risk_for_years_of_use():
    place = {"accelerator": "L40S", "gpus": 8, "data_parallel": "zero3"}
    given = outcome({**ON_PREM, "site": WIDE, "placement": place})["variants"][0]
    assert given["verdicts"]["memory"] == "tight"
    assert "variant.risk.no-reserve" in keys(given["risks"])


SCRATCH = {
    "strategy": "from-scratch",
    "method": "full",
    "model": {"params_billion": 70, "kind": "decoder"},
    "recipe": {"stage": "pretrain", "precision": "bf16-mixed", "sequence_length": 4096},
    "data": {"kind": "text"},
    "cycle": {"target_hours": 2160},
}


def test_a_large_model_from_scratch_with_unknowns_is_a_floor_and_separate_work():
    result = outcome(SCRATCH)
    assert result["status"] == "magnitude"
    assert result["readiness"] == "early"
    assert result["verdict"] == "do-not-buy-yet"
    assert max(v["nodes"] for v in result["variants"]) > 1
    for variant in result["variants"]:
        assert "variant.risk.floor" in keys(variant["risks"])
        assert variant["time"]["cycle"] is None
        assert variant["time"]["hours_per_billion_tokens"]["low"] > 0
    assert keys(result["separate_work"])[0] == "separate.network"
    assert "separate.storage" in keys(result["separate_work"])
    asked = [q["influence"] for q in result["open_questions"]]
    assert asked == sorted(asked, reverse=True)
    assert critical_questions(result["open_questions"])


def test_a_class_alone_counts_no_gpus():
    only_class = outcome({**SCRATCH, "model": {"kind": "decoder"}})
    assert only_class["status"] == "insufficient"
    assert only_class["variants"] == only_class["candidates"] == []
    assert only_class["separate_work"] == []


def test_one_node_brings_no_separate_work():
    assert outcome(LORA)["separate_work"] == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_minimal_variant_with_free_places_is_not_said_to_have_none(kind):
    for variant in outcome(document(kind, site=WIDE))["variants"]:
        said = keys(variant["when"])
        if "variant.when.minimal" in said:
            assert not variant["free_gpu_slots"]
        if "variant.when.minimal-with-room" in said:
            assert variant["free_gpu_slots"] == variant["when"][0]["params"]["free_slots"] > 0


def test_a_feed_whose_fullest_phase_is_too_small_blocks_like_a_narrow_one():
    """A server of four supplies: two are left on the last feed, one of three phases is empty."""
    site = {"phases": 3, "volts": 400, "feeds": 2, "cooling": "containment"}
    blocked, carried = (variants(site={**site, "amps": amps})["V1"] for amps in (6, 16))
    power = blocked["rack"]["power"]
    assert power["missing_kw"] == 0
    assert power["verdict"] in ("risk", "does-not-fit")
    assert blocked["verdicts"]["rack"] == blocked["verdicts"]["overall"] == power["verdict"]
    risk = next(m for m in blocked["risks"] if m["key"] == "variant.risk.phases")
    assert risk["params"]["phase_amps"] > risk["params"]["breaker_amps"] == 6
    assert "variant.risk.power" not in keys(blocked["risks"])
    assert {"rack.lift.even-phases", "rack.lift.circuit"} <= set(keys(blocked["lifts"]))
    assert carried["verdicts"]["rack"] == "fits"
    assert "variant.risk.phases" not in keys(carried["risks"])
