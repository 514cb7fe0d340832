"""Threads as a page shows them to one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.core.formatting import short_moment
from apps.requisitions import policy
from apps.requisitions.announcements import page_of
from apps.requisitions.mentions import colleagues_of, mention_of
from apps.requisitions.models import OPEN_THREAD, Annotation, Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import annotations_for
from apps.talk.targets import SECTIONS, Group, asked_about, target_groups, target_names

NAMED_AT_MOST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentRow:
    """One comment. `taken_back`: its author sees that it is gone, and may bring it back."""

    id: UUID
    author: str
    side: str
    at: datetime
    text: str
    edited: bool
    may_mend: bool
    taken_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRow:
    """`resolved` says who did it and when; `origin` is the letter that it was begun in."""

    id: UUID
    about: str
    target: str
    internal: bool
    comments: tuple[CommentRow, ...]
    resolved: str
    origin: str
    origin_href: str
    may_reply: bool
    may_settle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkPanel:
    """All that a person may read and write about a revision. `about` is chosen beforehand; `page`
    is where the form stands, "" for the page itself."""

    revision: Revision
    open: tuple[ThreadRow, ...]
    resolved: tuple[ThreadRow, ...]
    may_comment: bool
    may_note: bool
    groups: tuple[Group, ...]
    about: str
    back: str
    signed: bool
    names: tuple[str, ...]
    counts: Mapping[str, int]
    page: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkMarks:
    """What a page without threads shows of them: how many are open about each thing, and the page
    where they are read and written."""

    counts: Mapping[str, int]
    may_comment: bool
    page: str


def talk_marks(user: User, revision: Revision) -> TalkMarks:
    """For pages beside the one that holds the conversation. One query."""
    roots = annotations_for(user, revision).filter(OPEN_THREAD)
    return TalkMarks(
        counts=Counter(roots.exclude(target="").order_by().values_list("target", flat=True)),
        may_comment=policy.may(user, Deed.COMMENT, revision),
        page=page_of(user, revision),
    )


def document_sections() -> list[tuple[str, str]]:
    """Parts of the document that a comment may be about: key and name."""
    return [(key, str(name)) for key, name in SECTIONS.items()]


def talk_panel(user: User, revision: Revision, *, about: str = "", back: str = "") -> TalkPanel:
    """The threads of a revision. `back` names the page to come back to; "" for the usual one."""
    threads = _threads(user, revision)
    may_comment = policy.may(user, Deed.COMMENT, revision)
    groups = tuple(target_groups(user, revision)) if may_comment else ()
    groups += asked_about(about, groups)
    known = {code for group in groups for code, _label in group.choices}
    open_now = tuple(t for t in threads if not t.resolved)
    people = colleagues_of(user, revision)[:NAMED_AT_MOST] if may_comment else ()
    return TalkPanel(
        revision=revision,
        open=open_now,
        resolved=tuple(t for t in threads if t.resolved),
        may_comment=may_comment,
        may_note=policy.may(user, Deed.NOTE, revision),
        groups=groups,
        about=about if about in known else "",
        back=back,
        signed=not revision.was_approved,
        names=tuple(f"{mention_of(person)} ({person})" for person in people),
        counts=Counter(t.target for t in open_now if t.target),
    )


def _threads(user: User, revision: Revision) -> list[ThreadRow]:
    rows = list(annotations_for(user, revision))
    answers: dict[UUID, list[Annotation]] = {}
    for row in rows:
        row.revision = revision
        if row.parent_id:
            answers.setdefault(row.parent_id, []).append(row)
    roots = [row for row in rows if row.parent_id is None]
    names = target_names(user, revision, {root.target for root in roots})
    threads = (_thread(user, root, answers.get(root.pk, ()), names[root.target]) for root in roots)
    return [thread for thread in threads if thread.comments]


def _thread(user: User, root: Annotation, answers: Iterable[Annotation], about: str) -> ThreadRow:
    said = [root, *answers]
    standing = [row.created_at for row in said if row.removed_at is None]
    last = max(standing, default=None)
    rows = (_comment(user, row, answered=bool(last and last > row.created_at)) for row in said)
    comments = [row for row in rows if row]
    gone = root.removed_at is not None
    deed = Deed.NOTE if root.is_internal else Deed.COMMENT
    earlier = root.carried_from
    origin = earlier.revision if earlier else None
    return ThreadRow(
        id=root.pk,
        about=about,
        target=root.target,
        internal=root.is_internal,
        comments=tuple(comments),
        resolved=_resolved(root),
        origin=origin.letter if origin else "",
        origin_href=f"{page_of(user, origin)}#thread-{earlier.pk}" if earlier and origin else "",
        may_reply=not gone and policy.may(user, deed, root.revision),
        may_settle=not gone and policy.may_settle(user, root),
    )


def _resolved(root: Annotation) -> str:
    if root.resolved_at is None:
        return ""
    return _("Resolved by %(name)s, %(moment)s") % {
        "name": root.resolved_by,
        "moment": short_moment(root.resolved_at),
    }


def _side(side: str) -> str:
    """Whose word it is, of one person: the choices of the model name the whole side."""
    names = {
        Annotation.Side.REVIEW: _("reviewer"),
        Annotation.Side.MANAGER: _("manager"),
        Annotation.Side.CLIENT: _("client"),
    }
    return names[Annotation.Side(side)]


def _comment(user: User, comment: Annotation, *, answered: bool) -> CommentRow | None:
    """None for one that was taken back, but for its author while it may come back."""
    mendable = policy.may_mend(user, comment, answered=answered)
    if comment.removed_at is not None and not mendable:
        return None
    return CommentRow(
        id=comment.pk,
        author=str(comment.author),
        side=_side(comment.side),
        at=comment.created_at,
        text=comment.text,
        edited=comment.edited_at is not None,
        may_mend=mendable,
        taken_back=comment.removed_at is not None,
    )
