"""Lines that pages and documents share: supplies, energy, saves, backup, wires, the curve."""

import pytest
from django.utils import translation

from apps.estimation.presenters.detail_lines import (
    backup_lines,
    energy_lines,
    network_lines,
    save_lines,
    supply_lines,
)
from apps.estimation.presenters.detail_tables import scaling_table
from apps.estimation.presenters.scaling import scaling_drawing

SUPPLIES = {
    "count": 6,
    "watts": 3300.0,
    "needed": 4,
    "spare": 2,
    "n_plus_n": False,
    "on_supply_loss": "full-speed",
    "on_feed_loss": "slower",
    "outlet": "C19",
    "outlets_per_feed": 3,
    "supply_amps": 15.77,
    "phase_amps": 22.5,
}
FEW = {"low": 10.0, "typical": 20.0, "high": 30.0}


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def said(lines):
    return {line.label: plain(line.value) for line in lines}


def test_four_plus_two_and_what_is_lost_with_a_feed():
    found = said(supply_lines(SUPPLIES))
    assert found["Scheme of the supplies"] == "4+2"
    assert found["When a supply is lost"] == "full speed"
    assert found["When a feed is lost"] == "runs slower"
    assert found["Outlets on each feed"].startswith("3 × C19")
    assert "Fullest phase with one feed left" in found


def test_a_scheme_of_halves_says_so_and_one_without_reserve_has_none():
    halves = {**SUPPLIES, "needed": 3, "spare": 3, "n_plus_n": True}
    assert said(supply_lines(halves))["Scheme of the supplies"].startswith("3+3, half of them")
    bare = {**SUPPLIES, "needed": 6, "spare": 0}
    assert "Scheme of the supplies" not in said(supply_lines(bare))


def test_a_result_kept_from_before_these_lines_is_still_read():
    before = {key: SUPPLIES[key] for key in ("count", "watts", "needed", "spare", "n_plus_n")}
    assert list(said(supply_lines(before))) == ["Power supplies", "Scheme of the supplies"]
    assert not list(supply_lines(None))
    assert not list(energy_lines(None))
    assert not list(backup_lines(None))
    assert said(network_lines({"network_gbit_per_s": 400})) == {"Network of a node": "400 Gbit/s"}


def test_a_year_is_said_where_the_number_of_runs_is_known():
    known = {"run_kwh": FEW, "year_kwh": FEW, "room_year_kwh": FEW}
    unknown = {"run_kwh": FEW, "year_kwh": None, "room_year_kwh": None}
    assert len(said(energy_lines(known))) == 3
    assert list(said(energy_lines(unknown))) == ["Energy of one run"]


def test_a_short_recovery_is_said_in_seconds_or_minutes():
    hours = {"low": 0.005, "typical": 0.02, "high": 0.05}
    found = said(backup_lines({"volume_gb": FEW, "recovery_hours": hours}))
    assert found["Time to bring it back"].endswith("min")


@pytest.mark.parametrize(("writes", "shown"), [(0.77, True), (0.0006, False)])
def test_rewrites_are_said_where_they_wear_anything(writes, shown):
    save = {"interval_hours": 2.0, "lost_ratio": 0.004, "drive_writes_per_day": writes}
    found = said(save_lines(save))
    assert ("Rewrites of the checkpoint volume a day" in found) is shown
    assert "As stated, every" not in found
    stated = {**save, "stated": {"interval_hours": 0.5, "stall_ratio": 0.02}}
    assert said(save_lines(stated))["Share of the time such saves take"] == "2%"


def test_islands_are_named_where_there_are_several():
    assert said(network_lines({"islands": [4, 4]})) == {"NVLink islands of a node": "4 + 4"}
    assert said(network_lines({"islands": [4]})) == {}


def test_the_curve_says_nothing_of_pcie_between_nodes():
    row = {"samples_per_s": FEW, "efficiency": FEW, "pcie_efficiency": 0.4}
    curve = {
        "accelerator": "H100-SXM5-80",
        "rows": [{**row, "gpus": 8, "nodes": 1}, {**row, "gpus": 16, "nodes": 2}],
    }
    found = scaling_table(curve).rows
    assert [plain(row["head"]) for row in found] == ["8 GPUs", "16 GPUs, 2 nodes"]
    assert [cells["cells"][-1]["text"] for cells in found] == ["40%", "–"]


@pytest.mark.parametrize(("low", "is_drawn"), [(0.96, False), (0.6, True)])
def test_a_curve_at_the_upper_edge_is_not_drawn(low, is_drawn):
    efficiency = {"low": low, "typical": max(low, 0.9), "high": 1.0}
    row = {"samples_per_s": FEW, "efficiency": efficiency, "pcie_efficiency": 0.9}
    rows = [{**row, "gpus": gpus, "nodes": 1} for gpus in (1, 8)]
    curve = {"accelerator": "H100-SXM5-80", "rows": rows, "pays_until": 8}
    assert (scaling_drawing(curve) is not None) is is_drawn
