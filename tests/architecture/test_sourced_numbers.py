"""A number in the estimators of rack, storage, host and network is a row of the catalog, arithmetic,
or named here with where it comes from."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SIZING = Path(__file__).resolve().parents[2] / "apps" / "sizing"
# Counting, halves, thousands, and the seconds and hours of a day.
PLAIN = frozenset({0, 1, 2, 0.5, 1000, 60, 24, 3600})
JUDGED = "influence of an open question on the verdict, 0 to 1: judgement"
# File -> number -> where it comes from. What a client's site or money turns on is no such number:
# it is a row of fixtures/catalog/constants.json.
SOURCED: dict[str, dict[float, str]] = {
    "estimators/checkpoints.py": {
        8: "Adam: two moments of four bytes",
        4: "one fp32 number",
        2.1: "bitsandbytes: two bytes and scales of blocks",
        1.1: "bitsandbytes: one byte and scales of blocks",
        0.01: "Adafactor: rows and columns only",
        0.05: "Adafactor: rows and columns only",
    },
    "estimators/cooling.py": {
        3.517: "definition of a ton of refrigeration, kW",
        1.2: "density of air at sea level, kg/m3",
        1005: "heat capacity of air, J/(kg K)",
        1.699: "m3/h in a cubic foot a minute",
        14.33: "litres of water a minute for a kilowatt and a kelvin",
    },
    "estimators/datasets.py": {65536: "numbers of two bytes", 4: "bytes of a wider number"},
    "estimators/feeds.py": {
        300: "between 230 V of a phase and 400 V between phases",
        3: "phases",
        16: "IEC breakers, A",
        32: "IEC breakers, A",
        63: "IEC breakers, A",
        230: "IEC 60038",
        400: "IEC 60038",
        1e-9: "rounding of a division that comes out even",
    },
    "estimators/host.py": {0.4: JUDGED, 0.6: JUDGED},
    "estimators/host_cores.py": {4: "processors shown"},
    "estimators/host_memory.py": {
        **dict.fromkeys((16, 32, 64, 96, 128, 256), "sizes of DDR5 modules on sale, GB"),
        12: "fp32 master weights and two moments",
        14: "with bf16 weights",
        18: "DeepSpeed's own estimate",
        10: "a decoded JPEG over its file: 3 bytes a pixel against some 0.3",
    },
    "estimators/network.py": {
        400: "the fastest common port, Gbit/s",
        64: "ports of one switch of that speed",
        8: "bits of a byte; nodes of eight cards on one switch of 64 ports",
    },
    "estimators/node.py": {
        4: "usual drives of a node; cards of a small chassis",
        8: "channels of a usual socket, GPUs of a board, most drives counted",
        1024: "entries of a cache",
    },
    "estimators/power.py": {0.1: "80 PLUS load points", 0.2: "80 PLUS load points"},
    "estimators/power_supplies.py": {
        230: "IEC 60038",
        300: "between 230 V of a phase and 400 V between phases",
        3: "phases",
    },
    "estimators/rack.py": {3: "version of the estimator"},
    "estimators/rack_advice.py": dict.fromkeys((0.2, 0.3, 0.9), JUDGED),
    "estimators/site_fit.py": {},
    "estimators/space.py": {},
    "estimators/storage.py": {4: "version of the estimator"},
    "estimators/storage_advice.py": dict.fromkeys((0.2, 0.3, 0.4, 0.7), JUDGED),
    "estimators/storage_rates.py": {},
    "estimators/phases.py": {
        3: "phases",
        400: "IEC 60038",
        1e-9: "rounding of a division that comes out even",
    },
    "estimators/supplies.py": {},
    "joined.py": {8766: "hours of a year of 365.25 days", 4: "quarters of a year"},
    "scaling.py": {8: "nodes tried at most", 0.2: "as the time estimator calls a run data-bound"},
}


def numbers_of(name: str) -> dict[float, int]:
    """Every number written in a file, with a line it stands in."""
    tree = ast.parse((SIZING / name).read_text(encoding="utf-8"))
    return {
        float(node.value): node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    }


@pytest.mark.parametrize("name", sorted(SOURCED))
def test_every_number_has_a_source(name: str) -> None:
    known = {*PLAIN, *SOURCED[name]}
    without = {value: line for value, line in numbers_of(name).items() if value not in known}
    assert without == {}, f"{name}: make a row of the catalog of it, or say where it comes from"


@pytest.mark.parametrize("name", sorted(SOURCED))
def test_no_source_is_left_of_a_number_that_is_gone(name: str) -> None:
    assert {*SOURCED[name]} <= {*numbers_of(name)}


def test_no_estimator_of_the_site_is_left_out() -> None:
    """Those of training have their own rows: the calibration."""
    training = {"interconnect", "kind_remarks", "memory", "registry", "remarks", "time"}
    training |= {"trained", "training", "__init__"}
    found = {f"estimators/{path.name}" for path in (SIZING / "estimators").glob("*.py")}
    assert found - {f"estimators/{name}.py" for name in training} <= {*SOURCED}
