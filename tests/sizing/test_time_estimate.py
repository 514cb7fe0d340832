"""The time estimate: limits, order, and what moves it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.sizing.estimators.time import estimate_time
from apps.sizing.timing.layers import layer_time
from apps.sizing.timing.links import links_of
from apps.sizing.timing.rates import product_s, rates_of
from apps.sizing.timing.steps import step_time
from apps.sizing.timing.workload import (
    model_flops_per_step_per_gpu,
    samples_per_step,
    tokens_per_step_per_gpu,
)
from tests.sizing.engine import CATALOG, case_of, task_of
from tests.sizing.test_memory_estimate import METHODS, layouts, recipes


def time(**changes):
    found = estimate_time(task_of(**changes), CATALOG)
    assert found is not None
    return found


@settings(max_examples=100, deadline=None)
@given(recipe=recipes, layout=layouts, method=st.sampled_from(METHODS))
def test_every_estimate_is_in_order_and_its_shares_are_shares(recipe, layout, method):
    gpus, placement = layout
    found = time(recipe=recipe, method=method, gpus=gpus, placement=placement)
    assert 0 < found.step_s.low < found.step_s.typical < found.step_s.high
    assert 0 <= found.communication_share <= 1
    assert 0 <= found.data_share <= 1
    assert found.communication_share + found.data_share <= 1
    assert 0 < found.mfu < 1.05
    assert found.tokens_per_s_per_gpu is not None
    tokens = tokens_per_step_per_gpu(
        case_of(recipe=recipe, method=method, gpus=gpus, placement=placement)
    )
    assert found.tokens_per_s_per_gpu.typical * found.step_s.typical == pytest.approx(tokens)


@settings(max_examples=60, deadline=None)
@given(
    recipe=recipes,
    layout=layouts,
    method=st.sampled_from(METHODS),
    grown=st.sampled_from(["sequence_length", "micro_batch", "grad_accumulation"]),
)
def test_more_work_never_takes_less_time(recipe, layout, method, grown):
    gpus, placement = layout
    more = {**recipe, grown: recipe[grown] * 2}
    small = case_of(recipe=recipe, method=method, gpus=gpus, placement=placement)
    large = case_of(recipe=more, method=method, gpus=gpus, placement=placement)
    assert step_time(large).total_s > step_time(small).total_s


@settings(max_examples=60, deadline=None)
@given(recipe=recipes, method=st.sampled_from(METHODS), billion=st.floats(0.1, 100))
def test_a_larger_model_never_takes_less_time(recipe, method, billion):
    small = case_of(recipe=recipe, method=method, model={"params_billion": billion})
    large = case_of(recipe=recipe, method=method, model={"params_billion": billion * 2})
    assert step_time(large).total_s > step_time(small).total_s


@settings(max_examples=60, deadline=None)
@given(recipe=recipes, layout=layouts, factor=st.floats(1.0, 20.0))
def test_more_bandwidth_is_never_slower(recipe, layout, factor):
    gpus, placement = layout
    case = case_of(recipe=recipe, gpus=gpus, placement=placement)
    assert step_time(case, link_factor=factor).total_s <= step_time(case).total_s * (1 + 1e-12)


@given(rows=st.integers(1, 100_000), columns=st.integers(1, 60_000), inner=st.integers(1, 60_000))
def test_no_product_beats_the_peak_or_the_memory(rows, columns, inner):
    case = case_of()
    rates = rates_of(case)
    seconds = product_s(rates, rows, columns, inner)
    assert seconds >= 2.0 * rows * columns * inner / rates.peak
    traffic = 2 * (rows * columns + rows * inner + columns * inner)
    assert seconds >= traffic / (case.card.memory_tb_per_s * 1e12)


def test_a_long_step_of_a_large_product_nears_the_measured_share_of_the_peak():
    """Published A100 runs: 0.80 of 312 TFLOP/s is the most a training product reaches."""
    rates = rates_of(case_of())
    share = 2 * 65536 * 16384 * 16384 / product_s(rates, 65536, 16384, 16384) / 312e12
    assert 0.74 < share < 0.80


def test_six_operations_a_parameter_and_token():
    case = case_of(recipe={"sequence_length": 128})
    per_token = model_flops_per_step_per_gpu(case) / case.tokens
    assert per_token == pytest.approx(6 * case.shape.total_params, rel=0.01)


def test_frozen_weights_need_no_weight_gradients():
    full, lora = case_of(), case_of(method="lora", recipe={"lora_rank": 8})
    ratio = model_flops_per_step_per_gpu(lora) / model_flops_per_step_per_gpu(full)
    assert ratio == pytest.approx(4 / 6)
    assert layer_time(lora, rates_of(lora)).backward < layer_time(full, rates_of(full)).backward


def test_dora_takes_the_norm_of_every_adapted_weight_in_every_pass():
    """It reads the base and writes and reads a sum of fp32 whatever the batch is: the share of
    the step shrinks as the batch grows."""
    slower = {}
    for batch in (1, 16):
        recipe = {"lora_targets": "all-linear", "lora_rank": 16, "micro_batch": batch}
        lora, dora = (step_time(case_of(method=m, recipe=recipe)).total_s for m in ("lora", "dora"))
        slower[batch] = dora / lora
    assert 1.0 < slower[16] < slower[1] < 2.0


def test_recomputing_costs_a_forward_pass():
    kept = step_time(case_of())
    again = step_time(case_of(recipe={"activation_checkpointing": "full"}))
    assert 1.15 < again.total_s / kept.total_s < 1.40


def test_a_pipeline_is_idle_at_both_ends():
    recipe = {"framework": "megatron", "precision": "bf16-mixed", "grad_accumulation": 4}
    case = case_of(gpus=4, recipe=recipe, placement={"pipeline_parallel": 4})
    step = step_time(case)
    whole = step.total_s - step.bubble_s - step.optimizer_s - step.step.gradients_s
    assert step.bubble_s / whole == pytest.approx(3 / 4)


@pytest.mark.parametrize("framework", ["torchtitan", "megatron"])
def test_what_is_exchanged_once_a_step_does_not_wait_in_every_slot_of_a_pipeline(framework):
    """FSDP with a pipeline reduces once: more micro-batches add no exchange, idle slots neither."""
    placement = {"nodes": 2, "pipeline_parallel": 4, "data_parallel": "fsdp"}
    recipe = {"framework": framework, "precision": "bf16-mixed", "sequence_length": 128}
    exposed = [
        step_time(case_of(recipe={**recipe, "grad_accumulation": n}, gpus=16, placement=placement))
        for n in (1, 8)
    ]
    assert exposed[1].total_s > exposed[0].total_s
    if framework == "torchtitan":
        assert exposed[1].exposed_s == pytest.approx(exposed[0].exposed_s, rel=0.2)


def test_gradients_that_wait_for_the_last_batch_are_reduced_once():
    """HF's accumulation does not synchronise (accelerate's no_sync): two gathers of 2 bytes a
    micro-batch, and 4 bytes of gradients once a step."""
    recipe = {"precision": "bf16-mixed", "grad_accumulation": 8}
    sent = {}
    for framework in ("hf-trainer", "torchtitan"):
        case = case_of(
            recipe={**recipe, "framework": framework}, gpus=8, placement={"data_parallel": "fsdp"}
        )
        layer = step_time(case).layer
        sent[framework] = layer.weights_bytes / (case.shape.layer_params * 7 / 8)
    assert sent["torchtitan"] == pytest.approx(2 + 2 + 4)
    assert sent["hf-trainer"] == pytest.approx(2 + 2 + 4 / 8)


def test_exchange_over_pcie_takes_a_larger_share_than_over_nvswitch():
    def share(link):
        placement = {"data_parallel": "fsdp", "intra_node_link": link}
        return time(gpus=8, placement=placement).communication_share

    assert share("pcie") > 5 * share("nvswitch")


def test_a_network_that_is_named_replaces_the_customary_one():
    def group(link):
        placement = {"nodes": 2, "data_parallel": "fsdp", "inter_node_link": link}
        return links_of(case_of(gpus=16, placement=placement)).group

    assert group("100GbE") < group("8x400G") == group("3200 Gbit/s")
    assert group(None) == pytest.approx(group("1600 Gbit/s"))


def test_offloading_the_optimizer_costs_time():
    placement = {"data_parallel": "zero2"}
    on_card = time(gpus=8, placement=placement).step_s.typical
    on_host = time(gpus=8, placement=placement, recipe={"offload": "optimizer"}).step_s.typical
    assert on_host > on_card


def test_slow_storage_makes_the_step_wait_for_images():
    images = {"samples": 1_000_000, "bytes_per_sample": 2e7, "kind": "images", "location": "nfs"}
    model = {"name": "resnet50"}
    waiting = time(model=model, recipe={"micro_batch": 64}, data=images)
    assert waiting.bound_by == "data"
    assert waiting.data_share > 0.5
    local = {**images, "bytes_per_sample": 1e5, "location": "local"}
    assert time(model=model, recipe={"micro_batch": 64}, data=local).data_share < 0.5


def test_a_measured_speed_of_preparation_takes_the_place_of_the_estimate():
    """A loader that gives less than the GPUs eat makes them wait, whatever their number."""
    slow = time(data={"kind": "text", "prepared_per_s": 0.05})
    fast = time(data={"kind": "text", "prepared_per_s": 1e6})
    assert slow.data_share > 0.9
    assert slow.bound_by == "data"
    assert fast.data_share == 0


def test_the_cycle_counts_steps_of_all_epochs():
    recipe = {"epochs": 3, "micro_batch": 4, "grad_accumulation": 2}
    found = time(
        gpus=8, recipe=recipe, data={"samples": 64_000}, placement={"data_parallel": "ddp"}
    )
    assert found.cycle is not None
    assert found.cycle.steps == 3 * 64_000 / (4 * 2 * 8)
    assert sum(found.cycle.parts_hours.values()) == pytest.approx(found.cycle.hours.typical)
    assert found.cycle.hours.typical * 3600 > found.cycle.steps * found.step_s.typical
    assert found.cycle.verdict == "unknown"


def test_the_cycle_is_judged_against_its_deadline():
    data = {"tokens": 1e9}
    slow = time(data=data, cycle={"target_hours": 1})
    fast = time(data=data, cycle={"target_hours": 10_000})
    assert slow.cycle is not None
    assert fast.cycle is not None
    assert (slow.cycle.verdict, fast.cycle.verdict) == ("does-not-fit", "fits")


def test_without_an_amount_of_work_there_is_no_cycle():
    assert time().cycle is None


@pytest.mark.parametrize("gpus", [1, 8])
def test_time_of_a_billion_tokens_is_that_of_the_steps_of_a_run(gpus):
    """It needs no amount of work: with one, both say the same."""
    unknown, known = time(gpus=gpus), time(gpus=gpus, data={"tokens": 3e9})
    assert known.cycle is not None
    assert unknown.hours_per_billion_tokens == known.hours_per_billion_tokens
    each = known.hours_per_billion_tokens.typical
    assert known.cycle.parts_hours["steps"] == pytest.approx(3 * each)


def test_shorter_samples_make_a_shorter_step_and_the_same_memory():
    full = case_of(recipe={"micro_batch": 4})
    padded = case_of(recipe={"micro_batch": 4, "average_length": 500})
    assert step_time(padded).total_s < step_time(full).total_s
    assert padded.tokens == full.tokens
    assert samples_per_step(padded) == samples_per_step(full)
    assert 500 / 2048 < padded.padding < 1


def test_a_card_nobody_measured_is_less_certain():
    def width(accelerator):
        found = time(accelerator=accelerator).step_s
        return (found.high - found.low) / found.typical

    assert width("RTX-4090") > width("A100-SXM4-80")
