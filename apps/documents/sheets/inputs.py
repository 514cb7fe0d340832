"""What the client said: the task in their words, five parameters, recipe, purchase, rack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core import formatting
from apps.documents.sheets.answers import AnswerRow, is_quotation, rows_by_key
from apps.documents.sheets.reading import LINE_MAX_CHARS, Reading, clipped, in_two
from apps.questionnaire.sections import SECTIONS
from apps.questionnaire.summary import summarise
from apps.questionnaire.triples import TRIPLES
from apps.requisitions.models import Attachment

_LINE_CHARS: Final = 48
# Section -> the answers of it that carry the figures; the rest stands in the appendix.
_CARRYING: Final = {
    "method": "strategy method lora_rank lora_targets quantization",
    "model": "model_name params model_kind image_size",
    "data": "dataset_bytes data_kind tokens samples",
    "timing": "target_time time_scope runs_per_quarter experiments",
    "horizon": "use growth sharing",
    "recipe": (
        "precision optimizer sequence_length micro_batch grad_accumulation"
        " activation_checkpointing epochs steps framework framework_version"
    ),
    "purchase": "acquisition rent_period wanted_date budget sku",
    "site": "kw_usable amps feeds cooling rack_units",
}
# Its long answers stand under the question whether training is needed.
_GOAL: Final = "goal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A long answer in the client's own words."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """What was collected of one section, why it is asked and what it becomes in hardware.

    `blank` are the questions that were asked and left open without a word.
    """

    name: str
    why: str
    becomes: str
    rows: tuple[AnswerRow, ...]
    blank: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    conclusion: str
    quotations: tuple[tuple[Quotation, ...], ...]
    parameters: tuple[Parameter, ...]
    attachments: tuple[str, ...]


def inputs_of(reading: Reading) -> Inputs:
    """What the figures are carried by; every answer stands in the appendix."""
    return Inputs(
        conclusion=_conclusion(reading),
        quotations=in_two(tuple(_quotations(reading)), _quotation_lines),
        parameters=tuple(_parameters(reading)),
        attachments=tuple(_attachments(reading)),
    )


def _quotation_lines(quotation: Quotation) -> float:
    return 2 + len(quotation.text) / _LINE_CHARS


def _conclusion(reading: Reading) -> str:
    known = len(reading.evaluated.effective)
    unknown = len(reading.evaluated.unknown)
    text = ngettext("%(shown)s answer", "%(shown)s answers", known) % {
        "shown": formatting.number(known)
    }
    if not unknown:
        return _("%(answers)s, none of them “I do not know”.") % {"answers": text}
    return _("%(answers)s and “I do not know” %(unknown)s.") % {
        "answers": text,
        "unknown": ngettext("%(shown)s time", "%(shown)s times", unknown)
        % {"shown": formatting.number(unknown)},
    }


def _quotations(reading: Reading) -> Iterator[Quotation]:
    for summary in summarise(reading.evaluated):
        for row in summary.rows if summary.section.key != _GOAL else ():
            if is_quotation(row):
                yield Quotation(label=str(row.label), text=clipped(row.value))


def _parameters(reading: Reading) -> Iterator[Parameter]:
    """Five parameters and what goes with them; a section nobody was asked of is left out."""
    rows = rows_by_key(reading)
    names = {section.key: str(section.name) for section in SECTIONS}
    for key, wanted in _CARRYING.items():
        found = tuple(rows[one] for one in wanted.split() if one in rows)
        if found:
            yield Parameter(
                name=names[key],
                why=str(TRIPLES[key].why),
                becomes=str(TRIPLES[key].becomes),
                rows=tuple(row for row in found if row.provenance),
                blank=tuple(row.label for row in found if not row.provenance),
            )


def _attachments(reading: Reading) -> Iterator[str]:
    for one in reading.snapshot.attachments:
        # Letters sent before files had a kind name none.
        kind = one.get("kind")
        pattern = (
            _("%(name)s (%(kind)s, %(size)s, sha256 %(hash)s)")
            if kind
            else _("%(name)s (%(size)s, sha256 %(hash)s)")
        )
        yield pattern % {
            "name": clipped(one["name"], LINE_MAX_CHARS),
            "kind": Attachment.Kind(kind).label if kind else "",
            "size": formatting.byte_size(one["size_bytes"]),
            "hash": one["sha256"][:12],
        }
