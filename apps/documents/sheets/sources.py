"""Where the facts come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from apps.catalog.labels import CONFIDENCE, FACTS
from apps.core import formatting
from apps.documents.sheets.reading import Reading, in_two, short_day_of
from apps.documents.snapshot import Fact
from apps.estimation.wording.source_titles import source_title

_LABELS: Final[Mapping[str, Promise]] = {
    **FACTS,
    "params_billion": pgettext_lazy("fact", "Parameters"),
    "storage.ckpt_b_per_param_full_adam": pgettext_lazy(
        "fact", "Checkpoint that resumes, bytes a parameter (Adam)"
    ),
    "storage.dataset_copies": pgettext_lazy("fact", "Copies of the dataset on the volume"),
    "storage.fill_share": pgettext_lazy("fact", "Share of a volume that may be filled"),
    "host.ram_to_vram_ratio": pgettext_lazy("fact", "RAM over the memory of all GPUs"),
    "power.gpu_utilisation_power_factor_peak": pgettext_lazy(
        "fact", "Peak power of a GPU over its rating"
    ),
    "power.feed_planning_ratio": pgettext_lazy(
        "fact", "Power to plan for a node over the rating of its GPUs"
    ),
    "power.fan_share": pgettext_lazy("fact", "Fans over the load they cool"),
}
# Units that formatting knows; a bare ratio or count has none.
_UNITS: Final[Mapping[str, str]] = {
    "GB": "GB",
    "GiB": "GiB",
    "TB/s": "TB_per_s",
    "TFLOP/s": "TFLOPS",
    "W": "W",
    "U": "U",
    "mm": "mm",
    "kg": "kg",
    "params_billion": "params_billion",
}
_CONFIDENCE: Final[Mapping[str, Promise]] = {
    **CONFIDENCE,
    "high": gettext_lazy("high confidence"),
    "medium": gettext_lazy("medium confidence"),
    "low": gettext_lazy("low confidence"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFacts:
    """Labels with values of one item; `name` is empty for constants of the calculation."""

    name: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """One source with everything that is taken from it. `about` is its confidence, and the day
    where it has one: a model's own configuration has none."""

    source: str
    about: str
    items: tuple[ItemFacts, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """`cards` are the addresses of the catalog's cards of the hardware named."""

    conclusion: str
    stacks: tuple[tuple[SourceRow, ...], ...]
    cards: tuple[str, ...]


def sources_of(reading: Reading) -> Sources:
    facts = reading.snapshot.facts
    rows: dict[tuple[str, str, str], list[Fact]] = {}
    for fact in facts:
        rows.setdefault((fact.source, fact.confidence, fact.as_of), []).append(fact)
    return Sources(
        conclusion=_conclusion(facts, reading.snapshot.catalog_day),
        stacks=in_two([_row(members) for members in rows.values()], _length),
        cards=tuple(_cards(facts)),
    )


def _cards(facts: tuple[Fact, ...]) -> Iterator[str]:
    """Constants have no name, and a model is no item of the catalog."""
    named = (fact.item for fact in facts if fact.name and fact.key != "params_billion")
    for slug in dict.fromkeys(named):
        yield settings.SITE_URL.rstrip("/") + reverse("catalog:item", args=[slug])


def _conclusion(facts: tuple[Fact, ...], catalog_day: str) -> str:
    if not facts:
        return ""
    counted = ngettext("%(shown)s fact", "%(shown)s facts", len(facts)) % {
        "shown": formatting.number(len(facts))
    }
    return _("%(facts)s of the catalog as of %(day)s carry the figures of this document.") % {
        "facts": counted,
        "day": formatting.day(date.fromisoformat(catalog_day)),
    }


def _row(members: list[Fact]) -> SourceRow:
    first = members[0]
    items: dict[str, list[tuple[str, str]]] = {}
    for fact in members:
        items.setdefault(fact.name, []).append(fact_words(fact))
    return SourceRow(
        source=source_title(first.source),
        about=", ".join(_about(first)),
        items=tuple(ItemFacts(name=name, facts=tuple(said)) for name, said in items.items()),
    )


def _about(fact: Fact) -> Iterator[str]:
    yield str(_CONFIDENCE[fact.confidence])
    if fact.as_of:
        yield short_day_of(fact.as_of)


def _length(row: SourceRow) -> float:
    """About how much room a source takes."""
    facts = sum(
        len(item.name) + sum(len(label) + len(value) for label, value in item.facts)
        for item in row.items
    )
    return facts + len(row.source) + 60


def fact_words(fact: Fact) -> tuple[str, str]:
    """Memory, 141 GB."""
    return str(_LABELS[fact.key]), _value(fact.value, fact.unit)


def _value(value: Any, unit: str) -> str:
    known = _UNITS.get(unit, "")
    if isinstance(value, list):
        return ", ".join(formatting.number(v) if isinstance(v, int) else str(v) for v in value)
    if isinstance(value, Mapping):
        return formatting.range_text(value, known)
    if isinstance(value, int | float):
        return formatting.quantity(value, known)
    return str(value)
