"""Rows of a requisition, by noun."""

from apps.requisitions.models.answers import Answer, Attachment, OpenQuestion
from apps.requisitions.models.clock import Clock, ClockPause, Presence
from apps.requisitions.models.guests import GuestInvitation, GuestKey
from apps.requisitions.models.requisition import Counter, Requisition, Revision
from apps.requisitions.models.review import (
    OPEN_THREAD,
    Annotation,
    Decision,
    Override,
    OverrideReply,
    Recheck,
)

__all__ = [
    "OPEN_THREAD",
    "Annotation",
    "Answer",
    "Attachment",
    "Clock",
    "ClockPause",
    "Counter",
    "Decision",
    "GuestInvitation",
    "GuestKey",
    "OpenQuestion",
    "Override",
    "OverrideReply",
    "Presence",
    "Recheck",
    "Requisition",
    "Revision",
]
