"""The planner: every row can be built, none is beaten, and what the rejected lack is true."""

import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.rack import platform_block
from apps.sizing.estimators.site_fit import site_fit
from apps.sizing.estimators.time import estimate_time
from apps.sizing.measured import MeasuredRun, measured_catalog
from apps.sizing.planner import plan
from apps.sizing.planning.judging import MEASURED_KIND, Question, judged, stand_of, ways_on
from apps.sizing.planning.lacks import lacks_of, nearest_rejected
from apps.sizing.planning.search import Search
from apps.sizing.planning.ways import hardware_on_sale
from apps.sizing.platforms import candidate_platforms
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Placement
from apps.sizing.task_reader import parse_task
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
            found.way.evidence < MEASURED_KIND,
            found.way.splits,
            found.way.order,
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
            and (row.share.typical <= found.share.high or row.share.high <= 2 / 3)
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
            elif lack.key == "plan.lack.phases":
                assert params["phase_amps"] > params["breaker_amps"]
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
    paces = [row["hours"] or row["sample_s"] for row in front]
    for index, row in enumerate(front[1:], start=1):
        slower = all(paces[index]["high"] < other["typical"] for other in paces[:index])
        fastest = paces[index]["high"] == min(pace["high"] for pace in paces)
        assert row["why"]["key"].startswith("plan.why.fastest") == (slower and fastest)


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


def test_a_way_whose_fullest_phase_is_too_small_is_rejected_by_it():
    site = {"amps": 6, "phases": 3, "volts": 400, "feeds": 2}
    search = searched({**FULL, "site": site})
    short = [m for m in search.misses if m.stand.fit and m.stand.fit.short_of_phase]
    assert short
    for miss in short[:3]:
        found = judged(miss.way, miss.stand, search.question, whole=True)
        assert not found.meets_all
        assert found.stand.power_shortage > 0
        told = {lack.key for lack in lacks_of(found, search.question)}
        assert "plan.lack.phases" in told
        assert "plan.lack.power" not in told
