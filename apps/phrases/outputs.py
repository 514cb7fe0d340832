"""The specification as Markdown and as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Final

from django.utils.translation import gettext as _

from apps.phrases.specification import Field, Specification

SCHEMA: Final = "podbor.specification/1"
# Signs that Markdown or the HTML inside it would take for its own.
_MARKS: Final = re.compile(r"([\\`*_\[\]<>|#~])")


def as_json(specification: Specification) -> str:
    """All of it, in the order of the fields."""
    document = {"schema": SCHEMA, **asdict(specification)}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def as_markdown(specification: Specification) -> str:
    """A heading for each field with a table under it."""
    said = specification
    lines = [f"# {_plain(said.title)}", ""]
    lines += [f"- {label}: {_plain(value)}" for label, value in head_of(said)]
    if said.request:
        lines += ["", f"> {_plain(said.request)}"]
    for field in said.fields:
        lines += ["", *_table(field)]
    lines += ["", f"## {_('Open questions')}", ""]
    lines += [
        "- " + _plain(", ".join(text for text in (one.name, one.who, one.when) if text))
        for one in said.open_questions
    ] or [_("none")]
    return "\n".join([*lines, "", f"*{_plain(said.notice)}*", ""])


def head_of(said: Specification) -> list[tuple[str, str]]:
    """Label and value of what stands at the top; a number comes with the first sending."""
    number = f"{said.number}, {said.letter}" if said.number else _("not sent yet")
    rows = [
        (_("Requisition, revision"), number),
        (_("Company"), said.company),
        (_("Contact"), said.contact or _("not specified")),
        (_("Date"), said.day),
    ]
    return [(str(label), value) for label, value in rows]


def columns() -> tuple[str, str, str]:
    return _("What"), _("Value"), _("Where it is from")


def _table(field: Field) -> list[str]:
    rows = [
        f"| {_plain(line.name)} | {_plain(line.value)} | {_plain(line.source)} |"
        for line in field.lines
    ]
    head = " | ".join(columns())
    return [
        f"## {field.number}. {_plain(field.title)}",
        "",
        f"| {head} |",
        "| --- | --- | --- |",
        *rows,
    ]


def _plain(text: str) -> str:
    """A text of one line that stands as it is."""
    return _MARKS.sub(r"\\\1", " ".join(text.split(" ")).replace("\r", " ").replace("\n", " "))
