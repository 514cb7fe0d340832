"""How much of each GPU is left as their number grows: the drawing of the curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext

from apps.charts import (
    Drawing,
    EfficiencyLabels,
    EfficiencyPlot,
    EfficiencyPoint,
    efficiency_chart,
)
from apps.core.formatting import approximate
from apps.sizing.ranges import Range

# A line over PCIe nearer than this to the other says nothing of its own.
_WORTH_DRAWING: Final = 0.01
# A curve that never leaves the upper edge says nothing that its table does not.
_FLAT: Final = 0.95


def scaling_drawing(curve: Mapping[str, Any]) -> Drawing | None:
    """`scaling` of a result, drawn; the table beside it is `scaling_table`.

    None for a curve that stays at the upper edge.
    """
    rows = curve["rows"]
    if min(row["efficiency"]["low"] for row in rows) >= _FLAT:
        return None
    inside = [row for row in rows if row["nodes"] == 1]
    apart = any(
        row["efficiency"]["typical"] - row["pcie_efficiency"] >= _WORTH_DRAWING for row in inside
    )
    points = [
        EfficiencyPoint(
            gpu_count=row["gpus"],
            node_count=row["nodes"],
            efficiency=Range.from_dict(row["efficiency"]),
            over_pcie=row["pcie_efficiency"] if apart and row["nodes"] == 1 else None,
        )
        for row in rows
    ]
    return efficiency_chart(
        EfficiencyPlot(points=points, pays_until=curve["pays_until"]),
        labels=EfficiencyLabels().translated(gettext),
        number=approximate,
    )
