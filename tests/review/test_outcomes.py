"""A redirect of the engineer and a rejection of the approver: each with a document of its own."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from apps.accounts.models import Role, User
from apps.core import blobs
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.documents.invariants import endings_have_their_document
from apps.documents.models import Document
from apps.documents.selectors import documents_for
from apps.requisitions.models import Revision
from apps.requisitions.outcomes import OtherWay, Refusal
from apps.requisitions.services import annotation_add, revision_open_next
from apps.requisitions.workflow import State
from apps.review import services
from apps.review.boards import final_documents_for
from tests.factories import make_client, make_user
from tests.helpers import first_everywhere, run_jobs
from tests.review.samples import (
    make_approver,
    make_engineer,
    make_in_approval,
    make_in_review,
)

pytestmark = pytest.mark.django_db

SECRET = "Между нами: клиент торопится"
REASON = "Сначала неделя на арендованном GPU: прирост ещё никто не видел."


@pytest.fixture
def engineer() -> User:
    return make_engineer()


def redirected(engineer: User, way: OtherWay, reason: str = REASON) -> Revision:
    revision = make_in_review(engineer)
    annotation_add(revision=revision, actor=engineer, text=SECRET, visibility="internal")
    services.redirect_elsewhere(
        revision=revision,
        actor=engineer,
        way=way,
        reason=reason,
        expected_version=revision.version,
    )
    return Revision.objects.select_related("requisition__owner").get(pk=revision.pk)


def rejected(refusal: Refusal = Refusal.INFEASIBLE, reason: str = REASON) -> Revision:
    revision = make_in_approval(make_engineer())
    services.revision_reject(
        revision=revision,
        actor=make_approver(),
        refusal=refusal,
        comment=reason,
        expected_version=revision.version,
    )
    return Revision.objects.select_related("requisition__owner").get(pk=revision.pk)


def text_of(document: Document) -> str:
    pages = PdfReader(BytesIO(blobs.read(document.sha256))).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def notes_of(revision: Revision) -> dict[str, Document]:
    run_jobs()
    return {n.language: n for n in Document.objects.filter(revision=revision, kind="note")}


@pytest.mark.parametrize("way", first_everywhere(OtherWay))
def test_the_engineers_advice_is_told_in_both_languages_without_hardware(engineer, way):
    """The result of the revision names servers and cards; the client may not see them yet."""
    revision = redirected(engineer, way)
    assert revision.state == State.REDIRECTED
    named = hardware_of(revision)
    assert named
    notes = notes_of(revision)
    assert set(notes) == {"ru", "en"}
    for note in notes.values():
        text = text_of(note)
        assert REASON in text
        assert engineer.full_name in text
        assert note.calculation is not None
        said = text + note.snapshot_text
        assert [name for name in named if name in said] == []
        assert SECRET not in said
    assert "Не является коммерческим предложением" in text_of(notes["ru"])
    assert list(endings_have_their_document()) == []


def hardware_of(revision: Revision) -> set[str]:
    result = json.loads(revision.calculations.get().assessment.result_text)
    named = {v[part] for v in result["variants"] for part in ("server", "accelerator")}
    return {name for name in named if name}


@pytest.mark.usefixtures("quick_press")
def test_a_pilot_is_given_its_hours_by_the_estimate(engineer):
    revision = redirected(engineer, OtherWay.PILOT)
    note = json.loads(notes_of(revision)["ru"].snapshot_text)
    assert note["effort"]["run_gpu_hours"]["typical"] > 0
    assert not note["at_gate"]


@pytest.mark.usefixtures("quick_press")
@pytest.mark.parametrize("refusal", first_everywhere(Refusal))
def test_a_rejection_is_told_with_its_kind_and_its_words(refusal):
    revision = rejected(refusal)
    assert revision.state == State.REJECTED
    frozen = json.loads(notes_of(revision)["ru"].snapshot_text)
    assert (frozen["kind"], frozen["category"]) == ("reject", refusal.value)
    assert frozen["reason"] == REASON
    assert list(endings_have_their_document()) == []


@pytest.mark.usefixtures("quick_press")
def test_the_client_sees_verdict_words_and_document(engineer):
    revision = redirected(engineer, OtherWay.CLOUD)
    notes = notes_of(revision)
    owner = revision.requisition.owner
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    html = client.get(reverse("intake:status", args=[revision.requisition_id])).content.decode()
    assert "Decide first: your own server, a rented one, or both" in html
    assert REASON in html
    for note in notes.values():
        assert reverse("documents:download", args=[note.pk]) in html
    assert SECRET not in html


@pytest.mark.usefixtures("quick_press")
def test_the_manager_and_the_approver_find_the_document(engineer):
    revision = rejected()
    notes = set(notes_of(revision).values())
    manager = make_user(Role.MANAGER)
    assert set(final_documents_for(manager, [revision])[revision.pk]) == notes
    client = Client()
    client.force_login(make_approver())
    html = client.get(reverse("review:approval", args=[revision.pk])).content.decode()
    for note in notes:
        assert reverse("documents:download", args=[note.pk]) in html


def test_strangers_get_nothing_and_nobody_before_the_decision(engineer):
    revision = redirected(engineer, OtherWay.RAG)
    for person in (make_client(), make_user(Role.ADMINISTRATOR)):
        assert not documents_for(person, revision).exists()
    Revision.objects.filter(pk=revision.pk).update(state=State.IN_REVIEW)
    revision.refresh_from_db()
    assert not documents_for(revision.requisition.owner, revision).exists()


@pytest.mark.parametrize("words", [" ", "Аренда на месяц: 600 тыс. руб."])
def test_words_for_the_client_are_there_and_name_no_price(engineer, words):
    revision = make_in_review(engineer)
    values: dict[str, Any] = {"revision": revision, "expected_version": revision.version}
    with pytest.raises(DomainError):
        services.redirect_elsewhere(actor=engineer, way=OtherWay.PILOT, reason=words, **values)
    with pytest.raises(DomainError):
        services.revision_reject(
            actor=make_approver(), refusal=Refusal.OTHER, comment=words, **values
        )
    revision.refresh_from_db()
    assert revision.state == State.IN_REVIEW
    assert not Document.objects.filter(kind="note").exists()


def test_the_wrong_person_and_the_wrong_moment(engineer):
    revision = make_in_review(engineer)
    values: dict[str, Any] = {"revision": revision, "expected_version": revision.version}
    for person in (make_approver(), make_client(), make_user(Role.MANAGER)):
        with pytest.raises(NotAllowed):
            services.redirect_elsewhere(actor=person, way=OtherWay.RAG, reason=REASON, **values)
    with pytest.raises(NotAllowed):
        services.revision_reject(actor=engineer, refusal=Refusal.OTHER, comment=REASON, **values)
    done = redirected(make_engineer(), OtherWay.RAG)
    with pytest.raises(Conflict):
        services.revision_reject(
            revision=done,
            actor=make_approver(),
            refusal=Refusal.OTHER,
            comment=REASON,
            expected_version=done.version,
        )


def test_a_rejection_without_its_kind_is_asked_for_it():
    revision = make_in_approval(make_engineer())
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_approver())
    form = {"decision": "reject", "comment": REASON, "expected_version": revision.version}
    response = client.post(reverse("review:decide", args=[revision.pk]), form)
    assert response.status_code == 422
    assert "Choose what kind of reason it is." in response.content.decode()


def test_the_way_that_the_answers_lead_to_is_chosen_beforehand(engineer):
    revision = make_in_review(engineer)
    client = Client(headers={"accept-language": "en"})
    client.force_login(engineer)
    html = client.get(reverse("review:redirect", args=[revision.pk])).content.decode()
    assert html.count('name="way"') == len(OtherWay)
    assert not re.search(r'name="way"[^>]* checked', html)  # training is justified by these answers


def test_the_next_revision_starts_from_all_answers(engineer):
    revision = rejected()
    draft = revision_open_next(revision=revision, actor=revision.requisition.owner)
    assert draft.letter == "B"
    assert draft.answers.count() == revision.answers.count()
    assert documents_for(revision.requisition.owner, revision).count() == 2
