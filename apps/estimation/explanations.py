"""Explanations of the variants of a calculation, and the figures that they are checked against.

They are worked out when somebody looks, from the frozen input and the catalog that the calculation
began with: a tenth of a second for a variant, which an estimate need not spend. A later engine may
count otherwise; then the stored figures have no explanation rather than a wrong one. A document
keeps the explanation that it printed in its snapshot.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Protocol

from apps.catalog.releases import Contents
from apps.core.marked import Marked
from apps.estimation.inputs import value_in
from apps.estimation.models import Calculation
from apps.estimation.presenters.formula_sources import SourceBook
from apps.estimation.services import engine_input
from apps.questionnaire.answers import Evaluated
from apps.questionnaire.to_task import TASK_FIELDS
from apps.sizing.explain.explanation import explain
from apps.sizing.platforms import candidate_platforms
from apps.sizing.variants import with_savings

logger = logging.getLogger(__name__)

Block = Mapping[str, Any]

_SAME: Final = 1e-6
_GIB: Final = 2.0**30
# Figure of a variant's block -> the line that explains it and the factor between their units.
_CHECKED: Final[tuple[tuple[str, str, float], ...]] = (
    ("memory.allocated_gib", "allocated", _GIB),
    ("memory.device_gib", "device", _GIB),
    ("time.step_s", "step", 1.0),
    ("time.cycle.hours", "hours", 1.0),
    ("storage.checkpoint.full_gb", "checkpoint", 1.0),
    ("storage.total_gb", "volumes_total", 1.0),
    ("host.cores", "cores", 1.0),
    ("host.ram_gb", "ram", 1.0),
    ("rack.power.load_kw", "load", 1.0),
)
# A line that says the same after something that moves it.
_LATER: Final = {key: f"{key}_after_runs" for key in ("allocated", "device")}


def explanation_of(calculation: Calculation, variant: Block) -> Block | None:
    """The explanation of a variant as the result holds it (not rounded for show).

    None when there is no such platform any more, or this engine counts another figure.
    """
    thrifty = bool(variant.get("savings"))
    given = Marked(calculation, calculation.input_sha256, calculation.catalog_sha256)
    found = _explained(given, variant["platform"], thrifty=thrifty)
    return found if found and agrees(found, variant) else None


def agrees(explanation: Block, variant: Block) -> bool:
    """Whether the lines come to the figures of the variant."""
    return all(
        math.isclose(one, other, rel_tol=_SAME) for one, other in pairs(explanation, variant)
    )


def pairs(explanation: Block, variant: Block) -> Iterator[tuple[float, float]]:
    """Every figure that both have: of the line, and of the variant's block."""
    lines = {line["key"]: line["value"] for line in explanation["lines"]}
    for path, key, factor in _CHECKED:
        block: Any = variant
        for name in path.split("."):
            block = block.get(name) if isinstance(block, Mapping) else None
        value = lines.get(_LATER.get(key, ""), lines.get(key))
        if block is not None and value is not None:
            yield value, block["typical"] * factor


@lru_cache(maxsize=32)
def _explained(given: Marked[Calculation], platform_key: str, *, thrifty: bool) -> Block | None:
    """`thrifty`: the variant rests on savings in the recipe, which the platforms differ by.

    None also where the catalog of that time lacks a constant that this engine reads.
    """
    try:
        task, catalog, platforms = engine_input(given.value)
        if thrifty:
            task, _ = with_savings(task)
            platforms = candidate_platforms(task, catalog)
        platform = next((p for p in platforms if p.key == platform_key), None)
        return None if platform is None else explain(task, catalog, platform).as_dict()
    except KeyError as missing:
        logger.info("calculation %s is not explained: no %s", given.value.pk, missing)
        return None


def kept(explanation: Block, variant_key: str, contents: Contents) -> dict[str, Any]:
    """What a document keeps of an explanation: it prints the same whatever the catalog becomes."""
    return {
        "variant": variant_key,
        "explanation": explanation,
        "sources": SourceBook.of(contents, explanation).as_dict(),
    }


class Replaced(Protocol):
    """An engineer's value of a field of the task document."""

    @property
    def field(self) -> str: ...
    @property
    def value(self) -> Any: ...


def stated_by(evaluated: Evaluated, overrides: Iterable[Replaced], task: Block) -> dict[str, str]:
    """Provenance by field of the task document: the client's answers, the engineer's values.

    Args:
        task: what the calculation was given; a value set since then is not in its figures.
    """
    answers = evaluated.answers
    engineers = [o.field for o in overrides if value_in(task, o.field) == o.value]
    found = {
        field: answers[key].raw.provenance for field, key in TASK_FIELDS.items() if key in answers
    }
    return found | dict.fromkeys(engineers, "engineer")
