"""Shared by all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection
from django.utils import translation

# The configured application: without it a hint to the workers would look for a broker elsewhere.
from config.celery import app as celery

__all__ = ["celery"]


@pytest.fixture(autouse=True)
def _own_blobs(settings: LazySettings, tmp_path: Path) -> None:
    """Each test has its own folder of blobs."""
    settings.BLOB_DIR = tmp_path / "blobs"


@pytest.fixture(autouse=True)
def _source_texts() -> Iterator[None]:
    """Outside a request texts are the English source; a request speaks Russian by default."""
    with translation.override("en"):
        yield


@pytest.hookimpl(tryfirst=True)  # before the groups are handed to the processes
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the running product first and on one process; leave out what a database cannot show.

    Tests of the running product wait more than they compute: begun first, they have others to
    run beside them. All the rest is divided by file.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    for item in items:
        shared = "product" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("product" if shared else item.location[0]))
    if connection.vendor == "postgresql":
        return
    skip = pytest.mark.skip(reason="SQLite serialises writers, so a race cannot be seen on it")
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker(skip)
