"""One recipe over every accelerator: the engine's own figures, and none is worked out in vain."""

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.platforms import growing, laid_out
from apps.sizing.sweep import sweep
from apps.sizing.task_reader import parse_task
from apps.sizing.trials import first_that_holds

CATALOG = fixture_catalog()
RECIPE = {"sequence_length": 4096, "micro_batch": 1, "activation_checkpointing": "full"}


def task_of(model, method="full", **placement):
    document = {"method": method, "model": {"name": model}, "recipe": RECIPE}
    return parse_task(document | ({"placement": placement} if placement else {}))


@pytest.mark.parametrize(
    ("model", "method"),
    [
        ("meta-llama/Meta-Llama-3.1-8B", "lora"),
        ("meta-llama/Meta-Llama-3.1-8B", "full"),
        ("meta-llama/Meta-Llama-3.1-70B", "full"),
        ("Qwen/Qwen2.5-32B-Instruct", "qlora"),
    ],
)
def test_the_fewest_gpus_are_those_of_the_full_search(model, method):
    task = task_of(model, method)
    found = sweep(task, CATALOG)
    assert [r.card.id for r in found.results] == list(CATALOG.accelerators)
    for result in found.results:
        trial = first_that_holds(result.card, task, CATALOG)
        assert result.holds == (trial is not None)
        if trial is not None:
            assert (result.gpus, result.memory) == (trial.platform.gpus, trial.memory)


def test_a_stated_number_is_tried_on_every_card():
    task = task_of("meta-llama/Meta-Llama-3.1-8B", gpus=8)
    for result in sweep(task, CATALOG).results:
        assert result.gpus == 8
        platform = next((p for p in growing(result.card, task, CATALOG) if p.gpus == 8), None)
        if result.holds and platform is not None:
            assert result.memory.device_gib == laid_out(platform, task, CATALOG)[1].device_gib


def test_an_odd_number_is_tried_too():
    results = sweep(task_of("meta-llama/Meta-Llama-3.1-8B", gpus=3), CATALOG).results
    assert {result.gpus for result in results} == {3}


def test_where_nothing_holds_the_lightest_layout_is_shown():
    results = sweep(task_of("meta-llama/Meta-Llama-3.1-70B"), CATALOG).results
    small = next(r for r in results if r.card.id == "RTX-4090")
    assert not small.holds
    assert small.layout == "zero3-8"
    assert small.memory.verdict == "does-not-fit"


def test_a_wish_for_a_layout_is_kept():
    task = task_of("meta-llama/Meta-Llama-3.1-8B", gpus=4, data_parallel="zero2")
    assert {result.layout for result in sweep(task, CATALOG).results} == {"zero2-4"}


def test_gaps_of_all_cards_are_said_once_and_those_of_one_beside_it():
    found = sweep(task_of("deepseek-ai/DeepSeek-V3"), CATALOG)
    assert "mixture" in found.gaps
    by_card = {r.card.id: r.gaps for r in found.results}
    assert "card" in by_card["MI300X"]
    assert "card" not in by_card["A100-SXM4-80"]
    assert not any(set(gaps) & set(found.gaps) for gaps in by_card.values())


def test_a_board_is_sold_whole():
    by_card = {r.card.id: r for r in sweep(task_of("Qwen/Qwen2.5-7B", "lora"), CATALOG).results}
    assert by_card["H100-SXM5-80"].gpus == 1
    assert by_card["H100-SXM5-80"].sold_gpus > 1
    assert by_card["L40S"].sold_gpus == by_card["L40S"].gpus


def test_nothing_is_said_of_an_unknown_model():
    assert sweep(task_of("nobody/knows-this"), CATALOG) is None


def test_assumptions_come_along():
    keys = {message.key for message in sweep(task_of("Qwen/Qwen2.5-7B"), CATALOG).assumptions}
    assert "memory.assumption.framework-unknown" in keys
    assert "memory.assumption.worst-rank" in keys
