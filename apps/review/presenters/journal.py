"""What happened to a revision, in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from apps.audit.actions import ACTIONS
from apps.audit.models import AuditEvent
from apps.audit.services import WORKER
from apps.estimation.texts import field_label
from apps.questionnaire.sections import QUESTIONS, section_for
from apps.requisitions.models import Annotation, Decision
from apps.requisitions.workflow import State


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalRow:
    """One event. `who` is empty for a worker; `detail` may be empty."""

    at: datetime
    who: str
    what: str
    detail: str


def journal_rows(
    events: Iterable[AuditEvent], comments: Mapping[str, list[str]]
) -> list[JournalRow]:
    """Newest first.

    Args:
        comments: words of the decisions by their kind, in the order they were taken; the trail
            itself holds no words of people.
    """
    waiting = {kind: list(texts) for kind, texts in comments.items()}
    rows = [_row(event, waiting) for event in events]
    return rows[::-1]


def comments_of(decisions: Iterable[Decision]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for decision in decisions:
        found.setdefault(decision.kind, []).append(decision.comment)
    return found


def _row(event: AuditEvent, waiting: dict[str, list[str]]) -> JournalRow:
    payload: dict[str, Any] = json.loads(event.payload_text)
    kind = event.action.removeprefix("requisition.")
    spoken = waiting.get(kind)
    comment = spoken.pop(0) if spoken else ""
    parts = [*_details(payload), comment]
    return JournalRow(
        at=datetime.fromisoformat(event.at_text),
        who="" if event.actor_name == WORKER else event.actor_name,
        what=str(ACTIONS.get(event.action, event.action)),
        detail=". ".join(part for part in parts if part),
    )


def _details(payload: Mapping[str, Any]) -> Iterable[str]:
    """The parts of an event's payload that say something to a person."""
    if payload.get("target") in State.values:
        yield _("state: %(state)s") % {"state": State(payload["target"]).label}
    if payload.get("field"):
        yield field_label(payload["field"])
    if payload.get("question") in QUESTIONS:
        yield str(QUESTIONS[payload["question"]].name)
    section = section_for(payload.get("section", ""))
    if section is not None:
        yield str(section.name)
    if payload.get("visibility") in Annotation.Visibility.values:
        yield str(Annotation.Visibility(payload["visibility"]).label)
    if payload.get("client"):
        yield _("client: %(name)s") % {"name": payload["client"]}
    if payload.get("manager"):
        yield _("manager: %(name)s") % {"name": payload["manager"]}
    if payload.get("document_sha256"):
        yield _("document %(digits)s…") % {"digits": payload["document_sha256"][:12]}
