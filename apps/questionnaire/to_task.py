"""Answers -> the engine's task document `podbor.task/1`, and the context around it.

What was asked and is not known goes out as null: the engine widens its ranges and asks. What was
never asked is not there at all. Only effective answers count: a hidden one changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from apps.questionnaire.answers import Evaluated
from apps.questionnaire.echo import HOURS_PER_DAY
from apps.questionnaire.question import Answers, Parsed
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_measured import to_measured
from apps.sizing.vocabulary import PARTS, SCHEMA

TASK_FIELDS: Final = {q.field: q.key for q in QUESTIONS.values() if q.field}
"""Field of the task document -> question: the engine names fields, people answer questions."""

ADAPTED: Final[dict[str, str | tuple[str, ...]]] = {
    "all-linear": "all-linear",
    "attention": ("q_proj", "k_proj", "v_proj", "o_proj"),
    "qv": ("q_proj", "v_proj"),
}
VOCABULARY_LAYERS: Final = ("embed_tokens", "lm_head")
_MOST_NAMES: Final = 100
_LONGEST_NAME: Final = 120


def _as_given(value: Parsed, answers: Answers) -> Any:
    return value


def _count(value: Parsed, answers: Answers) -> int:
    return int(str(value))


def _over(divisor: float) -> Callable[[Parsed, Answers], float]:
    return lambda value, answers: float(value) / divisor  # type: ignore[arg-type]


def _lora_targets(value: Parsed, answers: Answers) -> list[str] | str | None:
    named = ADAPTED.get(str(value))
    if named is None:
        listed = str(answers.get("lora_target_list", "")).split(",")
        names = [name.strip()[:_LONGEST_NAME] for name in listed if name.strip()]
        return names[:_MOST_NAMES] or None
    return named if isinstance(named, str) else list(named)


def _modules_to_save(value: Parsed, answers: Answers) -> list[str] | None:
    return list(VOCABULARY_LAYERS) if value is True else None


_CONVERTED: Final[dict[str, Callable[[Parsed, Answers], Any]]] = {
    "model.params_billion": _over(1e9),
    "model.active_params_billion": _over(1e9),
    "recipe.trainable_params_million": _over(1e6),
    "recipe.lora_targets": _lora_targets,
    "recipe.modules_to_save": _modules_to_save,
    "placement.inter_node_link": lambda value, answers: None if value == "none" else value,
    "site.phases": _count,
    "site.feeds": _count,
}


def to_task(evaluated: Evaluated, task_id: str | None = None) -> dict[str, Any]:
    """The task document; the engine's reader accepts it whatever was answered.

    An answer that contradicts another goes out as null, like one that cannot be read.
    """
    effective = _without_contradictions(evaluated)
    task: dict[str, Any] = {"schema": SCHEMA, "id": task_id}
    for key in evaluated.answers:
        path = QUESTIONS[key].field
        if path is None:
            continue
        value = effective.get(key)
        convert = _CONVERTED.get(path, _as_given)
        _put(task, path, None if value is None else convert(value, effective))
    _add_implied(task)
    return task


def _without_contradictions(evaluated: Evaluated) -> dict[str, Parsed]:
    wrong = {problem.key for problem in evaluated.errors}
    return {k: v for k, v in evaluated.effective.items() if k not in wrong}


def _put(task: dict[str, Any], path: str, value: Any) -> None:
    part, _dot, name = path.rpartition(".")
    holder = task.setdefault(part, {}) if part in PARTS else task
    holder[name] = value


def _add_implied(task: dict[str, Any]) -> None:
    """What follows from the answers without being asked."""
    recipe = task.setdefault("recipe", {})
    if task.get("strategy") == "from-scratch":
        task["method"] = "full"
        recipe["stage"] = "pretrain"
    if task.get("method") in ("full", "lora", "dora", "freeze"):
        # Only QLoRA stands on a quantised base; for the rest it is known that there is none.
        recipe["quantization"] = "none"


_CONTEXT: Final[Mapping[str, tuple[str, ...]]] = {
    "goal": ("purpose", "weights_change", "alternatives", "evidence", "inference_server"),
    "task": ("business_task", "success_criterion", "held_out_set", "held_out_samples"),
    "contact": ("contact_name", "contact_email"),
    "cycles": ("cycle_every", "cycle_share"),
    "storage": (
        "file_structure",
        "disk_bytes",
        "checkpoint_reserve",
        "recovery",
    ),
    "series": ("months_acceptable", "experiments", "series_cap", "stop_criteria"),
    "horizon": ("future_scenarios", "teams", "isolation", "busy_share"),
    "acquisition": (
        "acquisition",
        "rent_period",
        "own_rack",
        "data_may_leave",
        "wanted_date",
        "budget",
        "sku",
        "hardware_wish",
        "measured_step",
    ),
    "software": ("framework_version",),
    "site": ("site_agreed",),
}


def to_context(evaluated: Evaluated) -> dict[str, Any]:
    """What people around the calculation need and the engine does not: plain JSON.

    Numbers keep their unit in the name: `rent_hours`, `rent_days`, `unpacked_bytes`. `measured` are
    the client's own runs, their cards in the client's words.
    """
    effective = _without_contradictions(evaluated)
    context: dict[str, Any] = {
        part: {key: _plain(effective.get(key)) for key in keys if key in evaluated.answers}
        for part, keys in _CONTEXT.items()
    }
    acquisition = context["acquisition"]
    period = acquisition.pop("rent_period", None)
    if period is not None:
        acquisition["rent_hours"] = period
        acquisition["rent_days"] = period / HOURS_PER_DAY
    context["gate"] = {
        "outcome": evaluated.gate.key,
        "continue_reason": _plain(effective.get("continue_reason")),
    }
    context["warnings"] = [problem.key for problem in evaluated.warnings]
    context["measured"] = to_measured(evaluated, effective)
    return context


def _plain(value: Parsed | None) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value
