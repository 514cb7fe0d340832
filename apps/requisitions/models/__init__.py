"""Rows of a requisition, by noun."""

from apps.requisitions.models.answers import Answer, Attachment, OpenQuestion
from apps.requisitions.models.requisition import Counter, Requisition, Revision
from apps.requisitions.models.review import Annotation, Decision, Override, Recheck

__all__ = [
    "Annotation",
    "Answer",
    "Attachment",
    "Counter",
    "Decision",
    "OpenQuestion",
    "Override",
    "Recheck",
    "Requisition",
    "Revision",
]
