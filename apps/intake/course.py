"""How a requisition goes, for everybody to read: the states and the steps of the workflow's table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.accounts.models import Role
from apps.requisitions.workflow import EDGES, FINAL_STATES, State

MEANINGS: Final[dict[State, Promise]] = {
    State.DRAFT: _("The client answers, alone or with colleagues; nothing has been sent."),
    State.ESTIMATING: _(
        "The answers are frozen, and memory, links, time, storage, host and rack are calculated."
    ),
    State.IN_REVIEW: _(
        "An engineer checks answers and figures, may set other values with a reason, and asks what"
        " is unclear."
    ),
    State.CHANGES_REQUESTED: _(
        "The engineer has asked; the client answers in the next letter. The clock stands still."
    ),
    State.IN_APPROVAL: _(
        "Somebody who has not worked on it reads exactly the document to be signed."
    ),
    State.APPROVED: _(
        "The document is signed and can be downloaded; its answers never change again."
    ),
    State.REJECTED: _("It ended without an assessment; the reason is given in a short document."),
    State.REDIRECTED: _(
        "Another way comes first: search over documents, inference, a pilot. The answers are kept."
    ),
    State.WITHDRAWN: _("The client has taken it back; the answers are kept."),
    State.SUPERSEDED: _("A later letter has taken its place; its documents say so."),
}
_WORKER: Final = pgettext_lazy("who takes a step", "by itself")


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A step out of a state: what is done, by whom, and where it leads."""

    action: str
    who: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    code: str
    name: str
    meaning: str
    final: bool
    ways: tuple[Way, ...]


def stages() -> list[Stage]:
    """Every state in the table's order, in the language of the moment."""
    return [
        Stage(
            code=state.value,
            name=str(state.label),
            meaning=str(MEANINGS[state]),
            final=state in FINAL_STATES,
            ways=tuple(_ways(state)),
        )
        for state in State
    ]


def _ways(state: State) -> list[Way]:
    found: dict[tuple[str, str], list[str]] = {}
    for edge in EDGES:
        if edge.source == state:
            who = str(_WORKER if edge.role is None else Role(edge.role).label)
            found.setdefault((str(edge.action.label), str(edge.target.label)), []).append(who)
    return [Way(action=a, target=t, who=tuple(who)) for (a, t), who in found.items()]
