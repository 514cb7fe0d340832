"""The formulas behind the figures of the variant that a workspace shows."""

from __future__ import annotations

from collections.abc import Mapping

from apps.catalog.releases import contents_for
from apps.estimation.explanations import explanation_of, stated_by
from apps.estimation.presenters import VariantView
from apps.estimation.presenters.derivation import PartDerivation, derivation_of
from apps.estimation.presenters.formula_sources import SourceBook
from apps.estimation.selectors import result_of, task_of
from apps.review.dossier import Dossier


def derivations(dossier: Dossier, shown: VariantView | None) -> Mapping[str, PartDerivation]:
    """By part; empty while no variant is shown, or when its figures are of another engine."""
    assessment = dossier.assessment
    if assessment is None or shown is None:
        return {}
    result, calculation = result_of(assessment), assessment.calculation
    # As the engine wrote it: what is shown may be rounded.
    variant = next((v for v in result["variants"] if v["key"] == shown.key), None)
    explanation = explanation_of(calculation, variant) if variant else None
    if explanation is None or variant is None:
        return {}
    contents = contents_for(calculation.catalog_sha256)
    view = derivation_of(
        explanation,
        rows=SourceBook.of(contents, explanation),
        blocks=variant,
        stated=stated_by(dossier.evaluated, dossier.overrides, task_of(calculation)),
        rough=result["status"] == "magnitude",
    )
    return {part.key: part for part in view.parts}
