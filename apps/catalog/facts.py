"""The engine's catalog as a value, and what it is built from as one document.

The document holds the rows of every kind with their sources; its hash names the catalog. The same
document comes from the fixture files (no database) and from a stored release.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from apps.catalog.calibration_reader import calibration_from, evidence_rows
from apps.catalog.readers import (
    FIXTURES,
    accelerators_from,
    architectures_from,
    constants_from,
    network_cards_from,
    processors_from,
    servers_from,
)
from apps.core.canonical import canonical_json, sha256_of
from apps.sizing.facts import Catalog


@lru_cache(maxsize=1)
def fixture_document() -> Mapping[str, Any]:
    """Every file under `fixtures/catalog` by its name, and the published runs. Read once."""
    files = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(FIXTURES.glob("*.json"))
    }
    return {**files, "evidence": evidence_rows()}


@lru_cache(maxsize=1)
def fixture_sha256() -> str:
    """Hash of the fixtures' document."""
    return sha256_of(canonical_json(fixture_document()))


@lru_cache(maxsize=1)
def fixture_catalog() -> Catalog:
    """The fixtures as one value, without a database. Built once a process."""
    return catalog_from(fixture_document())


def catalog_from(document: Mapping[str, Any]) -> Catalog:
    """The engine's value of a catalog document.

    Raises:
        CatalogError: a row is not fit for use.
    """
    return Catalog(
        accelerators=accelerators_from(document["accelerators"]),
        servers=servers_from(document["servers"]),
        architectures=architectures_from(document["architectures"]),
        constants=constants_from(document["constants"]),
        processors=processors_from(document["cpus"]),
        network_cards=network_cards_from(document["nics"]),
        calibration=calibration_from(document["calibration"], document["evidence"]),
    )
