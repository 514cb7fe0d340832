"""What changed since an earlier letter, as those who review it see it: everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from apps.accounts.models import User
from apps.documents.letters import LetterRow, Links, letter_rows
from apps.estimation.comparison import comparison_of
from apps.estimation.presenters.changes import (
    AnswerChangeGroup,
    ResultChange,
    answer_groups,
    result_change,
)
from apps.estimation.texts import field_label, value_text
from apps.requisitions.models import Recheck, Revision
from apps.requisitions.selectors import base_of, draft_after


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """`since` is the letter compared with; `result` is missing while either has none.

    `others` are the letters that may be compared with instead.
    """

    since: str
    since_href: str
    letter: str
    groups: tuple[AnswerChangeGroup, ...]
    answer_count: int
    result: ResultChange | None
    href: str
    others: tuple[str, ...] = ()


def changes_of(revision: Revision, base: Revision | None = None) -> Changes | None:
    """None for the first letter. `base` is what to compare with, if not the usual one."""
    base = base or base_of(revision)
    if base is None:
        return None
    comparison = comparison_of(base, revision)
    others = [r for r in revision.requisition.revisions.all() if r not in (base, revision)]
    return Changes(
        since=base.letter,
        since_href=reverse("review:workspace", args=[base.pk]),
        letter=revision.letter,
        groups=answer_groups(comparison.answers, comparison.who),
        answer_count=len(comparison.answers),
        result=result_change(comparison.result) if comparison.result else None,
        href=reverse("review:changes", args=[revision.pk]),
        others=tuple(r.letter for r in others if r.index < revision.index and r.submitted_at),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckRow:
    """An engineer's value of an earlier letter that does not count here."""

    field: str
    label: str
    value: str
    reason: str
    author: str
    letter: str


def recheck_rows(revision: Revision) -> list[RecheckRow]:
    """Values whose client's answer has changed, until somebody has looked at them."""
    waiting = Recheck.objects.filter(revision=revision, settled_at__isnull=True)
    return [
        RecheckRow(
            field=row.override.field,
            label=field_label(row.override.field),
            value=value_text(row.override.field, row.override.value),
            reason=row.override.reason,
            author=str(row.override.author),
            letter=row.override.revision.letter,
        )
        for row in waiting.select_related("override__author", "override__revision")
    ]


def next_letter(revision: Revision) -> str:
    """The letter that the client prepares meanwhile; "" when there is none."""
    draft = draft_after(revision)
    return draft.letter if draft else ""


def staff_letters(user: User, revision: Revision) -> Sequence[LetterRow]:
    """Every letter of the requisition; a draft has no page here. Nothing for an only one."""

    def page(other: Revision) -> str:
        return "" if other.is_draft else reverse("review:workspace", args=[other.pk])

    def changes(old: Revision, new: Revision) -> str:
        if not new.submitted_at:
            return ""
        return reverse("review:changes", args=[new.pk]) + f"?since={old.letter}"

    if len(revision.requisition.revisions.all()) == 1:
        return ()
    links = Links(page=page, changes=changes)
    return letter_rows(user, revision.requisition, links, shown=revision)
