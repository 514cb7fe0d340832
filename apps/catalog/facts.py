"""The engine's catalog, built from the fixture files without a database."""

from __future__ import annotations

from functools import lru_cache

from apps.catalog.calibration_reader import read_calibration
from apps.catalog.readers import (
    read_accelerators,
    read_architectures,
    read_constants,
    read_processors,
    read_servers,
)
from apps.sizing.facts import Catalog


@lru_cache(maxsize=1)
def fixture_catalog() -> Catalog:
    """Everything under `fixtures/catalog` as one value. Read once a process."""
    return Catalog(
        accelerators=read_accelerators(),
        servers=read_servers(),
        architectures=read_architectures(),
        constants=read_constants(),
        processors=read_processors(),
        calibration=read_calibration(),
    )
