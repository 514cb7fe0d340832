"""Shared by all tests."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.utils import translation

from apps.documents import handlers
from apps.documents.press import Printed, Sheet
from apps.estimation import services

# The configured application: without it a hint to the workers would look for a broker elsewhere.
from config.celery import app as celery
from tests import remembering, timing

__all__ = ["celery"]

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "admin_client"}
# What takes longest is begun first, so that a run does not end waiting for one last file.
BEGUN_FIRST = (
    "tests/browser/test_journey_rack.py",
    "tests/browser/test_journey",
    "tests/browser/",
    "tests/leaks/",
    "tests/documents/",
    "tests/demo/",
    "tests/review/",
)


@pytest.fixture(autouse=True)
def _own_blobs(settings: LazySettings, tmp_path: Path) -> None:
    """Each test has its own folder of blobs."""
    settings.BLOB_DIR = tmp_path / "blobs"


@pytest.fixture(autouse=True)
def _source_texts() -> Iterator[None]:
    """Outside a request texts are the English source; a request speaks Russian by default."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _remembered_estimates(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where estimates are not what is tested, the same input is worked out once."""
    if request.path.parent.name not in remembering.FOLDERS:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "estimate_run", remembering.estimate_run)
        patch.setattr(services, "assessment_build", remembering.assessment_build)
        yield


@pytest.fixture
def quick_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """A press that prints at once, bytes of their own for every sheet: nobody reads the paper."""

    def press(sheet: Sheet) -> Printed:
        content = b"%PDF-1.7 " + hashlib.sha256(sheet.html.encode()).hexdigest().encode()
        return Printed(content=content, page_count=8, refused=(), warnings=())

    monkeypatch.setattr(handlers, "print_pdf", press)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest first, and leave out what this database cannot show.

    Tests of the running product wait more than they compute: begun first, they have others to
    run beside them. Tests of races need a database that lets writers run at once; what reaches
    no database, and what looks at pages only, need not be seen on a second one.
    """
    items.sort(key=turn)
    if connection.vendor == "postgresql":
        config.hook.pytest_deselected(items=[item for item in items if not seen_again(item)])
        items[:] = [item for item in items if seen_again(item)]
        return
    skip = pytest.mark.skip(reason="SQLite serialises writers, so a race cannot be seen on it")
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker(skip)


def turn(item: pytest.Item) -> int:
    """Where among BEGUN_FIRST a test stands; after all of them when it is not there."""
    starts = (i for i, start in enumerate(BEGUN_FIRST) if item.nodeid.startswith(start))
    return next(starts, len(BEGUN_FIRST))


def seen_again(item: pytest.Item) -> bool:
    """Whether a test has something to show on a second database."""
    return needs_database(item) and item.get_closest_marker("one_stack") is None


def needs_database(item: pytest.Item) -> bool:
    """Whether a test may reach the database; pytest-django forbids it to all others."""
    marked = any(item.get_closest_marker(name) for name in ("django_db", "browser"))
    return marked or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    timing.told(terminalreporter)
