"""Tasks for the tests of the engine: valid unless told otherwise."""

from __future__ import annotations

from typing import Any

from apps.catalog.facts import fixture_catalog
from apps.sizing.cases import Case, resolve_case
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task

CATALOG = fixture_catalog()
GIB = 2**30
LLAMA_8B = {"name": "meta-llama/Llama-3-8B"}


def task_of(
    *,
    model: dict[str, Any] | None = None,
    method: str | None = "full",
    accelerator: str = "A100-SXM4-80",
    gpus: int = 1,
    recipe: dict[str, Any] | None = None,
    placement: dict[str, Any] | None = None,
    **parts: Any,
) -> Task:
    """A task of a Llama-3-8B on one A100 in pure bf16, with what the test changes."""
    return parse_task(
        {
            "method": method,
            "model": LLAMA_8B if model is None else model,
            "recipe": {
                "framework": "hf-trainer",
                "precision": "bf16-pure",
                "optimizer": "adamw",
                "optimizer_step": "foreach",
                "sequence_length": 2048,
                "micro_batch": 1,
                "grad_accumulation": 1,
                "activation_checkpointing": "none",
                "attention": "flash",
                "fused_kernels": False,
                "fused_cross_entropy": False,
                **(recipe or {}),
            },
            "placement": {"accelerator": accelerator, "gpus": gpus, **(placement or {})},
            **parts,
        }
    )


def case_of(**changes: Any) -> Case:
    """The settled case of `task_of(**changes)`."""
    task = task_of(**changes)
    assert task.placement is not None
    case = resolve_case(task, task.placement, CATALOG)
    assert case is not None
    return case
