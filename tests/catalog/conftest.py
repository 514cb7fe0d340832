"""The catalog's tables as a fresh install has them."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from apps.catalog.services import catalog_sync


@pytest.fixture(scope="module")
def _stock(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Loaded once a file: it takes half a second, and each test undoes what it changes itself."""
    with django_db_blocker.unblock(), transaction.atomic():
        catalog_sync()
        with django_db_blocker.block():
            yield
        transaction.set_rollback(True)


@pytest.fixture
def stocked(_stock: None, db: None) -> None:
    """Every item of the fixtures in the tables."""
