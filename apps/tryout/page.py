"""Everything that the page of a calculation shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.catalog.published import published_names
from apps.catalog.releases import present_catalog
from apps.configs.errors import ConfigError
from apps.estimation.texts import sentences
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import Kind, Question
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import display_value, headline
from apps.sizing.facts import Catalog
from apps.sizing.measured import MeasuredRun, own_runs
from apps.sizing.own_block import run_remarks
from apps.sizing.task import Task
from apps.tryout.figures import Figures, figures_of, swept
from apps.tryout.kept import Kept
from apps.tryout.pasted import Pasted, with_settings
from apps.tryout.readings import readings_of, reported_cards, reported_runs
from apps.tryout.recipe import (
    GPUS,
    TYPED,
    UNKNOWN_MODEL,
    FieldProblem,
    Typed,
    problems_of,
    task_document,
    task_of,
)

_HINTS: Final = {
    "model_name": gettext_lazy("Start typing: the catalog suggests. Or write the size, “8B”."),
    "method": gettext_lazy("It moves the memory further than the choice of a card."),
    "sequence_length": gettext_lazy("The most tokens at once in training."),
    "micro_batch": gettext_lazy("Samples on one GPU in one pass."),
    "activation_checkpointing": gettext_lazy("“gradient_checkpointing” in the configuration."),
}


def page_of(kept: Kept, *, chosen: str, plain: bool = False) -> dict[str, Any]:
    """The context of the page.

    Args:
        chosen: id of the card that a report of memory is about; "" leaves it to the text.
        plain: leave the report out of the figures over the accelerators.
    """
    typed, pasted, refused = _with_settings(kept)
    catalog = present_catalog()

    def runs_in_report(task: Task) -> tuple[MeasuredRun, ...]:
        return reported_runs(kept.report, task, catalog, chosen) if kept.report else ()

    counted = bool(kept.report) and not plain
    task, figures, problems = _calculated(
        typed,
        runs_in_report if counted else lambda _: (),
        reported_cards(kept.report, catalog, chosen) if counted else (),
    )
    readings = readings_of(kept.report, task, catalog, chosen) if kept.report else []
    return {
        "fields": fields_of(typed, problems),
        "problems": [_listed(problem) for problem in problems]
        + _texts_refused(kept, refused, readings),
        "pasted": pasted,
        "settings": {"text": kept.settings, "error": refused},
        "report": {"text": kept.report, "error": _unread(kept, readings)},
        "figures": figures,
        "headline": headline(typed.evaluated) if figures else "",
        "warnings": [str(problem.message) for problem in typed.evaluated.warnings]
        if figures
        else [],
        "readings": readings,
        "measured": _measured(task, runs_in_report, catalog, plain=plain) if task else None,
        "chosen_card": chosen,
        "query": typed.query(),
        "pairs": typed.pairs(),
        "carried": typed.carried(),
        "cards": [
            {"id": card.id, "name": card.name, "chosen": card.id == chosen}
            for card in catalog.accelerators.values()
        ],
    }


def page_of_kept(kept: Kept) -> dict[str, Any]:
    """What was calculated before signing in, to be made a requisition."""
    typed = kept.typed  # what the settings state is among the fields since they were read
    rows = [
        {"label": answer.question.name, "value": display_value(answer)}
        for answer in typed.evaluated.answers.values()
        if not answer.blank
    ]
    if typed.text(GPUS.key):
        rows.append({"label": GPUS.name, "value": typed.text(GPUS.key)})
    return {
        "rows": rows,
        "pairs": typed.pairs(),
        "query": typed.query(),
        "settings": {"text": kept.settings},
        "report": {"text": kept.report},
    }


def _with_settings(kept: Kept) -> tuple[Typed, Pasted | None, str]:
    if not kept.settings:
        return kept.typed, None, ""
    try:
        typed, pasted = with_settings(kept.typed, kept.settings)
    except ConfigError as problem:
        return kept.typed, None, problem.message
    return typed, pasted, ""


_RunsOf: TypeAlias = Callable[[Task], tuple[MeasuredRun, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What becomes of a report in the figures over the accelerators. `counted`: they follow it;
    `plain`: they would, and are shown without it."""

    lines: tuple[str, ...]
    counted: bool
    plain: bool


def _measured(task: Task, runs_of: _RunsOf, catalog: Catalog, *, plain: bool) -> Measured | None:
    """None when there is no report, or none about a card of the catalog."""
    own = own_runs(task, runs_of(task), catalog)
    if not own:
        return None
    used = any(finding.used for one in own for finding in one.findings)
    lines = sentences(message for one in own for _, message in run_remarks(one))
    return Measured(lines=tuple(lines), counted=used and not plain, plain=used and plain)


def _calculated(
    typed: Typed, runs_of: _RunsOf, capacities_gib: tuple[tuple[str, float], ...]
) -> tuple[Task | None, Figures | None, list[FieldProblem]]:
    """The task with its figures, or what is in the way; nothing at all on a blank page."""
    if typed.blank:
        return None, None, []
    problems = problems_of(typed)
    if problems:
        return None, None, problems
    document = task_document(typed)
    task = task_of(document)
    if isinstance(task, FieldProblem):
        return None, None, [task]
    found = swept(document, runs_of(task), capacities_gib)
    if found is None:
        return None, None, [FieldProblem("model_name", UNKNOWN_MODEL)]
    gpus = parse(GPUS, typed.text(GPUS.key))
    figures = figures_of(
        found,
        gpus if isinstance(gpus, int) else None,
        software_stated="framework" in typed.evaluated.effective,
    )
    return task, figures, []


def fields_of(typed: Typed, problems: Sequence[FieldProblem]) -> list[dict[str, Any]]:
    """The six fields, in order."""
    errors = {problem.key: str(problem.message) for problem in problems}
    questions = [*(QUESTIONS[key] for key in TYPED), GPUS]
    return [_field(question, typed, errors.get(question.key, "")) for question in questions]


def _field(question: Question, typed: Typed, error: str) -> dict[str, Any]:
    key, text = question.key, typed.text(question.key)
    return {
        "id": _anchor(key),
        "name": key,
        "label": question.name,
        "hint": _HINTS.get(key, question.hint),
        "value": text,
        "numeric": question.numeric,
        "options": [
            {"value": o.value, "label": o.label, "chosen": o.value == text}
            for o in question.options
        ]
        if question.kind is Kind.CHOICE
        else [],
        "suggestions": published_names() if key == "model_name" else (),
        "from_file": typed.is_from_file(key),
        "error": error,
    }


def _anchor(key: str) -> str:
    return f"t-{key}"


def _listed(problem: FieldProblem) -> dict[str, str]:
    question = GPUS if problem.key == GPUS.key else QUESTIONS[problem.key]
    shown = problem.key in (*TYPED, GPUS.key)
    return {
        "anchor": _anchor(problem.key) if shown else "settings",
        "message": f"{question.name}: {problem.message}",
    }


def _unread(kept: Kept, readings: Sequence[object]) -> str:
    if not kept.report or readings:
        return ""
    return _(
        "There is no report of memory in this text that we know. Paste the message with “Tried to allocate”, the table of nvidia-smi or the summary, whole."
    )


def _texts_refused(kept: Kept, refused: str, readings: Sequence[object]) -> list[dict[str, str]]:
    found = (("settings", refused), ("report", _unread(kept, readings)))
    return [{"anchor": anchor, "message": message} for anchor, message in found if message]
