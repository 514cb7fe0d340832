"""The course of a revision: who decided what, with which words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.requisitions.models import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow:
    what: str
    who: str
    at: datetime
    comment: str
    document: str


def decision_rows(decisions: Iterable[Decision]) -> list[DecisionRow]:
    """In the order they were taken."""
    return [
        DecisionRow(
            what=str(Decision.Kind(decision.kind).label),
            who=str(decision.by),
            at=decision.at,
            comment=decision.comment,
            document=decision.document_sha256,
        )
        for decision in decisions
    ]
