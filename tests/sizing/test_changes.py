"""What changed between two results: figures, verdicts, conclusions."""

import copy
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import assemble
from apps.sizing.changes import changes_between
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task

TASK = {
    "schema": "podbor.task/1",
    "strategy": "finetune",
    "method": "full",
    "model": {"name": "Llama-3.1-8B"},
    "recipe": {
        "stage": "sft",
        "framework": "torchtune",
        "precision": "bf16-mixed",
        "optimizer": "adamw",
        "sequence_length": 8192,
        "micro_batch": 1,
        "activation_checkpointing": "full",
        "attention": "flash",
        "epochs": 3,
    },
    "data": {"tokens": 300_000_000, "bytes": 2_000_000_000, "kind": "text"},
    "cycle": {"target_hours": 72, "scope": "run"},
}


@cache
def result_with(kw_usable=None, **recipe):
    site = {"kw_usable": kw_usable, "feeds": 2, "cooling": "air"} if kw_usable else {}
    task = parse_task(TASK | {"site": site, "recipe": TASK["recipe"] | recipe})
    catalog = fixture_catalog()
    platforms = candidate_platforms(task, catalog)
    outputs = estimate_all(task, catalog, platforms)
    return assemble(task, catalog, platforms, outputs, {"explore": False})


def said(changes):
    return [message["key"] for message in changes["conclusions"]]


def test_a_result_and_itself_differ_in_nothing():
    result = result_with(5)
    assert changes_between(result, result) == {
        "variants": [],
        "closed": [],
        "opened": [],
        "conclusions": [{"key": "change.none", "params": {}}],
    }


def test_more_power_lifts_the_rack_from_the_hardware_it_blocked():
    changes = changes_between(result_with(5), result_with(12))
    lifted = [m["params"] for m in changes["conclusions"] if m["key"] == "change.rack-opened.power"]
    assert any(p["gpu_count"] == 8 for p in lifted)
    assert all((p["before_kw"], p["available_kw"]) == (5, 12) for p in lifted)
    assert "change.rack-at-risk" in said(changes)
    cooled = copy.deepcopy(result_with(5))
    for variant in cooled["variants"]:
        if variant["rack"]:
            variant["rack"]["power"]["verdict"] = "fits"
    assert "change.rack-opened" in said(changes_between(cooled, result_with(12)))
    back = changes_between(result_with(12), result_with(5))
    blocked = [m["params"] for m in back["conclusions"] if m["key"] == "change.rack-closed.power"]
    assert sorted(p["gpu_count"] for p in blocked) == sorted(p["gpu_count"] for p in lifted)


def test_what_is_recommended_now_and_what_was():
    old, new = result_with(5), copy.deepcopy(result_with(5))
    chosen = next(v for v in new["variants"] if v["key"] == new["recommended"])
    chosen["gpus"] *= 2
    [first, *_rest] = changes_between(old, new)["conclusions"]
    assert first["key"] == "change.recommended.other"
    assert first["params"]["gpu_count"] == 2 * first["params"]["old_gpu_count"]
    renamed = copy.deepcopy(old)
    other = next(v for v in renamed["variants"] if v["key"] == old["recommended"])
    renamed["recommended"] = other["key"] = "V9"
    assert "change.recommended.other" not in said(changes_between(old, renamed))
    new["recommended"] = None
    assert said(changes_between(old, new))[0] == "change.recommended.none"
    assert said(changes_between(new, old))[0] == "change.recommended.first"


def test_figures_are_compared_by_variant_and_a_range_out_of_reach_is_marked():
    old, new = result_with(12), copy.deepcopy(result_with(12))
    block = new["variants"][1]["memory"]
    memory = {end: 3 * value for end, value in block["device_gib"].items()}
    new["variants"][1]["memory"] = {**block, "device_gib": memory}
    new["variants"][1]["verdicts"] |= {"memory": "does-not-fit"}
    [variant] = changes_between(old, new)["variants"]
    assert (variant["key"], variant["state"]) == (new["variants"][1]["key"], "same")
    [figure] = variant["figures"]
    assert (figure["path"], figure["apart"]) == ("memory.device_gib", True)
    assert figure["new"] == memory
    assert [v["part"] for v in variant["verdicts"]] == ["memory"]


