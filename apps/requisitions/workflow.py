"""The states of a revision and the steps between them, as a table.

The code, the buttons of the pages, the permission tests and the help page read this table; nothing
else knows which step may follow which state.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Role


class State(models.TextChoices):
    DRAFT = "draft", _("Draft")
    ESTIMATING = "estimating", _("Being estimated")
    IN_REVIEW = "in_review", _("In review")
    CHANGES_REQUESTED = "changes_requested", _("Changes requested")
    IN_APPROVAL = "in_approval", _("In approval")
    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    REDIRECTED = "redirected", _("Redirected")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    SUPERSEDED = "superseded", _("Superseded")


class Action(models.TextChoices):
    SUBMIT = "submit", _("Send for assessment")
    FINISH_ESTIMATES = "finish-estimates", _("Finish estimates")
    REQUEST_CHANGES = "request-changes", _("Request changes")
    SEND_TO_APPROVAL = "send-to-approval", _("Send to approval")
    RETURN = "return", _("Return to the engineer")
    APPROVE = "approve", _("Approve")
    REJECT = "reject", _("Reject")
    REDIRECT = "redirect", _("Redirect")
    WITHDRAW = "withdraw", _("Withdraw")
    SUPERSEDE = "supersede", _("Supersede")
    RESTORE = "restore", _("Bring the draft back")


@dataclass(frozen=True, slots=True)
class Edge:
    """`role` may take `action` from `source`; None stands for a worker."""

    action: Action
    source: State
    target: State
    role: Role | None


# fmt: off
EDGES: tuple[Edge, ...] = (
    Edge(Action.SUBMIT,           State.DRAFT,             State.ESTIMATING,        Role.CLIENT),
    Edge(Action.SUBMIT,           State.DRAFT,             State.ESTIMATING,        Role.MANAGER),
    Edge(Action.REDIRECT,         State.DRAFT,             State.REDIRECTED,        Role.CLIENT),
    Edge(Action.REDIRECT,         State.DRAFT,             State.REDIRECTED,        Role.MANAGER),
    Edge(Action.WITHDRAW,         State.DRAFT,             State.WITHDRAWN,         Role.CLIENT),
    Edge(Action.WITHDRAW,         State.DRAFT,             State.WITHDRAWN,         Role.MANAGER),
    Edge(Action.WITHDRAW,         State.DRAFT,             State.WITHDRAWN,         None),
    Edge(Action.RESTORE,          State.WITHDRAWN,         State.DRAFT,             Role.CLIENT),
    Edge(Action.RESTORE,          State.WITHDRAWN,         State.DRAFT,             Role.MANAGER),
    Edge(Action.FINISH_ESTIMATES, State.ESTIMATING,        State.IN_REVIEW,         None),
    Edge(Action.WITHDRAW,         State.ESTIMATING,        State.WITHDRAWN,         Role.CLIENT),
    Edge(Action.REQUEST_CHANGES,  State.IN_REVIEW,         State.CHANGES_REQUESTED, Role.ENGINEER),
    Edge(Action.SEND_TO_APPROVAL, State.IN_REVIEW,         State.IN_APPROVAL,       Role.ENGINEER),
    Edge(Action.REDIRECT,         State.IN_REVIEW,         State.REDIRECTED,        Role.ENGINEER),
    Edge(Action.REJECT,           State.IN_REVIEW,         State.REJECTED,          Role.APPROVER),
    Edge(Action.WITHDRAW,         State.IN_REVIEW,         State.WITHDRAWN,         Role.CLIENT),
    Edge(Action.WITHDRAW,         State.CHANGES_REQUESTED, State.WITHDRAWN,         Role.CLIENT),
    Edge(Action.RETURN,           State.IN_APPROVAL,       State.IN_REVIEW,         Role.APPROVER),
    Edge(Action.APPROVE,          State.IN_APPROVAL,       State.APPROVED,          Role.APPROVER),
    Edge(Action.REJECT,           State.IN_APPROVAL,       State.REJECTED,          Role.APPROVER),
    Edge(Action.SUPERSEDE,        State.ESTIMATING,        State.SUPERSEDED,        None),
    Edge(Action.SUPERSEDE,        State.IN_REVIEW,         State.SUPERSEDED,        None),
    Edge(Action.SUPERSEDE,        State.CHANGES_REQUESTED, State.SUPERSEDED,        None),
    Edge(Action.SUPERSEDE,        State.IN_APPROVAL,       State.SUPERSEDED,        None),
    Edge(Action.SUPERSEDE,        State.APPROVED,          State.SUPERSEDED,        None),
)
# fmt: on

FINAL_STATES = frozenset(
    state for state in State if not any(edge.source == state for edge in EDGES)
)

UNDER_WAY = frozenset(
    {State.ESTIMATING, State.IN_REVIEW, State.CHANGES_REQUESTED, State.IN_APPROVAL}
)
"""States somebody has still to end. A requisition has one such revision at most: sending the next
letter supersedes it. What was approved stays approved until the next letter is."""

OPEN_FOR_NEXT = frozenset(State) - {State.DRAFT, State.SUPERSEDED}
"""States of the latest revision from which its client may open the next letter."""

_TARGETS = {(edge.action, edge.source): edge.target for edge in EDGES}


class IllegalTransition(Exception):
    """The revision is not in a state from which the action can be taken."""

    def __init__(self, action: Action, source: State) -> None:
        super().__init__(f"cannot {action.value} a revision that is {source.value}")
        self.action = action
        self.source = source


def target_of(action: Action, source: State) -> State:
    """Return the state that `action` leads to.

    Raises:
        IllegalTransition: there is no such step. Who is asking plays no part here; see `policy`.
    """
    try:
        return _TARGETS[action, source]
    except KeyError:
        raise IllegalTransition(action, source) from None


def roles_for(action: Action, source: State) -> frozenset[Role | None]:
    """Who may take `action` from `source`; empty when nobody can."""
    return frozenset(e.role for e in EDGES if e.action == action and e.source == source)


def actions_from(source: State) -> tuple[Action, ...]:
    """The steps that lead out of `source`, in the table's order, without repeats."""
    return tuple(dict.fromkeys(e.action for e in EDGES if e.source == source))
