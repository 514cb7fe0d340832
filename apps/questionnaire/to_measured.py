"""Answers about a measured run -> runs for the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from apps.questionnaire.answers import Evaluated
from apps.questionnaire.question import Answers, Parsed

_GIB: Final = 2**30
PEAKS: Final = {
    "measured_allocated": "allocated_gib",
    "measured_reserved": "reserved_gib",
    "measured_device": "device_gib",
}


def _gib(value: Parsed) -> float:
    return float(value) / _GIB  # type: ignore[arg-type]


def _share(value: Parsed) -> float:
    return float(value) / 100  # type: ignore[arg-type]


def _as_given(value: Parsed) -> Parsed:
    return value


_FIELDS: Final[Mapping[str, tuple[str, Callable[[Parsed], Any]]]] = {
    "measured_card": ("card", _as_given),
    "measured_gpus": ("gpus", _as_given),
    "measured_layout": ("data_parallel", _as_given),
    "measured_batch": ("micro_batch", _as_given),
    "measured_length": ("sequence_length", _as_given),
    "measured_accumulation": ("grad_accumulation", _as_given),
    "measured_rest": ("rest_gib", _gib),
    "measured_step_s": ("step_s", _as_given),
    "measured_rate": ("tokens_per_s_per_gpu", _as_given),
    "measured_wait": ("data_wait_ratio", _share),
    **{key: (figure, _gib) for key, figure in PEAKS.items()},
}


def to_measured(evaluated: Evaluated, effective: Answers) -> list[dict[str, Any]]:
    """The runs that the answers tell of: one, or two that differ in the micro-batch.

    Each is a run of `apps.sizing.measured` but for its card, which stands as `card` in the
    client's words.
    """
    if effective.get("measured_run") is not True:
        return []
    first: dict[str, Any] = {
        name: convert(effective[key])
        for key, (name, convert) in _FIELDS.items()
        if key in effective
    }
    first |= _origin(evaluated, effective)
    if effective.get("measured_stopped") is True:
        first["at_least"] = [figure for figure in PEAKS.values() if figure in first]
    second = _second(first, effective)
    return [first, second] if second else [first]


def _origin(evaluated: Evaluated, effective: Answers) -> dict[str, str]:
    """Who says so: a pilot, a log, or the client alone."""
    raw = [evaluated.answers[key].raw for key in _FIELDS if key in evaluated.answers]
    logs = [answer.note for answer in raw if answer.provenance == "file"]
    origin = "file" if logs else "client"
    if effective.get("measured_origin") == "pilot":
        origin = "pilot"
    return {"origin": origin, "source": logs[0] if logs else ""}


def _second(first: Mapping[str, Any], effective: Answers) -> dict[str, Any] | None:
    batch, peak = effective.get("measured_other_batch"), effective.get("measured_other_peak")
    if batch is None or peak is None:
        return None
    figure = next((name for name in PEAKS.values() if name in first), "allocated_gib")
    same = ("card", "gpus", "data_parallel", "sequence_length", "grad_accumulation", "origin")
    base = {name: first[name] for name in same if name in first}
    return {**base, "micro_batch": batch, figure: _gib(peak)}
