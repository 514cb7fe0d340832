"""Returning with questions, redirecting, and settling what is open."""

import pytest
from django.urls import reverse

from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import Decision, OpenQuestion, Revision
from apps.requisitions.workflow import State
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


def ask(client, revision: Revision, **fields: object):
    url = reverse("review:ask", args=[revision.pk])
    return client.post(url, {"expected_version": revision.version} | fields, headers=ENGLISH)


def fresh(revision: Revision) -> Revision:
    return Revision.objects.get(pk=revision.pk)


def test_open_questions_and_own_words_go_to_the_client(client, engineer):
    revision = make_in_review(engineer)
    fields = {
        "keys": ["fused_cross_entropy"],
        "text-1": "Какой класс PDU?",
        "about-1": "kw_usable",
        "comment": "Без этого не посчитать стойку.",
    }
    assert ask(client, revision, **fields).status_code == 302
    assert fresh(revision).state == State.CHANGES_REQUESTED
    asked = revision.open_questions.filter(origin=OpenQuestion.Origin.ENGINEER)
    assert {(q.key, q.text) for q in asked} == {
        ("fused_cross_entropy", ""),
        ("kw_usable", "Какой класс PDU?"),
    }
    assert revision.decisions.get().comment == "Без этого не посчитать стойку."


def test_the_next_draft_waits_for_the_answers(client, engineer):
    revision = make_in_review(engineer)
    ask(client, revision, **{"text-1": "Какой класс PDU?"})
    assert revision.requisition.revisions.filter(state=State.DRAFT).count() == 1


def test_at_least_one_question(client, engineer):
    revision = make_in_review(engineer)
    response = ask(client, revision, comment="Просто так")
    assert response.status_code == 422
    words = response.content.decode()
    assert "at least one question" in words
    assert "Просто так" in words
    assert fresh(revision).state == State.IN_REVIEW


def test_a_second_click_asks_once(client, engineer):
    revision = make_in_review(engineer)
    for _ in range(2):
        assert ask(client, revision, **{"text-1": "Какой класс PDU?"}).status_code == 302
    assert Decision.objects.filter(kind=Decision.Kind.REQUEST_CHANGES).count() == 1
    assert revision.open_questions.filter(origin="engineer").count() == 1


def test_a_stale_page_is_a_conflict(client, engineer):
    revision = make_in_review(engineer)
    response = ask(client, revision, **{"text-1": "?", "expected_version": revision.version - 1})
    assert response.status_code == 409
    assert fresh(revision).state == State.IN_REVIEW


def test_the_page_offers_the_open_questions(client, engineer):
    revision = make_in_review(engineer)
    page = client.get(reverse("review:ask", args=[revision.pk])).content.decode()
    assert 'value="fused_cross_entropy"' in page
    assert 'name="text-1"' in page


def test_the_page_offers_what_the_engine_misses(client, engineer):
    """Nobody said «I do not know», and still the engine would like to hear it."""
    revision = make_in_review(engineer, packing=RawAnswer(""))
    page = client.get(reverse("review:ask", args=[revision.pk]), headers=ENGLISH).content.decode()
    assert "The calculation also misses" in page
    assert 'value="packing"' in page


@pytest.mark.parametrize("outcome", ["answered", "dropped"])
def test_a_question_is_closed(client, engineer, outcome):
    revision = make_in_review(engineer)
    question = revision.open_questions.first()
    url = reverse("review:question-settle", args=[revision.pk, question.pk])
    assert client.post(url, {"outcome": outcome}).status_code == 302
    assert revision.open_questions.get(pk=question.pk).state == outcome


def test_a_question_gets_a_person_and_a_day(client, engineer):
    revision = make_in_review(engineer)
    question = revision.open_questions.get(key="depth_mm")
    url = reverse("review:question-assign", args=[revision.pk, question.pk])
    client.post(url, {"owner_name": "Игорь Лаптев", "due_text": "4 декабря"})
    question.refresh_from_db()
    assert (question.owner_name, question.due_text) == ("Игорь Лаптев", "4 декабря")


def test_the_journal_tells_of_questions(client, engineer):
    revision = make_in_review(engineer)
    question = revision.open_questions.get(key="depth_mm")
    assign = reverse("review:question-assign", args=[revision.pk, question.pk])
    client.post(assign, {"owner_name": "Игорь Лаптев", "due_text": "4 декабря"})
    settle = reverse("review:question-settle", args=[revision.pk, question.pk])
    client.post(settle, {"outcome": "dropped"})
    client.post(reverse("review:recalculate", args=[revision.pk]))
    page = client.get(reverse("review:journal", args=[revision.pk]), headers=ENGLISH)
    words = page.content.decode()
    for said in (
        "named who answers",
        "closed a question",
        "Depth of the rack",
        "calculation again",
    ):
        assert said in words, said


def test_redirecting_needs_a_reason_and_ends_the_requisition(client, engineer):
    revision = make_in_review(engineer)
    url = reverse("review:redirect", args=[revision.pk])
    data = {"expected_version": revision.version, "comment": " ", "way": "rag"}
    assert client.post(url, data).status_code == 422
    assert client.post(url, data | {"comment": "RAG", "way": ""}).status_code == 422
    assert fresh(revision).state == State.IN_REVIEW
    reason = "Сначала поиск по документам (RAG): факты меняются каждый день."
    assert client.post(url, data | {"comment": reason}).status_code == 302
    assert fresh(revision).state == State.REDIRECTED
    assert revision.decisions.get().comment == reason


def test_redirecting_twice_is_redirecting_once(client, engineer):
    revision = make_in_review(engineer)
    url = reverse("review:redirect", args=[revision.pk])
    data = {
        "expected_version": revision.version,
        "comment": "Хватит инференса.",
        "way": "inference",
    }
    assert [client.post(url, data).status_code for _ in range(2)] == [302, 302]
    assert Decision.objects.count() == 1
