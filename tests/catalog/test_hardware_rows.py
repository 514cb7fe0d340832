"""Rows of servers, processors and constants: sourced, dated, and refused when they cannot be true."""

import copy
import json
import re
from datetime import date
from pathlib import Path

import pytest

from apps.catalog.facts import fixture_catalog
from apps.catalog.readers import FIXTURES, load_rows, server_from_row
from apps.catalog.schema import (
    CatalogError,
    parse_constant,
    parse_cpu,
    parse_server,
)
from apps.sizing.changes import FIGURES

SERVERS = load_rows(FIXTURES / "servers.json")
CPUS = load_rows(FIXTURES / "cpus.json")
CONSTANTS = load_rows(FIXTURES / "constants.json")
JUDGED = ("Engineering judgement", "Arithmetic", "arithmetic", "RunPod", "CPU rows")


@pytest.mark.parametrize("row", CONSTANTS, ids=lambda row: row["key"])
def test_every_constant_has_a_source_a_date_and_an_order(row):
    found = parse_constant(row)
    assert found.source_title
    assert date(2024, 1, 1) <= found.retrieved <= date(2026, 11, 30)
    assert found.low <= found.typical <= found.high
    if not found.source_url:
        assert found.source_title.startswith(JUDGED)


@pytest.mark.parametrize("row", [r for r in CONSTANTS if r.get("note")], ids=lambda row: row["key"])
def test_the_note_of_a_constant_is_there_in_both_languages(row):
    assert re.search("[а-яё]", row["note_ru"], re.IGNORECASE) or not re.search(
        "[a-z]{4}", row["note"]
    )
    assert not re.search("[а-яё]", row["note"], re.IGNORECASE)


@pytest.mark.parametrize("row", SERVERS + CPUS, ids=lambda row: row["slug"])
def test_every_fact_has_a_source_and_a_date(row):
    parse = parse_server if row["kind"] == "server" else parse_cpu
    found = parse(row)
    assert found.facts
    for fact in found.facts:
        assert fact.source
        assert fact.source_ref
        assert fact.as_of <= date(2026, 11, 30)


def test_slugs_and_keys_are_unique():
    for names in (
        [r["slug"] for r in SERVERS],
        [r["slug"] for r in CPUS],
        [r["key"] for r in CONSTANTS],
    ):
        assert len(set(names)) == len(names)


def test_every_accelerator_of_a_server_is_in_the_catalog():
    catalog = fixture_catalog()
    for server in catalog.servers.values():
        named = (*server.accelerators, *server.extra.get("accelerators_seen", ()))
        assert set(named) <= set(catalog.accelerators), server.sku


def test_enough_servers_with_intel_and_amd_hosts_and_both_gpu_makers():
    catalog = fixture_catalog()
    assert len(catalog.servers) >= 14
    assert {"LGA-4677", "SP5"} <= {s.extra.get("cpu_socket") for s in catalog.servers.values()}
    cards = {a for s in catalog.servers.values() for a in s.accelerators}
    assert {catalog.accelerators[a].vendor for a in cards} >= {"NVIDIA", "AMD"}


@pytest.mark.parametrize("sku", ["SYS-821GE-TNHR", "SYS-521GE-TNRT"])
def test_the_two_platforms_of_the_knowledge_base_are_known_in_full(sku):
    server = fixture_catalog().servers[sku]
    assert (server.rack_units, server.psu_count) == {
        "SYS-821GE-TNHR": (8, 6),
        "SYS-521GE-TNRT": (5, 4),
    }[sku]
    for value in (server.depth_mm, server.dimm_slots, server.nvme_bays, server.psu_w):
        assert value is not None


def test_contradictions_are_kept_beside_the_value_in_force():
    row = parse_server(next(r for r in SERVERS if r["slug"] == "SYS-521GE-TNRT"))
    watts = {fact.value: fact.superseded for fact in row.facts if fact.key == "psu_w"}
    assert watts == {2700: False, 3000: True}
    assert row.values()["psu_w"] == 2700


def test_the_engine_asks_for_no_constant_that_is_not_there():
    """Constants named in the engine's source, against the rows."""
    known = {row["key"] for row in CONSTANTS} | set(fixture_catalog().calibration.constants)
    asked = set()
    for path in (Path(__file__).parents[2] / "apps" / "sizing").rglob("*.py"):
        if "explain" in path.parts:
            continue  # it names units by the beginnings of keys
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r'"((?:power|cooling|storage|host|network)\.[a-z0-9_A-Z]+)"', text))
    asked -= set(FIGURES)  # paths in a result document, written alike
    assert asked
    assert asked <= known


def server_row(**changes):
    row = copy.deepcopy(next(r for r in SERVERS if r["slug"] == "SYS-521GE-TNRT"))
    fact = next(f for f in row["facts"] if f["key"] == "psu_w")
    fact.update(changes)
    return row


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"value": -2700}, "psu_w"),
        ({"value": 0}, "above zero"),
        ({"value": "2700"}, "number"),
        ({"value": True}, "number"),
        ({"unit": "kW"}, "unit"),
        ({"source": ""}, "source is missing"),
        ({"source_ref": None}, "source_ref is missing"),
        ({"as_of": "last year"}, "as_of is a date"),
        ({"confidence": "certain"}, "confidence"),
        ({"key": "psu_watts"}, "no such fact"),
        ({"remark": "x"}, "unknown fields remark"),
    ],
)
def test_a_fact_that_cannot_be_true_is_refused_by_name(changes, words):
    with pytest.raises(CatalogError, match=words) as caught:
        parse_server(server_row(**changes))
    assert "SYS-521GE-TNRT" in str(caught.value)


def test_a_row_that_lacks_what_is_required_is_refused():
    row = server_row()
    row["facts"] = [f for f in row["facts"] if f["key"] != "rack_units"]
    with pytest.raises(CatalogError, match="rack_units"):
        parse_server(row)


def test_two_values_in_force_are_refused():
    row = server_row()
    row["facts"].append(dict(next(f for f in row["facts"] if f["key"] == "psu_w")))
    with pytest.raises(CatalogError, match="two values in force for psu_w"):
        parse_server(row)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "cpu"}, "kind"),
        ({"slug": ""}, "slug"),
        ({"vendor": None}, "vendor"),
        ({"colour": "grey"}, "colour"),
    ],
)
def test_a_row_of_another_shape_is_refused(changes, words):
    with pytest.raises(CatalogError, match=words):
        parse_server({**server_row(), **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"low": 3, "typical": 2}, "order"),
        ({"high": -1}, "high"),
        ({"typical": None}, "typical"),
        ({"source_title": ""}, "source_title"),
        ({"retrieved": "2026"}, "retrieved"),
        ({"key": "fan_share"}, "section"),
        ({"price": 1}, "price"),
    ],
)
def test_a_constant_that_cannot_be_true_is_refused(changes, words):
    row = next(r for r in CONSTANTS if r["key"] == "power.fan_share")
    with pytest.raises(CatalogError, match=words) as caught:
        parse_constant({**row, **changes})
    assert "fan_share" in str(caught.value)


def test_a_fact_nobody_found_is_none_and_not_zero():
    server = server_from_row(next(r for r in SERVERS if r["slug"] == "SYS-421GU-TNXR"))
    assert server.psu_w is None
    assert server.depth_mm is None


def test_fixtures_speak_of_hardware_only():
    text = json.dumps([SERVERS, CPUS, CONSTANTS], ensure_ascii=False).lower()
    for word in ("pages corpus", "price"):
        assert word not in text
