"""Power, circuits, heat and mass: the worked examples, the contradictions, what a loss does."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.candidates import candidates_of
from apps.sizing.estimators.cooling import M3_PER_H_PER_CFM, airflow_m3_per_h
from apps.sizing.estimators.feeds import circuit_kva, circuit_kw, site_feed
from apps.sizing.estimators.node import power_of
from apps.sizing.estimators.phases import nodes_carried, phases_of, usable_kw
from apps.sizing.estimators.power_supplies import (
    fullest_phase_amps,
    outlet_for,
    phase_volts,
    psu_scheme,
    supply_amps,
)
from apps.sizing.estimators.rack import rack_estimator
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.estimators.site_fit import site_fit
from apps.sizing.estimators.space import space_of
from apps.sizing.joined import energy_of
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Cycle, Horizon, Placement, Recipe, Site, Task
from tests.sizing.engine import task_of

CATALOG = fixture_catalog()
CONSTANTS = CATALOG.constants
exact = Range.exact


def platform(server="SYS-821GE-TNHR", accelerator="H100-SXM5-80", gpus=8, nodes=1):
    return Platform(
        key="x",
        server=server,
        accelerator=accelerator,
        gpus=gpus,
        nodes=nodes,
        placement=Placement(accelerator=accelerator, gpus=gpus, nodes=nodes),
    )


def block_for(site, *, catalog=CATALOG, horizon=None, **where):
    task = Task(site=site, horizon=horizon or Horizon())
    return rack_estimator(task, catalog, (platform(**where),))["platforms"]["x"]


def keys_of(block):
    return {m["key"] for m in block["advice"]}


def with_constant(key, value):
    return replace(CATALOG, constants={**CONSTANTS, key: value})


@pytest.mark.parametrize(
    ("key", "node_w", "gpus_w"),
    [
        ("power.node_to_gpuTDP_ratio_air_peak", 8440, 5600),
        ("power.node_to_gpuTDP_ratio_no_fans", 6741, 5600),
        ("power.feed_planning_ratio", 10_200, 5600),
        ("power.feed_planning_ratio", 14_300, 8000),
        ("power.feed_planning_ratio", 6500, 3200),
    ],
)
def test_shortcuts_over_the_rated_power_of_the_gpus(key, node_w, gpus_w):
    ratio = CONSTANTS[key]
    assert ratio.low <= round(node_w / gpus_w, 2) <= ratio.high


def test_a_tower_of_four_cards_is_near_what_was_measured():
    """2080 W by the meter of the board, 2160 W with the CPUs loaded: 1.16 times the cards."""
    measured = CONSTANTS["power.pcie_4x450w_tower_measured"]
    assert measured.typical / (4 * 0.45) == pytest.approx(1.16, abs=0.01)
    tower = power_of(Task(), platform("SYS-741GE-TNRT", "RTX-4090", 4), CATALOG)
    assert tower.average_w.low <= measured.typical * 1000
    assert measured.high * 1000 <= tower.average_w.high
    # It was taken for half as much again as long as a small chassis had the parts of a large one.
    assert tower.peak_w.typical <= 1.25 * measured.typical * 1000


def test_a_pair_of_cards_in_an_unknown_chassis_has_one_processor():
    pair = power_of(Task(), platform(None, "RTX-3090", 2), CATALOG)
    four = power_of(Task(), platform(None, "RTX-3090", 4), CATALOG)
    assert pair.parts_w["cpu_and_memory"] * 2 == pytest.approx(four.parts_w["cpu_and_memory"])
    assert pair.peak_w.typical < 1250


def test_energy_is_counted_at_what_heavy_training_averages():
    """The contradiction of H100: feeds by 10.2 kW, energy by 7.0 to 7.85."""
    found = power_of(Task(), platform(), CATALOG)
    assert found.feed_w == exact(10_200)
    assert 7000 <= found.average_w.typical <= 7850
    immersion = CONSTANTS["power.hgx_h100_immersion_node_ac"]
    assert immersion.low * 1000 <= found.average_w.typical <= immersion.high * 1000


def test_two_nodes_on_two_feeds_load_each_by_half_and_the_last_by_all():
    capacity = circuit_kw(32, 3, 400, power_factor=0.99)
    assert 10.2 / circuit_kw(32, 3, 400, power_factor=1.0) == pytest.approx(0.46, abs=0.005)
    assert 20.4 / capacity == pytest.approx(0.93, abs=0.005)
    site = Site(amps=32, phases=3, volts=400, feeds=2)
    both, lost = block_for(site, gpus=16, nodes=2)["power"]["cases"]
    assert both["verdict"] == "fits"
    assert lost["verdict"] == "tight"


@pytest.mark.parametrize(
    ("key", "phases", "amps", "volts"),
    [
        ("power.circuit_1ph_230V_16A", 1, 16, 230),
        ("power.circuit_1ph_230V_32A", 1, 32, 230),
        ("power.circuit_3ph_400V_16A", 3, 16, 400),
        ("power.circuit_3ph_400V_32A", 3, 32, 400),
        ("power.circuit_3ph_400V_63A", 3, 63, 400),
    ],
)
def test_circuits_carry_what_their_rows_say(key, phases, amps, volts):
    assert circuit_kva(amps, phases, volts) == pytest.approx(CONSTANTS[key].typical, abs=0.01)


def test_the_reserve_of_a_feed_is_a_policy_that_may_be_lifted():
    site = Site(amps=32, phases=3, volts=400, feeds=2)
    where = {"gpus": 16, "nodes": 2}
    policy = block_for(site, **where)["power"]
    lifted = block_for(site, catalog=with_constant("power.feed_reserve", exact(0.0)), **where)
    assert (policy["verdict"], lifted["power"]["verdict"]) == ("tight", "fits")
    assert policy["missing_kw"] > 0
    assert lifted["power"]["missing_kw"] == 0
    assert lifted["power"]["feed_limit_kw"] == lifted["power"]["feed_capacity_kw"]


@pytest.mark.parametrize(
    ("volts", "amps", "outlet"), [(230, 15.8, "C19"), (200, 18.1, None), (400, 15.7, "C19")]
)
def test_a_supply_of_3300_w_needs_a_c19_outlet(volts, amps, outlet):
    found = supply_amps(3300, phase_volts(volts), 0.91)
    assert found == pytest.approx(amps, abs=0.05)
    assert outlet_for(found, CONSTANTS) == outlet


def test_a_c13_outlet_gives_2_3_kva_and_is_too_small_for_supplies_above_2_kw():
    assert CONSTANTS["power.iec_c13_rating"].typical * 230 == pytest.approx(2300)
    assert outlet_for(supply_amps(2000, 230, 0.91), CONSTANTS) == "C13"
    assert outlet_for(supply_amps(2200, 230, 0.91), CONSTANTS) == "C19"


def test_six_supplies_are_two_a_phase_and_two_leave_a_phase_empty():
    six, four, two = (fullest_phase_amps(9000, n, 230, 0.99) for n in (6, 4, 2))
    assert six == pytest.approx(9000 / 3 / (230 * 0.99))
    assert four == two == pytest.approx(1.5 * six)


@pytest.mark.parametrize(("amps", "warned"), [(16, True), (32, False)])
def test_supplies_that_do_not_divide_over_three_phases_are_told(amps, warned):
    """Four supplies on two feeds: the feed that is left has two, and its third phase nothing."""
    site = Site(amps=amps, phases=3, volts=400, feeds=2)
    block = block_for(site, server="SYS-521GE-TNRT", accelerator="H200-NVL-141", gpus=8)
    assert ("rack.warning.uneven-phases" in keys_of(block)) is warned
    assert block["power"]["supplies"]["phase_amps"] == pytest.approx(
        block["power"]["load_kw"]["high"] * 1000 / 2 / (phase_volts(400) * 0.99)
    )


@pytest.mark.parametrize(
    ("count", "maker_needs", "feeds", "supply_lost", "feed_lost"),
    [
        (6, 4, 2, "full-speed", "slower"),  # 4+2 of a DGX H100
        (6, 4, 3, "full-speed", "full-speed"),
        (6, 5, 2, "full-speed", "slower"),  # a B200 caps its GPUs with three or four
        (6, 3, 2, "full-speed", "full-speed"),  # N+N
        (4, 3, 2, "full-speed", "slower"),  # N+1
        (4, 4, 2, "slower", "slower"),
        (4, 2, 1, "full-speed", "stops"),
        (1, 1, None, "stops", None),
    ],
)
def test_what_a_lost_supply_and_a_lost_feed_do(count, maker_needs, feeds, supply_lost, feed_lost):
    scheme = psu_scheme(count, 3300, exact(3000), maker_needs=maker_needs, feeds=feeds)
    assert (scheme.on_supply_loss, scheme.on_feed_loss) == (supply_lost, feed_lost)


@settings(max_examples=50)
@given(
    count=st.integers(2, 12), needs=st.integers(1, 12), feeds=st.integers(2, 4), more=st.integers(1)
)
def test_more_feeds_never_leave_fewer_supplies(count, needs, feeds, more):
    few, many = (
        psu_scheme(count, 3000, exact(1000), maker_needs=needs, feeds=n)
        for n in (feeds, feeds + more)
    )
    assert few.surviving <= many.surviving


def test_the_catalogs_dgx_follows_its_makers_rule():
    rule = CONSTANTS["power.dgx_h100_psu_rule"].typical
    assert CATALOG.servers["DGX-H100-H200"].psu_needed == rule
    cap = CONSTANTS["power.dgx_b200_gpu_cap_on_psu_loss"]
    assert (cap.low, cap.high) == (800, CATALOG.accelerators["B200"].tdp_w)
    rack_kw = CONSTANTS["power.dgx_b300_rack4_power"].typical
    assert CATALOG.servers["SYS-822GS-NB3RT"].max_input_w * 4 == rack_kw * 1000


def test_heat_is_the_electrical_power_and_not_the_guides_own_btu():
    block = block_for(Site())
    guide = CONSTANTS["cooling.dgx_h100_heat_output"].typical
    assert block["cooling"]["btu_per_h"]["high"] == pytest.approx(34_804, abs=1)
    assert block["cooling"]["btu_per_h"]["high"] < guide


@pytest.mark.parametrize(
    ("key", "kilowatts", "rise_k"),
    [
        ("cooling.dgx_a100_airflow", 6.5, 13.6),
        ("cooling.dgx_h100_airflow", 10.2, 16.2),
        ("cooling.dgx_b200_airflow", 14.3, 16.2),
    ],
)
def test_air_of_the_makers_machines(key, kilowatts, rise_k):
    flow = airflow_m3_per_h(kilowatts, rise_k) / M3_PER_H_PER_CFM
    assert flow == pytest.approx(CONSTANTS[key].typical, rel=0.005)


def test_one_tile_carries_a_third_of_the_rack_and_half_while_it_rolls():
    space = space_of(4, CATALOG.servers["DGX-H100-H200"], Site(), CONSTANTS)
    assert space.tile_kg.typical == pytest.approx(257, rel=0.015)
    assert space.rack_kg.typical * 0.5 == pytest.approx(386, abs=0.5)
    assert space.tile_kg.high == pytest.approx(0.5 * space.rack_kg.high)
    assert space.rack_kg.high < CONSTANTS["cooling.rack_cabinet_rating_tt"].low


def test_a_contour_that_outgrows_air_names_what_is_beyond_it():
    key = "rack.advice.growth-density"
    grown = block_for(Site(), horizon=Horizon(growth=8.0))
    assert key in keys_of(grown)
    assert key not in keys_of(block_for(Site(), horizon=Horizon(growth=1.0)))
    small = block_for(
        Site(), horizon=Horizon(growth=2.0), server="SYS-521GE-TNRT", accelerator="L40S", gpus=2
    )
    assert key not in keys_of(small)


def test_as_a_usual_server_is_no_answer_about_cooling():
    key = "rack.warning.cooling-not-understood"
    assert key in keys_of(block_for(Site(cooling="как обычный сервер")))
    assert key not in keys_of(block_for(Site(cooling="containment")))
    assert key not in keys_of(block_for(Site()))


def test_energy_of_a_run_and_of_a_year():
    rack = {"power": {"node_kw": {"average": exact(7.0).as_dict()}}}
    time = {"cycle": {"scope": "run", "hours": exact(10.0).as_dict()}}
    task = Task(cycle=Cycle(runs_per_quarter=3.0))
    found = energy_of(task, CATALOG, platform(nodes=2, gpus=16), rack, time)
    assert found["run_kwh"] == exact(140.0).as_dict()
    assert found["year_kwh"] == exact(1680.0).as_dict()
    assert found["room_year_kwh"]["typical"] == pytest.approx(1680 * 1.54)


def test_a_year_of_runs_takes_no_more_than_its_hours():
    rack = {"power": {"node_kw": {"average": exact(7.0).as_dict()}}}
    time = {"cycle": {"scope": "epoch", "hours": exact(1000.0).as_dict()}}
    task = Task(recipe=Recipe(epochs=3.0), cycle=Cycle(runs_per_quarter=3.0))
    found = energy_of(task, CATALOG, platform(), rack, time)
    assert found["run_kwh"]["typical"] == 21_000
    assert found["year_kwh"]["typical"] == pytest.approx(7.0 * 8766)
    unknown = energy_of(replace(task, cycle=Cycle()), CATALOG, platform(), rack, time)
    assert unknown["year_kwh"] is None
    assert energy_of(task, CATALOG, platform(), rack, {"cycle": None}) is None


def test_the_energy_stands_beside_the_power_of_a_candidate():
    task = task_of(
        gpus=8, data={"tokens": 1e9, "kind": "text"}, placement={"data_parallel": "fsdp"}
    )
    where = platform("DGX-A100", "A100-SXM4-80", 8)
    where = replace(where, server=None, placement=task.placement)
    found = candidates_of(task, CATALOG, (where,), estimate_all(task, CATALOG, (where,)))[0]
    hours, rack = found.hours, found.blocks["rack"]
    average = rack["power"]["node_kw"]["average"]
    assert rack["energy"]["run_kwh"]["typical"] == pytest.approx(hours.typical * average["typical"])


UNEVEN = {"server": "SYS-521GE-TNRT", "accelerator": "H200-NVL-141", "gpus": 8}


def phased(amps, *, volts=400, **where):
    return block_for(Site(amps=amps, phases=3, volts=volts, feeds=2), **{**UNEVEN, **where})


def test_a_feed_whose_fullest_phase_is_too_small_blocks():
    """Two supplies are left: two phases carry everything, the third nothing."""
    block = phased(13)
    power = block["power"]
    assert power["load_kw"]["high"] < power["feed_capacity_kw"]
    assert power["phases"]["amps"]["typical"] > 13
    assert power["phases"]["carries_kw"] == pytest.approx(power["feed_capacity_kw"] * 2 / 3)
    assert power["phases"]["verdict"] == power["verdict"] == block["verdict"] == "does-not-fit"
    assert power["cases"][-1]["verdict"] == "does-not-fit"
    assert power["nodes_per_feed"] == 0
    lifts = {m["key"]: m["params"] for m in block["advice"] if ".lift." in m["key"]}
    assert "rack.lift.feed" not in lifts
    assert "rack.lift.each-feed" not in lifts
    assert lifts["rack.lift.even-phases"] == {
        "supply_count": 2,
        "phase_amps": pytest.approx(power["phases"]["amps"]["high"] * 2 / 3),
    }
    assert lifts["rack.lift.circuit"]["amps"] == 32


def test_a_phase_that_only_the_high_end_overloads_is_a_risk():
    power = phased(16)["power"]
    assert power["phases"]["amps"]["typical"] < 16 < power["phases"]["amps"]["high"]
    assert power["phases"]["verdict"] == power["verdict"] == "risk"


def test_a_phase_that_carries_its_supplies_changes_nothing():
    for amps in (32, 63):
        power = phased(amps)["power"]
        assert power["verdict"] == power["phases"]["verdict"] == "fits"


def test_supplies_in_threes_load_a_three_phase_feed_as_a_whole():
    power = block_for(Site(amps=32, phases=3, volts=400, feeds=2), gpus=16, nodes=2)["power"]
    assert power["phases"]["even"]
    assert power["phases"]["carries_kw"] == power["feed_capacity_kw"]
    assert power["phases"]["verdict"] == power["verdict"]


@settings(max_examples=40, deadline=None)
@given(nodes=st.integers(1, 9), amps=st.sampled_from([16, 32, 63, 125]))
def test_as_many_nodes_as_a_feed_carries_hold_and_one_more_does_not(nodes, amps):
    site = Site(amps=amps, phases=3, volts=400, feeds=2)
    server = CATALOG.servers[UNEVEN["server"]]
    feed, node_kw = site_feed(site, 0.99), 6.4
    most = nodes_carried(feed, phases_of(site, server, nodes, CONSTANTS), nodes, node_kw)
    for count, held in ((most, True), (most + 1, False)):
        if count:
            carried = usable_kw(feed, phases_of(site, server, count, CONSTANTS))
            assert (count * node_kw <= carried + 1e-9) is held


def test_site_fit_says_of_the_phases_what_the_rack_says():
    for amps in (16, 32):
        site = Site(amps=amps, phases=3, volts=400, feeds=2)
        task = Task(site=site)
        fit = site_fit(task, platform(**UNEVEN), CATALOG, site_feed(site, 0.99))
        block = phased(amps)
        assert fit.verdict == block["verdict"]
        assert (fit.short_of_phase is not None) is (amps == 16)
        assert ("power" in fit.obstacles) is (amps == 16)
