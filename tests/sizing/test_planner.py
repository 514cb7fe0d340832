"""The planner: every row can be built, none is beaten, and what the rejected lack is true."""

import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import assemble
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.rack import platform_block
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.estimators.site_fit import site_fit
from apps.sizing.estimators.time import estimate_time
from apps.sizing.measured import MeasuredRun, measured_catalog
from apps.sizing.planner import plan
from apps.sizing.planning.judging import Question, judged, stand_of, ways_on
from apps.sizing.planning.lacks import lacks_of, nearest_rejected
from apps.sizing.planning.search import Search
from apps.sizing.planning.ways import hardware_on_sale, layouts_of
from apps.sizing.platforms import candidate_platforms
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Placement
from apps.sizing.task_reader import parse_task
from apps.sizing.units import GIB
from apps.sizing.variants import with_savings
from apps.sizing.verdicts import HOLDS

CATALOG = fixture_catalog()
FEW_CARDS = (
    "L4",
    "L40S",
    "RTX-6000-ADA",
    "H100-NVL-94",
    "H100-SXM5-80",
    "H200-SXM-141",
    "A100-PCIE-80",
)
FEW = replace(CATALOG, accelerators={c: CATALOG.accelerators[c] for c in FEW_CARDS})
SITE = {"kw_usable": 5, "feeds": 2, "cooling": "containment", "rack_units": 20}
RECIPE = {
    "framework": "trl",
    "precision": "bf16-mixed",
    "optimizer": "adamw",
    "sequence_length": 4096,
    "micro_batch": 2,
    "grad_accumulation": 4,
    "activation_checkpointing": "full",
    "epochs": 2,
}
FULL = {
    "strategy": "finetune",
    "method": "full",
    "model": {"name": "Llama-3.1-8B"},
    "recipe": RECIPE,
    "data": {"tokens": 3e8},
    "cycle": {"target_hours": 72, "scope": "run"},
    "site": SITE,
}
LORA = {**FULL, "method": "lora", "cycle": {}, "site": {}}
SCRATCH = {
    "strategy": "from-scratch",
    "method": "full",
    "model": {"kind": "decoder", "params_billion": 70},
    "recipe": {**RECIPE, "framework": "megatron", "micro_batch": 1},
    "data": {"tokens": 2e11},
    "cycle": {"target_hours": 1000},
}
VISION = {
    "method": "full",
    "model": {"kind": "vision", "params_billion": 0.3, "image_size": 224},
    "recipe": {"framework": "timm", "precision": "fp16-mixed", "micro_batch": 32, "epochs": 30},
    "data": {"samples": 1e6},
}
TASKS = {"full": FULL, "lora": LORA, "scratch": SCRATCH, "vision": VISION}


def question_of(document, catalog=FEW):
    task = parse_task(document)
    thrifty, savings = with_savings(task)
    shape = resolve_shape(task.model, catalog)
    return Question(
        task=task, thrifty=thrifty, savings=savings, shape=shape, catalog=catalog, placed=True
    )


def searched(document, catalog=FEW):
    search = Search(question_of(document, catalog))
    search.sweep()
    return search


@cache
def kept(name):
    return searched(TASKS[name])


@cache
def planned(name):
    return plan(parse_task(TASKS[name]), FEW, {})


def whole(way, question):
    return judged(way, stand_of(way.hardware, question), question, whole=True)


def beats(one, other):
    """No worse in size, time, memory, evidence and simplicity, and better in one of them."""
    mine, its = (
        (
            found.way.hardware.size,
            found.pace.high,
            found.share.high,
            -found.way.evidence,
            found.way.splits,
            found.memory.verdict != "fits",
        )
        for found in (one, other)
    )
    return mine != its and all(a <= b for a, b in zip(mine, its, strict=True))


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_row_meets_everything_by_the_high_end(name):
    search = kept(name)
    assert search.front
    for row in search.front:
        again = whole(row.way, search.question)
        assert again.memory.device_gib.high <= row.way.hardware.card.usable_memory_gib
        assert again.memory.verdict in HOLDS
        target = search.question.target_hours
        assert target is None or again.pace.high <= target
        assert again.stand.carried
        assert row.way.hardware.sold


def with_a_run(document, ratio):
    """FEW with a run of the client's own, that took so much of what the engine says."""
    task = parse_task(document)
    place = Placement(accelerator="H100-NVL-94", gpus=4, data_parallel="fsdp")
    memory, time = estimate_memory(task, FEW, place), estimate_time(task, FEW, place)
    run = MeasuredRun(
        accelerator=place.accelerator,
        gpus=place.gpus,
        data_parallel=place.data_parallel,
        device_gib=memory.device_gib.typical * ratio,
        step_s=time.step_s.typical * ratio,
    )
    return measured_catalog(FEW, task, [run])


