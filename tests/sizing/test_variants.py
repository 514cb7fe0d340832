"""Each variant stands for a decision of its own."""

import json

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.candidates import candidates_of
from apps.sizing.task_reader import parse_task
from apps.sizing.variants import choose_variants, recommended_of, with_savings
from tests.sizing.test_assemble import CATALOG, LORA, estimated

ROOMY = {"kw_usable": 50, "feeds": 2, "cooling": "containment", "rack_units": 42}


def chosen(document, context=None):
    task, platforms, outputs = estimated(json.dumps(document))
    candidates = candidates_of(task, CATALOG, platforms, outputs)
    return {v.key: v for v in choose_variants(task, CATALOG, candidates, context or {})}


def full(model="Llama-3.1-8B", **more):
    return {**LORA, "method": "full", "model": {"name": model}, **more}


def test_the_minimal_is_the_smallest_and_the_scale_out_the_largest():
    found = chosen(LORA)
    sizes = [found[key].candidate.size for key in ("V1", "V2", "V3")]
    assert sizes == sorted(sizes)
    assert found["V3"].candidate.module


def test_a_comfortable_node_is_clearly_faster_than_the_minimal_one():
    found = chosen(LORA)
    minimal, comfortable = (found[k].candidate.hours.typical for k in ("V1", "V2"))
    assert comfortable <= 0.75 * minimal


def test_a_tighter_deadline_never_asks_for_fewer_gpus():
    sizes = []
    for hours in (500, 24, 8):
        found = chosen({**LORA, "site": ROOMY, "cycle": {"target_hours": hours, "scope": "run"}})
        sizes.append(found["V1"].candidate.size)
    assert sizes == sorted(sizes)


def test_the_minimal_rests_on_savings_where_they_make_it_smaller():
    recipe = {**LORA["recipe"], "activation_checkpointing": "none", "micro_batch": 4}
    found = chosen({**full(site=ROOMY), "recipe": recipe, "cycle": {}})
    keys = {m.key for m in found["V1"].savings}
    assert "variant.saving.activation-checkpointing" in keys
    assert found["V1"].candidate.memory_verdict in ("fits", "tight")
    assert not found["V2"].savings


def test_a_recipe_that_nothing_holds_is_compared_with_its_savings():
    recipe = {**LORA["recipe"], "activation_checkpointing": "none", "micro_batch": 16}
    found = chosen({**full(site=ROOMY), "recipe": recipe, "cycle": {}})
    assert len(found) >= 3
    for variant in found.values():
        assert variant.savings
        assert variant.candidate.memory_verdict in ("fits", "tight")


def test_savings_leave_the_batch_and_the_mathematics_alone():
    task = parse_task(
        {**LORA, "recipe": {**LORA["recipe"], "micro_batch": 4, "grad_accumulation": 2}}
    )
    thrifty, savings = with_savings(task)
    recipe = thrifty.recipe
    assert recipe.micro_batch * recipe.grad_accumulation == 8
    assert (recipe.optimizer, recipe.precision) == (task.recipe.optimizer, task.recipe.precision)
    assert [m.key for m in savings] == ["variant.saving.accumulation"]


def test_a_thrifty_recipe_has_nothing_left_to_save():
    recipe = {**LORA["recipe"], "micro_batch": 1, "activation_checkpointing": "full"}
    assert with_savings(parse_task({**LORA, "recipe": recipe}))[1] == ()


def test_a_pilot_rents_the_minimal_cards_when_they_are_few():
    found = chosen(LORA)
    assert found["V0"].rented
    assert found["V0"].candidate.platform.gpus <= 2
    assert found["V0"].candidate.platform == found["V1"].candidate.platform


def test_a_rented_platform_has_to_meet_the_deadline_when_renting_is_the_plan():
    document = {**LORA, "method": "qlora", "model": {"name": "Llama-3.1-70B"}}
    found = chosen(document, {"acquisition": "rent"})
    assert found["V0"].candidate.time_verdict in ("fits", "tight")


def test_the_site_decides_what_is_recommended():
    roomy = chosen({**full(), "site": ROOMY})
    assert recommended_of(tuple(roomy.values()), {}).key == "V2"
    nowhere = chosen({**full(), "site": {"kw_usable": 0.5, "feeds": 2, "cooling": "air"}})
    best = recommended_of(tuple(nowhere.values()), {})
    assert best.rented


def test_several_nodes_come_only_when_one_is_not_in_time():
    slow = chosen({**full(), "site": ROOMY, "cycle": {"target_hours": 72, "scope": "run"}})
    assert all(v.candidate.platform.nodes == 1 for v in slow.values())
    fast = chosen({**full("Llama-3.1-70B"), "site": ROOMY})
    assert any(v.candidate.platform.nodes > 1 for v in fast.values())


@pytest.mark.parametrize("method", ["lora", "qlora", "full"])
def test_every_variant_holds_the_model_by_the_high_end(method):
    for variant in chosen({**LORA, "method": method, "site": ROOMY}).values():
        assert variant.candidate.memory_verdict in ("fits", "tight")


def test_measured_cards_come_before_those_nobody_measured():
    found = chosen({**full(), "site": ROOMY})
    assert found["V3"].candidate.measured
    assert (
        fixture_catalog().accelerators[found["V3"].candidate.platform.accelerator].vendor
        == "NVIDIA"
    )


def test_of_two_of_one_size_the_minimal_is_the_faster():
    """L40 and RTX 6000 Ada have the same power and memory; one is twice as fast."""
    recipe = {**LORA["recipe"], "framework": "trl", "sequence_length": 4096, "micro_batch": 1}
    small = full(recipe=recipe, data={"tokens": 2e8}, cycle={})
    small["model"] = {"kind": "decoder", "params_billion": 1.5}
    task, platforms, outputs = estimated(json.dumps(small))
    candidates = candidates_of(task, CATALOG, platforms, outputs)
    minimal = chosen(small)["V1"].candidate
    rivals = [
        c
        for c in candidates
        if c.size[:3] == minimal.size[:3] and c.memory_verdict in ("fits", "tight")
    ]
    assert len(rivals) > 1
    assert minimal.seconds_per_sample == min(c.seconds_per_sample for c in rivals)


def test_a_deadline_that_two_nodes_miss_brings_as_many_as_keep_it():
    scratch = {
        "strategy": "from-scratch",
        "method": "full",
        "model": {"kind": "decoder", "params_billion": 70},
        "recipe": {"framework": "megatron", "sequence_length": 8192, "micro_batch": 1},
        "data": {"tokens": 1e12},
        "cycle": {"target_hours": 2000, "scope": "run"},
    }
    minimal = chosen(scratch)["V1"].candidate
    assert minimal.platform.nodes > 2
    assert minimal.time_verdict in ("fits", "tight")
