"""The power model against its worked examples and the nodes that somebody measured."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.node import power_of
from apps.sizing.estimators.power import (
    NodeParts,
    direct_current_w,
    efficiency_at,
    input_w,
    output_w,
)
from apps.sizing.estimators.power_supplies import psu_scheme
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Data, Placement, Task

CATALOG = fixture_catalog()
CONSTANTS = CATALOG.constants
exact = Range.exact


def platform(server, accelerator, gpus, nodes=1):
    return Platform(
        key="x",
        server=server,
        accelerator=accelerator,
        gpus=gpus,
        nodes=nodes,
        placement=Placement(accelerator=accelerator, gpus=gpus, nodes=nodes),
    )


def parts(gpus_w, *, cpus_w=350, memory_w=256, drives_w=150, network_w=300, board_w=400, fan=0.15):
    return NodeParts(
        gpus_w=exact(gpus_w),
        cpus_w=exact(cpus_w),
        memory_w=exact(memory_w),
        drives_w=exact(drives_w),
        network_w=exact(network_w),
        board_w=exact(board_w),
        fan_ratio=exact(fan),
    )


# 8x H100 SXM: 2x350 W CPU at half load, 32 DIMM of 8 W, 10 NVMe of 15, 10 cards of 30, six
# supplies of 3300 W. Columns: GPU watts, fans, direct current, output, input.
@pytest.mark.parametrize(
    ("gpus_w", "fan", "direct", "output", "drawn"),
    [
        (5600, 0.15, 7056, 8114, 8506),
        (5600 * 0.90, 0.15, 6496, 7470, 7849),
        (5600 * 0.95, 0.0, 6776, 6776, 7137),
    ],
)
def test_eight_h100_come_out_as_worked_by_hand(gpus_w, fan, direct, output, drawn):
    node = parts(gpus_w, fan=fan)
    assert direct_current_w(node).typical == pytest.approx(direct, abs=1)
    assert output_w(node).typical == pytest.approx(output, abs=1)
    assert input_w(output_w(node), 6 * 3300, CONSTANTS).typical == pytest.approx(drawn, abs=1)


@pytest.mark.parametrize(
    ("node", "rating_w", "direct", "drawn"),
    [
        # 8x L40S: 2x270 W CPU, 4 NVMe, 3 cards, PCIe switches 80 W.
        (
            parts(2800, cpus_w=270, drives_w=60, network_w=90, board_w=180, memory_w=256),
            4 * 2700,
            3656,
            4414,
        ),
        # DGX A100: 225 W CPU, 5 W DIMM.
        (parts(3200, cpus_w=225, memory_w=160, drives_w=100), 6 * 3000, 4385, 5334),
        # DGX B200: cards of 40 W.
        (parts(8000, network_w=400), 6 * 3300, 9556, 11513),
    ],
)
def test_other_nodes_come_out_near_the_worked_examples(node, rating_w, direct, drawn):
    assert direct_current_w(node).typical == pytest.approx(direct, rel=0.02)
    assert input_w(output_w(node), rating_w, CONSTANTS).typical == pytest.approx(drawn, rel=0.02)


def test_the_measured_peak_of_eight_h100_lies_inside_the_range():
    measured = CONSTANTS["power.hgx_h100_8gpu_measured_peak"]
    found = power_of(Task(), platform("SYS-821GE-TNHR", "H100-SXM5-80", 8), CATALOG, cards=10)
    assert found.peak_w.low <= measured.low * 1000
    assert measured.high * 1000 <= found.peak_w.high
    assert found.load_w.low <= measured.low * 1000 <= found.load_w.high


def test_heavy_training_on_eight_h100_averages_what_was_measured():
    rated_kw = CONSTANTS["power.dgx_h100_h200_max_input"].typical
    share = CONSTANTS["power.hgx_h100_intensive_training_fraction_of_rating"].typical
    found = power_of(Task(), platform("SYS-821GE-TNHR", "H100-SXM5-80", 8), CATALOG, cards=10)
    assert found.average_w.low <= rated_kw * share * 1000 <= found.average_w.high


@pytest.mark.parametrize("accelerator", ["L40S", "H100-PCIE-80"])
def test_the_measured_eight_cards_of_350_w_lie_inside_the_load(accelerator):
    measured = CONSTANTS["power.pcie_8x350w_node_measured"]
    found = power_of(Task(), platform("SYS-521GE-TNRT", accelerator, 8), CATALOG)
    assert found.load_w.low <= measured.low * 1000
    assert measured.high * 1000 <= found.load_w.high


def test_the_feed_is_the_makers_maximum_where_one_is_stated():
    found = power_of(Task(), platform("DGX-H100-H200", "H100-SXM5-80", 8), CATALOG)
    assert found.feed_w == exact(10_200)


def test_without_a_makers_maximum_the_feed_is_planned_by_the_nameplate_ratio():
    found = power_of(Task(), platform("SYS-822GS-NBRT", "B200", 8), CATALOG)
    rated_kw = CONSTANTS["power.dgx_b200_max_input"].typical
    assert found.feed_w.low <= rated_kw * 1000 <= found.feed_w.high
    assert found.feed_w.typical == pytest.approx(1.8 * 8000)


def test_a_board_of_eight_stands_whole_even_when_the_task_uses_one_gpu():
    one = power_of(Task(), platform("SYS-821GE-TNHR", "H100-SXM5-80", 1), CATALOG)
    eight = power_of(Task(), platform("SYS-821GE-TNHR", "H100-SXM5-80", 8), CATALOG)
    assert one == eight


def test_half_a_board_has_half_the_switches():
    found = power_of(Task(), platform("SYS-421GU-TNXR", "H100-SXM5-80", 4), CATALOG)
    # GPUs, CPUs at half load, 16 DIMM, 4 drives, 2 cards, base 100 and half of 300; fans 15 %.
    direct = 2800 + 350 + 128 + 60 + 68 + 100 + 150
    assert found.output_peak_w.typical == pytest.approx(1.15 * direct)


def test_parts_sum_to_the_typical_peak():
    found = power_of(Task(), platform("SYS-521GE-TNRT", "H200-NVL-141", 4), CATALOG)
    assert sum(found.parts_w.values()) == pytest.approx(found.peak_w.typical)


def test_decoding_video_keeps_the_cpus_busier():
    light, heavy = (
        power_of(
            Task(data=Data(preprocessing=level)),
            platform("SYS-521GE-TNRT", "L40S", 4),
            CATALOG,
        )
        for level in ("light", "heavy")
    )
    assert heavy.peak_w.typical > light.peak_w.typical


def test_an_unknown_accelerator_has_no_power():
    assert power_of(Task(), platform(None, None, 4), CATALOG) is None
    assert power_of(Task(), platform(None, "no-such-card", 4), CATALOG) is None


@given(gpus=st.integers(1, 7))
def test_more_gpus_never_need_less_power(gpus):
    fewer, more = (
        power_of(Task(), platform("SYS-521GE-TNRT", "H200-NVL-141", n), CATALOG)
        for n in (gpus, gpus + 1)
    )
    for name in ("peak_w", "average_w", "feed_w", "load_w"):
        before, after = getattr(fewer, name), getattr(more, name)
        assert before.low <= after.low
        assert before.typical <= after.typical
        assert before.high <= after.high


@pytest.mark.parametrize(
    ("load_ratio", "efficiency"), [(0.05, 0.90), (0.2, 0.94), (0.5, 0.96), (0.75, 0.935), (2, 0.91)]
)
def test_efficiency_follows_the_norm_and_stays_flat_outside(load_ratio, efficiency):
    assert efficiency_at(load_ratio, CONSTANTS) == pytest.approx(efficiency)


def test_four_plus_two_runs_slower_when_one_of_two_feeds_is_lost():
    found = psu_scheme(6, 3300, exact(8114), maker_needs=4, feeds=2)
    assert (found.surviving, found.full_speed_on_feed_loss) == (3, False)
    assert 3 * found.watts >= 8114  # by the arithmetic alone three would do


def test_four_plus_two_keeps_full_speed_on_three_feeds():
    found = psu_scheme(6, 3300, exact(8114), maker_needs=4, feeds=3)
    assert (found.surviving, found.full_speed_on_feed_loss) == (4, True)


@pytest.mark.parametrize(
    ("gpus", "n_plus_n", "spare"),
    [(4, True, 2), (8, False, 1)],
)
def test_eight_h200_nvl_leave_no_half_of_the_supplies_but_four_do(gpus, n_plus_n, spare):
    found = power_of(Task(), platform("SYS-521GE-TNRT", "H200-NVL-141", gpus), CATALOG)
    scheme = psu_scheme(4, 2700, found.output_peak_w, maker_needs=None, feeds=2)
    assert (scheme.n_plus_n, scheme.spare) == (n_plus_n, spare)


def test_one_feed_has_nothing_to_lose():
    found = psu_scheme(4, 2700, exact(3900), maker_needs=None, feeds=1)
    assert (found.surviving, found.on_feed_loss) == (0, "stops")
    assert found.full_speed_on_feed_loss is None


def test_supplies_that_cannot_carry_the_load_are_told():
    assert not psu_scheme(2, 2000, exact(9000), maker_needs=None, feeds=2).carries_load
