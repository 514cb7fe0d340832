"""The appendix: how the figures of the recommended variant came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.documents.sheets.reading import Reading
from apps.estimation.explanations import stated_by
from apps.estimation.presenters.derivation import DerivationView, FormulaInput, derivation_of
from apps.estimation.presenters.formula_sources import SourceBook


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationSheet:
    """Left out of a document that keeps no explanation. `inputs` are of all parts, each once."""

    conclusion: str
    view: DerivationView | None = None
    inputs: tuple[FormulaInput, ...] = ()


def derivation_sheet_of(reading: Reading) -> DerivationSheet:
    derivation = reading.snapshot.derivation
    if derivation is None:
        return DerivationSheet(conclusion="")
    variants = reading.snapshot.result.get("variants") or ()
    blocks: Mapping[str, Any] = next((v for v in variants if v["key"] == derivation["variant"]), {})
    view = derivation_of(
        derivation["explanation"],
        rows=SourceBook.from_dict(derivation["sources"]),
        blocks=blocks,
        stated=stated_by(reading.evaluated, reading.snapshot.overrides, reading.snapshot.task),
        rough=reading.snapshot.result.get("status") == "magnitude",
    )
    inputs = {one.symbol: one for part in view.parts for one in part.inputs}
    return DerivationSheet(
        conclusion=_(
            "Every figure of variant %(key)s: its formula, the same with the numbers in it, and"
            " where each number is from."
        )
        % {"key": derivation["variant"]},
        view=view,
        inputs=tuple(inputs.values()),
    )
