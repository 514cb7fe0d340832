"""Subjects of their own that a task of several nodes brings: named here, sized elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Task
from apps.sizing.variants import Variant

# A model of this size is practically never trained from scratch in one node. Judgement: at twenty
# tokens a parameter (Hoffmann et al. 2022) ten billion parameters take some 10^22 operations,
# about a month of eight cards of 10^15 operations a second at the usual 40 %.
_SCRATCH_PARAMS: Final = 10e9


def separate_work(task: Task, catalog: Catalog, variants: Sequence[Variant]) -> Iterator[Message]:
    """What several nodes need besides servers; nothing where one node is the whole of it."""
    nodes = max((v.candidate.platform.nodes for v in variants), default=1)
    if nodes == 1 and not _large_from_scratch(task, catalog):
        return
    yield Message("separate.network")
    yield Message("separate.collectives")
    yield Message("separate.storage")
    yield Message("separate.loading")
    yield Message("separate.recovery")


def _large_from_scratch(task: Task, catalog: Catalog) -> bool:
    shape = resolve_shape(task.model, catalog)
    scratch = task.strategy == "from-scratch" or task.recipe.stage == "pretrain"
    return scratch and shape is not None and shape.total_params >= _SCRATCH_PARAMS
