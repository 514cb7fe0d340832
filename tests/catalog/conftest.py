"""The catalog's tables as a fresh install has them."""

import pytest

from apps.catalog.services import catalog_sync


@pytest.fixture
def stocked(db):
    """Every item of the fixtures in the tables."""
    catalog_sync()
