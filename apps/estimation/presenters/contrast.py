"""What inference would start from, as a bar beside the training: for contrast, not to buy by."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext

from apps.charts import MemoryBar
from apps.sizing.ranges import Range
from apps.sizing.units import GIB

_BF16_BYTES: Final = 2


def inference_bars(params_billion: float | None) -> list[MemoryBar]:
    """The whole model in 16 bits and nothing else; no bar for a model of unknown size."""
    if not params_billion:
        return []
    weights_gib = params_billion * _BF16_BYTES * 1e9 / GIB
    return [
        MemoryBar(
            key=pgettext("chart", "Inference"),
            name="",
            hardware=pgettext("chart", "weights only, 16 bits"),
            components_gib={"weights": weights_gib},
            device_gib=Range.exact(weights_gib),
            capacity_gib=None,
            status="unknown",
            word=pgettext("chart", "not a spec"),
        )
    ]
