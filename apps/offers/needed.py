"""What the approved assessment asks for, in the words of the table of offers."""

from __future__ import annotations

from collections.abc import Mapping

from apps.core import formatting
from apps.estimation.presenters.variants import VariantView, variants_of
from apps.estimation.selectors import latest_assessment, result_of
from apps.requisitions.models import Revision


def needed_of(revision: Revision) -> Mapping[str, str]:
    """Criterion -> what the recommended variant needs; empty when nothing is recommended."""
    assessment = latest_assessment(revision)
    if assessment is None:
        return {}
    views = variants_of(result_of(assessment))
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
    }
