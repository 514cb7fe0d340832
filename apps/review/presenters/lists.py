"""Rows of the queue, of the approvals and of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from apps.accounts.models import User
from apps.audit.actions import ACTIONS
from apps.audit.models import AuditEvent
from apps.documents.models import Document
from apps.estimation.texts import estimator_name
from apps.questionnaire.answers import RawAnswer, read_answer
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import display_value
from apps.requisitions import policy
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import base_among, leading_of, raw_answers
from apps.requisitions.workflow import Action, State
from apps.review.boards import event_of
from apps.review.selectors import Trouble
from apps.worktime.sizes import SizeClass


def trouble_text(trouble: Trouble | None) -> str:
    """What is wrong with the calculation, in a few words; "" when nothing is."""
    if trouble is None:
        return ""
    if trouble.assembly_failed:
        return _("the calculation failed")
    if trouble.failed_estimators:
        names = ", ".join(estimator_name(key) for key in trouble.failed_estimators)
        return _("not calculated: %(names)s") % {"names": names}
    return _("takes longer than usual")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """One revision in work. `take_url` stands when this person may take it."""

    number: str
    letter: str
    href: str
    title: str
    client: str
    state: str
    trouble: str
    due_at: datetime | None
    late: bool
    paused: bool
    wanted_on: date | None
    large: bool
    open_count: int
    thread_count: int
    engineer: str
    mine: bool
    take_url: str


def queue_row(user: User, revision: Revision, trouble: Trouble | None) -> QueueRow:
    """`revision` comes from `queue_for`."""
    requisition = revision.requisition
    free = revision.engineer is None and policy.may(user, Deed.TAKE, revision)
    return QueueRow(
        number=requisition.display_number,
        letter=revision.letter,
        href=reverse("review:workspace", args=[revision.pk]),
        title=requisition.title,
        client=requisition.company.name,
        state=str(State(revision.state).label),
        trouble=trouble_text(trouble),
        due_at=revision.due_at,
        late=_late(revision),
        paused=revision.state == State.CHANGES_REQUESTED,
        wanted_on=revision.wanted_on,
        large=revision.size_class == SizeClass.LARGE,
        open_count=len(revision.still_open),  # type: ignore[attr-defined]
        thread_count=len(revision.open_threads),  # type: ignore[attr-defined]
        engineer=str(revision.engineer) if revision.engineer else "",
        mine=revision.engineer_id == user.pk,
        take_url=reverse("review:take", args=[revision.pk]) if free else "",
    )


def _late(revision: Revision) -> bool:
    return revision.due_at is not None and revision.due_at < timezone.now()


def queue_summary(counts: Mapping[str, int]) -> str:
    """«7 заявок в работе, 2 без инженера»."""
    total, free = counts["all"], counts["free"]
    text = npgettext(
        "queue", "%(total)s requisition in work", "%(total)s requisitions in work", total
    ) % {"total": total}
    if not free:
        return text + "."
    nobody = npgettext(
        "queue", "%(free)s without an engineer", "%(free)s without an engineer", free
    )
    return f"{text}, {nobody % {'free': free}}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRow:
    """One revision that waits for approval. `own`: this person may not approve it; `changes` leads
    to what changed since the last letter, "" for a first one."""

    number: str
    letter: str
    href: str
    title: str
    client: str
    since: datetime
    due_at: datetime | None
    late: bool
    changes: str
    engineer: str
    open_count: int
    thread_count: int
    own: bool


def approval_row(user: User, revision: Revision) -> ApprovalRow:
    """`revision` comes from `approvals_for`."""
    requisition = revision.requisition
    return ApprovalRow(
        number=requisition.display_number,
        letter=revision.letter,
        href=reverse("review:approval", args=[revision.pk]),
        title=requisition.title,
        client=requisition.company.name,
        since=revision.state_since,
        due_at=revision.due_at,
        late=_late(revision),
        changes=_changes(list(requisition.revisions.all()), revision),
        engineer=str(revision.engineer) if revision.engineer else "",
        open_count=len(revision.still_open),  # type: ignore[attr-defined]
        thread_count=len(revision.open_threads),  # type: ignore[attr-defined]
        own=not policy.may_ever(user, Action.APPROVE, revision),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLink:
    """A document to download: language, letter of its revision, whether a later one replaced it."""

    href: str
    language: str
    letter: str
    replaced: bool
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One requisition as a manager follows it. `earlier` are its other letters that were sent, each
    with its state; `changes` leads to what changed since, "" for a first letter. `link_url` sends the
    client the link to it once more."""

    number: str
    letter: str
    href: str
    title: str
    client: str
    owner: str
    thread_count: int
    state: str
    since: datetime
    due_at: datetime | None
    late: bool
    paused: bool
    wanted: str
    engineer: str
    event: str
    event_at: datetime | None
    on_behalf: bool
    draft_open: bool
    earlier: Sequence[tuple[str, str]]
    changes: str
    link_url: str
    files: Sequence[FileLink] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class BehalfRow:
    """A draft that the manager fills in for a client. `asked_at` says since when it is there."""

    title: str
    client: str
    owner: str
    started_at: datetime
    asked_at: datetime | None
    href: str


