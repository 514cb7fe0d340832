"""Reading the audit trail."""

from django.db import models

from apps.audit.models import AuditEvent, AuditHead
from apps.audit.services import event_hash, subject_key


def events_for(*subjects: models.Model) -> models.QuerySet[AuditEvent]:
    """What happened to these rows, oldest first."""
    return AuditEvent.objects.filter(subject__in=[subject_key(s) for s in subjects])


def chain_problems() -> list[str]:
    """Everything that is wrong with the chain; empty when it is whole."""
    problems: list[str] = []
    previous, expected = "", 1
    for event in AuditEvent.objects.order_by("seq").iterator():
        if event.seq != expected:
            problems.append(f"event {expected} is missing")
        fields = (event.at_text, event.actor_name, event.action, event.subject, event.payload_text)
        if event.previous_hash != previous:
            problems.append(f"event {event.seq} does not follow the one before it")
        if event.hash != event_hash(event.previous_hash, str(event.seq), *fields):
            problems.append(f"event {event.seq} was changed")
        previous, expected = event.hash, event.seq + 1
    head = AuditHead.objects.filter(pk=1).first()
    if head is not None and (head.seq, head.hash) != (expected - 1, previous):
        problems.append(f"the chain ends at event {expected - 1}, its head says {head.seq}")
    return problems
