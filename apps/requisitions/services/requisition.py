"""The course of a requisition: opened, sent, opened again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, TypeAlias

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Company, User
from apps.audit import services as audit
from apps.core.canonical import canonical_json, sha256_of
from apps.core.errors import Conflict, NotAllowed
from apps.core.searching import folded
from apps.requisitions import policy
from apps.requisitions.announcements import announce_submitted
from apps.requisitions.models import Answer, Counter, OpenQuestion, Requisition, Revision
from apps.requisitions.selectors import attachments_of, current_revision
from apps.requisitions.services.carrying import values_carry
from apps.requisitions.services.clock import clock_pass_on
from apps.requisitions.services.confirmation import record_on_behalf
from apps.requisitions.services.holding import revisions_hold
from apps.requisitions.services.talk import threads_carry
from apps.requisitions.services.transition import revision_transition
from apps.requisitions.workflow import UNDER_WAY, Action, State

ANSWERS_SCHEMA = "podbor.answers/1"
Title: TypeAlias = str | Mapping[str, str]
_TITLE_LENGTH: Final = 300
_COPIED = ("key", "value", "unknown", "who", "when", "provenance", "note")
_AUTHOR = ("updated_by_id", "guest_id")


@transaction.atomic
def requisition_create(*, company: Company, owner: User, actor: User) -> Revision:
    """Open a requisition with its first draft."""
    requisition = Requisition.objects.create(company=company, owner=owner, created_by=actor)
    manager = None if policy.is_client_of(actor, requisition) else actor
    revision = Revision.objects.create(requisition=requisition, index=1, prepared_by=manager)
    audit.record(actor=actor, action="requisition.create", subject=revision)
    return revision


def _next_number() -> int:
    Counter.objects.get_or_create(name="requisition")
    Counter.objects.filter(name="requisition").update(value=F("value") + 1)  # locks the row
    return Counter.objects.get(name="requisition").value


def answers_freeze(
    *, revision: Revision, effective: dict[str, dict[str, Any]], **sent: Any
) -> None:
    """Store the answers of a draft as canonical JSON with its hash; they never change again.

    `sent` are fields of the revision that are written with them. Every revision of the requisition
    is held from here on, see `revisions_hold`.

    Raises:
        Conflict: they are frozen already (a second click, another tab).
    """
    revisions_hold(revision.requisition_id)
    document = {
        "schema": ANSWERS_SCHEMA,
        "answers": effective,
        "attachments": [
            {"name": a.name, "kind": a.kind, "sha256": a.sha256, "size_bytes": a.size_bytes}
            for a in attachments_of(revision.requisition)
        ],
    }
    text = canonical_json(document)
    fields = {"answers_text": text, "answers_sha256": sha256_of(text), **sent}
    drafts = Revision.objects.filter(pk=revision.pk, state=State.DRAFT, answers_sha256="")
    if not drafts.update(**fields):
        raise Conflict(_("This requisition has been sent already."))
    revision.refresh_from_db(fields=[*fields, "version"])


def requisition_name(*, requisition: Requisition, title: Title) -> None:
    """Give it its number, once and for all, and what lists show and search by."""
    if requisition.number is None:
        requisition.number = _next_number()
        requisition.save(update_fields=["number"])
    requisition_entitle(requisition=requisition, title=title)


def requisition_entitle(*, requisition: Requisition, title: Title) -> None:
    """What lists show and search by, as the answers stand."""
    titles = {"": title} if isinstance(title, str) else title
    requisition.titles = {language: text[:_TITLE_LENGTH] for language, text in titles.items()}
    requisition.search_text = _search_text(requisition)
    requisition.save(update_fields=["titles", "search_text"])


@transaction.atomic
def revision_submit(
    *,
    revision: Revision,
    actor: User,
    effective: dict[str, dict[str, Any]],
    title: Title,
    settled: Collection[str] = (),
) -> Revision:
    """Freeze the answers and hand the revision over to the estimators.

    An earlier revision that somebody still works on is superseded at once, and its engineer goes
    on with this one; an approved one stays approved until this one is. Engineers' values come
    along, see `values_carry`.

    Args:
        effective: relevant answers only, key -> `{value, unknown, who, when, provenance, note}`.
            They are stored as canonical JSON with its hash and never change again.
        title: the task in one line, for lists: by language, or one for all.
        settled: keys that need no question though the client does not know them.

    Raises:
        Conflict: it was sent already (a second click, another tab): nothing happens twice.
        NotAllowed: the wrong person.
    """
    requisition = revision.requisition
    client = policy.is_client_of(actor, requisition)
    answers_freeze(
        revision=revision,
        effective=effective,
        submitted_at=timezone.now(),
        submitted_by=actor,
        on_behalf_of=None if client else requisition.owner,
    )
    supersede_under_way(revision)
    revision_transition(revision=revision, action=Action.SUBMIT, actor=actor)
    record_on_behalf(revision=revision, actor=actor)
    requisition_name(requisition=requisition, title=title)
    _questions_from_unknowns(
        revision, {key: a for key, a in effective.items() if key not in settled}
    )
    values_carry(revision=revision, actor=actor)
    threads_carry(revision=revision)
    announce_submitted(revision=revision, actor=actor)
    return revision


def _search_text(requisition: Requisition) -> str:
    """Everything a list is searched by: the number, the task in every language, whose it is."""
    parts = (requisition.display_number, *requisition.titles.values())
    return folded(" ".join((*parts, requisition.company.name, str(requisition.owner))))


def _questions_from_unknowns(revision: Revision, effective: dict[str, dict[str, Any]]) -> None:
    OpenQuestion.objects.bulk_create(
        OpenQuestion(
            revision=revision,
            key=key,
            origin=OpenQuestion.Origin.CLIENT,
            owner_name=answer.get("who", ""),
            due_text=answer.get("when", ""),
        )
        for key, answer in effective.items()
        if answer.get("unknown")
    )


def supersede_under_way(revision: Revision) -> None:
    """End what is still worked on: its client has said something newer.

    Its calculation may run to its end; nobody reads the results. Call it while the requisition's
    revisions are held.
    """
    earlier = Revision.objects.filter(
        requisition=revision.requisition, index__lt=revision.index, state__in=UNDER_WAY
    )
    for replaced in earlier.select_related("requisition", "engineer", "clock"):
        revision_transition(revision=replaced, action=Action.SUPERSEDE, actor=None)
        clock_pass_on(earlier=replaced, later=revision)
        if replaced.engineer is not None:
            Revision.objects.filter(pk=revision.pk).update(engineer=replaced.engineer)
            revision.engineer = replaced.engineer


@transaction.atomic
def revision_open_next(*, revision: Revision, actor: User) -> Revision:
    """Open the next letter with a copy of the answers; the draft that is open already if there is,
    and one that was deleted comes back.

    Whatever letter the page was about, the next one follows the latest.

    Raises:
        NotAllowed: not a person of the client, or not in this state.
    """
    latest = current_revision(revision.requisition)
    if latest.state == State.WITHDRAWN and latest.never_sent:
        return revision_transition(revision=latest, action=Action.RESTORE, actor=actor)
    if not latest.is_draft and not policy.may(actor, policy.Deed.OPEN_NEXT_REVISION, latest):
        raise NotAllowed(_("A new revision cannot be opened now."))
    return next_draft(revision.requisition, actor)


def next_draft(requisition: Requisition, actor: User) -> Revision:
    """The draft of a requisition; if there is none, one is opened with the latest answers.

    Whether that is allowed is the caller's question.
    """
    latest = current_revision(requisition)
    return latest if latest.is_draft else _draft_after(latest, actor)


def _draft_after(revision: Revision, actor: User) -> Revision:
    try:
        with transaction.atomic():
            draft = Revision.objects.create(
                requisition=revision.requisition,
                index=revision.index + 1,
                previous=revision,
                prepared_by=_manager_of_next(revision, actor),
                finished_sections=revision.finished_sections,
            )
    except IntegrityError:
        return _opened_meanwhile(revision.requisition)  # in another tab, by the engineer
    rows = _rows_to_copy(revision)
    Answer.objects.bulk_create(Answer(revision=draft, **row) for row in rows)
    audit.record(actor=actor, action="requisition.create-revision", subject=draft)
    return draft


def _manager_of_next(revision: Revision, actor: User) -> User | None:
    """Who fills in the next letter for the client: the manager, if they sent this one for them."""
    if policy.fills_in_for_client(actor, revision.requisition):
        return actor
    return revision.prepared_by if revision.on_behalf_of_id else None


def _opened_meanwhile(requisition: Requisition) -> Revision:
    draft = requisition.revisions.filter(state=State.DRAFT).first()
    if draft is None:
        raise Conflict(_("The next revision has been opened already."))
    return draft


def _rows_to_copy(revision: Revision) -> list[dict[str, Any]]:
    """The rows of the earlier draft, which also hold the answers that were not relevant.

    Whoever gave an answer is still its author in the next letter.
    """
    return [
        {name: getattr(row, name) for name in (*_COPIED, *_AUTHOR)}
        for row in revision.answers.all()
    ]
