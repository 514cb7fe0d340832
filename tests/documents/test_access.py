"""Who gets a document, as a file to keep and nothing else."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.audit.models import AuditEvent
from apps.core import blobs
from apps.documents.models import Document
from apps.documents.selectors import documents_for
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.documents.conftest import make_assessed
from tests.factories import make_client, make_company, make_user

pytestmark = pytest.mark.django_db

CONTENT = b"%PDF-1.7 the document"


def make_document(
    revision: Revision, kind: str = "final", language: str = "ru", *, ready: bool = True
) -> Document:
    document = Document.objects.create(
        revision=revision,
        calculation=revision.calculations.get(),
        kind=kind,
        language=language,
        template_version="1",
        snapshot_text="{}",
        snapshot_sha256="0" * 64,
    )
    if ready:
        Document.objects.filter(pk=document.pk).update(
            sha256=blobs.write(CONTENT), size_bytes=len(CONTENT), page_count=8
        )
        document.refresh_from_db()
    return document


def get(document: Document, user: User | None) -> object:
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser.get(f"/documents/{document.pk}/")


@pytest.fixture
def owner() -> User:
    return make_client(company=make_company())


@pytest.mark.parametrize(
    ("state", "kind"), [(State.APPROVED, "final"), (State.SUPERSEDED, "superseded")]
)
def test_the_client_and_a_colleague_get_the_final_and_of_a_replaced_one_its_copy(
    owner: User, state: State, kind: str
) -> None:
    revision = make_assessed(state, owner)
    Revision.objects.filter(pk=revision.pk).update(approved_at=timezone.now())
    document = make_document(revision, kind)
    for person in (owner, make_client(company=owner.company)):
        response = get(document, person)
        assert response.status_code == 200
        assert response.content == CONTENT


def test_it_comes_as_a_file_with_its_number_and_runs_nothing(owner: User) -> None:
    revision = make_assessed(State.APPROVED, owner)
    response = get(make_document(revision), owner)
    name = f"{revision.requisition.display_number}-A.pdf"
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == f"attachment; filename*=utf-8''{quote(name)}"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("kind", ["final", "superseded", "draft"])
def test_a_stranger_does_not_learn_that_it_exists(owner: User, kind: str) -> None:
    document = make_document(make_assessed(State.APPROVED, owner), kind)
    assert get(document, make_client()).status_code == 404
    assert get(document, make_user(Role.ADMINISTRATOR)).status_code == 404


def test_nobody_signed_in_is_sent_to_the_sign_in(owner: User) -> None:
    response = get(make_document(make_assessed(State.APPROVED, owner)), None)
    assert response.status_code == 302
    assert "/accounts/sign-in/" in response["Location"]


@pytest.mark.parametrize("state", [State.IN_REVIEW, State.IN_APPROVAL, State.APPROVED])
def test_drafts_are_for_staff_only(owner: User, state: State) -> None:
    document = make_document(make_assessed(state, owner), "draft")
    assert get(document, owner).status_code == 404
    for role in (Role.ENGINEER, Role.APPROVER, Role.MANAGER):
        assert get(document, make_user(role)).status_code == 200


def test_a_final_is_nothing_before_the_approval(owner: User) -> None:
    """A row that should not be there is not shown either."""
    document = make_document(make_assessed(State.IN_APPROVAL, owner))
    assert get(document, owner).status_code == 404


def test_somebody_switched_off_gets_nothing(owner: User) -> None:
    document = make_document(make_assessed(State.APPROVED, owner))
    owner.is_active = False
    owner.save()
    assert get(document, owner).status_code in (302, 404)
    assert not documents_for(owner, document.revision).exists()


def test_what_is_not_printed_yet_is_not_there(owner: User) -> None:
    document = make_document(make_assessed(State.APPROVED, owner), ready=False)
    assert get(document, owner).status_code == 404


def test_damaged_bytes_are_never_handed_out(owner: User) -> None:
    document = make_document(make_assessed(State.APPROVED, owner))
    blobs.path_of(document.sha256).write_bytes(b"%PDF-1.7 forged")
    response = get(document, owner)
    assert response.status_code == 410
    assert b"forged" not in response.content
    blobs.path_of(document.sha256).unlink()
    assert get(document, owner).status_code == 410
    assert not AuditEvent.objects.filter(action="document.download").exists()


def test_the_audit_trail_notes_who_took_what(owner: User) -> None:
    document = make_document(make_assessed(State.APPROVED, owner))
    get(document, owner)
    event = AuditEvent.objects.get(action="document.download")
    assert event.actor == owner
    assert document.sha256 in event.payload_text


def test_only_reading_is_possible(owner: User) -> None:
    document = make_document(make_assessed(State.APPROVED, owner))
    browser = Client()
    browser.force_login(owner)
    assert browser.post(f"/documents/{document.pk}/").status_code == 405


def test_an_address_that_is_no_document_is_not_found() -> None:
    browser = Client()
    browser.force_login(make_user(Role.ENGINEER))
    assert browser.get("/documents/00000000-0000-0000-0000-000000000000/").status_code == 404
    assert browser.get("/documents/../etc/passwd").status_code == 404


@pytest.mark.parametrize(
    ("kind", "language", "name"),
    [
        ("final", "ru", "ЗС-{0:04d}-A.pdf"),
        ("final", "en", "ЗС-{0:04d}-A-en.pdf"),
        ("draft", "ru", "ЗС-{0:04d}-A-черновик.pdf"),
        ("draft", "en", "ЗС-{0:04d}-A-en-draft.pdf"),
        ("superseded", "ru", "ЗС-{0:04d}-A-заменено.pdf"),
    ],
)
def test_a_file_is_named_by_number_revision_language_and_kind(
    owner: User, kind: str, language: str, name: str
) -> None:
    revision = make_assessed(State.APPROVED, owner)
    document = make_document(revision, kind, language)
    assert document.file_name == name.format(revision.requisition.number)
