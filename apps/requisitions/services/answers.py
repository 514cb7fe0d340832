"""Saving what the client types and attaches. Nothing typed is ever refused or lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core import blobs, formatting
from apps.core.contact import contact_words
from apps.core.errors import Conflict, DomainError, NotAllowed, Unavailable
from apps.questionnaire.answers import evaluate
from apps.questionnaire.answers import raw_answers as read_raw
from apps.questionnaire.summary import headlines
from apps.requisitions import policy
from apps.requisitions.authors import Author
from apps.requisitions.models import (
    Answer,
    Attachment,
    GuestInvitation,
    Requisition,
    Revision,
)
from apps.requisitions.selectors import attachments_of, raw_answers
from apps.requisitions.services.requisition import requisition_entitle

MAX_FILE_BYTES = 10 * 2**20
MAX_FILES = 20
CLIENT_KINDS = [kind for kind in Attachment.Kind if kind != Attachment.Kind.EVIDENCE]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One field as it was sent. `base_version` is the version it was typed over; 0 for none.

    `unheard` are values that the same page has sent before without hearing that they arrived.
    """

    key: str
    value: str | list[str]
    unknown: bool = False
    who: str = ""
    when: str = ""
    provenance: str = "client"
    note: str = ""
    base_version: int = 0
    unheard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """Two people, or two tabs, changed one field: both values, to choose from."""

    key: str
    mine: Change
    stored_value: Any
    stored_unknown: bool
    stored_version: int
    stored_by: str
    stored_at: datetime


@dataclass(slots=True)
class SaveOutcome:
    """Versions of the fields after the save, and the fields that clashed and were not saved.

    `written` are the fields whose stored answer is another one now.
    """

    versions: dict[str, int] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    written: set[str] = field(default_factory=set)


@transaction.atomic
def answers_save(*, revision: Revision, changes: Sequence[Change], actor: Author) -> SaveOutcome:
    """Save fields of a draft as they were typed, valid or not.

    A field that somebody else changed since it was shown is a `Clash`: it is not overwritten, and
    the others are saved. Sending the stored value again is not a clash.

    Raises:
        NotAllowed: the person may not edit this requisition.
        Conflict: the revision is not a draft any more.
    """
    _check_may_answer(revision, actor, [change.key for change in changes])
    stored = {a.key: a for a in revision.answers.filter(key__in=[c.key for c in changes])}
    outcome = SaveOutcome()
    for change in changes:
        _save_one(revision, change, stored.get(change.key), actor, outcome)
    if revision.requisition.number is None and outcome.written:
        _entitle(revision)
    return outcome


def _check_may_answer(revision: Revision, actor: Author, keys: Sequence[str]) -> None:
    if isinstance(actor, GuestInvitation):
        if not policy.guest_may_answer(actor, revision, keys):
            raise NotAllowed(_("This link does not work any more, or is for another section."))
        return
    if not policy.acts_for_client(actor, revision.requisition):
        raise NotAllowed(_("Your role does not allow this step."))
    if not policy.may(actor, policy.Deed.EDIT_ANSWERS, revision):
        raise Conflict(_late(revision))


def _late(revision: Revision) -> str:
    """Why the answers cannot change now."""
    if revision.is_draft:
        return _("The client is checking these answers now. Take the draft back first.")
    return _("This revision was sent already; its answers cannot change any more.")


def _entitle(revision: Revision) -> None:
    """What was never sent is named by its answers as they stand now."""
    titles = headlines(evaluate(read_raw(raw_answers(revision))))
    if titles != revision.requisition.titles:
        requisition_entitle(requisition=revision.requisition, title=titles)


_COMPARED = ("value", "unknown", "who", "when", "provenance", "note")


def _same(change: Change, row: Answer) -> bool:
    return all(getattr(change, name) == getattr(row, name) for name in _COMPARED)


def _values(change: Change, actor: Author) -> dict[str, Any]:
    return {
        "value": change.value,
        "unknown": change.unknown,
        "who": change.who[:120],
        "when": change.when[:40],
        "provenance": change.provenance,
        "note": change.note[:500],
        "updated_by": actor if isinstance(actor, User) else None,
        "guest": actor if isinstance(actor, GuestInvitation) else None,
    }


def _save_one(
    revision: Revision, change: Change, row: Answer | None, actor: Author, outcome: SaveOutcome
) -> None:
    if row is None:
        row = _insert(revision, change, actor)
        if row is None:  # somebody inserted it meanwhile
            row = Answer.objects.get(revision=revision, key=change.key)
        else:
            outcome.versions[change.key] = row.version
            outcome.written.add(change.key)
            return
    if _same(change, row):
        outcome.versions[change.key] = row.version
        return
    base_version = _base_version(change, row)
    written = Answer.objects.filter(pk=row.pk, version=base_version).update(
        version=F("version") + 1, updated_at=timezone.now(), **_values(change, actor)
    )
    if written:
        outcome.versions[change.key] = base_version + 1
        outcome.written.add(change.key)
    else:
        outcome.clashes.append(_clash(change, row))


def _base_version(change: Change, row: Answer) -> int:
    """The version that a change may replace: what the page itself has stored is no clash."""
    own = not row.unknown and row.value in change.unheard
    return row.version if own else change.base_version


