"""Shared by all tests."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.utils import translation
from xdist.scheduler import LoadScopeScheduling

from apps.documents import handlers
from apps.documents.press import Printed, Sheet

# The configured application: without it a hint to the workers would look for a broker elsewhere.
from config.celery import app as celery
from tests import timing

__all__ = ["celery"]

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "admin_client"}
WITH_OWN_PRODUCT = ("test_processes.py", "test_queue_away.py")


@pytest.fixture(autouse=True)
def _own_blobs(settings: LazySettings, tmp_path: Path) -> None:
    """Each test has its own folder of blobs."""
    settings.BLOB_DIR = tmp_path / "blobs"


@pytest.fixture(autouse=True)
def _source_texts() -> Iterator[None]:
    """Outside a request texts are the English source; a request speaks Russian by default."""
    with translation.override("en"):
        yield


@pytest.fixture
def quick_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """A press that prints at once, bytes of their own for every sheet: nobody reads the paper."""

    def press(sheet: Sheet) -> Printed:
        content = b"%PDF-1.7 " + hashlib.sha256(sheet.html.encode()).hexdigest().encode()
        return Printed(content=content, page_count=8, refused=(), warnings=())

    monkeypatch.setattr(handlers, "print_pdf", press)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the running product first, and leave out what this database cannot show.

    Tests of the running product wait more than they compute: begun first, they have others to
    run beside them. Tests of races need a database that lets writers run at once; what reaches
    no database need not be seen on a second one.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    if connection.vendor == "postgresql":
        config.hook.pytest_deselected(items=[item for item in items if not needs_database(item)])
        items[:] = [item for item in items if needs_database(item)]
        return
    skip = pytest.mark.skip(reason="SQLite serialises writers, so a race cannot be seen on it")
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker(skip)


def needs_database(item: pytest.Item) -> bool:
    """Whether a test may reach the database; pytest-django forbids it to all others."""
    marked = any(item.get_closest_marker(name) for name in ("django_db", "browser"))
    return marked or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


class ByFile(LoadScopeScheduling):
    """Hands out tests by file, and at once those that share the running product.

    (xdist's own `loadgroup` marks the ids of tests, which pytest 9 does not let it do: every test
    would be handed out for itself, and each process would start a product of its own.)
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        shares = file.startswith("tests/browser/") and not file.endswith(WITH_OWN_PRODUCT)
        return "tests/browser" if shares else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    return ByFile(config, log)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    timing.told(terminalreporter)
