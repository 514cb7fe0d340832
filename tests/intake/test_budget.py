"""What a page of the questionnaire costs is counted in questions to the database, not in time."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.intake.selectors import draft_of
from tests.factories import make_client, make_draft
from tests.intake.pages import answer_all, section_url, url

pytestmark = pytest.mark.django_db
# Session, person, roles, company, draft with its answers, files and links; the list of sections
# and the check also ask who answered what, and who was asked about open questions; the check reads
# the working calendar for the day by which an assessment is there.
MOST = {"hub": 16, "check": 16, "files": 9, "guests": 9, "purchase": 10, "recipe": 10}


@pytest.fixture
def browser(draft):
    browser = Client()
    browser.force_login(draft.requisition.owner)
    return browser


@pytest.fixture
def draft():
    draft = make_draft(make_client())
    answer_all(draft)
    return draft


def queries(browser: Client, address: str) -> int:
    browser.get(address)  # what a process reads once is read
    with CaptureQueriesContext(connection) as asked:
        assert browser.get(address).status_code == 200
    return len(asked)


def test_pages_keep_to_their_budget(browser, draft):
    pages = {name: url(name, draft) for name in ("hub", "check", "files", "guests")}
    pages["purchase"] = section_url(draft, "purchase")
    pages["recipe"] = section_url(draft, "recipe", page="savings")
    used = {name: queries(browser, address) for name, address in pages.items()}
    assert {name: count for name, count in used.items() if count > MOST[name]} == {}


def test_open_questions_cost_no_queries_each(browser, draft):
    few = len(draft_of(draft).evaluated.unknown)
    before = queries(browser, url("check", draft))
    known = ["precision", "optimizer", "framework", "sequence_length", "teams"]
    draft.answers.filter(key__in=known).update(unknown=True, value="", who="Ольга")
    assert len(draft_of(draft).evaluated.unknown) > few
    assert queries(browser, url("check", draft)) <= before
