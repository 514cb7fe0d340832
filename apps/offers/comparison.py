"""Offers side by side: what each says, what it leaves out, and whether speeds may be compared.

Speeds are ranked only among offers whose step was measured on the same load with the same quality
reached: anything else compares two different results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from apps.core import formatting
from apps.offers.models import Offer, Quality, Workload

CRITERIA: Final[tuple[tuple[str, Promise], ...]] = (
    ("part_number", pgettext_lazy("offer", "Part number")),
    ("confirmation", pgettext_lazy("offer", "Part number confirmed")),
    ("composition", pgettext_lazy("offer", "Composition")),
    ("condition", pgettext_lazy("offer", "Condition")),
    ("warranty", pgettext_lazy("offer", "Warranty")),
    ("network", pgettext_lazy("offer", "Network")),
    ("storage", pgettext_lazy("offer", "Drives")),
    ("placement", pgettext_lazy("offer", "Placement and power")),
    ("step_s", pgettext_lazy("offer", "Measured step")),
    ("workload", pgettext_lazy("offer", "Measured on")),
    ("quality", pgettext_lazy("offer", "Quality on held-out data")),
)
"""Field -> what it is called, in the order of the table."""

_LEAST_RANKED: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One criterion: a text for each offer in their order, "" where it was not said; `needed` is
    what the assessment asks for, "" where it sets nothing."""

    key: str
    label: str
    needed: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`ratio` is the step beside the shortest one, as text: 1 for it, 1.2 for a fifth longer."""

    supplier: str
    step: str
    ratio: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Places of what may be compared, the fastest first; `apart` says why the others may not."""

    places: tuple[Place, ...]
    apart: tuple[tuple[str, str], ...]


def rows_of(offers: Sequence[Offer], needed: Mapping[str, str] | None = None) -> list[Row]:
    asks = needed or {}
    return [
        Row(
            key=key,
            label=str(label),
            needed=asks.get(key, ""),
            values=tuple(value_text(offer, key) for offer in offers),
        )
        for key, label in CRITERIA
    ]


def value_text(offer: Offer, key: str) -> str:
    """What the offer says of a criterion; "" when it says nothing."""
    if key == "step_s":
        return "" if offer.step_s is None else formatting.quantity(offer.step_s, "s")
    if key == "workload" and offer.workload == Workload.OTHER and offer.workload_words:
        return f"{offer.get_workload_display()}: {offer.workload_words}"
    if key in {"confirmation", "condition", "workload", "quality"}:
        return str(getattr(offer, f"get_{key}_display")())
    return str(getattr(offer, key))


def gaps_of(offer: Offer) -> list[str]:
    """The criteria the offer says nothing of: the questions to its supplier."""
    return [str(label) for key, label in CRITERIA if not value_text(offer, key)]


def ranking_of(offers: Sequence[Offer]) -> Ranking:
    """Rank by measured step what was measured on equal terms; two at least, or nothing is ranked."""
    equal = sorted((o for o in offers if not why_apart(o)), key=lambda o: (o.step_s, o.supplier))
    apart = [(o.supplier, why_apart(o)) for o in offers if why_apart(o)]
    if len(equal) < _LEAST_RANKED:
        lonely = pgettext("offer", "there is no other offer measured on equal terms")
        return Ranking(places=(), apart=tuple([(o.supplier, lonely) for o in equal] + apart))
    fastest_s = equal[0].step_s or 1.0
    places = tuple(
        Place(
            supplier=o.supplier,
            step=value_text(o, "step_s"),
            ratio=formatting.approximate((o.step_s or fastest_s) / fastest_s, 3),
        )
        for o in equal
    )
    return Ranking(places=places, apart=tuple(apart))


def why_apart(offer: Offer) -> str:
    """Why the offer's speed may not be set beside others; "" when it may."""
    if offer.step_s is None:
        return _("the step was not measured")
    if offer.workload == Workload.OTHER:
        return _("measured on another load")
    if not offer.workload:
        return _("it is not said what load was measured")
    if offer.quality == Quality.MISSED:
        return _("the quality on held-out data was not reached")
    if not offer.quality:
        return _("the quality on held-out data is not given")
    return ""
