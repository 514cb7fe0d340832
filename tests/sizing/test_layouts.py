"""Placements filled in: degrees, shards, links, networks, adapters, ranges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sizing.adapters import resolve_adapters
from apps.sizing.layouts import network_gbit, resolve_layout
from apps.sizing.spread import Swing, influences, spread
from apps.sizing.task import Placement
from tests.sizing.engine import CATALOG, case_of


def layout(**fields):
    card = CATALOG.accelerators[fields.pop("accelerator", "H100-SXM5-80")]
    megatron = fields.pop("megatron", False)
    kind = fields.pop("default_kind", "ddp")
    return resolve_layout(Placement(**fields), card, megatron=megatron, default_kind=kind)


@pytest.mark.parametrize(
    ("text", "gbit"),
    [
        ("RoCE 1600Gbps/node", 1600),
        ("NVLink + 400Gb/s RDMA per GPU", 3200),
        ("4x Omni-Path 100Gb/node", 400),
        ("8x400G", 3200),
        ("8x HDR 200Gb", 1600),
        ("25GbE", 25),
        ("3.2 Tbps", 3200),
        ("InfiniBand HDR", 200),
        ("EFA", 400),
        ("IB", None),
        ("", None),
        (None, None),
    ],
)
def test_networks_are_read_as_people_write_them(text, gbit):
    assert network_gbit(text, 8) == gbit


def test_data_parallelism_takes_what_the_other_degrees_leave():
    found = layout(gpus=64, nodes=8, tensor_parallel=4, pipeline_parallel=2, context_parallel=2)
    assert (found.data, found.replicas, found.gpus_per_node) == (4, 8, 8)


def test_states_are_sharded_over_all_replicas_unless_told():
    assert layout(gpus=16, nodes=2, data_parallel="fsdp").shard == 16
    assert layout(gpus=16, nodes=2, data_parallel="fsdp", shard_degree=4).shard == 4
    assert layout(gpus=16, nodes=2, data_parallel="hsdp").shard == 8
    assert layout(gpus=16, nodes=2, data_parallel="ddp").shard == 1


def test_one_replica_shares_nothing():
    found = layout(gpus=8, tensor_parallel=8, data_parallel="zero3")
    assert (found.kind, found.shard, found.weight_shards) == ("none", 1, 1)


def test_megatron_distributes_its_optimizer():
    found = layout(gpus=8, megatron=True, data_parallel="none", context_parallel=2)
    assert (found.kind, found.optimizer_shards, found.weight_shards) == ("zero1", 8, 1)


@pytest.mark.parametrize(
    ("accelerator", "said", "link"),
    [
        ("H100-SXM5-80", None, "nvswitch"),
        ("H100-SXM5-80", "pcie", "pcie"),
        ("H100-NVL-94", None, "pcie"),
        ("H100-NVL-94", "NVLink bridge", "nvlink-bridge"),
        ("MI300X", "Infinity Fabric", "xgmi"),
        ("L40S", None, "pcie"),
        ("V100-SXM2", "nvlink", "nvlink"),
    ],
)
def test_a_link_is_as_said_or_what_the_card_brings(accelerator, said, link):
    assert layout(accelerator=accelerator, gpus=2, intra_node_link=said).intra_link == link


@pytest.mark.parametrize(
    ("targets", "millions"),
    [
        (["q_proj", "v_proj"], 6.816),
        (["q_proj", "k_proj", "v_proj", "o_proj"], 13.632),
        ("all-linear", 41.943),
        (["q", "k", "v", "o", "gate", "up", "down"], 41.943),
        (["attn", "mlp"], 41.943),
        (["all linear"], 41.943),
        (["model.layers.0.self_attn.q_proj", "v_proj"], 6.816),
    ],
)
def test_adapters_train_the_published_number_of_parameters(targets, millions):
    """PEFT prints 6.8, 13.6 and 41.9 million for rank 16 on Llama-3-8B."""
    shape = case_of().shape
    chosen = targets if isinstance(targets, str) else tuple(targets)
    found = resolve_adapters(shape, chosen, 16, None, ())
    assert found.trained_params / 1e6 == pytest.approx(millions, rel=0.001)


def test_modules_saved_whole_count_once_when_they_are_one_matrix():
    shape = case_of().shape
    saved = resolve_adapters(shape, "all-linear", 8, None, ("embed_tokens", "lm_head"))
    assert saved.trained_modules_params == 2 * shape.embedding_params
    twice = resolve_adapters(shape, "all-linear", 8, None, ("embed_tokens", "wte"))
    assert twice.trained_modules_params == shape.embedding_params


@given(
    st.floats(0.01, 1e6),
    st.lists(st.floats(0.0, 1e7), max_size=6),
    st.floats(0.0, 3.0),
    st.floats(0.0, 3.0),
)
def test_a_range_holds_every_cause_and_stays_positive(typical, ends, low, high):
    swings = [Swing(f"cause {i}", (end,)) for i, end in enumerate(ends)]
    found = spread(typical, swings, low, high)
    assert 0 < found.low <= found.typical == typical <= found.high
    assert found.high >= max([typical, *ends]) * (1 - 1e-9)
    wider = spread(typical, [*swings, Swing("one more", (typical * 2, typical / 2))], low, high)
    assert wider.low <= found.low
    assert wider.high >= found.high


def test_independent_causes_add_as_the_root_of_squares():
    found = spread(100, [Swing("a", (103.0, 97.0)), Swing("b", (104.0, 96.0))], 0.0, 0.0)
    assert (found.low, found.high) == (pytest.approx(95), pytest.approx(105))


def test_the_influence_of_a_cause_is_its_larger_end():
    assert influences(10, [Swing("x", (9.0, 14.0)), Swing("y", ())]) == {"x": pytest.approx(0.4)}
