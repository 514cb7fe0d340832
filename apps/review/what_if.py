"""A trial of other values on one variant of the estimate of record: worked out, nothing stored.

What the record says is read once a process: an assessment never changes. A trial takes a few
milliseconds of the engine, so it is computed while its reader waits.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from apps.catalog.releases import contents_for
from apps.core.marked import Marked
from apps.estimation.models import Assessment
from apps.estimation.selectors import result_of
from apps.estimation.services import context_around
from apps.sizing.cases import Case
from apps.sizing.changes import changes_between
from apps.sizing.errors import TaskError
from apps.sizing.facts import Catalog
from apps.sizing.measured import MeasuredRun, runs_from
from apps.sizing.messages import Message
from apps.sizing.methods import does_not_apply
from apps.sizing.settling import method_of
from apps.sizing.task_reader import parse_task
from apps.sizing.what_if import (
    ACCELERATOR,
    GPUS,
    METHOD,
    SCHEME,
    Footing,
    changed,
    differences,
    document_of,
    footing_of,
    is_other_hardware,
)

logger = logging.getLogger(__name__)

# Name in the address -> path of the task document; the method comes first.
FIELDS: Final[Mapping[str, str]] = {
    "method": METHOD,
    "precision": "recipe.precision",
    "optimizer": "recipe.optimizer",
    "sequence_length": "recipe.sequence_length",
    "micro_batch": "recipe.micro_batch",
    "grad_accumulation": "recipe.grad_accumulation",
    "global_batch": "recipe.global_batch",
    "activation_checkpointing": "recipe.activation_checkpointing",
    "accelerator": ACCELERATOR,
    "gpus": GPUS,
    "data_parallel": SCHEME,
}
NAMES: Final[Mapping[str, str]] = {path: name for name, path in FIELDS.items()}
HARDWARE: Final = "hardware"
# What a change of the method brings with it.
_OF_METHOD: Final = frozenset({"recipe.quantization", "recipe.trainable_params_million"})
_READY: Final = ("qlora", "lora", "half-batch", "recompute", "no-recompute", "twice-gpus")
# A contradiction is mended where it was made: the average length is not on this page.
_MENDED_AT: Final[Mapping[str, str]] = {"recipe.average_length": "recipe.sequence_length"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Record:
    """One variant of an assessment, ready to be tried otherwise.

    `document` is of `sizing.what_if.document_of`; `agrees` is false when this engine comes to
    other figures than the assessment: then `document` is what the trial is compared with, so that
    only the trial's own changes show. `savings` are those of the recipe that the variant rests on.
    """

    keys: tuple[str, ...]
    footing: Footing
    catalog: Catalog
    runs: tuple[MeasuredRun, ...]
    context: Mapping[str, Any]
    document: Mapping[str, Any]
    savings: tuple[Message, ...]
    agrees: bool

    @property
    def key(self) -> str:
        return self.footing.key

    @cached_property
    def case(self) -> Case | None:
        """With the values that the engine takes where nothing is stated."""
        return self.footing.case(self.catalog)

    @cached_property
    def ready(self) -> tuple[tuple[str, Trial], ...]:
        """Trials worth a click by name, those only that make sense for the task."""
        found = ((name, _ready_values(name, self)) for name in _READY)
        trials = ((name, tried(self, values)) for name, values in found if values)
        return tuple((name, trial) for name, trial in trials if trial.document is not None)

    def stated(self, path: str) -> Any:
        """What the record has under a path of `FIELDS`; None where it says nothing. Of the
        hardware it is what the variant is built of."""
        if path == METHOD:
            return self.footing.task.method
        if path == ACCELERATOR:
            return self.footing.platform.accelerator
        if path == GPUS:
            return self.footing.platform.gpus
        if path == SCHEME:
            place = self.footing.task.placement
            wished = place.data_parallel if place else None
            return None if wished == "none" else wished
        return getattr(self.footing.task.recipe, path.partition(".")[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of some values. `document` is None with a `problem`: the path of the field that
    the values contradict each other in, or "" where the engine failed."""

    values: Mapping[str, Any]
    footing: Footing | None = None
    document: Mapping[str, Any] | None = None
    problem: str = ""
    failed: bool = False


def record_of(assessment: Assessment, wanted: str) -> Record | None:
    """The variant `wanted`, else the recommended one, else the first; None without any, and for an
    estimate that this engine cannot read any more."""
    try:
        calculation = assessment.calculation
        mark = (assessment.result_sha256, calculation.input_sha256, calculation.catalog_sha256)
        return _record(Marked(assessment, *mark), wanted)
    except Exception:
        logger.exception("assessment %s cannot be tried", assessment.pk)
        return None


