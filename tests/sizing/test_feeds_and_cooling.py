"""Circuits, heat and air against the worked tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.cooling import (
    AIR_DENSITY_KG_PER_M3,
    airflow_m3_per_h,
    btu_per_h,
    cooling_verdict,
    method_for,
    method_verdict,
    refrigeration_tons,
    sufficient_methods,
    water_l_per_min,
)
from apps.sizing.estimators.feeds import (
    circuit_kva,
    circuit_kw,
    feed_reserve_ratio,
    nodes_per_feed,
    racks_needed,
    site_feed,
    smallest_circuit,
)
from apps.sizing.ranges import Range
from apps.sizing.task import Site
from apps.sizing.verdicts import VERDICTS, feed_verdict, verdict, worst

CONSTANTS = fixture_catalog().constants
exact = Range.exact
M3_PER_H_PER_CFM = 1.699


# kVA, kW at the full breaker and at the 80 % policy, nodes of 10.2 and of 5 kW at each.
@pytest.mark.parametrize(
    ("phases", "amps", "volts", "kva", "full_kw", "policy_kw", "big", "small"),
    [
        (1, 16, 230, 3.68, 3.64, 2.91, (0, 0), (0, 0)),
        (1, 32, 230, 7.36, 7.29, 5.83, (0, 0), (1, 1)),
        (3, 16, 400, 11.09, 10.97, 8.78, (1, 0), (2, 1)),
        (3, 32, 400, 22.17, 21.95, 17.56, (2, 1), (4, 3)),
        (3, 63, 400, 43.65, 43.21, 34.57, (4, 3), (8, 6)),
    ],
)
def test_circuits_carry_what_the_table_says(
    phases, amps, volts, kva, full_kw, policy_kw, big, small
):
    full = circuit_kw(amps, phases, volts, power_factor=0.99)
    policy = circuit_kw(amps, phases, volts, power_factor=0.99, continuous_ratio=0.8)
    assert circuit_kva(amps, phases, volts) == pytest.approx(kva, abs=0.005)
    assert full == pytest.approx(full_kw, abs=0.01)
    assert policy == pytest.approx(policy_kw, abs=0.01)
    assert (nodes_per_feed(full, 10.2), nodes_per_feed(policy, 10.2)) == big
    assert (nodes_per_feed(full, 5), nodes_per_feed(policy, 5)) == small


def test_two_h100_nodes_fit_one_32_a_feed_at_its_nameplate_but_not_by_the_policy():
    load = exact(20.4)
    capacity = circuit_kw(32, 3, 400, power_factor=0.99)
    assert verdict(load, capacity) == "fits"
    assert feed_verdict(load, capacity, feed_reserve_ratio(CONSTANTS)) == "tight"
    assert feed_verdict(load, capacity, 0.0) == "fits"


def test_a_phase_voltage_is_told_from_a_line_voltage():
    assert circuit_kva(32, 3, 230) == pytest.approx(circuit_kva(32, 3, 400), rel=0.005)


@pytest.mark.parametrize(
    ("site", "capacity_kw", "assumed_volts"),
    [
        (Site(kw_usable=5.0), 5.0, None),
        (Site(kw_usable=5.0, amps=32, phases=3), 5.0, None),
        (Site(amps=32, phases=3), 21.95, 400),
        (Site(amps=16, phases=1), 3.64, 230),
        (Site(amps=16, phases=1, volts=220), 3.48, None),
    ],
)
def test_a_feed_is_read_from_kilowatts_or_from_the_circuit(site, capacity_kw, assumed_volts):
    feed = site_feed(site, 0.99)
    assert feed.capacity_kw == pytest.approx(capacity_kw, abs=0.01)
    assert feed.assumed_volts == assumed_volts


@pytest.mark.parametrize("site", [Site(), Site(amps=32), Site(phases=3), Site(feeds=2)])
def test_an_incomplete_feed_is_unknown(site):
    assert site_feed(site, 0.99) is None


def test_four_nodes_in_racks_of_15_kw_take_four_racks():
    assert racks_needed(4, nodes_per_feed(15, 10.2)) == 4
    assert racks_needed(4, nodes_per_feed(8, 10.2)) is None


@pytest.mark.parametrize(
    ("load_kw", "circuit"),
    [(2.5, (1, 16, 230)), (8.5, (3, 16, 400)), (10.2, (3, 32, 400)), (40, None)],
)
def test_the_smallest_circuit_with_reserve_is_named(load_kw, circuit):
    assert smallest_circuit(exact(load_kw), 0.99, 0.2) == circuit


def test_heat_in_btu_and_tons():
    assert btu_per_h(exact(10.2), CONSTANTS).typical == pytest.approx(34_804, abs=1)
    assert refrigeration_tons(exact(10.2)).typical == pytest.approx(2.90, abs=0.005)


def test_airflow_matches_the_dgx_figure_and_the_constant():
    flow = airflow_m3_per_h(10.2, 16.2)
    assert flow == pytest.approx(1879, abs=1)
    assert flow / M3_PER_H_PER_CFM == pytest.approx(
        CONSTANTS["cooling.dgx_h100_airflow"].typical, abs=2
    )
    assert airflow_m3_per_h(1, 15) == pytest.approx(
        CONSTANTS["cooling.airflow_per_kw_at_15K"].typical, abs=0.5
    )


def test_a_warmer_rise_needs_less_air_and_b200_agrees():
    assert airflow_m3_per_h(14.3, 16.2) / M3_PER_H_PER_CFM == pytest.approx(
        CONSTANTS["cooling.dgx_b200_airflow"].typical, abs=3
    )
    assert airflow_m3_per_h(10, 20) < airflow_m3_per_h(10, 10)


def test_a_thousand_metres_up_air_is_thinner_and_13_percent_more_is_needed():
    pressure_kpa, at_sea_level_kpa = 89.875, 101.325  # standard atmosphere, ISO 2533
    thinner = AIR_DENSITY_KG_PER_M3 * pressure_kpa / at_sea_level_kpa
    more = airflow_m3_per_h(10.2, 16.2, thinner) / airflow_m3_per_h(10.2, 16.2)
    assert more == pytest.approx(1.13, abs=0.005)


def test_water_for_a_loop_of_50_kw():
    assert water_l_per_min(50, 10) == pytest.approx(71.7, abs=0.1)


@pytest.mark.parametrize(
    ("heat_kw", "method", "expected"),
    [
        (8, "room-air", "fits"),
        (9, "room-air", "tight"),
        (10.2, "room-air", "does-not-fit"),
        (10.2, "containment", "fits"),
        (30, "containment", "does-not-fit"),
        (30, "rear-door-active", "fits"),
        (45, "immersion", "unknown"),
    ],
)
def test_methods_reach_as_far_as_their_design_value(heat_kw, method, expected):
    assert method_verdict(exact(heat_kw), method, CONSTANTS) == expected


@pytest.mark.parametrize(
    ("method", "liquid", "expected"),
    [
        (None, False, "unknown"),
        ("room-air", False, "does-not-fit"),
        ("air", False, "risk"),
        ("room-air", True, "does-not-fit"),
        ("direct-to-chip", True, "fits"),
        ("direct-to-chip", False, "unknown"),
    ],
)
def test_the_site_must_have_what_the_server_needs(method, liquid, expected):
    assert cooling_verdict(exact(10.2), method, CONSTANTS, liquid_server=liquid) == expected


def test_plain_air_is_enough_for_a_small_node_and_never_for_a_rack_of_30_kw():
    assert cooling_verdict(exact(4), "air", CONSTANTS, liquid_server=False) == "fits"
    assert cooling_verdict(exact(30), "air", CONSTANTS, liquid_server=False) == "does-not-fit"


def test_methods_that_are_enough_come_simplest_first():
    assert sufficient_methods(exact(4), CONSTANTS, liquid_server=False)[0] == "room-air"
    assert sufficient_methods(exact(10.2), CONSTANTS, liquid_server=False)[0] == "containment"
    assert sufficient_methods(exact(10.2), CONSTANTS, liquid_server=True) == ("direct-to-chip",)


@pytest.mark.parametrize(
    ("text", "method"),
    [("Hot aisle", "containment"), ("in_row", "in-row"), ("RDHx", "rear-door-passive")],
)
def test_the_sites_words_are_understood(text, method):
    assert method_for(text) == method


@pytest.mark.parametrize("text", [None, "", "как обычный сервер"])
def test_other_words_are_not_guessed(text):
    assert method_for(text) is None


@given(
    low=st.floats(0, 1e6),
    more=st.floats(0, 1e6),
    even_more=st.floats(0, 1e6),
    capacity=st.floats(0, 1e6),
    shrunk=st.floats(0, 1),
    reserve=st.floats(0, 0.99),
)
def test_a_verdict_never_improves_when_the_limit_shrinks(
    low, more, even_more, capacity, shrunk, reserve
):
    need = Range(low, low + more, low + more + even_more)
    before = VERDICTS.index(verdict(need, capacity, reserve))
    after = VERDICTS.index(verdict(need, capacity * shrunk, reserve))
    assert after >= before


def test_a_verdict_without_a_limit_or_a_need_is_unknown():
    assert verdict(None, 5) == "unknown"
    assert verdict(exact(5), None) == "unknown"


def test_a_reserve_is_a_share():
    with pytest.raises(ValueError, match="share"):
        verdict(exact(5), 5, 1.0)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ((), "unknown"),
        (("fits", "tight"), "tight"),
        (("fits", "unknown"), "unknown"),
        (("unknown", "does-not-fit"), "does-not-fit"),
        (("risk", "tight"), "risk"),
    ],
)
def test_the_whole_is_as_good_as_its_worst_part(parts, whole):
    assert worst(parts) == whole