@pytest.mark.parametrize(("name", "ratio"), [("full", None), ("lora", None), ("full", 0.75)])
def test_no_way_of_the_catalog_beats_a_row_and_rows_stand_for_all_others(name, ratio):
    """By brute force: every layout on everything on sale, each with its range."""
    search = kept(name)
    if ratio is not None:
        search = searched(TASKS[name], with_a_run(TASKS[name], ratio))
    question = search.question
    ways = [
        way
        for hardware in hardware_on_sale(question.task, question.catalog)
        if hardware.nodes == 1
        for way in ways_on(hardware, stand_of(hardware, question), question)
        if not way.by_states
    ]
    fine = [found for found in (whole(way, question) for way in ways) if found.meets_all]
    assert len(fine) > len(search.front) > 0
    for row in search.front:
        assert not any(beats(found, row) for found in fine)
    for found in fine:
        stands_for = [
            row
            for row in search.front
            if row.way.hardware.size <= found.way.hardware.size
            and row.pace.typical <= found.pace.high
            and row.share.typical <= found.share.high
        ]
        shown = any(row.way.platform == found.way.platform for row in search.front)
        assert shown or stands_for


@pytest.mark.parametrize("name", sorted(TASKS))
def test_what_the_states_alone_rule_out_does_not_fit(name):
    question = kept(name).question
    ruled_out = [
        way
        for hardware in hardware_on_sale(question.task, FEW)[:20]
        for way in ways_on(hardware, stand_of(hardware, question), question)
        if way.by_states
    ]
    for way in ruled_out[:12]:
        memory = estimate_memory(way.task, FEW, way.platform.placement)
        assert memory.verdict == "does-not-fit"
    assert ruled_out or name in ("lora", "vision")


@pytest.mark.parametrize("name", sorted(TASKS))
def test_what_a_rejected_one_lacks_is_true(name):
    search = kept(name)
    question = search.question
    rejected = nearest_rejected(search)
    assert rejected
    assert len(rejected) <= 5
    for found, lacks in rejected:
        assert not found.meets_all
        again = whole(found.way, question)
        assert lacks == lacks_of(again, question)
        for lack in lacks:
            params = lack.params
            if lack.key == "plan.lack.memory":
                high = estimate_memory(
                    found.way.task, FEW, found.way.platform.placement
                ).device_gib.high
                assert params["missing_gib"] == pytest.approx(high - params["capacity_gib"])
                assert params["missing_gib"] > 0
            elif lack.key == "plan.lack.time":
                late = again.time.cycle.hours.high - TASKS[name]["cycle"]["target_hours"]
                assert params["late_hours"] == pytest.approx(late)
                assert late > 0
            elif lack.key == "plan.lack.power":
                block = platform_block(question.task, found.way.platform, FEW, question.feed)
                assert params["load_kw"] == pytest.approx(block["power"]["load_kw"]["high"])
                assert params["load_kw"] > params["feed_kw"] == SITE["kw_usable"]


def test_the_same_task_gives_the_same_bytes_in_whatever_order_the_catalog_stands():
    turned = replace(
        FEW,
        accelerators=dict(reversed(FEW.accelerators.items())),
        servers=dict(reversed(FEW.servers.items())),
    )
    for name in ("full", "lora"):
        task = parse_task(TASKS[name])
        once, twice = (json.dumps(plan(task, FEW, {}), allow_nan=False) for _ in range(2))
        assert once == twice == json.dumps(plan(task, turned, {}), allow_nan=False)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_there_are_at_most_seven_rows_from_the_smallest_up_with_a_reason_each(name):
    front = planned(name)["front"]
    assert 1 <= len(front) <= 7
    sizes = [(row["nodes"], row["gpu_rating_kw"]) for row in front]
    assert sizes == sorted(sizes)
    assert all(row["why"]["key"].startswith("plan.why.") for row in front)
    fastest = min(front, key=lambda row: (row["hours"] or row["sample_s"])["high"])
    if fastest is not front[0]:
        assert fastest["why"]["key"].startswith("plan.why.fastest")


def test_site_and_rack_say_the_same():
    task = parse_task(FULL)
    for cooling in ("air", "direct-to-chip", None):
        site = replace(task.site, cooling=cooling, depth_mm=900, floor_kg=200)
        there = replace(task, site=site)
        feed = question_of(FULL).feed
        for platform in candidate_platforms(replace(task, method="lora"), CATALOG)[::3]:
            block = platform_block(there, platform, CATALOG, feed)
            found = site_fit(there, platform, CATALOG, feed)
            assert found.verdict == block["verdict"]
            assert found.load_kw.as_dict() == block["power"]["load_kw"]
            assert found.missing_kw == pytest.approx(block["power"]["missing_kw"])


TIGHTEN = st.tuples(st.sampled_from([2, 6, 20, 60, 400]), st.sampled_from([0.8, 2, 3.5, 6, 12]))


@settings(max_examples=12, deadline=None)
@given(tight=TIGHTEN, loose=TIGHTEN)
def test_more_time_or_power_never_takes_a_way_away(tight, loose):
    hours, kw = (min(pair) for pair in zip(tight, loose, strict=True))
    narrow = searched(within(hours, kw))
    wide = searched(within(max(tight[0], loose[0]), max(tight[1], loose[1])))
    for row in narrow.front:
        assert whole(row.way, wide.question).meets_all
    if narrow.front:
        assert wide.front[0].way.hardware.size <= narrow.front[0].way.hardware.size


