"""The measured runs nearest to a task, beside what the engine says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.estimation.texts import accelerator_name, code_word, sentences, value_text

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NearRun:
    """One published run. `figures` are (what, measured, by the engine) in words.

    `state` is a verdict code for how like the run is, `likeness` the word, `differs` where not.
    """

    name: str
    hardware: str
    method: str
    source: str
    figures: tuple[tuple[str, str, str], ...]
    state: str
    likeness: str
    differs: tuple[str, ...]


_STATES = {"like": "fits", "partly": "tight", "unlike": "unknown"}


def near_runs(result: Block) -> tuple[NearRun, ...]:
    """The nearest runs in order; those of an older result have no comparison and are left out."""
    rows = (result.get("evidence") or {}).get("nearest") or ()
    return tuple(_run(row) for row in rows if row.get("engine"))


def _run(row: Block) -> NearRun:
    return NearRun(
        name=row["model"],
        hardware=f"{formatting.number(row['gpus'])}× {accelerator_name(row['accelerator'])}",
        method=value_text("method", row["method"]),
        source=row["source"],
        figures=tuple(_figures(row)),
        state=_STATES[row["likeness"]],
        likeness=code_word("likeness", row["likeness"]),
        differs=tuple(sentences(row["differs"])),
    )


def _figures(row: Block) -> list[tuple[str, str, str]]:
    engine, found = row["engine"], []
    if row["memory_gib"] is not None and engine["memory_gib"]:
        label = code_word("memory_figure", engine["figure"])
        measured = formatting.estimate(row["memory_gib"], "GiB")
        found.append((label, measured, formatting.range_text(engine["memory_gib"], "GiB")))
    if row["step_s"] is not None and engine["step_s"]:
        measured = formatting.duration(row["step_s"])
        found.append((_("Step"), measured, formatting.duration(engine["step_s"])))
    return found
