"""Reading offers: always for somebody, 404 when they may not see them."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.accounts.models import User
from apps.offers.models import Offer
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import revision_get_for


def offers_revision_for(user: User, revision_id: UUID) -> Revision:
    """A revision whose offers the person may see: an approved one, or one that was.

    Raises:
        Http404: it is not theirs, or nothing was approved yet.
    """
    revision = revision_get_for(user, revision_id)
    if not policy.may(user, Deed.DOWNLOAD_FINAL, revision):
        raise Http404
    return revision


def writable_revision_for(user: User, revision_id: UUID) -> Revision:
    """One whose offers the person may ever write down; whether it is still in force is the
    services' to judge. Http404 for mere readers.
    """
    revision = offers_revision_for(user, revision_id)
    if not policy.writes_offers(user, revision):
        raise Http404
    return revision


def offers_of(revision: Revision) -> QuerySet[Offer]:
    """In the order in which they were written down, without the removed ones."""
    return Offer.objects.filter(revision=revision, removed_at__isnull=True)


def offer_get_for(user: User, revision_id: UUID, offer_id: UUID) -> Offer:
    """An offer, removed or not, that the person may ever change, or Http404."""
    revision = writable_revision_for(user, revision_id)
    rows = Offer.objects.select_related("revision__requisition", "changed_by")
    return get_object_or_404(rows, pk=offer_id, revision=revision)


def way_back(user: User, revision: Revision) -> str:
    """The page from which the person came: their own of the requisition."""
    if policy.acts_for_client(user, revision.requisition):
        return reverse("intake:status", args=[revision.requisition_id])
    return reverse("review:document", args=[revision.pk])
