"""The client's requisitions, one row each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.intake.selectors import draft_of
from apps.questionnaire.summary import headline
from apps.requisitions import policy
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.selectors import requisitions_for
from apps.requisitions.workflow import State

# States in which the client has something to do.
_WAITING: dict[str, str] = {State.DRAFT: "info", State.CHANGES_REQUESTED: "tight"}
_MOST = 200


@dataclass(frozen=True, slots=True)
class ListedRequisition:
    """`tag` colours a state that waits for the client; `note` says what is under way beside it."""

    number: str
    letter: str
    title: str
    state: str
    tag: str
    note: str
    since: datetime
    owner: str
    href: str


def listed_for(user: User) -> list[ListedRequisition]:
    """Everything the user asks for, the newest first."""
    revisions = Revision.objects.order_by("index")
    mine = requisitions_for(user).prefetch_related(Prefetch("revisions", queryset=revisions))
    return [_row(r) for r in mine[:_MOST] if policy.acts_for_client(user, r)]


def _row(requisition: Requisition) -> ListedRequisition:
    revisions = list(requisition.revisions.all())
    current = revisions[-1]
    page = "intake:hub" if current.is_draft else "intake:status"
    return ListedRequisition(
        number=requisition.display_number,
        letter=current.letter,
        title=_title(requisition, current),
        state=str(State(_shown_state(revisions)).label),
        tag=_WAITING.get(_shown_state(revisions), ""),
        note=_note(revisions),
        since=current.state_since,
        owner=str(requisition.owner),
        href=reverse(page, args=[requisition.pk]),
    )


def _shown_state(revisions: list[Revision]) -> str:
    """A draft that was opened to answer the engineer is a requisition that waits for answers."""
    states = [revision.state for revision in revisions]
    asked = states[-2:] == [State.CHANGES_REQUESTED, State.DRAFT]
    return State.CHANGES_REQUESTED if asked else states[-1]


def _title(requisition: Requisition, current: Revision) -> str:
    """What was never sent is named by its answers as they stand now."""
    if not current.is_draft and requisition.title:
        return requisition.title
    current.requisition = requisition
    return headline(draft_of(current).evaluated)


def _note(revisions: Iterable[Revision]) -> str:
    """Of a new draft: what became of the revision before it."""
    *earlier, current = revisions
    if not current.is_draft or not earlier:
        return ""
    before = earlier[-1]
    return _("Revision %(letter)s: %(state)s") % {
        "letter": before.letter,
        "state": before.get_state_display(),
    }
