"""Memory of one GPU: the picture and its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from apps.charts import MemoryBar, MemoryLabels, memory_chart
from apps.core import formatting
from apps.core.palette import state_of
from apps.core.verdict_words import verdict_word
from apps.documents.sheets.levers import Contrast, Lever, contrast_of, levers_of, multiple_text
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Variant, picked
from apps.estimation.presenters.contrast import inference_bars
from apps.estimation.texts import component_name
from apps.sizing.ranges import Range

COMPONENTS: Final = ("weights", "gradients", "optimizer", "activations", "buffers")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """One variant; `parts` are texts in the order of `COMPONENTS`, `reason` stands in their place."""

    key: str
    parts: tuple[str, ...]
    device: Range | None
    capacity: str
    verdict: str | None
    reason: str
    recommended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySheet:
    conclusion: str
    drawing: str
    heads: tuple[str, ...]
    rows: tuple[MemoryRow, ...]
    multiple: str
    contrast: Contrast | None
    levers: tuple[Lever, ...]


def memory_of(
    reading: Reading, variants: tuple[Variant, ...], *, drawn_before: bool
) -> MemorySheet:
    """The section; without its picture when the summary shows it already."""
    variant = picked(variants)
    return MemorySheet(
        conclusion=_conclusion(variant),
        drawing="" if drawn_before else memory_drawing(variants),
        heads=tuple(component_name(part).lower() for part in COMPONENTS),
        rows=tuple(_row(variant) for variant in variants),
        multiple=multiple_text(variant) if variant else "",
        contrast=contrast_of(reading) if variant else None,
        levers=levers_of(reading, variant),
    )


def _conclusion(variant: Variant | None) -> str:
    if variant is None:
        return ""
    if variant.device_gib is None:
        return not_calculated(variant, "memory")
    return _("%(variant)s: %(need)s of %(capacity)s on one GPU, %(verdict)s.") % {
        "variant": variant.key,
        "need": formatting.span_text(variant.device_gib, "GiB"),
        "capacity": formatting.quantity(variant.capacity_gib, "GiB"),
        "verdict": verdict_word(variant.verdict("memory")),
    }


def memory_drawing(variants: tuple[Variant, ...]) -> str:
    """The bars of every variant whose memory is known; empty when none is."""
    bars = [bar for bar in map(_bar, variants) if bar]
    if not bars:
        return ""
    return memory_chart(
        [*inference_bars(_params_billion(variants[0].reading)), *bars],
        weights_only_gib=None,
        labels=MemoryLabels().translated(gettext),
        number=formatting.approximate,
    ).wide


def _params_billion(reading: Reading) -> float | None:
    """As stated, else as the catalog has it."""
    stated = (reading.snapshot.task.get("model") or {}).get("params_billion")
    known = [f.value for f in reading.snapshot.facts if f.key == "params_billion"]
    return stated or next(iter(known), None)


def _bar(variant: Variant) -> MemoryBar | None:
    block, device = variant.block("memory"), variant.device_gib
    if block is None or device is None:
        return None
    return MemoryBar(
        key=variant.key,
        name=variant.name,
        hardware=variant.hardware,
        components_gib=block.get("components_gib") or {},
        device_gib=device,
        capacity_gib=variant.capacity_gib,
        status=state_of(variant.verdict("memory")),
        word=verdict_word(variant.verdict("memory")),
    )


def _row(variant: Variant) -> MemoryRow:
    block = variant.block("memory")
    parts = (block or {}).get("components_gib") or {}
    known = variant.device_gib is not None
    return MemoryRow(
        key=variant.key,
        parts=tuple(formatting.approximate(parts.get(name)) for name in COMPONENTS),
        device=variant.device_gib,
        capacity=formatting.number(variant.capacity_gib),
        verdict=variant.verdict("memory"),
        reason="" if known else not_calculated(variant, "memory"),
        recommended=variant.recommended,
    )


def not_calculated(variant: Variant, estimator: str) -> str:
    """What stands in the place of figures that are not there: the reason as a sentence."""
    return variant.reason(estimator) or _("Not calculated.")
