"""What a person may do with a revision now. Asks the policy, knows no rule of its own."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import Role, User
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.workflow import Action, State


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSet:
    """`send_refusal` says why sending is not possible yet; "" when it is."""

    take: bool
    give_back: bool
    send: bool
    send_refusal: str
    ask: bool
    redirect: bool
    approve: bool

    @property
    def any(self) -> bool:
        return any((self.take, self.give_back, self.send, self.ask, self.redirect, self.approve))


def actions_of(user: User, revision: Revision, blocker_count: int) -> ActionSet:
    mine = revision.engineer_id == user.pk
    return ActionSet(
        take=revision.engineer_id is None and policy.may(user, Deed.TAKE, revision),
        give_back=mine and policy.may(user, Deed.GIVE_BACK, revision),
        send=policy.can(user, Action.SEND_TO_APPROVAL, revision),
        send_refusal=_refusal(blocker_count),
        ask=policy.can(user, Action.REQUEST_CHANGES, revision),
        redirect=policy.can(user, Action.REDIRECT, revision),
        approve=revision.state == State.IN_APPROVAL and user.has_role(Role.APPROVER),
    )


def _refusal(blocker_count: int) -> str:
    if not blocker_count:
        return ""
    return ngettext(
        "First remove %(count)s obstacle.", "First remove %(count)s obstacles.", blocker_count
    ) % {"count": blocker_count}


def own_work_reason() -> str:
    """Why this person may not approve, before they click."""
    return _("You worked on this revision, so somebody else must approve it.")
