"""The top of a result document `podbor.result/1` out of what the estimators said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from apps.sizing.errors import TaskError

SCHEMA: Final = "podbor.result/1"
# The parts of the contract that depend on the platform, and the estimator that says each.
PARTS: Final = ("memory", "time", "interconnect", "storage", "host", "rack")
# The estimators of training itself decide whether there is an answer at all.
_TRAINING: Final = ("memory", "time", "interconnect")
_STATUSES: Final = ("ok", "magnitude", "insufficient")

Outputs = Mapping[str, Mapping[str, Any] | None]


def error_document(task_id: str | None, error: TaskError) -> dict[str, Any]:
    """The document of a task that cannot be answered."""
    return {"schema": SCHEMA, "id": task_id, "error": error.as_dict()}


def top_level(task_id: str | None, platform_key: str | None, outputs: Outputs) -> dict[str, Any]:
    """Everything but `variants`, for the platform of that key.

    A part whose estimator is missing, or has nothing for the platform, is None.
    """
    said = [output for output in outputs.values() if output is not None]
    parts = {part: part_of(outputs.get(part), platform_key) for part in PARTS}
    return {
        "schema": SCHEMA,
        "id": task_id,
        "status": status_of(outputs),
        **parts,
        "assumptions": merged_messages(output.get("assumptions", ()) for output in said),
        "open_questions": merged_questions(output.get("open_questions", ()) for output in said),
        "not_counted": merged_messages(output.get("not_counted", ()) for output in said),
        "evidence": evidence_of(outputs),
    }


def part_of(output: Mapping[str, Any] | None, platform_key: str | None) -> Any:
    """What one estimator said of one platform."""
    if output is None or platform_key is None:
        return None
    return output.get("platforms", {}).get(platform_key)


def status_of(outputs: Outputs) -> str:
    """The worst status of the training estimators that answered; `insufficient` if none did."""
    found = [
        output["status"]
        for name in _TRAINING
        if (output := outputs.get(name)) is not None and "status" in output
    ]
    return max(found, key=_STATUSES.index, default="insufficient")


def merged_messages(lists: Iterable[Iterable[Mapping[str, Any]]]) -> list[Mapping[str, Any]]:
    """All messages once, in the order in which they were first said."""
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for messages in lists:
        for message in messages:
            found.setdefault((message["key"], repr(message["params"])), message)
    return list(found.values())


def merged_questions(lists: Iterable[Iterable[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """One question a field with its largest influence, the most influential first."""
    found: dict[str, dict[str, Any]] = {}
    for questions in lists:
        for question in questions:
            known = found.get(question["field"])
            if known is None or question["influence"] > known["influence"]:
                found[question["field"]] = {**(known or {}), **question}
    return sorted(found.values(), key=lambda q: (-q["influence"], q["field"]))


def evidence_of(outputs: Outputs) -> dict[str, Any]:
    """The evidence of memory, which is what verdicts rest on; of time when memory is missing."""
    for name in _TRAINING:
        output = outputs.get(name)
        if output is not None and "evidence" in output:
            return dict(output["evidence"])
    return {"nearest": [], "validated": False, "gaps": []}
