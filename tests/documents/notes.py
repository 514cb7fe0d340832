"""Notes to print: made by the real questionnaire and engine, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from typing import Any

from pypdf import PdfReader

from apps.documents.notes.effort import effort_of, load_of, result_of_task
from apps.documents.notes.page import note_sheet
from apps.documents.notes.snapshot import Happening, Note
from apps.documents.press import Printed, print_pdf
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.to_task import to_context, to_task
from tests.documents.conftest import note_document
from tests.documents.samples import plain
from tests.questionnaire.answers import REFERENCE

AT = "2026-12-02T09:30:00+00:00"
Answers = Mapping[str, RawAnswer]

SEARCH: Answers = {
    "purpose": RawAnswer("knowledge"),
    "weights_change": RawAnswer("yes"),
    "alternatives": RawAnswer("not-tested"),
}
LENGTH = {"tokens": RawAnswer("400 млн")}
OUTCOMES: Mapping[str, tuple[str, str, Answers, str]] = {
    "rag": ("redirect", "rag", SEARCH, ""),
    "inference": ("redirect", "inference", {**REFERENCE, "purpose": RawAnswer("serve")}, ""),
    "pilot": (
        "redirect",
        "pilot",
        {**REFERENCE, **LENGTH, "alternatives": RawAnswer("not-tested")},
        "",
    ),
    "cloud": (
        "redirect",
        "cloud",
        {
            **REFERENCE,
            **LENGTH,
            "acquisition": RawAnswer("undecided"),
            "runs_per_quarter": RawAnswer("6"),
        },
        "Решите, где стоит сервер.",
    ),
    "reject": ("reject", "infeasible", REFERENCE, "В 5 кВт не входит ни один вариант."),
}


def make_note(kind: str, category: str, answers: Answers, reason: str, **overrides: Any) -> Note:
    evaluated = evaluate(answers)
    task = plain(to_task(evaluated, "ЗС-0042 A"))
    result = result_of_task(task, to_context(evaluated))
    values: dict[str, Any] = {
        "number": "ЗС-0042",
        "letter": "A",
        "client": "Ладога Текст",
        "kind": kind,
        "category": category,
        "reason": reason,
        "by": "С. Дымов" if reason else "Анна Верещагина",
        "at": AT,
        "at_gate": not reason,
        "answers": {key: answers[key].as_dict() for key in evaluated.answers if key in answers},
        "answers_sha256": "ab" * 32,
        "attachments": (),
        "task": task,
        "effort": plain(effort_of(result, task)) if category == "pilot" else None,
        "load": plain(load_of(result)) if category == "cloud" else None,
        "engine_version": "1.0",
        "history": (Happening(letter="A", what=kind, by="С. Дымов", at=AT),),
    }
    return Note(**values | overrides)


def sample(name: str) -> Note:
    return make_note(*OUTCOMES[name])


@cache
def printed(name: str, language: str) -> Printed:
    """A sample as PDF, printed once a process."""
    return print_pdf(note_sheet(note_document(sample(name), language)))


def text_of(made: Printed) -> str:
    """What can be read, with line breaks as spaces."""
    pages = PdfReader(BytesIO(made.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())
