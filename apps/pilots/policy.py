"""Who may look at a pilot, and who may write down what it measured."""

from __future__ import annotations

from typing import Final

from apps.accounts.models import Role, User
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed, acts_for_client, is_client_of, may
from apps.requisitions.workflow import State

_OPEN: Final = frozenset({State.IN_REVIEW, State.APPROVED})


def may_enter(user: User, revision: Revision) -> bool:
    """The client and the engineers, in review and once it is approved; until then a client sees no
    hardware, and what replaced it takes the pilots of later."""
    if not user.is_active or State(revision.state) not in _OPEN:
        return False
    return user.has_role(Role.ENGINEER) or acts_for_client(user, revision.requisition)


def may_carry(user: User, revision: Revision) -> bool:
    """Who may open the next letter with what was measured: the client does it at once."""
    theirs = acts_for_client(user, revision.requisition)
    return theirs and State(revision.state) in _OPEN


def sees_figures(user: User, revision: Revision) -> bool:
    """The platform and the estimates, which a client sees after the approval."""
    return may(user, Deed.SEE_ESTIMATES, revision)


def may_see(user: User, revision: Revision) -> bool:
    """Whoever sees the estimates, and the client while a pilot may be written down."""
    if sees_figures(user, revision):
        return True
    theirs = is_client_of(user, revision.requisition) or acts_for_client(user, revision.requisition)
    return theirs and State(revision.state) in _OPEN
