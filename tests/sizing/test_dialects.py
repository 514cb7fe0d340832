"""What the same recipe means in frameworks of which few runs or none are published."""

from __future__ import annotations

import pytest

from apps.sizing.cases import resolve_case
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.memory.activations import activations, loss_bytes
from apps.sizing.memory.phases import peak_of
from apps.sizing.memory.states import resident_states
from apps.sizing.memory.unsharded import buffers
from tests.sizing.engine import CATALOG, GIB, case_of, task_of

QLORA = {
    "quantization": "nf4-double",
    "activation_checkpointing": "full",
    "precision": "bf16-mixed",
    "lora_rank": 16,
}


def causes(recipe, **changes):
    found = estimate_memory(task_of(recipe=recipe, **changes), CATALOG)
    assert found is not None
    return found.causes


def test_nanotron_accumulates_in_fp32_beside_the_buckets_of_ddp():
    """2 weights, 4 accumulated gradients, 12 states and 2 of DDP's buckets: 20 bytes."""
    recipe = {"framework": "nanotron", "precision": "bf16-mixed"}
    case = case_of(recipe=recipe, gpus=8, placement={"data_parallel": "ddp"})
    states = resident_states(case)
    kept = states.weights + states.gradients + states.optimizer + buffers(case).loss
    assert kept / case.shape.total_params == pytest.approx(20, rel=1e-3)
    assert loss_bytes(case) > 2 * loss_bytes(case_of(recipe={**recipe, "framework": "megatron"}))


@pytest.mark.parametrize("framework", ["axolotl", "llama-factory", "unsloth"])
def test_norms_are_cast_back_where_the_source_says_so(framework):
    """Their preparation of a quantised base leaves the residual stream in half precision."""
    assert "residual-stream" in causes({**QLORA, "framework": "hf-trainer"}, method="qlora")
    assert "residual-stream" not in causes({**QLORA, "framework": framework}, method="qlora")


def test_unsloth_keeps_inputs_of_layers_on_the_host_or_did_not_yet():
    recipe = {**QLORA, "framework": "unsloth", "micro_batch": 8}
    kept = activations(case_of(method="qlora", recipe=recipe)).kept
    assert kept == pytest.approx(2 * 8 * 2048 * 2 * 4096)  # two layers' inputs
    assert causes(recipe, method="qlora")["checkpoint-home"] > 0.05


@pytest.mark.parametrize(("stated", "per_logit"), [(None, 5), (True, 5), (False, 10)])
def test_torchtune_computes_its_loss_in_chunks_unless_told(stated, per_logit):
    recipe = {"framework": "torchtune", "fused_cross_entropy": stated}
    assert case_of(recipe=recipe).loss_bytes == per_logit


def test_torchtune_on_one_consumer_card_fits_with_its_usual_recipe():
    """Its single-device recipe is made for 24 GB: paged 8-bit AdamW in the backward pass."""
    recipe = {
        "framework": "torchtune",
        "optimizer": "adamw-8bit",
        "optimizer_step": "in-backward",
        "activation_checkpointing": "full",
        "fused_cross_entropy": None,
    }
    for model in ("meta-llama/Llama-2-7b", "meta-llama/Llama-3-8B"):
        task = task_of(model={"name": model}, recipe=recipe, accelerator="RTX-4090")
        assert task.placement is not None
        case = resolve_case(task, task.placement, CATALOG)
        assert case is not None
        assert peak_of(case).phase.total < 23.5 * GIB


FSDP = {"gpus": 8, "placement": {"data_parallel": "fsdp", "intra_node_link": "nvswitch"}}


@pytest.mark.parametrize("framework", ["hf-trainer", "llama-factory", "ms-swift", "accelerate"])
def test_accelerate_casts_what_fsdp_trains_to_fp32(framework):
    """Its FSDP with mixed precision: 16 bytes a parameter, whatever type the model came in."""
    recipe = {"framework": framework, "precision": "bf16-mixed", "optimizer_step": "fused"}
    states = resident_states(case_of(recipe=recipe, **FSDP))
    kept = states.weights + states.gradients + states.optimizer
    assert kept * 8 / case_of().shape.total_params == pytest.approx(16)
    assert "trained-type" not in causes(recipe, **FSDP)


