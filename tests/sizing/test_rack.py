"""The rack estimator: verdicts against a site and what would lift them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.rack import overall, rack_estimator
from apps.sizing.estimators.space import node_mass_kg, rack_mass_kg, space_of
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Horizon, Placement, Site, Task
from apps.sizing.verdicts import VERDICTS

CATALOG = fixture_catalog()
FULL_SITE = Site(
    kw_usable=22, feeds=2, cooling="containment", rack_units=42, depth_mm=1200, floor_kg=1360
)


def block_for(server, accelerator, gpus, site, nodes=1):
    platform = Platform(
        key="x",
        server=server,
        accelerator=accelerator,
        gpus=gpus,
        nodes=nodes,
        placement=Placement(),
    )
    return rack_estimator(Task(site=site), CATALOG, (platform,))["platforms"]["x"]


def keys_of(block):
    return {message["key"] for message in block["advice"]}


@pytest.mark.parametrize(
    ("kw", "verdict"), [(13, "fits"), (11, "tight"), (8, "risk"), (7, "does-not-fit")]
)
def test_an_h100_node_needs_its_rated_power_with_reserve(kw, verdict):
    block = block_for("SYS-821GE-TNHR", "H100-SXM5-80", 8, Site(kw_usable=kw, feeds=2))
    assert block["power"]["verdict"] == verdict


def test_an_h100_node_in_a_rack_of_7_kw_is_told_what_is_missing():
    block = block_for("SYS-821GE-TNHR", "H100-SXM5-80", 8, Site(kw_usable=7, feeds=2))
    assert block["verdict"] == "does-not-fit"
    assert block["power"]["missing_kw"] == pytest.approx(10.2 / 0.8 - 7)
    assert block["power"]["racks_needed"] is None
    assert "rack.lift.circuit" in keys_of(block)


def test_a_site_with_room_for_everything_fits():
    block = block_for("SYS-521GE-TNRT", "H200-NVL-141", 4, FULL_SITE)
    assert block["verdict"] == "fits"
    assert block["power"]["missing_kw"] == 0
    assert not {k for k in keys_of(block) if k.startswith("rack.lift.")}


def test_each_feed_must_carry_everything_alone():
    block = block_for("SYS-521GE-TNRT", "H200-NVL-141", 4, Site(kw_usable=5.0, feeds=2))
    both, lost = block["power"]["cases"]
    assert both["verdict"] == "fits"
    assert lost["verdict"] == block["power"]["verdict"] == "tight"
    assert lost["per_feed_kw"]["high"] == pytest.approx(2 * both["per_feed_kw"]["high"])


def test_without_a_feed_the_requirement_is_stated_and_the_verdict_unknown():
    block = block_for("SYS-821GE-TNHR", "H200-SXM-141", 8, Site())
    assert block["verdict"] == block["power"]["verdict"] == "unknown"
    assert block["power"]["missing_kw"] is None
    assert block["power"]["required_feed_kw"] == pytest.approx(10.2 / 0.8)


def test_what_certainly_fails_decides_even_without_a_feed():
    assert overall("unknown", ["does-not-fit"]) == "does-not-fit"
    assert overall("fits", ["unknown", "unknown"]) == "fits"
    assert overall("fits", ["tight", "unknown"]) == "tight"


def test_open_questions_name_what_the_site_did_not_say():
    found = rack_estimator(Task(site=Site(kw_usable=5, rack_units=10)), CATALOG, ())
    fields = [q["field"] for q in found["open_questions"]]
    assert "site.kw_usable" not in fields
    assert "site.rack_units" not in fields
    assert {"site.feeds", "site.cooling", "site.depth_mm", "site.floor_kg"} <= set(fields)


def test_cooling_that_nobody_understands_is_asked_about():
    found = rack_estimator(Task(site=Site(cooling="as a usual server")), CATALOG, ())
    assert "site.cooling" in [q["field"] for q in found["open_questions"]]


def test_a_liquid_cooled_chassis_needs_the_loop():
    block = block_for(
        "SYS-421GE-TNHR2-LCC", "H100-SXM5-80", 8, replace(FULL_SITE, cooling="containment")
    )
    assert block["cooling"]["verdict"] == block["verdict"] == "does-not-fit"
    assert "rack.lift.liquid-loop" in keys_of(block)
    assert block["cooling"]["airflow_cfm"] is None


def test_fewer_gpus_are_offered_when_the_chassis_allows_them():
    site = Site(kw_usable=5.0, feeds=2)
    block = block_for("SYS-521GE-TNRT", "H200-NVL-141", 8, site)
    offer = next(m for m in block["advice"] if m["key"] == "rack.lift.fewer-gpus")
    smaller = block_for("SYS-521GE-TNRT", "H200-NVL-141", offer["params"]["gpus"], site)
    assert smaller["power"]["verdict"] in ("fits", "tight")


def test_a_board_of_eight_offers_no_fewer_gpus_and_no_free_slots():
    block = block_for("SYS-821GE-TNHR", "H200-SXM-141", 8, Site(kw_usable=5.0))
    assert "rack.lift.fewer-gpus" not in keys_of(block)
    assert block["growth"]["free_gpu_slots"] == 0
    assert block["growth"]["expandable"] is False
    assert "full_chassis_gpus" not in block["growth"]


def test_planned_growth_is_given_its_load_in_the_chassis_and_beyond():
    def planned(gpus, factor):
        platform = Platform(
            key="x",
            server="SYS-521GE-TNRT",
            accelerator="H200-NVL-141",
            gpus=gpus,
            nodes=1,
            placement=Placement(),
        )
        task = Task(site=FULL_SITE, horizon=Horizon(growth=factor))
        return rack_estimator(task, CATALOG, (platform,))["platforms"]["x"]["growth"]

    inside, beyond = planned(4, 2.0), planned(8, 2.0)
    assert inside["planned_gpus"] == 8
    assert inside["planned_load_kw"] == inside["full_chassis_load_kw"]
    assert beyond["planned_load_kw"] == beyond["next_node_load_kw"]
    assert "planned_gpus" not in planned(4, 1.0)


def test_a_pcie_chassis_tells_what_it_grows_to():
    block = block_for("SYS-521GE-TNRT", "H200-NVL-141", 4, FULL_SITE)
    assert block["growth"]["free_gpu_slots"] == 4
    assert block["growth"]["full_chassis_gpus"] == 8
    assert block["growth"]["full_chassis_load_kw"]["high"] > block["power"]["load_kw"]["high"]


@pytest.mark.parametrize(
    ("site", "key"),
    [
        (Site(kw_usable=22, feeds=2), "rack.warning.slower-on-feed-loss"),
        (Site(kw_usable=22, feeds=1), "rack.warning.single-feed"),
        (Site(amps=63, phases=3, volts=200, feeds=2), "rack.warning.low-voltage"),
    ],
)
def test_warnings_about_the_supplies(site, key):
    assert key in keys_of(block_for("SYS-821GE-TNHR", "H100-SXM5-80", 8, site))


def test_a_usual_european_circuit_is_not_a_low_voltage():
    site = Site(amps=32, phases=3, volts=400, feeds=2)
    block = block_for("SYS-821GE-TNHR", "H100-SXM5-80", 8, site)
    assert "rack.warning.low-voltage" not in keys_of(block)


def test_a_card_without_a_server_is_still_given_a_load():
    block = block_for(None, "RTX-3090", 2, Site(kw_usable=5))
    assert block["power"]["verdict"] == "fits"
    assert block["space"]["reason"]["key"] == "rack.reason.no-server"


def test_an_unknown_accelerator_is_a_reason_and_not_an_error():
    block = block_for(None, "unknown-card", 2, Site(kw_usable=5))
    assert block["reason"]["key"] == "rack.reason.no-accelerator"
    assert block["verdict"] == "unknown"


def test_four_dgx_in_a_rack_weigh_what_was_worked_out():
    dgx = CATALOG.servers["DGX-H100-H200"]
    node = node_mass_kg(dgx, CATALOG.constants)
    rack = rack_mass_kg(4, node, CATALOG.constants)
    assert rack.typical == pytest.approx(771.8)
    space = space_of(4, dgx, Site(floor_kg=522), CATALOG.constants)
    assert space.floor_kg_per_m2.typical == pytest.approx(1072, abs=1)
    assert space.weight_verdict == "fits"
    assert space_of(4, dgx, Site(floor_kg=520), CATALOG.constants).weight_verdict == "does-not-fit"


def test_a_dgx_needs_a_deep_rack():
    dgx = CATALOG.servers["DGX-H100-H200"]
    shallow, deep = (
        space_of(1, dgx, Site(depth_mm=depth), CATALOG.constants).depth_verdict
        for depth in (950, 1100)
    )
    assert (shallow, deep) == ("does-not-fit", "fits")


def test_a_known_empty_weight_is_a_floor_for_the_filled_one():
    server = CATALOG.servers["AS-8125GS-TNMR2"]
    heavy = replace(server, extra={**server.extra, "weight_empty_kg": 150.0})
    assert node_mass_kg(heavy, CATALOG.constants).low == 150


@given(
    kw=st.floats(0.1, 100),
    shrink=st.floats(0.01, 1),
    gpus=st.sampled_from([1, 2, 4, 8]),
    nodes=st.integers(1, 4),
)
def test_less_power_never_improves_the_verdict(kw, shrink, gpus, nodes):
    platform = ("SYS-521GE-TNRT", "H200-NVL-141", gpus * nodes)
    before = block_for(*platform, replace(FULL_SITE, kw_usable=kw), nodes=nodes)
    after = block_for(*platform, replace(FULL_SITE, kw_usable=kw * shrink), nodes=nodes)
    for path in ("verdict",):
        assert VERDICTS.index(after[path]) >= VERDICTS.index(before[path])
    assert after["power"]["missing_kw"] >= before["power"]["missing_kw"]


@given(nodes=st.integers(1, 8))
def test_heat_is_all_of_the_load(nodes):
    block = block_for("SYS-821GE-TNHR", "H100-SXM5-80", 8 * nodes, Site(), nodes=nodes)
    assert block["cooling"]["heat_kw"] == block["power"]["load_kw"]
    Range.from_dict(block["cooling"]["airflow_m3_per_h"])
