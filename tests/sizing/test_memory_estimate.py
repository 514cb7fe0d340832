"""The memory estimate: order, sums, verdicts, and what moves it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.sizing.errors import TaskError
from apps.sizing.estimators.memory import COMPONENTS, estimate_memory
from apps.sizing.memory.states import resident_states
from tests.sizing.engine import CATALOG, case_of, task_of

FRAMEWORKS = [
    "hf-trainer", "trl", "axolotl", "llama-factory", "unsloth", "torchtune", "torchtitan",
    "litgpt", "llm-foundry", "pytorch-fsdp2", "deepspeed", "megatron", "nemo", "internevo",
    "nanotron", "hf-fsdp-qlora", "something-new",
]  # fmt: skip
METHODS = ["full", "lora", "qlora", "dora", "freeze"]
KINDS = ["ddp", "zero1", "zero2", "zero3", "fsdp", "hsdp"]


def memory(**changes):
    found = estimate_memory(task_of(**changes), CATALOG)
    assert found is not None
    return found


recipes = st.fixed_dictionaries(
    {
        "framework": st.sampled_from(FRAMEWORKS),
        "precision": st.sampled_from(["fp32", "fp16-mixed", "bf16-mixed", "bf16-pure"]),
        "optimizer": st.sampled_from(["adamw", "adamw-8bit", "adafactor", "lion", "sgd", "muon"]),
        "activation_checkpointing": st.sampled_from(["none", "selective", "full"]),
        "attention": st.sampled_from(["flash", "sdpa", "eager"]),
        "fused_cross_entropy": st.booleans(),
        "fused_kernels": st.booleans(),
        "sequence_length": st.sampled_from([128, 512, 2048, 8192]),
        "micro_batch": st.sampled_from([1, 2, 5, 16]),
        "grad_accumulation": st.sampled_from([1, 4]),
        "optimizer_step": st.sampled_from([None, "foreach", "fused", "in-backward", "paged"]),
        "offload": st.sampled_from(["none", "none", "optimizer", "params", "activations"]),
        "lora_dropout": st.sampled_from([None, 0.0, 0.1]),
    }
)
layouts = st.sampled_from(
    [(1, {}), *((8, {"data_parallel": k}) for k in KINDS), (8, {"tensor_parallel": 4}),
     (16, {"nodes": 2, "pipeline_parallel": 4, "tensor_parallel": 2}),
     (16, {"nodes": 2, "pipeline_parallel": 4, "data_parallel": "fsdp"})]
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(recipe=recipes, layout=layouts, method=st.sampled_from(METHODS))
def test_every_estimate_is_in_order_and_its_components_sum_to_the_peak(recipe, layout, method):
    gpus, placement = layout
    found = memory(recipe=recipe, method=method, gpus=gpus, placement=placement)
    assert sum(found.components_gib.values()) == pytest.approx(found.allocated_gib.typical)
    assert set(found.components_gib) == set(COMPONENTS)
    assert all(value >= 0 for value in found.components_gib.values())
    assert found.allocated_gib.low > 0
    assert found.allocated_gib.typical <= found.reserved_gib.typical * (1 + 1e-9)
    assert found.reserved_gib.typical < found.device_gib.typical


@settings(max_examples=80, deadline=None)
@given(
    recipe=recipes,
    layout=layouts,
    method=st.sampled_from(METHODS),
    grown=st.sampled_from(["sequence_length", "micro_batch"]),
)
def test_more_tokens_never_need_less_memory(recipe, layout, method, grown):
    gpus, placement = layout
    more = {**recipe, grown: recipe[grown] * 2}
    small = memory(recipe=recipe, method=method, gpus=gpus, placement=placement)
    large = memory(recipe=more, method=method, gpus=gpus, placement=placement)
    assert large.allocated_gib.typical >= small.allocated_gib.typical * (1 - 1e-9)
    assert large.device_gib.typical >= small.device_gib.typical * (1 - 1e-9)


@settings(max_examples=60, deadline=None)
@given(recipe=recipes, method=st.sampled_from(METHODS), billion=st.floats(0.1, 100))
def test_a_larger_model_never_needs_less_memory(recipe, method, billion):
    small = memory(recipe=recipe, method=method, model={"params_billion": billion})
    large = memory(recipe=recipe, method=method, model={"params_billion": billion * 2})
    assert large.allocated_gib.typical >= small.allocated_gib.typical


@settings(max_examples=60, deadline=None)
@given(
    recipe=recipes,
    method=st.sampled_from(METHODS),
    kind=st.sampled_from(["zero1", "zero2", "zero3", "fsdp"]),
    degree=st.sampled_from([2, 4, 8, 16, 64]),
)
def test_more_shards_never_raise_the_static_memory(recipe, method, kind, degree):
    def static(gpus):
        placement = {"data_parallel": kind, "nodes": max(1, gpus // 8)}
        changes = {"recipe": recipe, "method": method, "gpus": gpus, "placement": placement}
        states = resident_states(case_of(**changes))
        kept = states.weights + states.gradients + states.optimizer
        return kept + states.step_temporary

    assert static(degree * 2) <= static(degree) * (1 + 1e-9)


def test_each_level_of_sharding_divides_one_more_state():
    def states(kind):
        recipe = {"framework": "deepspeed", "precision": "bf16-mixed"}
        return resident_states(case_of(gpus=8, recipe=recipe, placement={"data_parallel": kind}))

    one, two, three = states("zero1"), states("zero2"), states("zero3")
    assert one.optimizer == two.optimizer == three.optimizer
    assert two.gradients == pytest.approx(one.gradients / 8)
    assert three.weights == pytest.approx(two.weights / 8)


def test_replicas_do_not_add_up_their_memory():
    alone, eight = case_of(), case_of(gpus=8, placement={"data_parallel": "ddp"})
    assert resident_states(eight).weights == resident_states(alone).weights


def test_checkpointing_touches_the_activations_only():
    recipe = {"micro_batch": 8, "optimizer_step": "fused"}
    kept = memory(recipe=recipe)
    run_again = memory(recipe={**recipe, "activation_checkpointing": "full"})
    assert run_again.components_gib["activations"] < kept.components_gib["activations"]
    for part in ("weights", "optimizer"):
        assert run_again.components_gib[part] == kept.components_gib[part]


def test_an_8_bit_optimizer_takes_less_than_a_full_one():
    assert (
        memory(recipe={"optimizer": "adamw-8bit"}).components_gib["optimizer"]
        < memory().components_gib["optimizer"]
    )


def test_methods_are_ordered_as_everyone_expects():
    recipe = {"precision": "bf16-mixed", "activation_checkpointing": "full"}
    full, lora, qlora = (
        memory(method=m, recipe=recipe).device_gib.typical for m in ("full", "lora", "qlora")
    )
    assert full > lora > qlora


def test_offloading_the_optimizer_empties_its_part():
    assert memory(recipe={"offload": "optimizer"}).components_gib["optimizer"] == 0


def test_the_verdict_judges_the_high_end_against_the_card():
    small = memory(method="qlora", recipe={"activation_checkpointing": "full"})
    assert (small.verdict, small.capacity_gib) == ("fits", 80.0)
    assert memory(model={"name": "llama-3-70b"}).verdict == "does-not-fit"


def test_an_unfamiliar_framework_widens_the_range():
    def width(framework):
        found = memory(recipe={"framework": framework}, method="lora").device_gib
        return (found.high - found.low) / found.typical

    assert width("hf-trainer") < width("accelerate") < width(None)


@pytest.mark.parametrize(
    "change",
    [
        {"recipe": {"optimizer": "adamw-8bit"}},
        {"model": {"name": "mixtral-8x7b"}},
        {"model": {"name": "bert-large"}},
        {"recipe": {"stage": "dpo"}},
        {"method": "dora"},
        {"accelerator": "MI300X"},
    ],
)
def test_a_kind_of_run_nobody_measured_is_less_certain(change):
    def width(found):
        return (found.allocated_gib.high - found.allocated_gib.low) / found.allocated_gib.typical

    assert width(memory(**change)) > width(memory())


@pytest.mark.parametrize(
    "field", ["sequence_length", "micro_batch", "activation_checkpointing", "fused_cross_entropy"]
)
def test_an_unknown_field_never_narrows_the_range_and_is_asked_about(field):
    known = memory(method="lora")
    unknown = memory(method="lora", recipe={field: None})
    assert unknown.device_gib.high - unknown.device_gib.low >= (
        known.device_gib.high - known.device_gib.low
    )
    assert unknown.influences[f"recipe.{field}"] >= 0


def test_an_unknown_rank_costs_little_and_an_unknown_length_much():
    found = memory(method="lora", recipe={"lora_rank": None, "sequence_length": None}).influences
    assert found["recipe.sequence_length"] > found["recipe.lora_rank"]


def test_without_a_model_size_there_is_no_figure():
    assert estimate_memory(task_of(model={"name": "our own"}), CATALOG) is None


def test_a_missing_or_unknown_card_is_named():
    for placement, code in (({}, "missing-accelerator"), ({"accelerator": "X1"}, "unknown-")):
        task = task_of(placement={"accelerator": None, **placement})
        with pytest.raises(TaskError) as caught:
            estimate_memory(task, CATALOG)
        assert caught.value.code.startswith(code)
        assert caught.value.field == "placement.accelerator"
