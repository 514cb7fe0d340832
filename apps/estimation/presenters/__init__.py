"""A result document as rows and cells for pages and documents: text, figures, no HTML."""

from apps.estimation.presenters.cells import Cell, cell_of
from apps.estimation.presenters.details import Detail, Line, Table, detail_of
from apps.estimation.presenters.evidence import NearRun, near_runs
from apps.estimation.presenters.influence import (
    InfluenceRow,
    InfluenceView,
    influence_of,
    influence_view,
)
from apps.estimation.presenters.ladder import (
    LadderView,
    LimitsView,
    ladder_of,
    limits_of,
)
from apps.estimation.presenters.methods import MethodsView, methods_of
from apps.estimation.presenters.own_runs import OwnRunView, own_runs
from apps.estimation.presenters.ownership import OwnRow, OwnView, own_of
from apps.estimation.presenters.planning import PlanRow, PlanView, plan_of
from apps.estimation.presenters.programme import ProgrammeView, programme_of
from apps.estimation.presenters.result import (
    EngineQuestion,
    assumption_texts,
    headline,
    not_counted_texts,
    question_rows,
)
from apps.estimation.presenters.size_band import size_band_text
from apps.estimation.presenters.variants import OwnLine, VariantView, variants_of

__all__ = [
    "Cell",
    "Detail",
    "EngineQuestion",
    "InfluenceRow",
    "InfluenceView",
    "LadderView",
    "LimitsView",
    "Line",
    "MethodsView",
    "NearRun",
    "OwnLine",
    "OwnRow",
    "OwnRunView",
    "OwnView",
    "PlanRow",
    "PlanView",
    "ProgrammeView",
    "Table",
    "VariantView",
    "assumption_texts",
    "cell_of",
    "detail_of",
    "headline",
    "influence_of",
    "influence_view",
    "ladder_of",
    "limits_of",
    "methods_of",
    "near_runs",
    "not_counted_texts",
    "own_of",
    "own_runs",
    "plan_of",
    "programme_of",
    "question_rows",
    "size_band_text",
    "variants_of",
]
