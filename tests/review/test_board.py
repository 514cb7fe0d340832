"""The manager's board."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts.models import Role
from apps.documents.models import Document
from apps.requisitions.models import Revision
from apps.requisitions.services import annotation_add, revision_transition
from apps.requisitions.workflow import Action, State
from apps.review.services import revision_approve
from tests.factories import (
    make_client,
    make_company,
    make_draft,
    make_in_state,
    make_user,
)
from tests.review.samples import (
    draft_sha256,
    make_approver,
    make_engineer,
    make_estimating,
    make_in_approval,
    make_in_review,
    make_manager,
    print_documents,
)

pytestmark = pytest.mark.django_db
BOARD = reverse("review:board")
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def manager(client):
    person = make_manager()
    client.force_login(person)
    return person


def board(client, **query: str) -> str:
    return client.get(BOARD, query, headers=ENGLISH).content.decode()


def make_approved() -> Revision:
    revision = make_in_approval(make_engineer())
    revision_approve(
        revision=revision,
        actor=make_approver(),
        comment="",
        document_sha256=draft_sha256(revision),
        expected_version=revision.version,
    )
    return revision


def test_shows_state_client_wish_and_last_event(client, manager):
    revision = make_in_review(make_engineer())
    page = board(client)
    for words in (
        revision.requisition.display_number,
        revision.requisition.company.name,
        "In review",
        f"{revision.engineer}: took it for review",
        "December",
    ):
        assert words in page, words


def test_says_when_there_is_nothing(client, manager):
    make_draft()
    assert "No requisitions yet." in board(client)


def test_final_documents_can_be_downloaded_in_both_languages(client, manager):
    revision = make_approved()
    assert board(client).count("being made") == 2
    print_documents(revision)
    page = board(client)
    for document in Document.objects.filter(revision=revision, kind="final"):
        assert reverse("documents:download", args=[document.pk]) in page


def test_drafts_are_not_handed_out(client, manager):
    waiting, approved = make_in_approval(make_engineer()), make_approved()
    page = board(client)
    for document in Document.objects.filter(revision__in=[waiting, approved], kind="draft"):
        assert str(document.pk) not in page


def test_of_a_replaced_revision_the_marked_copy_is_handed_out(client, manager):
    revision = make_approved()
    print_documents(revision)
    final = Document.objects.get(revision=revision, kind="final", language="ru")
    Revision.objects.filter(pk=revision.pk).update(state=State.SUPERSEDED)
    marked = Document.objects.create(
        revision=revision,
        calculation=final.calculation,
        kind="superseded",
        language="ru",
        template_version="1",
        snapshot_text="{}",
        snapshot_sha256="0" * 64,
    )
    print_documents(revision)
    page = board(client)
    assert str(final.pk) not in page
    assert str(marked.pk) in page
    cell = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert cell.count("rev. A, replaced:") == 1


def test_tells_who_withdrew(client, manager):
    owner = make_client()
    revision = make_estimating(owner)
    revision_transition(revision=revision, action=Action.WITHDRAW, actor=owner)
    page = board(client)
    assert "Withdrawn" in page
    assert f"{owner}: withdrew it" in page


def test_search(client, manager):
    company = make_company(name="Ладога Текст")
    wanted, other = make_estimating(make_client(company=company)), make_estimating()
    page = board(client, q="ладога")
    assert wanted.requisition.display_number in page
    assert other.requisition.display_number not in page
    assert "Nothing matches." in board(client, q="нет такого")


@pytest.mark.parametrize("state", [s for s in State if s != State.DRAFT])
def test_the_filters_agree_with_what_is_shown(client, manager, state):
    revision, other = make_in_state(state), make_in_state(State.IN_REVIEW)
    response = client.get(BOARD, {"state": state.value}, headers=ENGLISH)
    numbers = {row.number for row in response.context["rows"]}
    expected = {revision.requisition.display_number}
    if state == State.IN_REVIEW:
        expected.add(other.requisition.display_number)
    assert numbers == expected
    current = next(f for f in response.context["filters"] if f.current)
    assert current.count == len(expected)


def test_a_withdrawn_change_leaves_the_word_to_what_is_approved(client, manager):
    approved = make_in_state(State.APPROVED)
    Revision.objects.create(
        requisition=approved.requisition,
        index=2,
        state=State.WITHDRAWN,
        answers_text="{}",
        answers_sha256="ab",
    )
    rows = client.get(BOARD, {"state": "approved"}).context["rows"]
    assert [(row.letter, row.number) for row in rows] == [
        ("A", approved.requisition.display_number)
    ]
    assert client.get(BOARD, {"state": "withdrawn"}).context["rows"] == []


def test_one_company_is_chosen(client, manager):
    wanted, other = make_in_state(State.IN_REVIEW), make_in_state(State.IN_REVIEW)
    page = board(client, company=str(wanted.requisition.company_id))
    assert wanted.requisition.display_number in page
    assert other.requisition.display_number not in page


@pytest.mark.parametrize("query", [{"company": "x"}, {"state": "nonsense"}, {"company": "9" * 30}])
def test_nonsense_in_the_address_is_no_filter(client, manager, query):
    shown = make_in_state(State.IN_REVIEW).requisition.display_number
    assert shown in board(client, **query)


def test_number_of_queries_does_not_grow_with_the_rows(client, manager, django_assert_num_queries):
    make_approved()
    with CaptureQueriesContext(connection) as few:
        client.get(BOARD)
    assert len(few) <= 17
    make_approved()
    for _ in range(3):
        make_in_review(make_engineer())
    with django_assert_num_queries(len(few)):
        client.get(BOARD)


def test_a_manager_who_is_also_an_engineer_still_sees_the_board(client):
    client.force_login(make_user(Role.MANAGER, Role.ENGINEER))
    assert client.get(BOARD).status_code == 200


def test_a_manager_sees_how_many_threads_are_open(client, manager):
    revision = make_in_review(make_engineer())
    for text in ("One?", "Two?"):
        annotation_add(revision=revision, actor=revision.engineer, text=text, visibility="internal")
    assert "2 open threads" in board(client)
