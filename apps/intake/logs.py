"""Logs and reports of a run: what they say in answers about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from apps.configs.memory_reports import MemoryReport, memory_reports
from apps.configs.run_logs import RunLog, run_log
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.from_fields import FoundAnswers
from apps.questionnaire.from_log import measured_answers

MOST_BYTES: Final = 2 * 2**20
"""Of a longer log its end is read: the steady steps stand there."""


def found_in_log(content: bytes, *, source: str) -> FoundAnswers | None:
    """What a text says of a measured run; None when it is no log and no report.

    What has to be confirmed is only offered: a progress bar may count passes and not steps,
    nvidia-smi shows one moment.
    """
    text = content[-MOST_BYTES:].decode("utf-8", errors="replace")
    reports, log = memory_reports(text), run_log(text)
    stated = measured_answers(_stated(reports, log), source=source)
    offered = measured_answers(_offered(reports, log), source=source)
    if not stated and not offered:
        return None
    stated = {**measured_answers({"measured_run": True}, source=source), **stated}
    guesses = {key: _guess(answer) for key, answer in offered.items() if key not in stated}
    return FoundAnswers(stated, guesses, ())


def _guess(answer: RawAnswer) -> RawAnswer:
    return RawAnswer(answer.value, provenance="guess", note=answer.note)


def _stated(reports: Iterable[MemoryReport], log: RunLog) -> dict[str, Any]:
    found: dict[str, Any] = {
        "measured_step_s": log.step_s,
        "measured_rate": log.tokens_per_s_per_gpu,
        "measured_wait": log.data_wait_ratio,
    }
    peaks = {
        "measured_allocated": [log.allocated_bytes],
        "measured_reserved": [log.reserved_bytes],
    }
    for report in reports:
        peaks["measured_allocated"] += [report.peak_allocated_bytes, _needed(report)]
        peaks["measured_reserved"].append(report.peak_reserved_bytes)
        found["measured_card"] = report.card or found.get("measured_card")
        if report.kind == "oom":
            found["measured_stopped"] = True
    for key, sizes in peaks.items():
        found[key] = max((size for size in sizes if size), default=None)
    return found


def _needed(report: MemoryReport) -> int | None:
    """What tensors would have taken had the failed allocation succeeded."""
    if report.allocated_bytes is None or report.requested_bytes is None:
        return None
    return report.allocated_bytes + report.requested_bytes


def _offered(reports: Iterable[MemoryReport], log: RunLog) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if log.step_s is None and log.tokens_per_s_per_gpu is None:
        found["measured_step_s"] = log.bar_s
    for report in reports:
        if report.kind == "nvidia-smi":
            found["measured_device"] = report.in_use_bytes
            found["measured_gpus"] = sum(card.in_use_bytes > _IDLE_BYTES for card in report.cards)
    return found


# A GPU without a program shows less than this.
_IDLE_BYTES: Final = 2**30