@pytest.mark.parametrize("framework", ["axolotl", "llama-factory", "ms-swift", "unsloth"])
def test_trainers_wrap_adapters_apart_from_the_frozen_base(framework):
    """The policy that HF Trainer takes from PEFT: no flat gradient of frozen weights is left."""
    recipe = {**QLORA, "quantization": "none", "framework": framework, "grad_accumulation": 8}
    assert causes(recipe, method="lora", **FSDP).get("accumulation", 0) < 0.01
    script = {**recipe, "framework": "accelerate"}
    assert causes(script, method="lora", **FSDP)["accumulation"] > 0.5


@pytest.mark.parametrize(("framework", "doubted"), [("torchtune", False), ("pytorch-fsdp", True)])
def test_whether_adapters_are_units_of_their_own_is_known_of_some(framework, doubted):
    recipe = {**QLORA, "quantization": "none", "framework": framework}
    found = estimate_time(task_of(method="lora", recipe=recipe, **FSDP), CATALOG)
    assert found is not None
    assert ("wrapped-adapters" in found.causes) is doubted


def test_internevo_always_cuts_the_states_of_its_optimizer():
    """Its zero1 of size -1: 2 + 2 + 12/D bytes a parameter, two flat buckets beside them."""
    recipe = {"framework": "internevo", "precision": "bf16-mixed"}
    placement = {"data_parallel": "ddp", "shard_degree": 1, "nodes": 2}
    case = case_of(recipe=recipe, gpus=16, placement=placement)
    states = resident_states(case)
    kept = states.weights + states.gradients + states.optimizer
    assert kept / case.shape.total_params == pytest.approx(2 + 2 + 12 / 16)
    assert buffers(case).backward == pytest.approx(2 * 5e8 * 2)
    assert buffers(case_of(recipe=recipe)).backward == 0
    plain = case_of(recipe={**recipe, "framework": "torchtitan"}, gpus=16, placement=placement)
    assert plain.layout.kind == "ddp"
    assert causes(recipe, gpus=16, placement=placement)["engine-buffers"] > 0.1


@pytest.mark.parametrize("framework", ["torchtune", "litgpt", "pytorch-fsdp2", "hf-fsdp-qlora"])
def test_what_has_no_plain_data_parallelism_is_sharded(framework):
    """Their distributed recipes and scripts run under FSDP, whatever the layout is called."""
    for placement in ({}, {"data_parallel": "ddp"}):
        case = case_of(recipe={"framework": framework}, gpus=8, placement=placement)
        assert (case.layout.kind, case.layout.shard) == ("fsdp", 8)
    alone = case_of(recipe={"framework": framework}, placement={"data_parallel": "ddp"})
    assert alone.layout.kind == "none"


def test_litgpt_recomputes_whenever_it_tunes_on_several_cards():
    """Its scripts pass the block to FSDP as what to recompute; pretraining and one card do not."""
    recipe = {"framework": "litgpt", "activation_checkpointing": "none"}
    assert case_of(recipe=recipe, **FSDP).checkpointing == "full"
    assert case_of(recipe=recipe).checkpointing == "none"
    assert case_of(recipe=recipe, strategy="from-scratch", **FSDP).checkpointing == "none"


def test_which_step_hf_takes_by_default_depends_on_its_version():
    recipe = {"optimizer_step": None, "activation_checkpointing": "full"}
    assert causes(recipe)["step-copies"] > 0.1
    assert "step-copies" not in causes({**recipe, "optimizer_step": "fused"})
    assert "step-copies" not in causes({**recipe, "framework": "torchtitan"}, **FSDP)
