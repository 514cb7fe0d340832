"""What happened to a person, in sentences."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.models import Role, User
from apps.audit.actions import ACTIONS
from apps.audit.selectors import events_for

_MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    at: datetime
    who: str
    what: str


def history_of(shown: User) -> list[Happened]:
    """The latest first; the caller is an administrator."""
    return [
        Happened(
            at=datetime.fromisoformat(event.at_text),
            who=event.actor_name,
            what=_sentence(event.action, json.loads(event.payload_text)),
        )
        for event in events_for(shown).order_by("-seq")[:_MOST]
    ]


def _sentence(action: str, payload: dict[str, object]) -> str:
    roles = payload.get("roles")
    if not isinstance(roles, list):
        return str(ACTIONS[action])
    return f"{ACTIONS[action]}: {', '.join(str(Role(role).label) for role in roles)}"
