"""The planner at its edges, and how what it says agrees with the variants and the estimates."""

import pytest

from apps.sizing.assemble import assemble
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.planner import plan
from apps.sizing.planning.judging import MEASURED_KIND, judged, ways_on
from apps.sizing.planning.lacks import nearest_rejected
from apps.sizing.planning.rows import reason_of
from apps.sizing.planning.ways import hardware_on_sale, layouts_of
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from apps.sizing.units import GIB
from apps.sizing.verdicts import HOLDS
from tests.sizing.test_planner import (
    CATALOG,
    FEW,
    FULL,
    LORA,
    RECIPE,
    SCRATCH,
    SITE,
    TASKS,
    kept,
    planned,
    question_of,
    searched,
)


def test_a_small_task_takes_one_gpu():
    found = plan(parse_task({**LORA, "model": {"kind": "decoder", "params_billion": 0.5}}), FEW, {})
    assert found["front"][0]["gpus"] == 1
    assert found["front"][0]["layout"] == "single"


def test_where_nothing_fits_the_reason_and_the_nearest_stand_alone():
    found = plan(parse_task({**FULL, "site": {**SITE, "kw_usable": 1.5}}), FEW, {})
    assert found["front"] == []
    assert found["reason"]["key"] == "plan.reason.nothing"
    assert found["rejected"]


def test_what_lacks_a_whole_card_deadline_or_feed_again_is_not_near():
    far = {**FULL, "site": {**SITE, "kw_usable": 0.1}, "cycle": {"target_hours": 1, "scope": "run"}}
    for search in (*map(kept, TASKS), searched(far)):
        for _found, lacks in nearest_rejected(search):
            for lack in lacks:
                params = lack.params
                if lack.key == "plan.lack.memory":
                    assert params["missing_gib"] <= params["capacity_gib"]
                elif lack.key == "plan.lack.time":
                    assert params["late_hours"] <= params["target_hours"]
                elif lack.key == "plan.lack.power":
                    assert params["load_kw"] <= 2 * params["feed_kw"]
    none = plan(parse_task(far), FEW, {})
    assert none["rejected"] == []
    assert none["reason"]["key"] == "plan.reason.nothing-near"


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


def test_a_way_that_splits_the_model_does_not_stand_for_one_with_savings_that_does_not():
    large = {**SCRATCH, "cycle": {}, "data": {}}
    large["recipe"] = {**RECIPE, "framework": None, "activation_checkpointing": "none"}
    search = searched(large, CATALOG)
    split = [row for row in search.front if row.way.splits]
    whole_ones = [row for row in search.front if not row.way.splits]
    assert split
    assert any(row.way.savings for row in whole_ones)


def test_what_a_reason_says_of_other_rows_is_true():
    said = set()
    hurried = searched({**LORA, "cycle": {"target_hours": 72, "scope": "run"}}).front
    for rows in [*(kept(name).front for name in sorted(TASKS)), hurried]:
        for index, row in enumerate(rows):
            reason = reason_of(index, rows)
            said.add(reason.key)
            params = reason.params
            if reason.key == "plan.why.faster":
                other = rows[params["row"] - 1]
                assert row.pace.high < other.pace.typical
                assert params["times"] == pytest.approx(other.pace.high / row.pace.high)
            elif reason.key == "plan.why.more-reserve":
                assert params["free_ratio"] > params["other_free_ratio"]
                assert params["other_free_ratio"] < 1 / 3
            elif reason.key.startswith("plan.why.fastest"):
                assert all(row.pace.high < other.pace.typical for other in rows[:index])
                other = rows[params["row"] - 1]
                assert params["times"] == pytest.approx(other.pace.high / row.pace.high)
            elif reason.key == "plan.why.compromise":
                assert row.pace.high < rows[params["faster_than"] - 1].pace.typical
                roomier_than = rows[params["roomier_than"] - 1]
                assert row.share.high < roomier_than.share.typical
                assert params["free_ratio"] == pytest.approx(1 - row.share.high)
                assert params["other_free_ratio"] == pytest.approx(1 - roomier_than.share.high)
                assert params["other_free_ratio"] < 1 / 3
            elif reason.key == "plan.why.keeps-reserve":
                assert row.memory.verdict == "fits" != rows[params["row"] - 1].memory.verdict
            elif reason.key == "plan.why.better-known":
                assert row.way.evidence > rows[params["row"] - 1].way.evidence
    assert {"plan.why.faster", "plan.why.smallest-in-time", "plan.why.smallest"} <= said


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
        elif standing["lacks"]:
            assert variant["verdicts"]["overall"] not in HOLDS or variant["rented"]
        else:
            assert variant["verdicts"]["overall"] in HOLDS or variant["rented"]
            assert standing["relation"] in ("alike", "ample", "roomier", "faster", "better")


def test_the_share_of_the_card_is_that_of_the_memory_estimate():
    for row in kept("full").front:
        memory = estimate_memory(row.way.task, FEW, row.way.platform.placement)
        assert row.share.typical * row.way.hardware.card.usable_memory_gib * GIB == pytest.approx(
            memory.device_gib.typical * GIB
        )


@pytest.mark.parametrize("name", sorted(TASKS))
def test_more_free_memory_is_no_reason_where_a_smaller_row_leaves_a_third_free(name):
    rows = kept(name).front
    for index, row in enumerate(rows):
        for smaller in rows[:index]:
            if smaller.share.high <= 2 / 3 and row.way.evidence < MEASURED_KIND:
                assert row.pace.high < smaller.pace.typical or smaller.way.splits


def test_a_small_model_is_copied_and_not_cut():
    small = {
        "method": "full",
        "model": {"kind": "vision", "params_billion": 0.086, "image_size": 224},
        "recipe": {"framework": "timm", "precision": "bf16-mixed", "micro_batch": 64, "epochs": 9},
        "data": {"samples": 1.28e6},
    }
    search = searched(small, CATALOG)
    assert any(row.way.hardware.gpus > 1 for row in search.front)
    for row in search.front:
        simpler = next(iter(ways_on(row.way.hardware, row.stand, search.question)))
        if (
            row.way.hardware.gpus > 1
            and judged(simpler, row.stand, search.question).share.high < 0.9
        ):
            assert row.way.platform.placement.data_parallel == "ddp"
