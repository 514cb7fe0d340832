"""Whoever holds a document hears that a later one took its place."""

from __future__ import annotations

import pytest
from django.core import mail as outbox
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.documents import handlers, services
from apps.documents.models import Document
from apps.documents.press import Printed
from apps.documents.selectors import readers_of
from apps.notices.models import Notice
from apps.requisitions.models import Decision, Revision
from apps.requisitions.workflow import State
from tests.documents.conftest import make_assessed
from tests.factories import make_client, make_user
from tests.helpers import run_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick_press(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = Printed(content=b"%PDF-1.7 test", page_count=8, refused=(), warnings=())
    monkeypatch.setattr(handlers, "print_pdf", lambda sheet: printed)


def approve(revision: Revision, approver: User) -> None:
    """Print the drafts, approve, print the finals."""
    draft = services.draft_documents_create(revision=revision, actor=revision.engineer)[0]
    run_jobs()
    draft.refresh_from_db()
    before = Revision.objects.filter(requisition=revision.requisition, state=State.APPROVED)
    before.update(state=State.SUPERSEDED)
    approved = {"state": State.APPROVED, "approved_at": timezone.now()}
    Revision.objects.filter(pk=revision.pk).update(**approved)
    revision.refresh_from_db()
    decision = Decision.objects.create(
        revision=revision,
        kind=Decision.Kind.APPROVE,
        by=approver,
        document_sha256=draft.sha256,
    )
    services.final_documents_create(revision=revision, decision=decision)
    run_jobs()


def next_letter(first: Revision) -> Revision:
    second = Revision.objects.create(
        requisition=first.requisition,
        index=first.index + 1,
        previous=first,
        state=State.IN_APPROVAL,
        answers_text=first.answers_text,
        answers_sha256=first.answers_sha256,
        submitted_at=first.submitted_at,
        submitted_by=first.submitted_by,
    )
    return make_assessed(State.IN_APPROVAL, revision=second)


def download(revision: Revision, kind: Document.Kind, *people: User) -> None:
    document = Document.objects.get(revision=revision, kind=kind, language="ru")
    for person in people:
        services.document_download(document=document, actor=person)


def test_who_downloaded_the_approved_document_is_written_to_once() -> None:
    first = make_assessed(State.IN_APPROVAL)
    approver = make_user(Role.APPROVER)
    colleague = make_client(company=first.requisition.company)
    gone, drafts_only, manager = make_client(), make_user(Role.ENGINEER), make_user(Role.MANAGER)
    approve(first, approver)
    download(first, Document.Kind.FINAL, colleague, colleague, gone, manager, approver)
    download(first, Document.Kind.DRAFT, drafts_only)
    assert set(readers_of(first)) == {colleague, gone, manager, approver}
    Notice.objects.all().delete()
    outbox.outbox.clear()
    second = next_letter(first)
    approve(second, approver)
    approve(next_letter(second), approver)
    of_first = Notice.objects.filter(event="superseded", params__letter="A")
    told = {notice.user for notice in of_first}
    assert told == {first.requisition.owner, first.engineer, colleague, manager}
    assert of_first.count() == 4
    written = [m for m in outbox.outbox if m.to == [colleague.email]]
    assert len(written) == 1
    assert "ЗС-0001" in written[0].subject
    assert written[0].attachments == []
