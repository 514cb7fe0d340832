"""Formulas of memory against published figures and limiting cases."""

from __future__ import annotations

import pytest

from apps.sizing.adapters import Adapters
from apps.sizing.cases import Case
from apps.sizing.memory.activations import (
    activations,
    layer_bytes_per_token,
    loss_bytes,
    micro_batches_in_flight,
)
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.phases import BACKWARD, LOSS, STEP, peak_of
from apps.sizing.memory.states import resident_states
from apps.sizing.memory.unsharded import buffers
from tests.sizing.engine import GIB, case_of

GB = 1e9


def adapters_of(case: Case) -> Adapters:
    assert case.adapters is not None
    return case.adapters


def states_gb(**changes):
    states = resident_states(case_of(**changes))
    return (states.weights + states.gradients + states.optimizer) / GB


@pytest.mark.parametrize(
    ("kind", "published_gb"),
    [("none", 120.0), ("zero1", 31.4), ("zero2", 16.6), ("zero3", 1.88)],
)
def test_states_of_zero_are_those_of_the_papers_first_figure(kind, published_gb):
    """Rajbhandari et al. 2020, figure 1: 7.5 billion parameters, 64 GPUs, mixed-precision Adam."""
    model = {"params_billion": 7.5, "layers": 36, "hidden": 4096, "heads": 32, "vocab": 50_000}
    gpus = 1 if kind == "none" else 64
    found = states_gb(
        model=model,
        gpus=gpus,
        recipe={"framework": "deepspeed", "precision": "fp16-mixed"},
        placement={"data_parallel": kind, "nodes": max(1, gpus // 8)},
    )
    assert found == pytest.approx(published_gb, rel=0.01)


@pytest.mark.parametrize(
    ("recipe", "bytes_per_parameter"),
    [
        ({"precision": "fp32"}, 16),
        ({"precision": "bf16-mixed", "master_weights": "fp32"}, 16),
        ({"precision": "bf16-pure"}, 8),
        ({"precision": "bf16-mixed", "master_weights": "none"}, 8),
        ({"precision": "bf16-mixed", "framework": "megatron"}, 18),
        ({"precision": "bf16-mixed", "framework": "deepspeed"}, 16),
        ({"precision": "bf16-mixed", "framework": "torchtune"}, 8),
        ({"optimizer": "adamw-8bit"}, 6.03),
        ({"optimizer": "lion"}, 8),
        ({"optimizer": "sgd"}, 6),
        ({"optimizer": "adafactor"}, 4.01),
    ],
)
def test_bytes_per_parameter_follow_the_recipe(recipe, bytes_per_parameter):
    found = states_gb(recipe=recipe) * GB / case_of(recipe=recipe).shape.total_params
    assert found == pytest.approx(bytes_per_parameter, rel=1e-3)


def test_the_step_of_a_foreach_optimizer_is_the_peak_whatever_the_checkpointing():
    """MemTracker over real PyTorch code: Llama-3-8B, bf16, 2048 tokens: 74.8 GiB both ways."""
    for checkpointing in ("none", "full"):
        peak = peak_of(case_of(recipe={"activation_checkpointing": checkpointing}))
        assert peak.phase.name == STEP
        assert peak.phase.total / GIB == pytest.approx(74.8, rel=0.003)


def test_a_fused_optimizer_spares_the_temporary_copy():
    """MemTracker: optimizer peak 3 x parameters with foreach, 2 x fused (44.9 and 29.9 GiB)."""
    with_copy = resident_states(case_of())
    without = resident_states(case_of(recipe={"optimizer_step": "fused"}))
    assert with_copy.step_temporary / GIB == pytest.approx(44.9 - 29.9, rel=0.01)
    assert without.step_temporary == 0


def test_an_optimizer_in_the_backward_pass_keeps_one_gradient():
    states = resident_states(case_of(recipe={"optimizer_step": "in-backward"}))
    shape = case_of().shape
    assert states.gradients == 2 * shape.embedding_params


def test_activations_of_a_layer_are_those_counted_from_saved_tensors():
    """FakeTensor count: 16h + 4q + 4kv + 8f + 4a + 8 = 200 840 bytes for Llama-3-8B."""
    assert layer_bytes_per_token(case_of()) == pytest.approx(200_840, abs=8)


@pytest.mark.parametrize(
    ("targets", "precision", "counted"),
    [
        # 10h + 4q + 4kv + 6f + 4a and 12h + 4q + 4kv + 8f + 4a, h = q = 4096, kv = 1024, f = 14336
        (["q_proj", "v_proj"], "bf16", 10 * 4096 + 4 * 4096 + 4 * 1024 + 6 * 14336 + 128),
        ("all-linear", "bf16", 12 * 4096 + 4 * 4096 + 4 * 1024 + 8 * 14336 + 128),
        (["q_proj", "v_proj"], "fp32", 14 * 4096 + 6 * 4096 + 4 * 1024 + 6 * 14336 + 128),
        ("all-linear", "fp32", 18 * 4096 + 6 * 4096 + 4 * 1024 + 8 * 14336 + 128),
    ],
)
def test_adapters_keep_most_activations(targets, precision, counted):
    recipe = {"lora_targets": targets, "adapter_precision": precision, "lora_rank": 8}
    assert layer_bytes_per_token(case_of(method="lora", recipe=recipe)) == pytest.approx(counted)


def test_dora_keeps_what_base_and_adapter_put_out():
    """PEFT's MetaMathQA comparison, Llama-3.2-3B on q and v: 22.85 GiB, 20.7 as plain LoRA."""
    recipe = {
        "lora_rank": 32,
        "lora_targets": ["q_proj", "v_proj"],
        "adapter_precision": "fp32",
        "sequence_length": 768,
        "micro_batch": 4,
    }
    model = {"name": "meta-llama/Llama-3.2-3B"}
    dora = case_of(method="dora", model=model, recipe=recipe, accelerator="L40S")
    held = held_memory(dora, peak_of(dora)).reserved
    assert held / GIB == pytest.approx(22.85, rel=0.02)
    lora = case_of(method="lora", model=model, recipe=recipe, accelerator="L40S")
    outputs = sum(out for _, out in adapters_of(dora).linears)
    more = layer_bytes_per_token(dora) - layer_bytes_per_token(lora)
    assert more == pytest.approx((2 + 4) * outputs)


def test_a_checkpointed_layer_at_work_takes_what_was_measured():
    """IBM fms-acceleration, Llama-3-8B with fused kernels: 233.7 kB a token beside the inputs."""
    case = case_of(recipe={"activation_checkpointing": "full", "fused_kernels": True})
    found = activations(case)
    assert found.working / case.tokens == pytest.approx(233_700, rel=0.005)
    assert found.kept / case.tokens == 2 * 4096 * 32


def test_eager_attention_keeps_the_square_of_scores():
    flash, eager = case_of(), case_of(recipe={"attention": "eager"})
    scores = layer_bytes_per_token(eager) - layer_bytes_per_token(flash)
    assert scores == 6 * 32 * 2048


@pytest.mark.parametrize(
    ("recipe", "per_logit"),
    [
        ({}, 12),
        ({"fused_kernels": True}, 8),
        ({"framework": "litgpt"}, 6),
        ({"framework": "megatron"}, 4),
    ],
)
def test_the_loss_keeps_several_copies_of_the_logits(recipe, per_logit):
    case = case_of(recipe=recipe)
    assert loss_bytes(case) / case.tokens / case.shape.vocab == pytest.approx(per_logit, abs=0.2)


def test_a_fused_loss_keeps_no_logits_but_the_gradient_of_the_head():
    case = case_of(recipe={"fused_cross_entropy": True, "fused_kernels": True})
    assert loss_bytes(case) == pytest.approx(
        2 * case.shape.embedding_params + 4 * case.shape.hidden * case.tokens
    )


def test_phases_are_not_added_together():
    peak = peak_of(case_of())
    by_name = {phase.name: phase for phase in peak.phases}
    assert set(by_name) == {LOSS, BACKWARD, STEP}
    assert peak.phase.total == max(p.total for p in peak.phases)
    assert by_name[STEP].activations == 0
    assert by_name[LOSS].gradients == 0


def test_the_first_stage_of_a_pipeline_holds_as_many_micro_batches_as_stages():
    placement = {"pipeline_parallel": 4, "nodes": 1}
    recipe = {"framework": "megatron", "grad_accumulation": 8, "precision": "bf16-mixed"}
    plain = case_of(gpus=4, recipe=recipe, placement=placement)
    assert micro_batches_in_flight(plain) == 4
    few = case_of(gpus=4, recipe={**recipe, "grad_accumulation": 2}, placement=placement)
    assert micro_batches_in_flight(few) == 2
    chunks = case_of(gpus=4, recipe=recipe, placement={**placement, "virtual_pipeline": 2})
    assert micro_batches_in_flight(chunks) == pytest.approx(4 * (1 + 3 / 8))


def test_quantised_weights_load_as_measured():
    """QLoRA paper: 4.127 bits a parameter; vocabulary matrices stay in half precision."""
    case = case_of(method="qlora", recipe={"quantization": "nf4", "lora_rank": 8})
    weights = resident_states(case).weights
    assert weights / GB == pytest.approx(6.98 * 0.516 + 2 * 1.05, rel=0.01)


def test_fsdp_gathers_the_vocabulary_and_a_layer():
    recipe = {"activation_checkpointing": "full"}
    case = case_of(gpus=8, recipe=recipe, placement={"data_parallel": "fsdp"})
    found = buffers(case)
    root = 2 * 2 * case.shape.embedding_params
    assert found.loss == pytest.approx(root)
    assert found.backward > root + 2 * case.shape.layer_params


def test_accumulation_without_synchronisation_keeps_whole_gradients():
    placement = {"data_parallel": "fsdp"}
    once = buffers(case_of(gpus=8, placement=placement))
    often = buffers(case_of(gpus=8, placement=placement, recipe={"grad_accumulation": 4}))
    assert often.loss - once.loss == pytest.approx(2 * case_of().shape.total_params)


def test_ddp_holds_a_second_copy_of_the_gradients():
    case = case_of(gpus=8, placement={"data_parallel": "ddp"})
    states = resident_states(case)
    assert states.buckets == states.gradients == 2 * case.shape.total_params


def test_preference_training_holds_a_reference_model():
    plain = resident_states(case_of())
    compared = resident_states(case_of(recipe={"stage": "dpo"}))
    assert compared.weights == pytest.approx(2 * plain.weights)
    adapters = resident_states(case_of(method="lora", recipe={"stage": "dpo"}))
    assert adapters.weights == resident_states(case_of(method="lora")).weights
