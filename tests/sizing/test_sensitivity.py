"""Which unknown moves the result most: the ends are the estimators' own figures."""

from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import assemble
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.platforms import candidate_platforms, growing
from apps.sizing.sensitivity import sensitivity_at, sensitivity_of
from apps.sizing.task import Placement
from apps.sizing.task_reader import parse_task

CATALOG = fixture_catalog()
PLACE = Placement(accelerator="H100-SXM5-80", gpus=1, nodes=1, data_parallel="none")
KNOWN = {
    "schema": "podbor.task/1",
    "strategy": "finetune",
    "method": "lora",
    "model": {"name": "Llama-3.1-8B"},
    "recipe": {"epochs": 1, "micro_batch": 2, "grad_accumulation": 8},
    "data": {"tokens": 1e9, "bytes": 4e9, "kind": "text"},
    "cycle": {"target_hours": 72},
    "site": {},
}


def task_of(**recipe):
    return parse_task({**KNOWN, "recipe": {**KNOWN["recipe"], **recipe}})


def by_field(found):
    return {moved.field: moved for moved in found.moved}


def test_each_end_is_what_the_estimator_says_of_that_answer():
    found = by_field(sensitivity_at(task_of(), CATALOG, PLACE))["recipe.sequence_length"]
    for end in found.ends:
        there = estimate_memory(task_of(sequence_length=end.value), CATALOG, PLACE)
        assert end.figures.device_gib == there.device_gib
        assert end.figures.memory == there.verdict


def test_an_answered_question_is_no_unknown():
    assert "recipe.sequence_length" in by_field(sensitivity_at(task_of(), CATALOG, PLACE))
    answered = sensitivity_at(task_of(sequence_length=2048), CATALOG, PLACE)
    assert "recipe.sequence_length" not in by_field(answered)


def test_the_strongest_comes_first_and_nothing_is_asked_twice():
    found = sensitivity_at(task_of(), CATALOG, PLACE)
    swings = [moved.swing for moved in found.moved]
    assert swings == sorted(swings, reverse=True)
    assert len(by_field(found)) == len(found.moved)
    assert found.moved[0].field == "recipe.sequence_length"


def test_a_verdict_that_hangs_on_the_answer_is_named():
    """8 B in full on one 80 GiB card: QLoRA holds, full training does not."""
    task = replace(task_of(sequence_length=2048), method=None)
    found = by_field(sensitivity_at(task, CATALOG, PLACE))["method"]
    verdicts = {end.value: end.figures.memory for end in found.ends}
    assert verdicts["qlora"] in ("fits", "tight")
    assert verdicts["full"] == "does-not-fit"
    assert "memory" in found.flips


def test_what_only_the_rack_wants_flips_the_rack_and_moves_nothing_else():
    task = task_of(sequence_length=2048)
    card = CATALOG.accelerators["H100-SXM5-80"]
    platform = next(p for p in growing(card, task, CATALOG) if p.gpus == 8)
    block = sensitivity_of(task, CATALOG, platform)
    power = next(f for f in block["fields"] if f["field"] == "site.kw_usable")
    assert power["flips"] == ["rack"]
    assert power["swing"] == 0
    assert block["now"]["load_kw"]["high"] > 2.9
    assert power["ends"][0]["rack"] == "does-not-fit"


def test_energy_of_a_run_goes_with_its_hours():
    task = task_of()
    card = CATALOG.accelerators["H100-SXM5-80"]
    platform = next(p for p in growing(card, task, CATALOG) if p.gpus == 8)
    block = sensitivity_of(task, CATALOG, platform)
    now = block["now"]
    for field in block["fields"]:
        for end in field["ends"]:
            hours = end["hours"]["typical"] / now["hours"]["typical"]
            assert end["run_kwh"]["typical"] / now["run_kwh"]["typical"] == pytest.approx(hours)
            assert end["time_ratio"] == pytest.approx(hours)


def test_nothing_without_a_model_size():
    assert sensitivity_at(parse_task({**KNOWN, "model": {}}), CATALOG, PLACE) is None


def test_the_result_holds_it_and_says_why_not():
    task = parse_task({**KNOWN, "placement": {"accelerator": "H100-SXM5-80", "gpus": 8}})
    platforms = candidate_platforms(task, CATALOG)
    outputs = estimate_all(task, CATALOG, platforms)
    asked = assemble(task, CATALOG, platforms, outputs, {"explore": True})
    assert asked["sensitivity"]["gpus"] == 8
    lost = assemble(task, CATALOG, platforms, {**outputs, "time": None}, {"explore": True})
    assert lost["sensitivity"] is None
    assert lost["reasons"]["sensitivity"]["params"] == {"estimator": "time"}
    assert lost["limits"] is not None
