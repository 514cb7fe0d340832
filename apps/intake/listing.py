"""The client's requisitions, one row each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from apps.accounts.models import User
from apps.intake.progress import state_name
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.selectors import leading_of, own_requisitions_for
from apps.requisitions.standing import matching, newest_first, with_standing
from apps.requisitions.workflow import State

# States in which the client has something to do.
_WAITING: Final[dict[str, str]] = {State.DRAFT: "info", State.CHANGES_REQUESTED: "tight"}

# Groups of `standing.GROUPS` as the filters name them, in their order.
GROUP_NAMES: Final[dict[str, Promise]] = {
    "": pgettext_lazy("requisitions", "All"),
    "waiting": pgettext_lazy("requisitions", "Wait for you"),
    "work": pgettext_lazy("requisitions", "In work"),
    "approved": pgettext_lazy("requisitions", "Approved"),
    "closed": pgettext_lazy("requisitions", "Closed"),
    "deleted": pgettext_lazy("requisitions", "Deleted drafts"),
}


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


def own_rows(user: User, search: str = "") -> QuerySet[Requisition]:
    """Everything the user asks for, with its standing, by the date that each row shows."""
    revisions = Revision.objects.select_related("prepared_by").order_by("index")
    rows = matching(with_standing(own_requisitions_for(user)), search)
    return newest_first(rows).prefetch_related(Prefetch("revisions", queryset=revisions))


def listed(requisition: Requisition) -> ListedRequisition:
    """`requisition` comes from `own_rows`."""
    revisions = list(requisition.revisions.all())
    current, leading = revisions[-1], leading_of(revisions)
    shown = current if current.is_draft else leading
    state = _shown_state(revisions)
    to_confirm = current.is_draft and current.confirmation_asked_at is not None
    page = "intake:hub" if current.is_draft else "intake:status"
    return ListedRequisition(
        number=requisition.display_number,
        letter=shown.letter,
        title=requisition.title or _("New requisition"),
        state=_("To be confirmed") if to_confirm else _state_words(shown, state),
        tag="tight" if to_confirm else _WAITING.get(state, ""),
        note=_note(revisions, leading),
        since=shown.state_since,
        owner=str(requisition.owner),
        href=reverse("intake:check" if to_confirm else page, args=[requisition.pk]),
    )


def _shown_state(revisions: list[Revision]) -> str:
    """A draft that was opened to answer the engineer is a requisition that waits for answers."""
    current, leading = revisions[-1], leading_of(revisions)
    if not current.is_draft or leading.state == State.CHANGES_REQUESTED:
        return leading.state
    return State.DRAFT


def _state_words(shown: Revision, state: str) -> str:
    return str(State(state).label) if shown.is_draft else state_name(shown)


def _note(revisions: Iterable[Revision], leading: Revision) -> str:
    """Of a new draft: who fills it in, what became of the revision before it."""
    *_earlier, current = revisions
    if not current.is_draft:
        return ""
    parts = []
    if current.prepared_by is not None:
        parts.append(_("Manager: %(name)s") % {"name": current.prepared_by})
    if leading.pk != current.pk:
        values = {"letter": leading.letter, "state": state_name(leading)}
        parts.append(_("Revision %(letter)s: %(state)s") % values)
    return ". ".join(parts)
