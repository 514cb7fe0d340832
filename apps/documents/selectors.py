"""Reading documents: always for somebody, 404 when they may not see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from apps.accounts.models import User
from apps.audit.selectors import events_for
from apps.documents.models import Document
from apps.jobs.models import Job
from apps.jobs.selectors import jobs_with_keys, run_state
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import revisions_for
from apps.requisitions.workflow import State

_RELATED = ("revision__requisition__company", "calculation", "origin")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRun:
    """How far a document is. `state` is queued, running, done or failed; `reason` says why."""

    document: Document
    state: str
    reason: str


def documents_for(user: User, revision: Revision) -> QuerySet[Document]:
    """Documents of a revision that the user is offered, printed or not yet, newest first.

    Clients: what was approved, and the note of what ended without an assessment; after a later
    revision took its place, only the copy that says so. Drafts, and the original of what was
    replaced: staff only.
    """
    offered = _kept_for(user, revision)
    if revision.state == State.SUPERSEDED and not user.is_staff_member:
        original = Document.Kind.FINAL
        offered = offered.exclude(kind=original).exclude(origin__kind=original)
    return offered


def _kept_for(user: User, revision: Revision) -> QuerySet[Document]:
    """Everything an address may be about for this person; see `leads_to`."""
    kinds: list[str] = []
    if policy.may(user, Deed.DOWNLOAD_DRAFT, revision):
        kinds.append(Document.Kind.DRAFT)
    if policy.may(user, Deed.DOWNLOAD_FINAL, revision):
        kinds += [Document.Kind.FINAL, Document.Kind.SUPERSEDED]
    if policy.may(user, Deed.DOWNLOAD_NOTE, revision):
        kinds.append(Document.Kind.NOTE)
    allowed = Q(kind__in=kinds) | Q(origin__kind__in=kinds)
    return Document.objects.filter(allowed, revision=revision).select_related(*_RELATED)


def document_get_for(user: User, document_id: UUID) -> Document:
    """Return a document the user may have, or raise Http404: that it exists is itself private."""
    document = get_object_or_404(
        Document.objects.filter(revision__in=revisions_for(user)).select_related(*_RELATED),
        pk=document_id,
    )
    if not _kept_for(user, document.revision).filter(pk=document_id).exists():
        raise Http404
    return document


def leads_to(user: User, document: Document, *, original: bool) -> Document:
    """What the address of a document hands out.

    That of an approved document, or of a part of it, leads to the copy marked as replaced once a
    later revision is approved: whoever kept the link learns of it. The original is for staff who
    ask for it.
    """
    replaced = document.revision.state == State.SUPERSEDED
    whole = document.origin or document
    if whole.kind != Document.Kind.FINAL or not replaced:
        return document
    if original and user.is_staff_member:
        return document
    copy = get_object_or_404(
        Document.objects.select_related(*_RELATED),
        revision=document.revision,
        kind=Document.Kind.SUPERSEDED,
        language=document.language,
    )
    if not document.is_extract:
        return copy
    same = copy.extracts.select_related(*_RELATED).filter(kind=document.kind)
    return same.first() or copy


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintChoice:
    """A whole document in one language, and the kinds of its parts that were not asked for yet."""

    document: Document
    kinds: tuple[Document.Kind, ...]


def print_choices(user: User, revision: Revision) -> list[PrintChoice]:
    """What may be printed on demand now, from the newest whole document of each language."""
    documents = list(documents_for(user, revision))
    asked = {(one.origin_id, one.kind) for one in documents}
    wholes = [one for one in documents if one.kind in Document.WHOLE]
    newest: dict[str, Document] = {}
    for one in sorted(wholes, key=lambda one: -Document.WHOLE.index(Document.Kind(one.kind))):
        newest.setdefault(one.language, one)
    choices = (
        PrintChoice(
            document=one,
            kinds=tuple(kind for kind in Document.EXTRACTS if (one.pk, kind) not in asked),
        )
        for one in newest.values()
    )
    return [choice for choice in choices if choice.kinds]


def readers_of(revision: Revision) -> QuerySet[User]:
    """Active people who downloaded an approved document of the revision, as the audit trail has it."""
    drafts = Q(kind=Document.Kind.DRAFT) | Q(origin__kind=Document.Kind.DRAFT)
    finals = Document.objects.filter(revision=revision).exclude(drafts)
    downloads = events_for(*finals).filter(action="document.download", actor__isnull=False)
    return User.objects.filter(is_active=True, pk__in=downloads.values("actor"))


def document_runs(documents: Iterable[Document]) -> list[DocumentRun]:
    """The state of each document, from its job."""
    listed = list(documents)
    jobs = jobs_with_keys([job_key(document) for document in listed])
    return [_run(document, jobs.get(job_key(document))) for document in listed]


def job_key(document: Document) -> str:
    """The job's key: asking for the same document twice is one job."""
    return f"pdf:{document.pk}"


def _run(document: Document, job: Job | None) -> DocumentRun:
    if document.is_ready:
        return DocumentRun(document=document, state="done", reason="")
    reason = job.last_error if job else ""
    return DocumentRun(document=document, state=run_state(job), reason=reason)
