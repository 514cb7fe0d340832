"""What optimizers keep and what their step takes for a moment, by who implements them."""

from __future__ import annotations

import pytest

from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.memory.phases import STEP, peak_of
from apps.sizing.memory.states import paged_bytes, resident_states
from apps.sizing.memory.unsharded import buffers
from tests.sizing.engine import CATALOG, case_of, task_of

FULL = {"activation_checkpointing": "full"}
NODE = {"data_parallel": "zero1", "intra_node_link": "nvswitch"}


def test_paged_moments_are_in_fp32_and_no_list_is_copied():
    """bitsandbytes: 8 bytes a parameter for PagedAdamW, whatever the parameters are in."""
    case = case_of(recipe={**FULL, "optimizer_step": "paged"})
    assert paged_bytes(case) == pytest.approx(8 * case.shape.total_params)
    assert resident_states(case).step_temporary == 0


def test_adafactor_steps_through_one_matrix_at_a_time():
    """transformers' Adafactor: fp32 copies of gradient, update and weight of the largest one."""
    case = case_of(recipe={**FULL, "optimizer": "adafactor"})
    assert resident_states(case).step_temporary == 12 * case.shape.embedding_params
    assert peak_of(case).phase.name == STEP
    small = case_of(model={"params_billion": 0.01, "layers": 2, "hidden": 64, "vocab": 50_000})
    assert resident_states(small).step_temporary == 2 * small.shape.total_params


def test_a_rank_of_zero_casts_its_own_part_of_the_gradients():
    """ZeRO-1 on 8 GPUs: 2 + 2 + (12 + 4)/8 bytes a parameter while the optimizer steps."""
    for step in ("foreach", "fused"):
        recipe = {**FULL, "framework": "deepspeed", "precision": "bf16-mixed"}
        case = case_of(recipe={**recipe, "optimizer_step": step}, gpus=8, placement=NODE)
        states = resident_states(case)
        whole = states.weights + states.gradients + states.optimizer + states.step_temporary
        assert whole / case.shape.total_params == pytest.approx(2 + 2 + 16 / 8)


def test_a_bucket_of_gradients_waits_at_every_stage_of_zero():
    recipe = {**FULL, "framework": "deepspeed", "precision": "bf16-mixed"}
    for kind in ("zero1", "zero2", "zero3"):
        placement = {**NODE, "data_parallel": kind}
        case = case_of(recipe=recipe, gpus=8, placement=placement)
        assert buffers(case).backward >= 2 * 5e8


@pytest.mark.parametrize(("optimizer", "lower"), [("sgd", True), ("adamw-8bit", False)])
def test_what_an_optimizer_keeps_by_its_settings_is_a_doubt(optimizer, lower):
    """SGD without momentum keeps nothing; HF keeps states of embeddings in fp32."""
    recipe = {**FULL, "optimizer": optimizer, "optimizer_step": "fused", "precision": "bf16-pure"}
    task = task_of(recipe=recipe, gpus=2, placement={"data_parallel": "ddp"})
    found = estimate_memory(task, CATALOG)
    assert found is not None
    assert found.causes["optimizer-states"] > 0.03
    down = 1 - found.allocated_gib.low / found.allocated_gib.typical
    up = found.allocated_gib.high / found.allocated_gib.typical - 1
    assert (down > up) is lower
