"""Appending to the audit trail."""

import hashlib
import json
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models, transaction
from django.utils import timezone

from apps.audit.actions import ACTIONS
from apps.audit.models import AuditEvent, AuditHead
from apps.core.canonical import canonical_json

WORKER = "worker"


def event_hash(previous_hash: str, *fields: str) -> str:
    """Hash of an event: its stored texts with their lengths, so that nothing can slide over."""
    digest = hashlib.sha256()
    for text in (previous_hash, *fields):
        raw = text.encode("utf-8")
        digest.update(f"{len(raw)}:".encode())
        digest.update(raw)
    return digest.hexdigest()


def subject_key(subject: models.Model) -> str:
    return f"{subject._meta.label_lower}:{subject.pk}"


def as_written(moment: datetime) -> str:
    """A moment as the journal writes it, UTC: texts in the order of time."""
    return moment.astimezone(timezone.get_fixed_timezone(0)).isoformat()


@transaction.atomic
def record(
    *,
    actor: AbstractBaseUser | None,
    action: str,
    subject: models.Model,
    guest: str = "",
    **payload: Any,
) -> AuditEvent:
    """Append one event. Call it inside the transaction that makes the change.

    Args:
        actor: who did it; None for a worker or a guest.
        guest: the name of somebody who did it without an account.
        action: a key of `ACTIONS`.
        subject: the row it happened to.
        payload: plain JSON; no secrets, no answers in clear.

    Raises:
        KeyError: the action is not listed.
    """
    if action not in ACTIONS:
        raise KeyError(f"list {action!r} in apps/audit/actions.py")
    AuditHead.objects.get_or_create(pk=1)
    head = AuditHead.objects.select_for_update().get(pk=1)
    texts = {
        "at_text": as_written(timezone.now()),
        "actor_name": str(actor) if actor else guest or WORKER,
        "action": action,
        "subject": subject_key(subject),
        "payload_text": canonical_json(json.loads(json.dumps(payload, default=str))),
    }
    seq = head.seq + 1
    hashed = event_hash(head.hash, str(seq), *texts.values())
    actor_id = actor.pk if actor else None
    event = AuditEvent(seq=seq, actor_id=actor_id, previous_hash=head.hash, hash=hashed, **texts)
    event.save()
    AuditHead.objects.filter(pk=1).update(seq=seq, hash=hashed)
    return event
