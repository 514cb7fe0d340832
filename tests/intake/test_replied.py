"""Sending again: each question of the engineer has a changed answer or a comment."""

import pytest
from django.urls import reverse

from apps.accounts.models import Role
from apps.core.errors import DomainError
from apps.intake.posted import change_of
from apps.intake.replied import unreplied
from apps.intake.selectors import asked_by_engineer, draft_of
from apps.intake.services import NotReady, requisition_send, rest_mark_unknown
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.models import Revision
from apps.requisitions.selectors import raw_answers
from apps.requisitions.services import (
    annotation_add,
    answers_save,
    changes_request,
    comment_remove,
    requisition_create,
)
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import State
from tests.factories import make_client, make_user
from tests.review.samples import ANSWERS

pytestmark = pytest.mark.django_db
KEYED, FREE = Ask("Is it packed?", "packing"), Ask("How many epochs did you try?", "")


def save(revision, owner, answers):
    stored = raw_answers(revision)
    changes = [change_of(k, a, stored.get(k, {}).get("version", 0)) for k, a in answers.items()]
    assert not answers_save(revision=revision, changes=changes, actor=owner).clashes


@pytest.fixture
def owner():
    return make_client()


@pytest.fixture
def sent(owner) -> Revision:
    draft = requisition_create(company=owner.company, owner=owner, actor=owner)
    save(draft, owner, ANSWERS)
    rest_mark_unknown(draft=draft_of(draft), keys=QUESTIONS, actor=owner)
    revision = requisition_send(draft=draft_of(draft), seen_digest="", actor=owner)
    Revision.objects.filter(pk=revision.pk).update(state=State.IN_REVIEW)
    revision.refresh_from_db()
    return revision


@pytest.fixture
def draft(sent) -> Revision:
    return changes_request(revision=sent, actor=make_user(Role.ENGINEER), asks=[KEYED, FREE])


def again(draft, owner):
    return requisition_send(draft=draft_of(draft), seen_digest="", actor=owner)


def left(draft) -> set[str]:
    return {question.key for question in unreplied(draft_of(draft), asked_by_engineer(draft))}


def test_what_was_not_replied_to_is_not_sent(draft, owner, client):
    assert left(draft) == {"packing", ""}
    with pytest.raises(NotReady, match=r"2|два"):
        again(draft, owner)
    client.force_login(owner)
    page = client.get(
        reverse("intake:check", args=[draft.requisition_id]), headers={"accept-language": "en"}
    ).content.decode()
    assert page.count("No changed answer and no comment yet") == 2
    assert "about=question%3Apacking#comment-form" in page


def test_a_changed_answer_and_a_comment_are_replies(draft, sent, owner):
    save(draft, owner, {"packing": RawAnswer("yes")})
    assert left(draft) == {""}
    sent.refresh_from_db()
    comment = annotation_add(revision=sent, actor=owner, text="Three.", visibility="client")
    assert left(draft) == set()
    comment_remove(comment=comment, actor=owner)
    assert left(draft) == {""}
    annotation_add(revision=sent, actor=owner, text="Four.", visibility="client")
    assert again(draft, owner).state == State.ESTIMATING


def test_the_same_answer_and_the_words_of_the_house_are_none(draft, sent, owner):
    stored = draft_of(draft).raw.get("packing", RawAnswer())
    save(draft, owner, {"packing": stored})
    sent.refresh_from_db()
    for visibility in ("internal", "client"):
        annotation_add(
            revision=sent,
            actor=make_user(Role.ENGINEER),
            text="Still waiting.",
            visibility=visibility,
            target="question:packing",
        )
    assert left(draft) == {"packing", ""}
    with pytest.raises(DomainError):
        again(draft, owner)


def test_a_comment_about_one_question_is_no_reply_to_another(draft, sent, owner):
    sent.refresh_from_db()
    annotation_add(
        revision=sent, actor=owner, text="Yes.", visibility="client", target="question:packing"
    )
    assert left(draft) == {""}
