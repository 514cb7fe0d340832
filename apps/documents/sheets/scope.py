"""What this document is not: work of its own that it neither does nor replaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.documents.sheets.reading import by_two
from apps.documents.sheets.variants import Variant

_OUTSIDE: Final = (
    (
        gettext_lazy("Engineering design"),
        gettext_lazy("Layout of the room, power, cables, air or liquid cooling by a designer."),
    ),
    (
        gettext_lazy("Parallel file system"),
        gettext_lazy("Its choice, its size and its rates for several nodes."),
    ),
    (
        gettext_lazy("Network fabric"),
        gettext_lazy("Topology, switches and optics between nodes: only their need is named."),
    ),
    (
        gettext_lazy("Liquid cooling"),
        gettext_lazy("Loops, manifolds and the heat they carry out of the building."),
    ),
    (
        gettext_lazy("Servers for inference"),
        gettext_lazy("They are sized by requests, length and answer time, in another way."),
    ),
    (
        gettext_lazy("Price and terms"),
        gettext_lazy("No prices, discounts, days of delivery or warranty: those are of offers."),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Left out where no variant is named: the questions are the whole answer there."""

    conclusion: str
    rows: tuple[tuple[tuple[str, str], ...], ...]


def scope_of(variants: tuple[Variant, ...]) -> Scope:
    if not variants:
        return Scope(conclusion="", rows=())
    return Scope(
        conclusion=_("The assessment names a possible configuration. It does not replace:"),
        rows=by_two([(str(name), str(text)) for name, text in _OUTSIDE]),
    )
