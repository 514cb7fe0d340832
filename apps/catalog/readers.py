"""Read the fixture files into the engine's values.

One function a file. A row that does not hold what its reader needs is a mistake in our own data:
the KeyError or TypeError it raises names it. Sources stay in the rows; the engine takes values.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from apps.sizing.facts import Accelerator, Architecture

FIXTURES: Final = Path(__file__).resolve().parents[2] / "fixtures" / "catalog"

# Facts that are fields of `Accelerator`; what else a row holds goes to `extra`.
_ACCELERATOR_FIELDS: Final = frozenset(
    {
        "memory_gb",
        "usable_memory_gib",
        "memory_tb_per_s",
        "fp8_tflops_per_s",
        "tdp_w",
        "link",
        "link_domain_gpus",
        "pcie_generation",
    }
)


def load_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of one fixture file: a JSON list of objects."""
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def read_accelerators(path: Path = FIXTURES / "accelerators.json") -> dict[str, Accelerator]:
    """Accelerators by id."""
    return {row["slug"]: accelerator_from_row(row) for row in load_rows(path)}


def accelerator_from_row(row: dict[str, Any]) -> Accelerator:
    """One accelerator from its slug, names and list of facts."""
    facts = {fact["key"]: fact["value"] for fact in row["facts"]}
    bf16_tflops_per_s = facts.pop("bf16_tflops_per_s", None)
    return Accelerator(
        id=row["slug"],
        name=row["name"],
        vendor=row["vendor"],
        family=row["family"],
        form_factor=row["form_factor"],
        bf16_tflops_per_s=bf16_tflops_per_s,
        **{key: value for key, value in facts.items() if key in _ACCELERATOR_FIELDS},
        extra={key: value for key, value in facts.items() if key not in _ACCELERATOR_FIELDS},
    )


def read_architectures(path: Path = FIXTURES / "architectures.json") -> dict[str, Architecture]:
    """Published model architectures by name."""
    return {
        row["name"]: Architecture(**{k: v for k, v in row.items() if k != "source"})
        for row in load_rows(path)
    }
