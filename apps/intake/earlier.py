"""Earlier requisitions of the person's company that a new one may begin from."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.http import Http404

from apps.accounts.models import User
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.selectors import own_requisitions_for

_MOST: Final = 8


def earlier_for(user: User) -> list[Requisition]:
    """The latest requisitions of the company that were sent, newest first."""
    own = own_requisitions_for(user).filter(company=user.company)
    sent = own.filter(number__isnull=False)
    return list(sent.order_by("-created_at")[:_MOST])


def earlier_get_for(user: User, requisition_id: UUID) -> Revision:
    """The latest letter that was sent of one of them, or 404."""
    own = own_requisitions_for(user).filter(company=user.company, pk=requisition_id)
    letters = Revision.objects.filter(requisition__in=own, submitted_at__isnull=False)
    sent = letters.select_related("requisition").order_by("submitted_at").last()
    if sent is None:
        raise Http404
    return sent
