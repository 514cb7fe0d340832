"""Promises about what guests of a link have done: each check yields one line a problem."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from apps.audit.models import AuditEvent
from apps.audit.services import subject_key
from apps.questionnaire.sections import SECTION_OF
from apps.requisitions.models import Answer, GuestInvitation, GuestKey

_HASH = re.compile(r"[0-9a-f]{64}")
_WORDS = {"done": "guest.answer", "lacking": "guest.lacking"}


def guests_answer_their_own_section() -> Iterator[str]:
    """Also in later letters, which take the answers along."""
    rows = Answer.objects.filter(guest__isnull=False)
    for row in rows.select_related("guest__revision", "revision__requisition").iterator():
        guest = row.guest
        assert guest is not None, "the filter"
        section = SECTION_OF.get(row.key)
        if section is not None and section.key != guest.section:
            yield f"{row.revision}: a guest of {guest.section} has answered {row.key}"
        if guest.revision.requisition_id != row.revision.requisition_id:
            yield f"{row.revision}: {row.key} was answered by a guest of another requisition"
        if guest.begun_at is None:
            yield f"{row.revision}: {row.key} was answered by a guest who never began"


def what_guests_did_is_on_record() -> Iterator[str]:
    for row in GuestInvitation.objects.select_related("revision").iterator():
        events = AuditEvent.objects.filter(
            subject=subject_key(row.revision), action__startswith="guest."
        )
        done = {
            event.action
            for event in events
            if json.loads(event.payload_text).get("invitation") == str(row.pk)
        }
        wanted = {
            "guest.invite": True,
            "guest.open": row.begun_at is not None,
            "guest.revoke": row.revoked_at is not None,
            _WORDS.get(row.verdict, ""): bool(row.verdict),
        }
        for action, expected in wanted.items():
            if expected and action not in done:
                yield f"{row.revision}: link {row.pk} without {action} in the audit trail"


def links_are_kept_as_hashes() -> Iterator[str]:
    for key in GuestKey.objects.iterator():
        if not _HASH.fullmatch(key.token_hash) or not _HASH.fullmatch(key.code_hash):
            yield f"{key}: holds something else than hashes"


CHECKS: tuple[Callable[[], Iterator[str]], ...] = (
    guests_answer_their_own_section,
    what_guests_did_is_on_record,
    links_are_kept_as_hashes,
)
