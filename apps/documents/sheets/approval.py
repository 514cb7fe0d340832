"""Who did what and when, and what changed from one revision to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.documents.sheets.reading import Reading, answer_label, clipped, day_of, line_of
from apps.documents.snapshot import Edition
from apps.requisitions.models import Decision
from apps.requisitions.senders import sender_words

_MOST_CHANGES: Final = 8
_HASH_CHARS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One line of the block; an empty `who` is a line to sign on."""

    role: str
    who: str
    day: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionRow:
    letter: str
    day: str
    who: str
    changed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    conclusion: str
    signatures: tuple[Signature, ...]
    editions: tuple[EditionRow, ...]
    marks: tuple[tuple[str, str], ...]


def approvals_of(reading: Reading) -> Approvals:
    return Approvals(
        conclusion=_conclusion(reading),
        signatures=tuple(_signatures(reading)),
        editions=tuple(_editions(reading)),
        marks=_marks(reading),
    )


def _conclusion(reading: Reading) -> str:
    approval = reading.snapshot.approval
    if approval is None:
        return _("Not approved yet: this is a draft for the reviewer.")
    return _("Approved by %(who)s on %(day)s.") % {
        "who": line_of(approval.by),
        "day": day_of(approval.at),
    }


def _signatures(reading: Reading) -> list[Signature]:
    snapshot = reading.snapshot
    steps = {step.kind: step for step in snapshot.steps}
    lines = [
        Signature(
            role=_("Sent by"),
            who=line_of(snapshot.sent_by),
            day=day_of(snapshot.sent_at),
            note=clipped(_hands(reading)),
        ),
    ]
    sent = steps.get(Decision.Kind.SEND_TO_APPROVAL)
    lines.append(
        Signature(
            role=_("Checked by"),
            who=line_of(sent.by if sent else snapshot.engineer),
            day=day_of(sent.at) if sent else "",
        )
    )
    approval = snapshot.approval
    lines.append(
        Signature(
            role=_("Approved by"),
            who=line_of(approval.by) if approval else "",
            day=day_of(approval.at) if approval else "",
            note=clipped(approval.comment) if approval else "",
        )
    )
    return lines


def _hands(reading: Reading) -> str:
    """That a manager sent it for the client, or filled it in; else nothing."""
    snapshot = reading.snapshot
    return sender_words(
        sent_by=snapshot.sent_by,
        on_behalf_of=snapshot.on_behalf_of,
        prepared_by=snapshot.prepared_by,
    )


def _sender(edition: Edition) -> str:
    if not edition.on_behalf_of:
        return line_of(edition.by)
    return _("%(manager)s on behalf of the client (%(client)s)") % {
        "manager": line_of(edition.by),
        "client": line_of(edition.on_behalf_of),
    }


def _editions(reading: Reading) -> list[EditionRow]:
    return [
        EditionRow(
            letter=edition.letter,
            day=day_of(edition.at),
            who=_sender(edition),
            changed=_changes(edition.changed, first=index == 0),
        )
        for index, edition in enumerate(reading.snapshot.editions)
    ]


def _changes(keys: tuple[str, ...], *, first: bool) -> str:
    if first:
        return _("First revision.")
    if not keys:
        return _("No answer changed.")
    shown = ", ".join(answer_label(key) for key in keys[:_MOST_CHANGES])
    rest = len(keys) - _MOST_CHANGES
    if rest > 0:
        shown = _("%(shown)s and %(rest)s more") % {
            "shown": shown,
            "rest": formatting.number(rest),
        }
    return _("Changed: %(answers)s.") % {"answers": shown}


def _marks(reading: Reading) -> tuple[tuple[str, str], ...]:
    """What a result can be reproduced from."""
    snapshot = reading.snapshot
    marks = [
        (_("Facts of this document"), snapshot.facts_sha256()[:_HASH_CHARS]),
        (_("Input of the calculation"), snapshot.input_sha256[:_HASH_CHARS]),
        (_("Catalog"), snapshot.catalog_sha256[:_HASH_CHARS]),
        (_("Engine"), snapshot.engine_version),
    ]
    if snapshot.approval:
        marks.append((_("Approved draft"), snapshot.approval.document_sha256[:_HASH_CHARS]))
    return tuple(marks)
