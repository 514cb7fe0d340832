"""A signed-in client with a draft."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.requisitions.models import Revision
from tests.factories import make_client, make_draft


@pytest.fixture
def owner(db: Any) -> User:
    return make_client(full_name="Анна Верещагина")


@pytest.fixture
def draft(owner: User) -> Revision:
    return make_draft(owner)


@pytest.fixture
def browser(owner: User) -> Client:
    """A browser in which the owner is signed in, reading English."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    return client
