"""Mixtures of experts: what is known of them by their sizes, their products and exchange."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.sizing.cases import Case
from apps.sizing.estimators.time import estimate_time
from apps.sizing.memory.states import layer_params_here, local_params
from apps.sizing.shapes import Shape, resolve_shape
from apps.sizing.task import Model
from apps.sizing.timing.exchange import layer_exchange
from apps.sizing.timing.layers import expert_products, layer_time, products_of
from apps.sizing.timing.links import linked_gpus, links_of
from apps.sizing.timing.rates import rates_of
from tests.sizing.engine import CATALOG, case_of, task_of

MIXTRAL = {"name": "mistralai/Mixtral-8x7B-v0.1"}
DEEPSEEK = {"name": "DeepSeek-V3"}
ENGINE = {"framework": "megatron", "precision": "bf16-mixed", "sequence_length": 4096}


def shape_of(**fields: object) -> Shape:
    shape = resolve_shape(Model(**fields), CATALOG)  # type: ignore[arg-type]
    assert shape is not None
    return shape


def spread_out(accelerator: str, expert: int, *, gpus: int = 64) -> Case:
    placement = {"nodes": gpus // 4 if accelerator == "GB200" else gpus // 8}
    return case_of(
        model=DEEPSEEK,
        recipe=ENGINE,
        accelerator=accelerator,
        gpus=gpus,
        placement={**placement, "expert_parallel": expert, "intra_node_link": "nvswitch"},
    )


@pytest.mark.parametrize("name", ["Qwen3_30B_a3B", "Qwen3-30B-A3B", "qwen3_30b-a3b-instruct"])
def test_an_underscore_between_digits_is_no_point(name):
    experts = shape_of(name=name).experts
    assert experts is not None
    assert (experts.count, experts.per_token) == (128, 8)
    assert shape_of(name="llama-3_1-8b").layers == 32


def test_both_sizes_tell_the_experts():
    """Mixtral-8x7B: 46.7 billion, 12.9 of them active, 8 experts of 14336, two at work."""
    known = shape_of(**MIXTRAL)
    guessed = shape_of(
        params_billion=46.7, active_params_billion=12.9, layers=32, hidden=4096, vocab=32_000
    )
    assert known.experts is not None
    assert guessed.experts is not None
    assert (guessed.experts.count, guessed.experts.per_token) == (8, 2)
    assert guessed.experts.ffn == pytest.approx(known.experts.ffn, rel=0.01)


def test_a_dense_model_has_no_experts():
    assert shape_of(params_billion=8.0, active_params_billion=8.0).experts is None
    assert shape_of(params_billion=8.0).experts is None


@settings(max_examples=30, deadline=None)
@given(active=st.floats(2, 40), ratio=st.floats(2.5, 30))
def test_guessed_experts_add_up_to_what_is_active(active, ratio):
    shape = shape_of(
        params_billion=active * ratio,
        active_params_billion=active,
        layers=32,
        hidden=2048,
        vocab=32_000,
    )
    assert shape.active_params / 1e9 == pytest.approx(active, rel=0.05)


def test_every_expert_is_a_product_of_its_own():
    case = case_of(model=MIXTRAL, recipe=ENGINE)
    tokens = 4096.0
    (count, rows, inputs, outputs), *_ = expert_products(case, tokens)
    assert (count, rows) == (8, tokens * 2 / 8)
    flops = sum(n * r * i * o for n, r, i, o in expert_products(case, tokens))
    flops += sum(tokens * i * o for i, o in products_of(case))
    assert flops == pytest.approx(tokens * case.shape.layer_params, rel=0.01)
    assert (inputs, outputs) == (4096, 14336)
    assert expert_products(case_of(), tokens) == []


def test_experts_on_other_ranks_make_the_products_larger_not_more():
    alone, spread = (spread_out("B200", n) for n in (1, 8))
    here = expert_products(alone, 4096.0)[0], expert_products(spread, 4096.0)[0]
    assert here[1][0] == here[0][0] / 8
    assert here[1][1] == here[0][1] * 8
    rates = rates_of(alone)
    assert layer_time(spread, rates).forward < layer_time(alone, rates).forward


def test_a_rank_holds_idle_experts_too():
    case = case_of(model=MIXTRAL, recipe=ENGINE)
    assert layer_params_here(case) > 3 * case.shape.layer_params
    assert layer_params_here(case) * 32 == pytest.approx(
        local_params(case).dense + local_params(case).expert
    )
    assert layer_params_here(case_of()) == pytest.approx(case_of().shape.layer_params)


def test_a_rack_of_one_switch_exchanges_experts_without_its_network():
    """GB200 NVL72: 72 GPUs in trays of four on one NVLink; a B200 board ends at eight."""
    rack, boards = spread_out("GB200", 32), spread_out("B200", 32)
    assert linked_gpus(rack) == 72
    assert linked_gpus(boards) == 8
    seconds = [
        layer_exchange(c, links_of(c), layer_time(c, rates_of(c))).expert_s for c in (rack, boards)
    ]
    assert seconds[0] < seconds[1] / 3
    assert not links_of(rack).crosses_nodes
    assert links_of(spread_out("GB200", 32, gpus=256)).crosses_nodes


def test_models_of_transformers_run_expert_after_expert():
    """A hundred and more experts: the CPU cannot launch their kernels as fast as the card runs."""
    task = task_of(
        method="qlora",
        model={"name": "Qwen3-30B-A3B"},
        recipe={"quantization": "nf4", "activation_checkpointing": "full", "lora_rank": 16},
    )
    found = estimate_time(task, CATALOG)
    assert found is not None
    assert found.bound_by == "kernel-launches"
    few = estimate_time(replace(task, model=Model(name="Mixtral-8x7B")), CATALOG)
    assert few is not None
    assert few.step_s.typical < found.step_s.typical
