"""What the catalog's rules say of the parts an offer names. Reading confirms nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.catalog.releases import present_catalog
from apps.estimation.presenters.offers import OfferView, offer_of
from apps.offers.models import Offer
from apps.sizing.offers import offer_block

_UNCONFIRMED: Final = "configuration.needs-confirmation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    supplier: str
    view: OfferView


def readings_of(offers: Sequence[Offer]) -> list[Reading]:
    """Of every offer that names parts, in their order."""
    catalog = present_catalog()
    found = []
    for offer in offers:
        text = ", ".join(part for part in (offer.part_number, offer.composition) if part)
        block = offer_block(text, None, catalog)
        if block is not None:
            # Said once above them all.
            block["notes"] = [note for note in block["notes"] if note["key"] != _UNCONFIRMED]
            view = offer_of({"offer": block})
            assert view is not None, "there is a block"
            found.append(Reading(supplier=offer.supplier, view=view))
    return found
