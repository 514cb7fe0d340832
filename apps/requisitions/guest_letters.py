"""What the letter to a guest says, found out when it is sent: `settings.MAIL_CONTEXTS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from apps.accounts.links import absolute
from apps.jobs.services import Unrepeatable
from apps.questionnaire.sections import section_for
from apps.requisitions.guest_keys import key_make
from apps.requisitions.models import GuestInvitation


def invitation(params: Mapping[str, Any]) -> dict[str, Any]:
    """A link made for this very letter. Nothing in it was typed by the one who invites but their
    own confirmed address: the letter goes to a stranger's mailbox.

    Raises:
        Unrepeatable: the invitation is over.
    """
    row = (
        GuestInvitation.objects.select_related("revision__requisition", "invited_by")
        .filter(pk=params["invitation"])
        .first()
    )
    section = section_for(row.section) if row else None
    if row is None or section is None or not row.is_usable:
        raise Unrepeatable("the invitation is over")
    secret = key_make(row)
    return {
        "number": row.revision.requisition.display_number,
        "letter": row.revision.letter,
        "section": section.name,
        "inviter": row.invited_by.email,
        "due": date_format(row.due, "j E Y") if row.due else "",
        "until": date_format(timezone.localtime(row.expires_at), "j E Y, H:i"),
        "url": secret.url,
        "code": secret.spaced_code,
        "code_url": absolute(reverse("intake:guest-code")),
    }
