"""A document's snapshot -> the HTML of its sheets, and what is attached to the PDF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.core.canonical import canonical_json
from apps.core.svg import Paint, document, line
from apps.documents.drawings import drawings_apart, tagged, typeset
from apps.documents.extracts import Part, cover_words, parts_of, title_of
from apps.documents.models import Document
from apps.documents.notes.page import note_sheet
from apps.documents.press import Attached, Sheet
from apps.documents.sheets.contents import APPENDICES, contents_of
from apps.documents.sheets.pilot import Pilot, pilot_of
from apps.documents.sheets.reading import LINE_MAX_CHARS, Reading, clipped, line_of, short_day_of
from apps.documents.sheets.signs import logo
from apps.documents.sheets.summary import cover_drawing, headline_text, summary_of
from apps.documents.sheets.variants import Variant, picked, variants_of
from apps.documents.sheets.verify import verify_of
from apps.documents.snapshot import Snapshot
from apps.questionnaire.summary import headline
from apps.requisitions.models import Decision

_GRID_COLOUR: Final = "#e6eae8"
_GRID_MM: Final = (182, 269, 7)
_HASH_CHARS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the document; `content` has a `conclusion` that stands under its title.

    `label` is its number, or «Appendix A»; `opens` begins the appendices on a new sheet.
    """

    label: str
    title: str
    key: str
    template: str
    content: Any
    opens: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    about: str
    headline: str
    task: str
    client: str
    drawing: str
    sheet_line: str
    grid: str
    logo: str
    number: str
    letter: str
    state: str
    engineer: str
    checked: str
    approver: str
    approved: str
    catalog_day: str
    marks: str


def sheet_of(document_row: Document) -> Sheet:
    """Everything the press needs for a document, from its frozen text alone."""
    if document_row.kind == Document.Kind.NOTE:
        return note_sheet(document_row)
    snapshot = Snapshot.read(document_row.snapshot_text)
    with translation.override(document_row.language):
        html = html_of(
            snapshot,
            kind=document_row.kind,
            language=document_row.language,
            code=document_row.code,
        )
        attachments = _attachments(snapshot, document_row.kind)
    html, drawings = drawings_apart(html)
    return Sheet(
        html=tagged(typeset(html)),
        drawings=drawings,
        identifier=document_row.identifier,
        at=_moment(snapshot),
        attachments=attachments,
    )


def has_parts(document_row: Document, kind: str) -> bool:
    """Has a document of this kind anything to say about the facts of `document_row`?"""
    snapshot = Snapshot.read(document_row.snapshot_text)
    with translation.override(document_row.language):
        return bool(_context(snapshot, kind, document_row.language)["sections"])


def html_of(snapshot: Snapshot, *, kind: str, language: str, code: str = "") -> str:
    """The sheets in the active language, which `language` names for screen readers; `code` is
    what their reader may ask about."""
    context = _context(snapshot, kind, language) | {"verify": verify_of(code)}
    return render_to_string("pdf/assessment.html", context)


def _moment(snapshot: Snapshot) -> datetime:
    """When the document got its facts: fixed, so that printing twice gives the same bytes."""
    text = snapshot.approval.at if snapshot.approval else snapshot.calculated_at
    return datetime.fromisoformat(text).astimezone(UTC).replace(microsecond=0)


def _context(snapshot: Snapshot, kind: str, language: str) -> dict[str, Any]:
    reading = Reading(snapshot=snapshot, kind=kind)
    variants = variants_of(reading)
    pilot = pilot_of(reading, variants)
    summary = summary_of(reading, variants, pilot)
    contents = parts_of(kind, contents_of(reading, variants, summary, pilot), _protocol(pilot))
    return {
        "language": language,
        "title": title_of(kind, snapshot.number, snapshot.letter),
        "description": _task_line(reading),
        "at": _moment(snapshot).isoformat(),
        "mark": _mark(snapshot),
        "cover": _cover(reading, variants),
        "summary": None if kind == Document.Kind.PROTOCOL else summary,
        "sections": list(_sections(contents)),
    }


def _protocol(pilot: Pilot) -> tuple[Part, ...]:
    """What is sent to whoever runs the pilot."""
    return ((_("Pilot"), "pilot", pilot),)


