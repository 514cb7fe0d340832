"""Which platforms become candidates, and in which layout."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.compatibility import Proposal, check
from apps.sizing.errors import TaskError
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.platform import Platform
from apps.sizing.platforms import MOST_CANDIDATES, candidate_platforms
from apps.sizing.task import Placement
from apps.sizing.task_reader import parse_task

CATALOG = fixture_catalog()
RECIPE = {
    "framework": "hf-trainer",
    "precision": "bf16-mixed",
    "optimizer": "adamw",
    "sequence_length": 2048,
    "micro_batch": 2,
    "activation_checkpointing": "full",
}


def task(model="Llama-3.1-8B", method="lora", **more):
    document = {"model": {"name": model}, "method": method, "recipe": RECIPE, **more}
    return parse_task(document)


def test_the_same_task_gives_the_same_candidates():
    assert candidate_platforms(task(), CATALOG) == candidate_platforms(task(), CATALOG)


def test_candidates_are_few_distinct_and_can_be_built():
    found = candidate_platforms(task(), CATALOG)
    assert 10 < len(found) <= MOST_CANDIDATES
    assert len({p.key for p in found}) == len(found)
    for platform in found:
        proposal = Proposal(
            server=platform.server,
            accelerator=platform.accelerator,
            gpus=platform.gpus_per_node,
        )
        assert check(proposal, CATALOG).valid, platform.key


def test_only_what_is_sold_today_is_offered():
    for platform in candidate_platforms(task(), CATALOG):
        assert CATALOG.servers[platform.server].extra["availability"] == "current"


def test_a_board_comes_whole_and_cards_by_one_to_eight():
    found = candidate_platforms(task(), CATALOG)
    by_card = {}
    for platform in found:
        by_card.setdefault(platform.accelerator, []).append(platform.gpus)
    assert by_card["H200-SXM-141"] == [8]
    assert by_card["H200-NVL-141"] == [1, 2, 4, 8]


def test_one_gpu_needs_no_layout_and_a_model_that_fits_is_copied():
    for platform in candidate_platforms(task(), CATALOG):
        if platform.gpus == 1:
            assert platform.placement.data_parallel == "none"
        elif CATALOG.accelerators[platform.accelerator].memory_gb >= 48:
            assert platform.placement.data_parallel == "ddp"


def test_a_model_too_large_to_copy_is_sharded():
    found = candidate_platforms(task(method="full"), CATALOG)
    node = next(p for p in found if p.accelerator == "H100-SXM5-80" and p.gpus == 8)
    assert node.placement.data_parallel in ("fsdp", "zero3")
    assert node.placement.shard_degree == 8
    assert estimate_memory(task(method="full"), CATALOG, node.placement).verdict == "fits"


def test_what_cannot_hold_the_model_is_left_out():
    found = candidate_platforms(task(method="full"), CATALOG)
    assert found
    assert not any(p.gpus == 1 and p.accelerator == "L40S" for p in found)
    for platform in found:
        verdict = estimate_memory(task(method="full"), CATALOG, platform.placement).verdict
        assert verdict != "does-not-fit"


def test_a_model_larger_than_a_node_gets_several():
    found = candidate_platforms(task("Llama-3.1-405B", "full"), CATALOG)
    assert found
    assert all(p.nodes > 1 for p in found)
    assert all(p.inter_node_link == "8x400G" for p in found)
    h200 = next(p for p in found if p.accelerator == "H200-SXM-141")
    assert h200.nodes >= 8


def test_a_network_that_is_there_stays():
    there = task("Llama-3.1-405B", "full", placement={"inter_node_link": "1x100G"})
    found = candidate_platforms(there, CATALOG)
    assert found
    assert all(p.nodes > 1 for p in found)
    assert {p.inter_node_link for p in found} == {"1x100G"}


def test_a_deadline_brings_pairs_of_nodes_beside_single_ones():
    without = candidate_platforms(task(), CATALOG)
    found = candidate_platforms(task(cycle={"target_hours": 10, "scope": "run"}), CATALOG)
    assert not any(p.nodes > 1 for p in without)
    assert {p.nodes for p in found} == {1, 2}
    assert len(found) <= MOST_CANDIDATES


def test_the_link_is_the_slowest_edge():
    links = {p.key: p.intra_node_link for p in candidate_platforms(task(), CATALOG)}
    assert links["SYS-521GE-TNRT/H200-NVL-141x4"] == "nvlink-bridge"
    assert links["SYS-521GE-TNRT/H200-NVL-141x8"] == "pcie"
    assert links["SYS-821GE-TNHR/H200-SXM-141x8"] == "nvswitch"
    assert links["SYS-521GE-TNRT/H200-NVL-141x1"] is None


def test_a_tasks_own_hardware_stands_alone_with_its_own_layout():
    place = {"accelerator": "H100-SXM5-80", "gpus": 256, "nodes": 32, "data_parallel": "fsdp"}
    (found,) = candidate_platforms(task(placement=place), CATALOG)
    assert (found.gpus, found.nodes, found.gpus_per_node) == (256, 32, 8)
    assert found.server == "SYS-821GE-TNHR"
    assert found.placement.data_parallel == "fsdp"
    assert found.placement.shard_degree is None


@pytest.mark.parametrize(
    ("place", "nodes", "server"),
    [
        ({"accelerator": "H200-SXM-141", "gpus": 16}, 2, "SYS-821GE-TNHR"),
        ({"accelerator": "H100-SXM5-80", "gpus": 1}, 1, "SYS-821GE-TNHR"),
        ({"accelerator": "H100-SXM5-80", "gpus": 4}, 1, "SYS-421GU-TNXR"),
        ({"accelerator": "RTX-3090", "gpus": 2}, 1, None),
        ({"accelerator": "L40S"}, 1, "SYS-521GE-TNRT"),
        ({"accelerator": "A100-SXM4-80", "gpus": 8}, 1, "SYS-420GP-TNAR"),
    ],
)
def test_a_server_and_nodes_are_found_for_a_placement(place, nodes, server):
    (found,) = candidate_platforms(task(placement=place), CATALOG)
    assert (found.nodes, found.server) == (nodes, server)


def test_a_placement_without_a_card_narrows_the_search():
    found = candidate_platforms(task(placement={"gpus": 4}), CATALOG)
    assert found
    assert {p.gpus for p in found} == {4}
    wished = candidate_platforms(task(placement={"data_parallel": "zero2"}), CATALOG)
    assert {p.placement.data_parallel for p in wished} == {"zero2"}


def test_an_accelerator_nobody_knows_is_an_error_that_names_the_field():
    with pytest.raises(TaskError) as caught:
        candidate_platforms(task(placement={"accelerator": "H900", "gpus": 8}), CATALOG)
    assert caught.value.field == "placement.accelerator"


def test_without_a_model_there_is_nothing_to_size():
    assert candidate_platforms(parse_task({"method": "lora", "recipe": RECIPE}), CATALOG) == ()


@settings(max_examples=6, deadline=None)
@given(billion=st.floats(0.05, 2000))
def test_every_size_of_model_gets_candidates(billion):
    document = {"model": {"params_billion": billion}, "method": "full", "recipe": RECIPE}
    found = candidate_platforms(parse_task(document), CATALOG)
    assert 0 < len(found) <= MOST_CANDIDATES


@pytest.mark.parametrize(("gpus", "nodes"), [(1, 2), (8, 0)])
def test_a_platform_has_a_gpu_in_every_node(gpus, nodes):
    with pytest.raises(ValueError, match="at least one GPU"):
        Platform(
            key="x", server=None, accelerator=None, gpus=gpus, nodes=nodes, placement=Placement()
        )
