"""Calibration and evidence are data: every row says where it comes from, and each is used."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from apps.catalog.facts import fixture_catalog
from apps.catalog.readers import FIXTURES
from apps.sizing.vocabulary import FRAMEWORKS, RECIPE, Words

ENGINE = Path(__file__).resolve().parents[2] / "apps" / "sizing"
DOCUMENT: dict[str, Any] = json.loads((FIXTURES / "calibration.json").read_text(encoding="utf-8"))
TABLES = {name: rows for name, rows in DOCUMENT.items() if isinstance(rows, list)}
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ENGINE.rglob("*.py")))


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_row_has_a_key_of_its_own_and_a_source(table):
    rows = TABLES[table]
    keys = [row["key"] for row in rows]
    assert len(set(keys)) == len(keys)
    assert all(row["source"].strip() for row in rows)


def test_every_constant_says_what_it_means_in_which_unit_and_since_when():
    for row in TABLES["constants"]:
        assert {"unit", "meaning", "source", "as_of"} <= row.keys()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row["as_of"])
        assert row["value"] > 0


def test_no_constant_lies_unused():
    """A key is written out in the engine, or built there from its first part."""
    built = set(re.findall(r'f"([a-z_]+(?:\.[a-z_]+)?\.)\{', SOURCE))
    for row in TABLES["constants"]:
        written = f'"{row["key"]}"' in SOURCE
        assert written or any(row["key"].startswith(prefix) for prefix in built), row["key"]


def test_every_constant_the_engine_asks_for_is_there():
    asked = set(re.findall(r'constants\[\s*"([^"]+)"', SOURCE))
    assert len(asked) > 40
    known = {row["key"] for row in TABLES["constants"]} | fixture_catalog().constants.keys()
    assert asked <= known


def test_every_framework_of_the_vocabulary_has_a_dialect_or_is_taken_for_unfamiliar():
    calibration = fixture_catalog().calibration
    general = {"other"}
    for framework in FRAMEWORKS:
        key = calibration.dialect_of.get(framework, framework)
        assert (key in calibration.dialects) != (framework in general), framework


def test_every_word_of_a_recipe_has_its_row():
    calibration = fixture_catalog().calibration
    optimizers, quantizations = RECIPE["optimizer"], RECIPE["quantization"]
    assert isinstance(optimizers, Words)
    assert isinstance(quantizations, Words)
    assert set(calibration.optimizers) == optimizers.allowed
    assert set(calibration.quantizations) == quantizations.allowed - {"none"}


def test_every_card_has_a_family_and_a_link():
    catalog = fixture_catalog()
    for card in catalog.accelerators.values():
        assert card.family in catalog.calibration.families
        links = catalog.calibration.links
        assert f"{card.link}/{card.family}" in links or card.link in links or card.link == "pcie"
        assert f"pcie/{card.pcie_generation}" in links


def test_accelerators_have_sources_for_every_fact():
    for row in json.loads((FIXTURES / "accelerators.json").read_text(encoding="utf-8")):
        for fact in row["facts"]:
            assert fact["source"].strip(), (row["slug"], fact["key"])
            assert fact["as_of"]
            assert fact["confidence"]


def test_architectures_have_sources_and_counts():
    for row in json.loads((FIXTURES / "architectures.json").read_text(encoding="utf-8")):
        assert row["source"].strip()
        assert 0 < row["active_params"] <= row["params"]
