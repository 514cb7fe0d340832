"""A note's facts -> the HTML of its sheets, and what is attached to the PDF."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core.canonical import canonical_json
from apps.documents.drawings import drawings_apart, tagged, typeset
from apps.documents.models import Document
from apps.documents.notes.parts import figures_of, load_table, needs_of
from apps.documents.notes.reading import NoteReading
from apps.documents.notes.snapshot import Happening, Note
from apps.documents.press import Attached, Sheet
from apps.documents.sheets.reading import clipped, day_of, line_of, short_day_of
from apps.documents.sheets.signs import logo
from apps.documents.sheets.verify import verify_of
from apps.questionnaire.summary import headline
from apps.questionnaire.ways import WAYS, why_of
from apps.requisitions.models import Decision
from apps.requisitions.outcomes import Refusal

_HASH_CHARS: Final = 8
_ANSWERS: Final = "podbor.answers/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The title block. `sheet_line` stands at the foot of each sheet."""

    title: str
    task: str
    client: str
    logo: str
    number: str
    letter: str
    state: str
    role: str
    who: str
    day: str
    sheet_line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    letter: str
    day: str
    what: str
    who: str


def note_sheet(document: Document) -> Sheet:
    """Everything the press needs for a note, from its frozen text alone."""
    note = Note.read(document.snapshot_text)
    with translation.override(document.language):
        html = note_html(note, document.language, code=document.code)
        attachments = _attachments(note)
    html, drawings = drawings_apart(html)
    return Sheet(
        html=tagged(typeset(html)),
        drawings=drawings,
        identifier=document.identifier,
        at=datetime.fromisoformat(note.at).astimezone(UTC).replace(microsecond=0),
        attachments=attachments,
    )


def note_html(note: Note, language: str, *, code: str = "") -> str:
    """The sheets in the active language, which `language` names for screen readers; `code` is
    what their reader may ask about."""
    context = _context(note, language) | {"verify": verify_of(code)}
    return render_to_string("pdf/note.html", context)


def _context(note: Note, language: str) -> dict[str, Any]:
    reading = NoteReading(note)
    way = reading.way
    return {
        "language": language,
        "title": _("Conclusion %(number)s, rev. %(letter)s")
        % {"number": note.number, "letter": note.letter},
        "at": datetime.fromisoformat(note.at).astimezone(UTC).replace(microsecond=0).isoformat(),
        "head": _head(reading),
        "way": way,
        "why": why_of(way, at_gate=note.at_gate)
        if way
        else _("The requisition ends here without an assessment."),
        "by_engineer": bool(note.reason) and note.kind == Decision.Kind.REDIRECT,
        "reason": clipped(note.reason),
        "grounds": reading.grounds,
        "figures": figures_of(reading),
        "needs": needs_of(reading.evaluated, way) if way else (),
        "load": load_table(note),
        "history": tuple(_history(row) for row in note.history),
        "marks": _marks(note),
    }


def note_title(kind: str, category: str) -> str:
    """The outcome in one sentence; also for pages."""
    way = WAYS.get(category) if kind == Decision.Kind.REDIRECT else None
    if way is not None:
        return str(way.title)
    return _("The requisition is rejected: %(reason)s") % {
        "reason": _lowered(str(Refusal(category).label))
    }


def _lowered(text: str) -> str:
    """As the second part of a sentence."""
    return text[:1].lower() + text[1:]


def _head(reading: NoteReading) -> Head:
    note = reading.note
    revision = pgettext("revision", "rev. %(letter)s") % {"letter": note.letter}
    parts = (note.number, revision, short_day_of(note.at), note.facts_sha256()[:_HASH_CHARS])
    redirected = note.kind == Decision.Kind.REDIRECT
    return Head(
        title=note_title(note.kind, note.category),
        task=headline(reading.evaluated),
        client=line_of(note.client),
        logo=logo(),
        number=note.number,
        letter=note.letter,
        state=pgettext("note", "Redirected") if redirected else pgettext("note", "Rejected"),
        role=_("Chosen by the client") if note.at_gate else _("Decided by"),
        who=line_of(note.by),
        day=short_day_of(note.at),
        sheet_line=" · ".join(parts),
    )


def _history(row: Happening) -> HistoryRow:
    known = set(Decision.Kind.values)
    what = str(Decision.Kind(row.what).label) if row.what in known else _("sent for assessment")
    return HistoryRow(letter=row.letter, day=day_of(row.at), what=what, who=line_of(row.by))


def _marks(note: Note) -> tuple[tuple[str, str], ...]:
    """What the document can be checked against."""
    marks = [
        (_("Facts of this document"), note.facts_sha256()[: 2 * _HASH_CHARS]),
        (_("Answers"), note.answers_sha256[: 2 * _HASH_CHARS]),
    ]
    if note.effort or note.load:
        marks.append((_("Engine"), note.engine_version))
    return tuple(marks)


def _attachments(note: Note) -> tuple[Attached, ...]:
    """The answers as typed and as a program reads them: nobody has to type them again."""
    return (
        Attached(
            name="answers.json",
            description=_("The client's answers as typed"),
            relationship="Source",
            text=canonical_json({"schema": _ANSWERS, "answers": note.answers}),
        ),
        Attached(
            name="task.json",
            description=_("The task as a program reads it"),
            relationship="Data",
            text=canonical_json(note.task),
        ),
    )
