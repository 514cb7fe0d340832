"""The engine's catalog, built from the fixture files without a database."""

from __future__ import annotations

from functools import lru_cache

from apps.catalog.readers import read_accelerators, read_architectures
from apps.sizing.facts import Catalog


@lru_cache(maxsize=1)
def fixture_catalog() -> Catalog:
    """Everything under `fixtures/catalog` as one value. Read once a process."""
    return Catalog(
        accelerators=read_accelerators(),
        servers={},
        architectures=read_architectures(),
        constants={},
    )