def test_a_range_computed_again_is_the_same_range():
    old, new = result_with(12), copy.deepcopy(result_with(12))
    for end in ("low", "typical", "high"):
        new["variants"][0]["memory"]["device_gib"][end] *= 1.001
    assert changes_between(old, new)["variants"] == []


def test_a_variant_that_is_gone_or_new_has_only_its_hardware():
    old, new = result_with(12), copy.deepcopy(result_with(12))
    dropped = new["variants"].pop()
    [gone] = changes_between(old, new)["variants"]
    assert (gone["key"], gone["state"], gone["figures"]) == (dropped["key"], "gone", [])
    assert gone["hardware"]["new"] is None
    [back] = changes_between(new, old)["variants"]
    assert (back["state"], back["hardware"]["old"]) == ("appeared", None)


def test_questions_that_are_none_any_more_and_new_ones():
    unknown, known = result_with(12, micro_batch=None), result_with(12)
    changes = changes_between(unknown, known)
    assert "recipe.micro_batch" in changes["closed"]
    assert "recipe.micro_batch" in changes_between(known, unknown)["opened"]


@pytest.mark.parametrize(
    ("name", "was", "now", "key"),
    [
        ("verdict", "pilot-first", "train", "change.verdict"),
        ("readiness", "early", "specification", "change.readiness"),
        ("confidence", "C", "B", "change.confidence"),
    ],
)
def test_words_of_the_result_about_itself(name, was, now, key):
    old, new = {**result_with(12), name: was}, {**result_with(12), name: now}
    assert said(changes_between(old, new)) == [key]
    assert said(changes_between(old, {**new, name: None})) == ["change.none"]


@pytest.mark.parametrize(
    ("was", "now", "key"),
    [(False, True, "change.measured"), (True, False, "change.not-measured")],
)
def test_whether_it_is_checked_against_measurements(was, now, key):
    old = {**result_with(12), "evidence": {"validated": was}}
    new = {**result_with(12), "evidence": {"validated": now}}
    assert said(changes_between(old, new)) == [key]


@pytest.mark.parametrize("part", ["memory", "time"])
def test_a_part_that_blocked_hardware_and_does_not_now(part):
    old, new = copy.deepcopy(result_with(12)), result_with(12)
    for row in (*old["variants"], *old["candidates"]):
        row["verdicts"][part] = "does-not-fit"
    keys = said(changes_between(old, new))
    assert f"change.{part}-opened" in keys
    assert f"change.{part}-closed" in said(changes_between(new, old))


def test_a_document_without_parts_is_compared_in_what_it_has():
    old = {"schema": "podbor.result/1", "variants": [], "recommended": None}
    changes = changes_between(old, result_with(5))
    assert {variant["state"] for variant in changes["variants"]} == {"appeared"}
    assert changes_between(old, old)["conclusions"] == [{"key": "change.none", "params": {}}]


@settings(deadline=None, max_examples=15)
@given(st.sampled_from([3, 5, 8, 12, 20]), st.sampled_from([3, 5, 8, 12, 20]))
def test_what_opens_one_way_closes_the_other(first, second):
    there = changes_between(result_with(first), result_with(second))
    back = changes_between(result_with(second), result_with(first))

    def rack(changes, word):
        marked = [m for m in changes["conclusions"] if m["key"].startswith(f"change.rack-{word}")]
        return {(m["params"]["gpu_count"], m["params"]["accelerator"]) for m in marked}

    assert rack(there, "opened") == rack(back, "closed")
    assert sorted(there["closed"]) == sorted(back["opened"])