@lru_cache(maxsize=32)
def _record(held: Marked[Assessment], wanted: str) -> Record | None:
    assessment = held.value
    result, calculation = result_of(assessment), assessment.calculation
    variants = {variant["key"]: variant for variant in result["variants"]}
    key = next((k for k in (wanted, result["recommended"], *variants) if k in variants), None)
    if key is None:
        return None
    given = json.loads(calculation.input_text)
    footing = footing_of(parse_task(given["task"]), variants[key])
    catalog = contents_for(calculation.catalog_sha256).catalog
    runs = runs_from(given["context"].get("measured") or ())
    context = context_around(given["context"])
    document = document_of(footing, catalog, runs, context)
    moved = changes_between({"variants": [variants[key]]}, {"variants": document["variants"]})
    return Record(
        keys=tuple(variants),
        footing=footing,
        catalog=catalog,
        runs=runs,
        context=context,
        document=document,
        savings=tuple(Message(m["key"], m["params"]) for m in variants[key]["savings"]),
        agrees=not any(map(_moved, moved["variants"])),
    )


def _moved(change: Mapping[str, Any]) -> bool:
    """Does a figure or a verdict of the assessment come out otherwise now? What failed then and
    is there now is no contradiction."""
    figures = any(figure["old"] is not None for figure in change["figures"])
    verdicts = {v["part"]: v["old"] for v in change["verdicts"] if v["old"] != "unknown"}
    return figures or bool(verdicts.keys() - {"overall"})


def tried(record: Record, values: Mapping[str, Any]) -> Trial:
    """The record with `values` by path. Whatever the engine does, its reader gets an answer."""
    if not values:
        return Trial(values=values, footing=record.footing, document=record.document)
    try:
        footing = changed(record.footing, values, record.catalog)
        document = document_of(footing, record.catalog, record.runs, record.context)
    except TaskError as problem:
        field = _MENDED_AT.get(problem.field or "", problem.field or "")
        return Trial(values=values, problem=field if field in NAMES else GPUS)
    except Exception:
        logger.exception("%s cannot be tried with %s", record.footing.task.id, dict(values))
        return Trial(values=values, failed=True)
    return Trial(values=values, footing=footing, document=document)


def _ready_values(name: str, record: Record) -> dict[str, Any]:
    """Empty where it would change nothing or does not apply."""
    case, task = record.case, record.footing.task
    if case is None:
        return {}
    if name in ("qlora", "lora"):
        other = name != method_of(task) and (name == "qlora" or case.method == "full")
        refused = does_not_apply(name, task, record.catalog)
        return {METHOD: name} if other and refused is None else {}
    if name == "half-batch":
        half = int(case.micro_batch // 2)
        passes = round(case.accumulation * case.micro_batch / half) if half else 0
        batch = {FIELDS["micro_batch"]: half, FIELDS["grad_accumulation"]: passes}
        return batch if half else {}
    if name == "twice-gpus":
        return {GPUS: 2 * record.footing.platform.gpus}
    wanted, now = ("full" if name == "recompute" else "none"), case.checkpointing
    other = now != wanted and (name == "recompute" or now == "full")
    return {FIELDS["activation_checkpointing"]: wanted} if other else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One decision of a trial: `values` by path of the task, taken together or not at all.

    `key` is a name of `FIELDS`, or `HARDWARE` for the cards, their number and layout. `lost` are
    stated values that the trial goes without, which no engineer's value can say.
    """

    key: str
    values: Mapping[str, Any]
    lost: tuple[str, ...]


def differences_of(record: Record, trial: Trial) -> list[Difference]:
    """What the trial would set in the task, in the order of the page; nothing of a failed one."""
    if trial.footing is None:
        return []
    hardware = is_other_hardware(record.footing, trial.footing)
    groups: dict[str, dict[str, Any]] = {}
    for path, value in differences(record.footing, trial.footing, trial.values).items():
        if path in _OF_METHOD and METHOD in trial.values:
            key = NAMES[METHOD]
        elif hardware and path.startswith("placement."):
            key = HARDWARE
        else:
            key = NAMES.get(path, path)
        groups.setdefault(key, {})[path] = value
    order = [*FIELDS, HARDWARE]
    return [
        Difference(
            key=key,
            values={path: value for path, value in found.items() if value is not None},
            lost=tuple(path for path, value in found.items() if value is None),
        )
        for key, found in sorted(groups.items(), key=lambda item: order.index(item[0]))
    ]
