"""What the approved assessment asks for, in the words of the table of offers."""

from __future__ import annotations

from collections.abc import Mapping

from apps.core import formatting
from apps.estimation.presenters.variants import VariantView, variants_of
from apps.estimation.selectors import latest_assessment, shown_result
from apps.offers.models import Confirmation, Quality, Workload
from apps.requisitions.models import Revision


def needed_of(revision: Revision) -> Mapping[str, str]:
    """Criterion -> what the recommended variant needs; empty when nothing is recommended."""
    assessment = latest_assessment(revision)
    if assessment is None:
        return {}
    views = variants_of(shown_result(assessment))
    best = next((v for v in views if v.recommended), None)
    return {} if best is None else {k: v for k, v in _asks(best).items() if v}


def _asks(best: VariantView) -> dict[str, str]:
    figures = {
        cell.key: formatting.range_text(cell.value, cell.unit) for cell in best.cells if cell.value
    }
    return {
        "part_number": best.server,
        "composition": best.hardware,
        "network": best.link,
        "storage": figures.get("storage", ""),
        "placement": figures.get("rack", ""),
        "step_s": _step(best),
        "confirmation": str(Confirmation.DOCUMENT.label),
        "workload": str(Workload.PROTOCOL.label),
        "quality": str(Quality.REACHED.label),
    }


def _step(best: VariantView) -> str:
    step = (best.block.get("time") or {}).get("step_s")
    return formatting.range_text(step, "s") if step else ""
