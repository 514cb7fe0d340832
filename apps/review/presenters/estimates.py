"""The estimates of a revision: states of the estimators, figures of one variant, all variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.catalog.published import published_model
from apps.core.formatting import duration, number, range_text
from apps.estimation.models import Calculation
from apps.estimation.presenters import (
    Cell,
    Detail,
    EngineQuestion,
    InfluenceView,
    LadderView,
    LimitsView,
    MethodsView,
    NearRun,
    OwnRunView,
    PlanView,
    VariantView,
    cell_of,
    detail_of,
    headline,
    influence_of,
    ladder_of,
    limits_of,
    methods_of,
    near_runs,
    not_counted_texts,
    own_of,
    own_runs,
    plan_of,
    programme_of,
    question_rows,
    size_band_text,
)
from apps.estimation.presenters.cells import PARTS
from apps.estimation.presenters.cycle import cycle_conclusion, cycle_drawing
from apps.estimation.presenters.derivation import PartDerivation
from apps.estimation.presenters.offers import offer_of
from apps.estimation.selectors import EstimatorRun, runs_of
from apps.estimation.texts import code_word, estimator_name, sentence, sentences, status_sentence
from apps.pilots.standing import (
    confirms,
    measured_points,
    pilot_of,
    status_words,
    stop_text,
    stop_title,
)
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.ways import PLACES
from apps.requisitions import policy
from apps.requisitions.policy import Deed
from apps.review.dossier import Dossier
from apps.review.presenters.answers import OverrideView, override_view
from apps.review.presenters.derivations import derivations
from apps.review.presenters.drawings import memory_drawing
from apps.review.presenters.variant_page import may_edit


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """One part with what stands behind it; `moved` are the engineer's values that reach it."""

    cell: Cell
    detail: Detail
    derivation: PartDerivation | None
    moved: tuple[OverrideView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatePanel:
    """The middle of the workspace.

    `runs` are shown while something runs or when something failed; `methods` stand before the
    hardware, `plan`, `ladder`, `limits` and `near` behind it; `underived`: this engine would come
    to other figures, so that it cannot say how these came about; `shown` is the variant whose
    figures stand in `rows`, `others` the keys one may switch to.
    """

    title: str
    about: str
    running: bool
    stale: bool
    runs: list[dict[str, str]]
    rows: tuple[EstimateRow, ...]
    shown: VariantView | None
    others: tuple[VariantView, ...]
    status: str
    underived: bool
    evidence: tuple[str, ...]
    not_counted: tuple[str, ...]
    unknowns: tuple[EngineQuestion, ...]
    influence: InfluenceView | None
    methods: MethodsView | None
    ladder: LadderView | None
    limits: LimitsView | None
    plan: PlanView | None
    near: tuple[NearRun, ...]
    own_runs: tuple[OwnRunView, ...]
    may_recalculate: bool
    failed: bool


def estimate_panel(user: User, dossier: Dossier, wanted: str = "") -> EstimatePanel:
    """`wanted` is the key of a variant; the recommended one is shown otherwise."""
    result = dossier.result
    variants = dossier.variants
    shown = next((v for v in variants if v.key == wanted), None)
    shown = shown or dossier.recommended
    runs = runs_of(dossier.calculation) if dossier.calculation else []
    failed = [run for run in runs if run.state == "failed"]
    busy = dossier.running
    rows = tuple(_rows(dossier, result, shown)) if result else ()
    return EstimatePanel(
        title=_title(shown),
        about=_about(dossier),
        running=busy,
        stale=dossier.stale,
        runs=[run_row(run) for run in runs] if busy or failed else [],
        rows=rows,
        shown=shown,
        others=variants if len(variants) > 1 else (),
        status=_status(result),
        underived=shown is not None and not any(row.derivation for row in rows),
        evidence=_evidence(result),
        not_counted=tuple(not_counted_texts(result)) if result else (),
        unknowns=tuple(question_rows(result)) if result else (),
        influence=influence_of(result) if result else None,
        methods=methods_of(result) if result else None,
        ladder=ladder_of(result) if result else None,
        limits=limits_of(result) if result else None,
        plan=plan_of(result) if result else None,
        near=near_runs(result) if result else (),
        own_runs=own_runs(result) if result else (),
        may_recalculate=policy.may(user, Deed.RECALCULATE, dossier.revision) and not busy,
        failed=dossier.calculation is not None
        and dossier.calculation.state == Calculation.State.FAILED,
    )


def _title(shown: VariantView | None) -> str:
    if shown is None:
        return _("Estimates")
    return _("Estimate for %(key)s: %(hardware)s") % {"key": shown.key, "hardware": shown.hardware}


def _about(dossier: Dossier) -> str:
    calculation = dossier.calculation
    if calculation is None:
        return ""
    return _("calculation %(number)s, input %(digits)s, engine %(version)s") % {
        "number": calculation.number,
        "digits": calculation.input_sha256[:4],
        "version": calculation.engine_version,
    }


def run_row(run: EstimatorRun) -> dict[str, str]:
    """One line of `partials/runs.html`."""
    took = "" if run.took_s is None else duration(run.took_s)
    return {
        "state": run.state,
        "name": estimator_name(run.key),
        "said": run.reason if run.state == "failed" else "",
        "took": took,
    }


# Part of the task document -> the estimates that its fields move. Others move them all.
_MOVED_BY: Final[Mapping[str, frozenset[str]]] = {
    "data": frozenset({"time", "storage", "host"}),
    "cycle": frozenset({"time", "storage"}),
    "horizon": frozenset({"host", "rack"}),
    "site": frozenset({"rack"}),
}


def moved_by(field: str) -> frozenset[str]:
    """The estimates that a value of this field reaches."""
    return _MOVED_BY.get(field.partition(".")[0], frozenset(PARTS))


def _rows(
    dossier: Dossier, result: Mapping[str, Any], shown: VariantView | None
) -> list[EstimateRow]:
    """Cells of the shown variant; without one, what the top of the result says."""
    own = [override_view(dossier, override) for override in dossier.overrides]
    holder: Mapping[str, Any] = shown.block if shown else result
    reasons = holder.get("reasons") or {}
    derived = derivations(dossier, shown)
    return [
        EstimateRow(
            cell=cell_of(part, holder.get(part), reasons.get(part)),
            detail=detail_of(part, holder.get(part), result),
            derivation=derived.get(part),
            moved=tuple(view for view in own if part in moved_by(view.field)),
        )
        for part in PARTS
    ]


def _status(result: Mapping[str, Any] | None) -> str:
    if not result:
        return ""
    said = status_sentence(result["status"])
    confidence = result.get("confidence")
    return f"{said} {_confidence(confidence)}" if confidence else said


def _confidence(code: str) -> str:
    return _("Confidence %(word)s.") % {"word": code_word("confidence", code)}


def _evidence(result: Mapping[str, Any] | None) -> tuple[str, ...]:
    """What measurements stand behind it, or what nobody has measured."""
    evidence = (result or {}).get("evidence") or {}
    if evidence.get("validated"):
        return (_("Runs of this kind were measured."),)
    return tuple(sentences(evidence.get("gaps", ())))


def variants_page(user: User, dossier: Dossier) -> dict[str, Any]:
    """The comparison of all variants."""
    result = dossier.result
    variants = list(dossier.variants)
    pilot = pilot_of(dossier.revision) if result else {}
    return {
        "stop": stop_text(pilot),
        "statuses": [(v, confirms(pilot, v.block), status_words(pilot, v.block)) for v in variants],
        "title": stop_title(pilot)
        or (headline(result) if result else _("There are no variants yet")),
        "variants": variants,
        "cycle_says": cycle_conclusion(result or {}, _deadline_hours(dossier)),
        "cycle": cycle_drawing(result, _deadline_hours(dossier), measured_points(pilot))
        if result
        else None,
        "points": pilot.get("points") or (),
        "parts": [_part_row(part, variants) for part in PARTS],
        "fewer": sentence((result or {}).get("variants_reason")),
        "running": dossier.running,
        "may_edit": may_edit(user, dossier.revision),
        "memory": memory_drawing(variants, _params_billion(dossier)),
        "own": own_of(result) if result else None,
        "places": PLACES,
        "offer": offer_of(result) if result else None,
        "methods": methods_of(result) if result else None,
        "ladder": ladder_of(result) if result else None,
        "influence": influence_of(result, balls=_balls(dossier)) if result else None,
        "limits": limits_of(result) if result else None,
        "plan": plan_of(result) if result else None,
        "band": size_band_text(result) if result else "",
        "programme": programme_of(result) if result else None,
        "near": near_runs(result) if result else (),
        "own_runs": own_runs(result) if result else (),
        "separate": sentences((result or {}).get("separate_work") or ()),
    }


def _deadline_hours(dossier: Dossier) -> float | None:
    hours: float | None = (dossier.task.get("cycle") or {}).get("target_hours")
    return hours


def _balls(dossier: Dossier) -> dict[str, int]:
    """Number of the balloon by task field."""
    asked = [QUESTIONS.get(question.key) for question in dossier.questions]
    return {q.field: place for place, q in enumerate(asked, start=1) if q and q.field}


def _params_billion(dossier: Dossier) -> float | None:
    """Of the model as stated, else as the catalog has it."""
    model = dossier.task.get("model") or {}
    known = published_model(model["name"]) if model.get("name") else None
    stated: float | None = model.get("params_billion")
    return stated or (known.params_count / 1e9 if known else None)


def _part_row(part: str, variants: list[VariantView]) -> dict[str, Any]:
    cells = [variant.cell(part) for variant in variants]
    figures = [c.value["high"] for c in cells if c.value] + [c.limit for c in cells if c.limit]
    return {
        "label": cells[0].label if cells else estimator_name(part),
        "cells": list(zip(variants, cells, strict=True)),
        # One scale for the row, so that the drawings compare.
        "top": max(figures, default=0.0) * 1.05,
    }


def summary_items(dossier: Dossier) -> list[tuple[str, str]]:
    """What the client will get, in a few lines."""
    result = dossier.result
    if not result:
        return []
    chosen = dossier.recommended
    items = [(_("Conclusion"), headline(result))]
    if chosen is not None:
        items.append((_("Variant"), f"{chosen.key}, {chosen.hardware}"))
        items += [
            (cell.label, range_text(cell.value, cell.unit))
            for cell in chosen.cells
            if cell.value and cell.key in ("memory", "time", "rack", "storage")
        ]
    items.append((_("Open questions"), number(len(dossier.questions))))
    items.append((_("Assumptions"), number(len(result.get("assumptions", ())))))
    return items
