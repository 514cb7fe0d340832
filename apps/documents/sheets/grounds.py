"""What the figures stand on: assumptions, corrections, remarks, evidence, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core import formatting
from apps.documents.sheets.reading import Reading, by_two, clipped, day_of, line_of
from apps.documents.snapshot import OverrideFact
from apps.estimation.presenters import NearRun, OwnRunView, near_runs, own_runs
from apps.estimation.texts import code_word, estimator_name, field_label, sentences
from apps.questionnaire.summary import display_value
from apps.questionnaire.to_task import TASK_FIELDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The client's value, the engineer's beside it, why, and what the client says of it."""

    label: str
    was: str
    now: str
    reason: str
    author: str
    answer: str
    declined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkRow:
    text: str
    author: str
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Lists come in rows of two, to be read line by line."""

    conclusion: str
    assumptions: tuple[tuple[tuple[int, str], ...], ...]
    confidence: str
    grades: tuple[tuple[str, bool], ...]
    evidence: str
    gaps: tuple[str, ...]
    own: tuple[OwnRunView, ...]
    near: tuple[NearRun, ...]
    not_counted: tuple[tuple[str, ...], ...]
    failures: tuple[str, ...]
    corrections: tuple[Correction, ...]
    remarks: tuple[RemarkRow, ...]


def grounds_of(reading: Reading) -> Grounds:
    result = reading.result
    assumptions = tuple(sentences(result.get("assumptions") or ()))
    return Grounds(
        conclusion=_conclusion(len(assumptions)),
        assumptions=by_two(tuple(enumerate(assumptions, start=1))),
        confidence=_("Confidence %(grade)s.") % {"grade": result.get("confidence") or "D"},
        grades=tuple(
            (code_word("confidence", grade), grade == result.get("confidence")) for grade in "ABCD"
        ),
        evidence=_evidence(result.get("evidence") or {}),
        gaps=tuple(sentences((result.get("evidence") or {}).get("gaps") or ())),
        own=own_runs(result),
        near=near_runs(result),
        not_counted=by_two(tuple(sentences(result.get("not_counted") or ()))),
        failures=tuple(_failures(reading.snapshot.failures)),
        corrections=tuple(_corrections(reading)),
        remarks=tuple(
            RemarkRow(text=clipped(r.text), author=line_of(r.author), day=day_of(r.at))
            for r in reading.snapshot.remarks
        ),
    )


def _conclusion(count: int) -> str:
    if not count:
        return _("Nothing was assumed: every value is stated.")
    return ngettext(
        "%(shown)s assumption. If it is wrong for you, tell us: the figures will change.",
        "%(shown)s assumptions. If one is wrong for you, tell us: the figures will change.",
        count,
    ) % {"shown": formatting.number(count)}


def _evidence(evidence: Mapping[str, Any]) -> str:
    if evidence.get("validated"):
        return _("Runs of this kind have been measured, and the engine was checked against them.")
    return _("Not checked against measured runs: the ranges are wider for it.")


def _failures(failures: Mapping[str, str]) -> list[str]:
    """What could not be calculated. The technical reason is the engineer's, on the workspace."""
    return [
        _("%(estimator)s: not calculated because of a fault of ours; the engineer has the details.")
        % {"estimator": estimator_name(key)}
        for key in failures
    ]


def _corrections(reading: Reading) -> list[Correction]:
    return [
        Correction(
            label=field_label(override.field),
            was=_client_value(reading, override.field),
            now=reading.override_text(override),
            reason=clipped(override.reason),
            author=line_of(override.author),
            answer=_answer(override),
            declined=override.reply == "declined",
        )
        for override in reading.snapshot.overrides
    ]


def _answer(override: OverrideFact) -> str:
    """What the client says of the value, with their words; "" while they have said nothing."""
    if not override.reply:
        return ""
    said = _("ACCEPTED BY THE CLIENT") if override.reply == "accepted" else _("not accepted")
    return f"{said}: {line_of(override.words)}" if override.words else said


def _client_value(reading: Reading, field: str) -> str:
    answer = reading.evaluated.answers.get(TASK_FIELDS.get(field, ""))
    if answer is None:
        return formatting.not_given()
    if answer.unknown:
        return _("I do not know")
    return clipped(display_value(answer), 200) or formatting.not_given()