def behalf_row(revision: Revision) -> BehalfRow:
    """`revision` comes from `drafts_for_clients`."""
    requisition = revision.requisition
    page = "intake:check" if revision.confirmation_asked_at else "intake:hub"
    return BehalfRow(
        title=requisition.title or _("New requisition"),
        client=requisition.company.name,
        owner=str(requisition.owner),
        started_at=revision.created_at,
        asked_at=revision.confirmation_asked_at,
        href=reverse(page, args=[requisition.pk]),
    )


def wanted_date(revision: Revision) -> str:
    """The day by which the client wants the server, in the client's answer; "" when not said."""
    stored = raw_answers(revision).get("wanted_date")
    if stored is None:
        return ""
    return display_value(read_answer(QUESTIONS["wanted_date"], RawAnswer.from_dict(stored)))


def board_row(
    requisition: Requisition,
    events: Mapping[str, AuditEvent],
    documents: Mapping[UUID, Sequence[Document]],
) -> BoardRow:
    """`requisition` comes from `board_for`; `documents` are final ones by revision."""
    revisions = list(requisition.revisions.all())
    revision = leading_of(revisions)
    event = event_of(dict(events), revision)
    return BoardRow(
        number=requisition.display_number,
        letter=revision.letter,
        href=reverse("review:workspace", args=[revision.pk]),
        title=requisition.title,
        client=requisition.company.name,
        owner=str(requisition.owner),
        thread_count=len(revision.open_threads),  # type: ignore[attr-defined]
        state=str(State(revision.state).label),
        since=revision.state_since,
        due_at=revision.due_at,
        late=_late(revision),
        paused=revision.state == State.CHANGES_REQUESTED,
        wanted=wanted_date(revision),
        engineer=str(revision.engineer) if revision.engineer else "",
        event=event_text(event),
        event_at=None if event is None else datetime.fromisoformat(event.at_text),
        on_behalf=revision.on_behalf_of_id is not None,
        draft_open=any(r.is_draft for r in revisions),
        earlier=[(r.letter, str(State(r.state).label)) for r in revisions if _stood(r, revision)],
        changes=_changes(revisions, revision),
        link_url=reverse("review:client-link", args=[revision.pk]),
        files=[file_link(d) for sent in reversed(revisions) for d in documents.get(sent.pk, ())],
    )


def _changes(revisions: Sequence[Revision], revision: Revision) -> str:
    compared = revision.submitted_at and base_among(revisions, revision)
    return reverse("review:changes", args=[revision.pk]) if compared else ""


def _stood(other: Revision, shown: Revision) -> bool:
    """Is it a letter that was sent, beside the one of the row?"""
    return other.pk != shown.pk and not other.never_sent


def event_text(event: AuditEvent | None) -> str:
    """«Сергей Дымов: передал на утверждение»."""
    if event is None:
        return ""
    words = str(ACTIONS.get(event.action, event.action))
    return f"{event.actor_name}: {words}" if event.actor_id else words


def file_link(document: Document) -> FileLink:
    return FileLink(
        href=reverse("documents:download", args=[document.pk]),
        language=document.language,
        letter=document.revision.letter,
        replaced=document.kind == "superseded",
        ready=document.is_ready,
    )