def within(hours, kw):
    cycle = {"target_hours": hours, "scope": "run"}
    return {**FULL, "cycle": cycle, "site": {**SITE, "kw_usable": kw}}


def test_a_small_task_takes_one_gpu():
    found = plan(parse_task({**LORA, "model": {"kind": "decoder", "params_billion": 0.5}}), FEW, {})
    assert found["front"][0]["gpus"] == 1
    assert found["front"][0]["layout"] == "single"


def test_where_nothing_fits_the_reason_and_the_nearest_stand_alone():
    found = plan(parse_task({**FULL, "site": {**SITE, "kw_usable": 0.3}}), FEW, {})
    assert found["front"] == []
    assert found["reason"]["key"] == "plan.reason.nothing"
    assert found["rejected"]


def test_without_a_deadline_or_a_site_nothing_is_ruled_out_by_them():
    found = planned("lora")
    assert found["target_hours"] is None
    assert not found["site_known"]
    assert found["considered"]["by_time"] == found["considered"]["by_site"] == 0
    rented = plan(parse_task({**FULL, "site": {"kw_usable": 0.3}}), FEW, {"acquisition": "rent"})
    assert rented["front"]


def test_without_a_length_the_pace_is_that_of_a_sample():
    found = plan(parse_task({**LORA, "data": {}}), FEW, {})
    assert all(row["hours"] is None and row["sample_s"]["high"] > 0 for row in found["front"])


def test_a_placed_task_and_an_unknown_model_are_not_planned():
    placed = {**FULL, "placement": {"accelerator": "H100-SXM5-80", "gpus": 8}}
    assert plan(parse_task(placed), FEW, {}) is None
    assert plan(parse_task({**FULL, "model": {"kind": "decoder"}}), FEW, {}) is None


def test_counts_and_layouts_that_the_task_wishes_are_kept():
    wish = {"gpus": 8, "data_parallel": "zero3"}
    found = plan(parse_task({**FULL, "site": {}, "placement": wish}), FEW, {})
    assert found["front"]
    assert {(row["gpus"], row["layout"]) for row in found["front"]} == {(8, "zero3-8")}


def test_only_a_large_model_is_split_and_only_inside_the_fast_link():
    question = question_of(SCRATCH)
    every = hardware_on_sale(question.task, FEW)
    calibration = FEW.calibration
    split = [
        (hardware, place)
        for hardware in every
        for place in layouts_of(hardware, question.task, question.shape, calibration)
        if (place.tensor_parallel or 1) > 1
    ]
    assert {place.pipeline_parallel or 1 for _, place in split} == {1, 2, 4, 8}
    for hardware, place in split:
        assert place.tensor_parallel <= hardware.card.link_domain_gpus
        assert hardware.card.link == "nvswitch"
    small = question_of(FULL)
    assert not any(
        place.tensor_parallel
        for hardware in every
        for place in layouts_of(hardware, small.task, small.shape, calibration)
    )


def test_a_card_that_is_not_sold_says_so():
    keys = [lack["key"] for row in planned("lora")["rejected"] for lack in row["lacks"]]
    assert "plan.lack.not-sold-legacy" in keys


def test_a_row_that_rests_on_savings_names_them():
    roomy = {**FULL, "recipe": {**RECIPE, "micro_batch": 16, "activation_checkpointing": "none"}}
    rows = plan(parse_task(roomy), FEW, {})["front"]
    assert any(row["savings"] for row in rows)


@pytest.mark.parametrize("name", ["full", "lora"])
def test_every_variant_that_meets_everything_is_a_row_or_no_better_than_one(name):
    task = parse_task(TASKS[name])
    platforms = candidate_platforms(task, CATALOG)
    outputs = estimate_all(task, CATALOG, platforms)
    result = assemble(task, CATALOG, platforms, outputs, {"explore": True})
    found = result["plan"]
    assert set(found["variants"]) == {v["key"] for v in result["variants"]}
    for variant in result["variants"]:
        standing = found["variants"][variant["key"]]
        if standing["relation"] == "shown":
            row = found["front"][standing["row"]]
            assert (row["accelerator"], row["gpus"]) == (variant["accelerator"], variant["gpus"])
            assert row["layout"] == variant["layout"]["name"]
            assert variant["key"] in row["variants"]
        elif variant["verdicts"]["overall"] in HOLDS and not variant["rented"]:
            assert standing["relation"] in ("alike", "roomier")
        else:
            assert standing["lacks"]


def test_the_share_of_the_card_is_that_of_the_memory_estimate():
    for row in kept("full").front:
        memory = estimate_memory(row.way.task, FEW, row.way.platform.placement)
        assert row.share.typical * row.way.hardware.card.usable_memory_gib * GIB == pytest.approx(
            memory.device_gib.typical * GIB
        )
