"""Asking for documents, storing what was printed, handing it out."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core import blobs
from apps.core.canonical import canonical_json
from apps.core.errors import Conflict, DomainError
from apps.documents.codes import code_of
from apps.documents.collect import calculation_for, snapshot_of
from apps.documents.models import LANGUAGES, Document
from apps.documents.notes.collect import note_of
from apps.documents.page import has_parts
from apps.documents.press import Printed
from apps.documents.selectors import job_key, readers_of
from apps.documents.snapshot import Approval, Snapshot, Superseded
from apps.estimation.models import Calculation
from apps.estimation.selectors import latest_assessment
from apps.jobs import broker
from apps.jobs import services as jobs
from apps.jobs.models import Job, JobState
from apps.requisitions.announcements import announce_superseded
from apps.requisitions.models import Decision, Revision

logger = logging.getLogger(__name__)

# Goes up with every change of the templates that a reader could notice.
TEMPLATE_VERSION: Final = "3"
HANDOVER_SCHEMA: Final = "podbor.handover/1"
_HANDED_OVER: Final = {
    False: ("number", "letter", "client", "task", "result"),
    True: ("number", "letter", "client", "kind", "category", "reason", "at", "answers", "task"),
}


class DocumentDamaged(DomainError):
    """The stored bytes are not those that were printed: nothing is handed out."""

    status = 410
    code = "document-damaged"


@transaction.atomic
def draft_documents_create(*, revision: Revision, actor: User | None) -> list[Document]:
    """Freeze the facts as they are and have them printed as a draft in every language.

    Asking again about the same facts gives the same documents; one that failed is tried again.

    Raises:
        DomainError: nothing has been calculated yet, or a calculation still runs.
    """
    return _documents(
        revision, calculation_for(revision), Document.Kind.DRAFT, snapshot_of(revision), actor
    )


@transaction.atomic
def final_documents_create(*, revision: Revision, decision: Decision) -> list[Document]:
    """Have the approved draft printed with the approval in it, and mark what it replaces.

    Call it in the transaction of the approval, after it.

    Raises:
        Conflict: the draft that was approved is not one of this revision, or the facts have
            changed since it was printed.
    """
    draft = Document.objects.filter(
        revision=revision, kind=Document.Kind.DRAFT, sha256=decision.document_sha256
    ).first()
    if draft is None or snapshot_of(revision).facts_sha256() != draft.snapshot_sha256:
        raise Conflict(
            _("The assessment has changed since this draft was made. Look at the new draft first.")
        )
    approval = Approval(
        by=str(decision.by),
        at=decision.at.isoformat(),
        comment=decision.comment,
        document_sha256=decision.document_sha256,
    )
    snapshot = replace(Snapshot.read(draft.snapshot_text), approval=approval)
    _mark_superseded(revision, decision)
    return _documents(revision, draft.calculation, Document.Kind.FINAL, snapshot, decision.by)


@transaction.atomic
def notes_create(*, decision: Decision, result: Mapping[str, Any] | None = None) -> list[Document]:
    """Have the short document of a redirect or a rejection printed in every language.

    Call it in the transaction of the decision, after it.

    Args:
        result: the engine's result for answers that were never sent to be estimated.
    """
    note = note_of(decision, result)
    stored = latest_assessment(decision.revision)
    return [
        _stored(
            Document.Kind.NOTE,
            language=language,
            revision=decision.revision,
            calculation=stored.calculation if stored else None,
            text=note.text(),
            facts_sha256=note.facts_sha256(),
            actor=decision.by,
        )
        for language in LANGUAGES
    ]


@transaction.atomic
def extract_create(*, origin: Document, kind: str, actor: User) -> Document:
    """Have a part of a whole document printed: the same facts, in its language, with its marks.

    The caller has got `origin` through a `*_for` selector. Asking again gives the same document.

    Raises:
        DomainError: there is no such part of this document.
    """
    if kind not in Document.EXTRACTS or origin.kind not in Document.WHOLE:
        raise DomainError(_("There is no such document."))
    if not has_parts(origin, kind):
        raise DomainError(_("Nothing is said about a pilot there, so it has no protocol."))
    audit.record(
        actor=actor,
        action="document.print",
        subject=origin.revision,
        kind=kind,
        language=origin.language,
    )
    return _extract(origin, Document.Kind(kind), actor)


def _extract(origin: Document, kind: Document.Kind, actor: User | None) -> Document:
    made = Document(
        origin=origin,
        kind=kind,
        language=origin.language,
        revision=origin.revision,
        calculation=origin.calculation,
        template_version=TEMPLATE_VERSION,
        snapshot_text=origin.snapshot_text,
        snapshot_sha256=origin.snapshot_sha256,
        created_by=actor,
    )
    return _kept(made, origin=origin)


def _mark_superseded(revision: Revision, decision: Decision) -> None:
    """Print copies of earlier approved documents that say which revision took their place, and
    tell whoever holds one."""
    earlier = Document.objects.filter(
        revision__requisition=revision.requisition,
        revision__index__lt=revision.index,
        kind=Document.Kind.FINAL,
    ).select_related("revision__requisition", "calculation")
    mark = Superseded(letter=revision.letter, at=decision.at.isoformat())
    replaced: set[Revision] = set()
    for final in earlier:
        if Document.objects.filter(
            revision=final.revision, kind=Document.Kind.SUPERSEDED, language=final.language
        ).exists():
            continue
        snapshot = replace(Snapshot.read(final.snapshot_text), superseded=mark)
        copy = _document(
            revision=final.revision,
            calculation=final.calculation,
            kind=Document.Kind.SUPERSEDED,
            language=final.language,
            snapshot=snapshot,
            actor=decision.by,
        )
        for extract in final.extracts.all():
            _extract(copy, Document.Kind(extract.kind), decision.by)
        replaced.add(final.revision)
    for row in replaced:
        announce_superseded(
            revision=row, successor=revision, readers=readers_of(row), actor=decision.by
        )


def _documents(
    revision: Revision,
    calculation: Calculation | None,
    kind: Document.Kind,
    snapshot: Snapshot,
    actor: User | None,
) -> list[Document]:
    return [
        _document(
            revision=revision,
            calculation=calculation,
            kind=kind,
            language=language,
            snapshot=snapshot,
            actor=actor,
        )
        for language in LANGUAGES
    ]


def _document(
    *,
    revision: Revision,
    calculation: Calculation | None,
    kind: Document.Kind,
    language: str,
    snapshot: Snapshot,
    actor: User | None,
) -> Document:
    return _stored(
        kind,
        language=language,
        revision=revision,
        calculation=calculation,
        text=snapshot.text(),
        facts_sha256=snapshot.facts_sha256(),
        actor=actor,
    )


def _stored(
    kind: Document.Kind,
    *,
    language: str,
    revision: Revision,
    calculation: Calculation | None,
    text: str,
    facts_sha256: str,
    actor: User | None,
) -> Document:
    """The row of these facts, with a job to print it as long as it is not printed."""
    made = Document(
        revision=revision,
        kind=kind,
        language=language,
        calculation=calculation,
        template_version=TEMPLATE_VERSION,
        snapshot_text=text,
        snapshot_sha256=facts_sha256,
        created_by=actor,
    )
    return _kept(made, origin=None, snapshot_sha256=facts_sha256)


def _kept(made: Document, **same: Any) -> Document:
    """`made`, or the row that says the same already; printed once in either case."""
    made.code = code_of(made.identifier)
    document, _created = Document.objects.get_or_create(
        revision=made.revision,
        kind=made.kind,
        language=made.language,
        **same,
        defaults={
            "calculation": made.calculation,
            "template_version": made.template_version,
            "snapshot_text": made.snapshot_text,
            "snapshot_sha256": made.snapshot_sha256,
            "code": made.code,
            "created_by": made.created_by,
        },
    )
    if not document.is_ready:
        _queue(document)
    return document


def _queue(document: Document) -> None:
    job = jobs.enqueue(
        kind=f"pdf:{document.language}",
        key=job_key(document),
        payload={"document": str(document.pk)},
    )
    if job.state == JobState.FAILED:
        jobs.retry(job)
    broker.poke_on_commit(job)


def document_of(job: Job) -> Document:
    return Document.objects.select_related("revision__requisition").get(pk=job.payload["document"])


@transaction.atomic
def document_store(*, document: Document, held: jobs.Claim, printed: Printed | None) -> None:
    """Keep the bytes and finish the job, or nothing if the claim was lost.

    `printed` is None when somebody else has printed it already. A printed row never changes.
    """
    held.finish()
    if printed is None:
        return
    Document.objects.filter(pk=document.pk, sha256="").update(
        sha256=blobs.write(printed.content),
        size_bytes=len(printed.content),
        page_count=printed.page_count,
    )


def document_data(*, document: Document, actor: User) -> str:
    """What the document rests on, for a program: `podbor.handover/1` as canonical JSON.

    Of an assessment the task and the result, of a note the outcome, the answers and the task.
    """
    frozen = json.loads(document.snapshot_text)
    audit.record(actor=actor, action="document.export", subject=document, kind=document.kind)
    found = {name: frozen.get(name) for name in _HANDED_OVER[document.kind == Document.Kind.NOTE]}
    return canonical_json({"schema": HANDOVER_SCHEMA, **found})


def document_download(*, document: Document, actor: User) -> bytes:
    """The bytes as they were printed, checked against their hash; the audit trail notes who.

    Raises:
        DocumentDamaged: the file is missing or was changed on the disk.
    """
    try:
        content = blobs.read(document.sha256)
    except blobs.BlobDamaged as problem:
        logger.exception("document %s cannot be handed out", document.pk)
        raise DocumentDamaged(
            _("The stored document is damaged. Tell the administrator its number and revision.")
        ) from problem
    audit.record(
        actor=actor,
        action="document.download",
        subject=document,
        sha256=document.sha256,
        kind=document.kind,
        language=document.language,
    )
    return content