def _sections(contents: tuple[Part, ...]) -> Iterator[Section]:
    """Numbered, appendices under letters; a part that has nothing to say is left out."""
    said = [part for part in contents if part[2].conclusion]
    letters = iter(pgettext("letters of the appendices", "ABCDEF"))
    before = ""
    for number, (title, name, content) in enumerate(said, start=1):
        lettered = name in APPENDICES
        label = next(letters) if lettered else formatting.number(number)
        yield Section(
            label=_("Appendix %(letter)s") % {"letter": label} if lettered else label,
            title=title,
            key=name,
            template=f"pdf/partials/{name}.html",
            content=content,
            opens=lettered and before not in APPENDICES,
        )
        before = name


def _mark(snapshot: Snapshot) -> str:
    """The words across every sheet of what is not the original."""
    if snapshot.approval is None:
        return pgettext("watermark", "DRAFT")
    if snapshot.superseded:
        return pgettext("watermark", "REPLACED BY REV. %(letter)s") % {
            "letter": snapshot.superseded.letter
        }
    return ""


def _sheet_line(snapshot: Snapshot) -> str:
    at = snapshot.approval.at if snapshot.approval else snapshot.calculated_at
    revision = pgettext("revision", "rev. %(letter)s") % {"letter": snapshot.letter}
    parts = (snapshot.number, revision, short_day_of(at), snapshot.facts_sha256()[:_HASH_CHARS])
    return " · ".join(parts)


def _cover(reading: Reading, variants: tuple[Variant, ...]) -> Cover:
    snapshot = reading.snapshot
    sent = next((s for s in snapshot.steps if s.kind == Decision.Kind.SEND_TO_APPROVAL), None)
    approval = snapshot.approval
    apart = reading.kind == Document.Kind.PROTOCOL  # goes to people who know nothing of the client
    return Cover(
        about=cover_words(reading.kind),
        headline=_("Protocol of the pilot") if apart else headline_text(reading, picked(variants)),
        task=_task_line(reading),
        client="" if apart else line_of(snapshot.client),
        drawing="" if apart else cover_drawing(reading, picked(variants)),
        sheet_line=_sheet_line(snapshot),
        grid=_grid(),
        logo=logo(),
        number=snapshot.number,
        letter=snapshot.letter,
        state=_state(snapshot),
        engineer=line_of(sent.by if sent else snapshot.engineer) or formatting.not_given(),
        checked=short_day_of(sent.at) if sent else formatting.not_given(),
        approver=line_of(approval.by) if approval else formatting.not_given(),
        approved=short_day_of(approval.at) if approval else formatting.not_given(),
        catalog_day=formatting.day(date.fromisoformat(snapshot.catalog_day)),
        marks=f"{snapshot.input_sha256[:_HASH_CHARS]} / {snapshot.engine_version}",
    )


def _task_line(reading: Reading) -> str:
    """Method, model and length; where none of them is known, the client's own words."""
    if {"method", "strategy", "model_name", "params"} & set(reading.evaluated.effective):
        return headline(reading.evaluated)
    return clipped(str(reading.evaluated.effective.get("business_task", "")), LINE_MAX_CHARS)


def _state(snapshot: Snapshot) -> str:
    if snapshot.approval is None:
        return _("Draft, not approved")
    if snapshot.superseded:
        return _("Replaced by revision %(letter)s on %(day)s") % {
            "letter": snapshot.superseded.letter,
            "day": short_day_of(snapshot.superseded.at),
        }
    return _("Approved on %(day)s") % {"day": short_day_of(snapshot.approval.at)}


@cache
def _grid() -> str:
    width, height, step = _GRID_MM
    paint = Paint("c-grid", stroke=_GRID_COLOUR, width=0.2)
    lines = [line(x, 0, x, height, paint) for x in range(0, width + 1, step)]
    lines += [line(0, y, width, y, paint) for y in range(3, height + 1, step)]
    return document(width, height, "".join(lines), title="", css="grid")


def _attachments(snapshot: Snapshot, kind: str) -> tuple[Attached, ...]:
    """The task and the result as a program reads them; with a protocol that goes out, nothing."""
    if kind == Document.Kind.PROTOCOL:
        return ()
    return (
        Attached(
            name="task.json",
            description=_("The task as the calculation was given it"),
            relationship="Source",
            text=canonical_json(snapshot.task),
        ),
        Attached(
            name="result.json",
            description=_("The result of the calculation"),
            relationship="Data",
            text=canonical_json(snapshot.result),
        ),
    )
