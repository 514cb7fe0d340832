"""Drawings of the workspace: the memory of all variants on one scale."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from apps.charts import Drawing, MemoryBar, MemoryLabels, memory_chart
from apps.core.formatting import approximate
from apps.core.verdict_words import verdict_word
from apps.estimation.presenters import VariantView
from apps.estimation.presenters.contrast import inference_bars
from apps.sizing.ranges import Range


def memory_drawing(
    variants: Sequence[VariantView], params_billion: float | None = None
) -> Drawing | None:
    """A bar for every variant whose memory is calculated, beside what inference would start from;
    None when there is none."""
    bars = [_bar(variant) for variant in variants if not variant.cell("memory").missing]
    if not bars:
        return None
    return memory_chart(
        [*inference_bars(params_billion), *bars],
        weights_only_gib=None,
        labels=MemoryLabels().translated(gettext),
        number=approximate,
    )


def _bar(variant: VariantView) -> MemoryBar:
    memory = variant.block["memory"]
    return MemoryBar(
        key=variant.key,
        name=variant.name,
        hardware=variant.hardware,
        components_gib=memory["components_gib"],
        device_gib=Range.from_dict(memory["device_gib"]),
        capacity_gib=memory.get("capacity_gib"),
        status=memory["verdict"],
        word=verdict_word(memory["verdict"]),
    )
