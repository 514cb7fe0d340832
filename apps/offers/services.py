"""Writing offers down. Every change is one transaction with its event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit.services import record
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.offers.models import Offer
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed

MOST_OFFERS: Final = 12


@transaction.atomic
def offer_add(*, revision: Revision, values: Mapping[str, Any], actor: User) -> Offer:
    """Write a new offer down.

    Raises:
        NotAllowed, Conflict: see `check_may_write`.
        DomainError: there are as many as a table can show.
    """
    check_may_write(revision, actor)
    if Offer.objects.filter(revision=revision, removed_at__isnull=True).count() >= MOST_OFFERS:
        raise DomainError(
            _("A table holds up to %(count)s offers. Remove one first.") % {"count": MOST_OFFERS}
        )
    offer = Offer.objects.create(
        revision=revision, created_by=actor, changed_by=actor, **dict(values)
    )
    _record(offer, "offer.add", actor)
    return offer


@transaction.atomic
def offer_change(*, offer: Offer, values: Mapping[str, Any], version: int, actor: User) -> Offer:
    """Write what an offer says anew.

    Raises:
        NotAllowed: not by this person.
        Conflict: somebody saved it since `version` was read, or see `check_may_write`.
    """
    check_may_write(offer.revision, actor)
    _write(offer, version, actor, **dict(values))
    _record(offer, "offer.change", actor)
    return offer


@transaction.atomic
def offer_remove(*, offer: Offer, actor: User) -> None:
    """Take an offer out of the table; it can be brought back."""
    check_may_write(offer.revision, actor)
    if offer.removed_at is None:
        _write(offer, offer.version, actor, removed_at=timezone.now())
        _record(offer, "offer.remove", actor)


@transaction.atomic
def offer_restore(*, offer: Offer, actor: User) -> None:
    check_may_write(offer.revision, actor)
    if offer.removed_at is not None:
        _write(offer, offer.version, actor, removed_at=None)
        _record(offer, "offer.restore", actor)


def _write(offer: Offer, version: int, actor: User, **values: Any) -> None:
    """Conditional on the version: of two people one is told that the other was quicker."""
    changed = values | {"version": version + 1, "changed_by": actor, "changed_at": timezone.now()}
    if not Offer.objects.filter(pk=offer.pk, version=version).update(**changed):
        raise Conflict(_("Somebody has changed this offer meanwhile."))
    offer.refresh_from_db()


def check_may_write(revision: Revision, actor: User) -> None:
    """
    Raises:
        NotAllowed: not by this person.
        Conflict: the assessment is not approved, or a later one has replaced it.
    """
    if not policy.writes_offers(actor, revision):
        raise NotAllowed(_("You may read this table, not write in it."))
    if not policy.may(actor, Deed.COMPARE_OFFERS, revision):
        raise Conflict(
            _("Offers are compared for an approved assessment that no later one has replaced.")
        )


def _record(offer: Offer, action: str, actor: User) -> None:
    record(actor=actor, action=action, subject=offer.revision, offer=str(offer.pk))
