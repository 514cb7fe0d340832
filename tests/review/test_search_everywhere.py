"""One search on three lists: the same words find the same requisition on every database."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.factories import make_client, make_company, make_in_state, make_user

LISTS = ("review:queue", "review:board", "intake:list")


@pytest.fixture
def owner(db) -> User:
    return make_client(company=make_company(name="Ёлка и Шишкин"))


@pytest.fixture
def found(owner) -> Revision:
    """The fourth requisition of the product, among others that no search here means."""
    for _ in range(3):
        make_in_state(State.IN_REVIEW)
    return make_in_state(State.IN_REVIEW, owner)


def numbers_on(name: str, owner: User, words: str) -> list[str]:
    """Numbers that a list shows to the person whose list it is."""
    roles = {"review:queue": Role.ENGINEER, "review:board": Role.MANAGER}
    person = make_user(roles[name]) if name in roles else owner
    browser = Client()
    browser.force_login(person)
    response = browser.get(reverse(name), {"q": words})
    assert response.status_code == 200
    return [row.number for row in response.context["rows"]]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    "words",
    ["ёлка", "Елка", "ЁЛКА шишкин", "ЗС-0004", "зс-0004", "ЗС 0004", "0004", "llama ёлка"],
)
def test_what_people_type_finds_it(found, owner, name, words):
    assert numbers_on(name, owner, words) == ["ЗС-0004"]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("words", ["сосна", "ЗС-0099", "ёлка сосна", "%", "_", "\\"])
def test_other_words_and_wildcards_find_nothing(found, owner, name, words):
    assert numbers_on(name, owner, words) == []
