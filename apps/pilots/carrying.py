"""A pilot's record -> answers about a measured run, as a person would have typed them."""

from __future__ import annotations

from typing import Any

from apps.pilots.models import PilotRun
from apps.pilots.table import step_path
from apps.questionnaire.from_log import measured_answers
from apps.sizing.units import GIB


def answers_of(run: PilotRun) -> dict[str, str]:
    """Question -> text. What the record leaves out is emptied: an earlier run's figures beside this
    one's would be of no run at all."""
    values = run.record["values"]
    gpus = values["place.gpus"]
    layout = values["place.layout"]
    figures: dict[str, Any] = {
        "measured_run": True,
        "measured_origin": "pilot",
        "measured_card": values["place.accelerator"],
        "measured_gpus": gpus,
        "measured_layout": None if gpus == 1 or layout == "none" else layout,
        "measured_batch": values["parameters.micro_batch"],
        "measured_length": values.get("parameters.sequence_length"),
        "measured_accumulation": values["parameters.grad_accumulation"],
        "measured_step_s": values.get(step_path(gpus)),
        "measured_wait": values.get("feed.wait_ratio"),
        "measured_stopped": False,
        "measured_allocated": _bytes(values.get("memory.allocated_gib")),
        "measured_reserved": _bytes(values.get("memory.reserved_gib")),
        "measured_device": _bytes(values.get("memory.device_gib")),
    }
    emptied = dict.fromkeys((*figures, "measured_rate", "measured_rest"), "")
    emptied |= dict.fromkeys(("measured_other_batch", "measured_other_peak"), "")
    typed = {key: str(raw.value) for key, raw in measured_answers(figures, source="").items()}
    return emptied | typed


def _bytes(size_gib: float | None) -> float | None:
    return None if size_gib is None else size_gib * GIB