def _insert(revision: Revision, change: Change, actor: Author) -> Answer | None:
    try:
        with transaction.atomic():
            return Answer.objects.create(
                revision=revision, key=change.key, **_values(change, actor)
            )
    except IntegrityError:
        return None


def _clash(change: Change, row: Answer) -> Clash:
    row.refresh_from_db()
    return Clash(
        key=change.key,
        mine=change,
        stored_value=row.value,
        stored_unknown=row.unknown,
        stored_version=row.version,
        stored_by=str(row.author),
        stored_at=row.updated_at,
    )


def attachment_add(
    *,
    requisition: Requisition,
    revision: Revision,
    name: str,
    content: bytes,
    actor: User,
    kind: str = "",
) -> Attachment:
    """Keep a file of the client: never opened, never executed, served as a download only.

    Raises:
        DomainError: empty, too large, or too many; the text says the limit.
        Unavailable: the disk of the house is nearly full.
        NotAllowed: the person may not attach files now.
    """
    if not policy.may(actor, policy.Deed.ATTACH, revision):
        raise NotAllowed(_("Files can be added to a draft only."))
    if attachments_of(requisition).count() >= MAX_FILES:
        raise DomainError(_("Up to 20 files; remove one that is not needed."))
    told = kind if kind in CLIENT_KINDS else ""
    return _keep(revision=revision, name=name, content=content, kind=told, actor=actor)


def evidence_add(*, revision: Revision, name: str, content: bytes, actor: User) -> Attachment:
    """Keep a document of the engineer, under the same rules as a client's file.

    Raises:
        DomainError: empty, too large, or too many.
        Unavailable: the disk of the house is nearly full.
        NotAllowed: the person may not change the revision now.
    """
    if not policy.may(actor, policy.Deed.OVERRIDE, revision):
        raise NotAllowed(_("Your role does not allow this step."))
    kind = Attachment.Kind.EVIDENCE
    if revision.requisition.attachments.filter(kind=kind).count() >= MAX_FILES:
        raise DomainError(_("Up to 20 documents behind part numbers in one requisition."))
    return _keep(revision=revision, name=name, content=content, kind=kind, actor=actor)


def _keep(*, revision: Revision, name: str, content: bytes, kind: str, actor: User) -> Attachment:
    if not content:
        raise DomainError(_("The file “%(name)s” is empty.") % {"name": name[:100]})
    if len(content) > MAX_FILE_BYTES:
        raise DomainError(_("A file may have up to 10 MiB; attach an excerpt instead."))
    _room_for(len(content), revision.requisition)
    sha256 = blobs.write(content)
    with transaction.atomic():
        attachment = Attachment.objects.create(
            requisition_id=revision.requisition_id,
            name=_clean_name(name),
            kind=kind,
            sha256=sha256,
            size_bytes=len(content),
            uploaded_by=actor,
        )
        audit.record(actor=actor, action="requisition.attach", subject=revision, sha256=sha256)
    return attachment


def _room_for(size_bytes: int, requisition: Requisition) -> None:
    """One company does not fill the disk, and files leave room for what is saved beside them."""
    # What was removed counts too: it is kept as evidence of what was sent.
    company_files = Attachment.objects.filter(requisition__company_id=requisition.company_id)
    kept_bytes = company_files.aggregate(total=Sum("size_bytes"))["total"] or 0
    if kept_bytes + size_bytes > settings.COMPANY_FILES_BYTES:
        limit = formatting.binary_size(settings.COMPANY_FILES_BYTES)
        full = _("The files of your company take all of the %(limit)s there are.")
        raise DomainError(f"{full % {'limit': limit}} {contact_words()}")
    if blobs.free_bytes() - size_bytes < settings.LEAST_FREE_BYTES:
        raise Unavailable(
            _("There is no room for files at the moment. Your answers are saved; try again later.")
        )


def _clean_name(name: str) -> str:
    """The last part of the name without control and direction-changing characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    safe = "".join(
        c for c in last if c.isprintable() and c not in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
    )
    return safe.strip(" .")[-200:] or "file"


@transaction.atomic
def attachment_remove(*, attachment: Attachment, revision: Revision, actor: User) -> None:
    """Take a file off the draft. Revisions sent earlier keep naming it by its hash."""
    if not policy.may(actor, policy.Deed.ATTACH, revision):
        raise NotAllowed(_("Files can be removed from a draft only."))
    removed = Attachment.objects.filter(pk=attachment.pk, removed_at__isnull=True).update(
        removed_at=timezone.now()
    )
    if removed:
        audit.record(
            actor=actor, action="requisition.detach", subject=revision, sha256=attachment.sha256
        )


def section_finish(*, revision: Revision, section: str, finished: bool, actor: Author) -> None:
    """Note the client's own statement that a section is finished, or take it back."""
    if isinstance(actor, GuestInvitation):
        may = actor.section == section and policy.guest_may_answer(actor, revision, ())
    else:
        may = policy.may(actor, policy.Deed.EDIT_ANSWERS, revision)
    if not may:
        raise Conflict(_("This revision was sent already; its answers cannot change any more."))
    with transaction.atomic():
        row = Revision.objects.select_for_update().get(pk=revision.pk)
        done = set(row.finished_sections)
        done = done | {section} if finished else done - {section}
        row.finished_sections = sorted(done)
        row.save(update_fields=["finished_sections"])
    revision.finished_sections = row.finished_sections
