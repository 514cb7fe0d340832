"""Where the facts come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from apps.core import formatting
from apps.documents.sheets.reading import Reading
from apps.documents.snapshot import Fact

_LABELS: Final[Mapping[str, Promise]] = {
    "params_billion": pgettext_lazy("fact", "parameters"),
    "memory_gb": pgettext_lazy("fact", "memory"),
    "usable_memory_gib": pgettext_lazy("fact", "memory a program sees"),
    "memory_tb_per_s": pgettext_lazy("fact", "memory bandwidth"),
    "bf16_tflops_per_s": pgettext_lazy("fact", "BF16 rate, dense"),
    "tdp_w": pgettext_lazy("fact", "rated power"),
    "rack_units": pgettext_lazy("fact", "height"),
    "depth_mm": pgettext_lazy("fact", "depth"),
    "weight_kg": pgettext_lazy("fact", "mass"),
    "gpu_counts": pgettext_lazy("fact", "GPUs it takes"),
    "max_input_w": pgettext_lazy("fact", "maximum input"),
    "psu_count": pgettext_lazy("fact", "power supplies"),
    "psu_w": pgettext_lazy("fact", "power of one supply"),
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
    "datasheet": gettext_lazy("maker's data sheet"),
    "measurement": gettext_lazy("measurement"),
    "secondary": gettext_lazy("secondary source"),
    "derived": gettext_lazy("derived from others"),
    "unverified": gettext_lazy("not verified"),
    "high": gettext_lazy("high confidence"),
    "medium": gettext_lazy("medium confidence"),
    "low": gettext_lazy("low confidence"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRow:
    label: str
    value: str
    source: str
    confidence: str
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactGroup:
    """Facts of one item; `source` and `day` say it once when every row agrees."""

    name: str
    rows: tuple[FactRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    conclusion: str
    groups: tuple[FactGroup, ...]


def sources_of(reading: Reading) -> Sources:
    facts = reading.snapshot.facts
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.name or _("Constants"), []).append(fact)
    return Sources(
        conclusion=_conclusion(facts, reading.snapshot.catalog_day),
        groups=tuple(
            FactGroup(name=name, rows=tuple(_row(fact) for fact in members))
            for name, members in groups.items()
        ),
    )


def _conclusion(facts: tuple[Fact, ...], catalog_day: str) -> str:
    counted = ngettext("%(shown)s fact", "%(shown)s facts", len(facts)) % {
        "shown": formatting.number(len(facts))
    }
    return _("%(facts)s of the catalog as of %(day)s carry the figures of this document.") % {
        "facts": counted,
        "day": formatting.day(date.fromisoformat(catalog_day)),
    }


def _row(fact: Fact) -> FactRow:
    return FactRow(
        label=str(_LABELS[fact.key]),
        value=_value(fact.value, fact.unit),
        source=fact.source,
        confidence=str(_CONFIDENCE[fact.confidence]),
        day=formatting.day(date.fromisoformat(fact.as_of)) if fact.as_of else "",
    )


def _value(value: Any, unit: str) -> str:
    known = _UNITS.get(unit, "")
    if isinstance(value, list):
        return ", ".join(formatting.number(v) if isinstance(v, int) else str(v) for v in value)
    if isinstance(value, Mapping):
        return formatting.range_text(value, known)
    if isinstance(value, int | float):
        return formatting.quantity(value, known)
    return str(value)
