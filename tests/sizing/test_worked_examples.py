"""Every worked example of rack, storage, host and network is held by a test with its number.

A row names the example, its number as published, and the test where that number stands; a test that
is renamed, or whose number is changed, is missed here.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
NODE, POWER, COOLING = "node_power", "infra_power", "feeds_and_cooling"
DATA, STORE, HOST, NET, RACK = (
    "checkpoints_and_datasets",
    "infra_storage",
    "host",
    "infra_network",
    "rack",
)
BY_HAND = "eight_h100_come_out_as_worked_by_hand"
NODES = "other_nodes_come_out_near_the_worked_examples"
TABLE = "circuits_carry_what_the_table_says"
SHORT = "shortcuts_over_the_rated_power_of_the_gpus"
RING = "an_all_reduce_of_14_gb_takes_what_the_ring_says"
MESSAGES = "small_messages_reach_less_of_a_link"
BRIDGE = "a_bridge_by_its_links_and_what_a_third_card_costs"
YOUNG = "saving_interval_of_one_node_by_young"
RATES = "read_rates_of_the_worked_examples"
CORES = "cores_of_eight_gpus_by_the_worked_examples"
SUPPLY = "a_supply_of_3300_w_needs_a_c19_outlet"
OFFLOAD = "states_offloaded_to_the_host_take_27_bytes_a_parameter"
PUBLISHED = "published_sizes_are_gib_of_fourteen_bytes"

# What, its numbers, the file, the test.
EXAMPLES: tuple[tuple[str, tuple[float, ...], str, str], ...] = (
    ("8x H100 at its peak: direct, output, input W", (7056, 8114, 8506), NODE, BY_HAND),
    ("8x H100 in heavy training", (6496, 7470, 7849), NODE, BY_HAND),
    ("8x H100 immersed", (6776, 7137), NODE, BY_HAND),
    ("8x L40S", (3656, 4414), NODE, NODES),
    ("DGX A100", (4385, 5334), NODE, NODES),
    ("DGX B200", (9556, 11513), NODE, NODES),
    ("peak and liquid shortcuts over 5.6 kW of GPUs", (8440, 6741, 5600), POWER, SHORT),
    ("four cards in a tower", (1.16,), POWER, "a_tower_of_four_cards_is_near_what_was_measured"),
    (
        "nameplate ratio",
        (1.8,),
        NODE,
        "without_a_makers_maximum_the_feed_is_planned_by_the_nameplate_ratio",
    ),
    ("1ph 16 A: kVA, kW, kW by policy", (3.68, 3.64, 2.91), COOLING, TABLE),
    ("1ph 32 A", (7.36, 7.29, 5.83), COOLING, TABLE),
    ("3ph 16 A", (11.09, 10.97, 8.78), COOLING, TABLE),
    ("3ph 32 A", (22.17, 21.95, 17.56), COOLING, TABLE),
    ("3ph 63 A", (43.65, 43.21, 34.57), COOLING, TABLE),
    (
        "two nodes on A and B, and on one of them",
        (0.46, 20.4, 0.93),
        POWER,
        "two_nodes_on_two_feeds_load_each_by_half_and_the_last_by_all",
    ),
    (
        "20.4 kW fits 32 A at its nameplate only",
        (20.4, 32),
        COOLING,
        "two_h100_nodes_fit_one_32_a_feed_at_its_nameplate_but_not_by_the_policy",
    ),
    ("current of a supply of 3.3 kW", (15.8, 18.1), POWER, SUPPLY),
    (
        "a C13 outlet",
        (2300,),
        POWER,
        "a_c13_outlet_gives_2_3_kva_and_is_too_small_for_supplies_above_2_kw",
    ),
    (
        "4+2 on two feeds is slower",
        (8114, 3300),
        NODE,
        "four_plus_two_runs_slower_when_one_of_two_feeds_is_lost",
    ),
    (
        "4+2 on three feeds is not",
        (8114, 3300),
        NODE,
        "four_plus_two_keeps_full_speed_on_three_feeds",
    ),
    (
        "B200 with supplies lost, W of a GPU",
        (800,),
        POWER,
        "the_catalogs_dgx_follows_its_makers_rule",
    ),
    ("heat of 10.2 kW: BTU/h, tons", (34804, 2.9), COOLING, "heat_in_btu_and_tons"),
    (
        "air for 10.2 kW at 16.2 K, m3/h",
        (16.2, 1879),
        COOLING,
        "airflow_matches_the_dgx_figure_and_the_constant",
    ),
    ("rise of A100, H100 and B200", (13.6, 16.2, 14.3), POWER, "air_of_the_makers_machines"),
    ("a water loop of 50 kW", (71.7,), COOLING, "water_for_a_loop_of_50_kw"),
    (
        "air at 1000 m",
        (1.13,),
        COOLING,
        "a_thousand_metres_up_air_is_thinner_and_13_percent_more_is_needed",
    ),
    (
        "four nodes in racks of 15 kW, none in 8 kW",
        (15, 10.2, 8),
        COOLING,
        "four_nodes_in_racks_of_15_kw_take_four_racks",
    ),
    ("four DGX: kg, kg/m2", (771.8, 1072), RACK, "four_dgx_in_a_rack_weigh_what_was_worked_out"),
    (
        "a tile and a caster, kg",
        (257, 386),
        POWER,
        "one_tile_carries_a_third_of_the_rack_and_half_while_it_rolls",
    ),
    (
        "reading of UNet3D, ResNet-50, tuned, CosmoFlow, a language model",
        (25.4, 1.64, 6.7, 6.5, 0.00038),
        DATA,
        RATES,
    ),
    ("3000 images a second on eight GPUs", (24000,), DATA, "small_files_are_counted_in_opens"),
    ("a state of 70 billion", (988.4,), DATA, "a_state_of_70_billion_takes_988_gb"),
    ("published sizes, bytes a parameter", (14.04, 13.99), STORE, PUBLISHED),
    ("Young: save s, interval s, h, share, MTBF", (98.8, 51260, 14.2, 0.0039, 153.8), DATA, YOUNG),
    ("16384 GPUs fail every", (3.1, 16384), DATA, "sixteen_thousand_gpus_fail_every_three_hours"),
    (
        "effective share of Meta's formula",
        (0.9961,),
        DATA,
        "the_lost_share_is_the_first_order_of_metas_effective_training_time",
    ),
    (
        "failures of a measured 1024 GPUs",
        (23.7,),
        STORE,
        "rates_of_failure_and_days_between_them_agree",
    ),
    (
        "hourly saves, writes a day",
        (0.77, 988),
        DATA,
        "hourly_saves_ask_for_three_quarters_of_a_drive_write_a_day",
    ),
    ("cores: text, images, ResNet-50 twice", (48, 172, 108), HOST, CORES),
    ("offload of 70 and 7 billion, GB", (1890, 189), HOST, OFFLOAD),
    (
        "batches in RAM, GB",
        (0.201, 12.9),
        STORE,
        "batches_ready_in_eight_times_four_loaders_take_13_gb",
    ),
    ("a terabyte tokenised, s", (5519,), DATA, "tokenising_a_terabyte_takes_an_hour_and_a_half"),
    ("all-reduce of 14 GB, ms", (51.6, 66.9, 106.5, 875, 1225, 74.3), NET, RING),
    ("four nodes: GB/s of a card", (365, 35.3), NET, "four_nodes_reach_71_percent_of_each_card"),
    ("messages of 1, 16, 64, 256 MB, 1, 8 GB", (44, 234, 362, 423, 466, 479), NET, MESSAGES),
    ("bridges of 12 and 6 links", (232, 12, 6), NET, BRIDGE),
    ("200 GB once and twice", (200, 400), DATA, "one_to_two_copies_of_200_gb"),
)
# Measured, and held to lie inside the engine's range: the numbers are rows of the catalog.
MEASURED: tuple[tuple[str, str, str], ...] = (
    (
        "power.hgx_h100_8gpu_measured_peak",
        NODE,
        "the_measured_peak_of_eight_h100_lies_inside_the_range",
    ),
    (
        "power.pcie_8x350w_node_measured",
        NODE,
        "the_measured_eight_cards_of_350_w_lie_inside_the_load",
    ),
    (
        "power.hgx_h100_intensive_training_fraction_of_rating",
        NODE,
        "heavy_training_on_eight_h100_averages_what_was_measured",
    ),
    (
        "network.allreduce_small_latency_intranode",
        NET,
        "small_collectives_take_as_long_as_was_measured",
    ),
    ("host.h2d_pcie5_measured", STORE, "moving_states_to_the_host_is_no_faster_than_was_measured"),
    ("storage.nvme8_raid0_cloud_measured_read", STORE, "eight_drives_give_eight_times_one"),
)


@cache
def written(file: str) -> dict[str, frozenset[object]]:
    """Test -> every constant written in it and above it."""
    tree = ast.parse((HERE / f"test_{file}.py").read_text(encoding="utf-8"))
    return {
        node.name: frozenset(
            found.value
            for part in (*node.decorator_list, *node.body)
            for found in ast.walk(part)
            if isinstance(found, ast.Constant)
        )
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize(
    ("numbers", "file", "test"), [row[1:] for row in EXAMPLES], ids=[row[0] for row in EXAMPLES]
)
def test_a_worked_example_is_held_by_its_number(numbers, file, test):
    tests = written(file)
    assert f"test_{test}" in tests
    assert not {*numbers} - tests[f"test_{test}"]


@pytest.mark.parametrize(("key", "file", "test"), MEASURED, ids=[row[0] for row in MEASURED])
def test_a_measured_figure_is_held_by_its_row(key, file, test):
    said = written(file)[f"test_{test}"]
    assert said & {key, key.partition(".")[2]}
