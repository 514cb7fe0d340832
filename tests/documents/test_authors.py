"""A document says who gave which answer, when more than one person did."""

from dataclasses import replace

import pytest
from django.utils import timezone

from apps.documents.collect import snapshot_of
from apps.documents.snapshot import Snapshot
from apps.requisitions.models import Answer, GuestInvitation
from tests.documents import samples
from tests.documents.test_page import html, words
from tests.review.samples import make_in_review

ANNA = {"name": "Анна Верещагина", "guest": False}
PETR = {"name": "Пётр Стойкин", "guest": True}


def given(snapshot: Snapshot) -> Snapshot:
    authors = dict.fromkeys(snapshot.answers, ANNA) | {"dataset_bytes": PETR}
    return replace(snapshot, authors=authors)


def test_an_answer_of_another_hand_carries_its_name():
    text = words(html(given(samples.approved())))
    assert text.count("Пётр Стойкин, by a link") == 1
    assert "All other answers: Анна Верещагина." in text


def test_a_document_of_one_hand_names_nobody_and_keeps_its_hash():
    snapshot = samples.approved()
    assert "authors" not in snapshot.text()
    assert "All other answers" not in words(html(snapshot))
    assert given(snapshot).facts_sha256() != snapshot.facts_sha256()
    assert Snapshot.read(given(snapshot).text()).authors["dataset_bytes"] == PETR


@pytest.mark.django_db
def test_the_facts_hold_who_answered_what():
    revision = make_in_review()
    assert snapshot_of(revision).authors == {}
    owner = revision.requisition.owner
    guest = GuestInvitation.objects.create(
        revision=revision,
        section="data",
        name="Пётр Стойкин",
        language="ru",
        invited_by=owner,
        expires_at=timezone.now(),
    )
    first, *others = snapshot_of(revision).answers
    Answer.objects.create(revision=revision, key=first, guest=guest)
    Answer.objects.create(revision=revision, key="not_sent", updated_by=owner)
    assert snapshot_of(revision).authors == {}, "one hand in what was sent"
    Answer.objects.create(revision=revision, key=others[0], updated_by=owner)
    assert snapshot_of(revision).authors == {
        first: {"name": "Пётр Стойкин", "guest": True},
        others[0]: {"name": str(owner), "guest": False},
    }
