"""Profiles of exchange, volumes of collectives, fitness of links."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from apps.sizing.estimators.interconnect import estimate_interconnect
from tests.sizing.engine import CATALOG, case_of, task_of
from tests.sizing.test_memory_estimate import layouts, recipes

SMALL = {"params_billion": 0.35, "layers": 24, "hidden": 1024, "heads": 16, "vocab": 50_000}


def interconnect(**changes):
    found = estimate_interconnect(task_of(**changes), CATALOG)
    assert found is not None
    return found


def test_profile_a_is_replicas_of_a_small_model_with_long_steps():
    recipe = {"micro_batch": 16, "grad_accumulation": 8}
    found = interconnect(model=SMALL, gpus=8, recipe=recipe, placement={"data_parallel": "ddp"})
    assert found.profile == "A"
    assert found.reason.key == "interconnect.reason.long-steps"


def test_profile_b_is_large_exchange_between_replicas():
    found = interconnect(gpus=8, placement={"data_parallel": "fsdp"})
    assert found.profile == "B"
    assert found.reason.params["share"] > 0.25


@pytest.mark.parametrize("split", ["tensor_parallel", "pipeline_parallel", "context_parallel"])
def test_profile_c_is_a_model_that_is_split(split):
    found = interconnect(gpus=8, recipe={"framework": "megatron"}, placement={split: 2})
    assert found.profile == "C"


def test_profile_d_is_several_nodes():
    found = interconnect(gpus=16, placement={"nodes": 2, "data_parallel": "fsdp"})
    assert found.profile == "D"
    assert found.reason.params == {"nodes": 2}


def test_one_gpu_exchanges_nothing():
    found = interconnect()
    assert found.profile == "A"
    assert found.scheme == "single"
    assert found.bytes_per_step["total"] == 0
    assert found.exposed_s.high == 0


def test_the_number_of_gpus_alone_does_not_decide_the_profile():
    recipe = {"micro_batch": 16, "grad_accumulation": 8}
    small = interconnect(model=SMALL, gpus=8, recipe=recipe, placement={"data_parallel": "ddp"})
    large = interconnect(gpus=8, placement={"data_parallel": "fsdp"})
    assert small.profile != large.profile


def test_replicas_exchange_each_gradient_and_weight_once():
    """A ring all-reduce sends 2 (n - 1)/n of the gradients: here 2 bytes there, 2 bytes back."""
    case = case_of(gpus=8, placement={"data_parallel": "ddp"})
    found = interconnect(gpus=8, placement={"data_parallel": "ddp"})
    volume = 2 * 2 * 7 / 8 * case.shape.total_params
    assert found.bytes_per_step["gradients"] == pytest.approx(volume)
    assert found.bytes_per_step["total"] == pytest.approx(volume)


def test_sharding_weights_exchanges_more_than_replicas_do():
    """FSDP gathers weights twice and scatters gradients: half as much again as an all-reduce."""
    ddp = interconnect(gpus=8, placement={"data_parallel": "ddp"}).bytes_per_step["total"]
    fsdp = interconnect(gpus=8, placement={"data_parallel": "fsdp"}).bytes_per_step["total"]
    layers = case_of().shape.block_params / case_of().shape.total_params
    assert fsdp / ddp == pytest.approx(1.5 * layers, rel=0.01)


def test_tensor_parallelism_adds_exchange_of_activations():
    recipe = {"framework": "megatron", "precision": "bf16-mixed"}
    found = interconnect(gpus=8, recipe=recipe, placement={"tensor_parallel": 8})
    case = case_of(gpus=8, recipe=recipe, placement={"tensor_parallel": 8})
    message = 2 * case.tokens * case.shape.hidden
    volume = 2 * 2 * (7 / 8) * message * 2 * case.shape.layers
    assert found.bytes_per_step["tensor"] == pytest.approx(volume)


def test_a_split_model_over_pcie_is_not_recommended():
    placement = {"tensor_parallel": 4, "intra_node_link": "pcie"}
    recipe = {"framework": "megatron"}
    assert interconnect(gpus=4, recipe=recipe, placement=placement).link_fit == "not-recommended"
    placement["intra_node_link"] = "nvswitch"
    assert interconnect(gpus=4, recipe=recipe, placement=placement).link_fit != "not-recommended"


def test_the_price_of_a_slower_link_is_shown():
    found = interconnect(gpus=8, placement={"data_parallel": "fsdp"})
    assert found.step_pcie_ratio > 1.2
    assert found.exposed_pcie_s > found.exposed_s.typical


def test_a_bridge_joins_pairs_only():
    placement = {"data_parallel": "fsdp", "intra_node_link": "nvlink-bridge"}
    pair = interconnect(accelerator="H100-NVL-94", gpus=2, placement=placement)
    eight = interconnect(accelerator="H100-NVL-94", gpus=8, placement=placement)
    assert (pair.link, eight.link) == ("nvlink-bridge", "pcie")
    assert pair.link_gb_per_s.typical > 3 * eight.link_gb_per_s.typical


@settings(max_examples=60, deadline=None)
@given(recipe=recipes, layout=layouts)
def test_figures_are_in_order_and_the_total_is_a_sum(recipe, layout):
    gpus, placement = layout
    found = interconnect(recipe=recipe, gpus=gpus, placement=placement)
    parts = dict(found.bytes_per_step)
    total = parts.pop("total")
    assert total == pytest.approx(sum(parts.values()))
    assert 0 <= found.communication_share.low <= found.communication_share.high <= 1
    # A pipeline's idle ends stretch exposed exchange too.
    stretch = 4.0 if "pipeline_parallel" in placement else 1.25
    assert found.exposed_s.high <= found.time_per_step_s.high * stretch + 1e-9
    assert (gpus > 1) == (total > 0)
