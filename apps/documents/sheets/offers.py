"""An empty grid to compare offers in: what the assessment needs, and room for three answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Variant, picked, range_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OffersSheet:
    """Left out where no variant is named. `rows` are what is compared and what is needed."""

    conclusion: str
    rows: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]


def offers_sheet_of(reading: Reading, variants: tuple[Variant, ...]) -> OffersSheet:
    variant = picked(variants)
    if variant is None:
        return OffersSheet(conclusion="", rows=(), columns=())
    return OffersSheet(
        conclusion=_(
            "Compare offers at an equal result: the same model, data, length and quality, not the speed of a card. An empty cell means “not specified”."
        ),
        rows=tuple(_rows(variant)),
        columns=tuple(
            pgettext("column", "offer %(number)s") % {"number": formatting.number(number)}
            for number in (1, 2, 3)
        ),
    )


def _rows(variant: Variant) -> Iterator[tuple[str, str]]:
    yield (
        _("Composition"),
        ", ".join(
            part
            for part in (variant.hardware, variant.link_text, _host(variant))
            if part and part != formatting.not_given()
        ),
    )
    yield _("Drives"), _drives(variant)
    yield _("Network"), _network(variant)
    if variant.rented:
        yield _("Period and notice"), _("measure a step first, then prolong by steps")
        yield _("Where it stands, who has access"), _("data may leave only if you allow it")
    else:
        yield _("Part number confirmed by a document"), variant.server or formatting.not_given()
        yield _("Condition"), _("new, refurbished or used: in writing")
        yield _("Warranty and replacement"), _("term, place, time to replace a GPU")
        yield _("Placement: power, units, depth"), _placement(variant)
    yield _("Shown at acceptance"), _("all lines of the programme of acceptance")


def _host(variant: Variant) -> str:
    ram = range_of(variant.block("host"), "ram_gb")
    return _("RAM %(ram)s") % {"ram": formatting.span_text(ram, "GB")} if ram else ""


def _drives(variant: Variant) -> str:
    need = variant.storage_gb
    if need is None:
        return formatting.not_given()
    return _("%(need)s on two volumes") % {"need": formatting.span_text(need, "GB")}


def _network(variant: Variant) -> str:
    if variant.nodes > 1:
        return _("between nodes: a design of its own")
    return _("to bring the data and take the checkpoints away")


def _placement(variant: Variant) -> str:
    if variant.load_kw is None:
        return formatting.not_given()
    return _("up to %(power)s under load") % {
        "power": formatting.estimate(variant.load_kw.high, "kW")
    }
