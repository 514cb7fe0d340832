"""The register of risks: made from the verdicts, the rules of the engine and what is still open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core import formatting
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.risk_words import OWNERS, WORDS
from apps.documents.sheets.storage import missing_gb
from apps.documents.sheets.variants import Variant, picked
from apps.estimation.texts import sentence

_MOST: Final = 10
_RISK: Final = "variant.risk."
# What the engine says of a variant -> the risk it belongs to; several may belong to one.
_BY_MESSAGE: Final = {
    "memory-tight": "memory",
    "memory-risk": "memory",
    "memory-does-not-fit": "memory",
    "deadline": "deadline",
    "floor": "floor",
    "power": "power",
    "phases": "power",
    "growth-power": "growth",
    "cooling": "cooling",
    "units": "place",
    "depth": "place",
    "weight": "place",
    "data-feed": "data-feed",
    "exchange": "exchange",
    "network": "network",
    "drive-bays": "drives",
    "low-precision": "quality",
    "adapter-quality": "quality",
    "not-measured": "not-measured",
    "rented-differs": "rented-differs",
    "no-free-slots": "growth",
    "no-reserve": "growth",
    "no-growth-planned": "growth",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """One line. `trigger` is what of this task makes it a risk, in whole sentences."""

    number: int
    name: str
    trigger: str
    effect: str
    mitigation: str
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Risks:
    """Left out of a document without a variant: there is nothing yet that could go wrong."""

    conclusion: str
    rows: tuple[Risk, ...]


def risks_of(reading: Reading, variants: tuple[Variant, ...]) -> Risks:
    variant = picked(variants)
    if variant is None:
        return Risks(conclusion="", rows=())
    found = _found(reading, variant)
    rows = tuple(
        Risk(
            number=number,
            name=str(WORDS[key].name),
            trigger=" ".join(triggers),
            effect=str(WORDS[key].effect),
            mitigation=str(WORDS[key].mitigation),
            owner=str(OWNERS[WORDS[key].owner]),
        )
        for number, (key, triggers) in enumerate(found[:_MOST], start=1)
    )
    return Risks(conclusion=_conclusion(variant, len(rows)), rows=rows)


def _conclusion(variant: Variant, count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "%(shown)s risk of %(variant)s, the gravest first; who acts on it stands beside it.",
        "%(shown)s risks of %(variant)s, the gravest first; who acts on each stands beside it.",
        count,
    ) % {"shown": formatting.number(count), "variant": variant.key}


def _found(reading: Reading, variant: Variant) -> list[tuple[str, list[str]]]:
    """Keys of risks with their triggers, in the order of `WORDS`: the gravest first."""
    triggers: dict[str, list[str]] = {}
    for key, text in (*_said(variant), *_open(reading, variant)):
        triggers.setdefault(key, []).append(text)
    return [(key, triggers[key]) for key in WORDS if key in triggers]


def _said(variant: Variant) -> Iterator[tuple[str, str]]:
    """What the engine says of the variant itself."""
    for message in variant.document.get("risks") or ():
        key = _BY_MESSAGE.get(str(message["key"]).removeprefix(_RISK))
        if key:
            yield key, sentence(message)


def _open(reading: Reading, variant: Variant) -> Iterator[tuple[str, str]]:
    """What the answers leave open."""
    short = missing_gb(reading, variant)
    if short:
        yield (
            "drives",
            _("Storage: today's disk is %(missing)s short.")
            % {"missing": formatting.estimate(short, "GB")},
        )
    if not variant.rented and variant.document.get("needs_confirmation"):
        yield "part-number", _("The part number is not confirmed by a document of the vendor.")
    context: dict[str, Any] = dict(reading.snapshot.context)
    if (context.get("task") or {}).get("held_out_set") is not True:
        yield "held-out", _("No held-out data are named.")
    series = context.get("series") or {}
    if not series.get("stop_criteria"):
        yield "series", _("No criterion is named for stopping the series of runs.")
    if (series.get("experiments") or 0) == 1:
        yield "series", _("One experiment is planned: one successful run is no budget.")
    critical = len(reading.result.get("critical_questions") or ())
    if critical:
        yield (
            "questions",
            ngettext(
                "%(shown)s critical question is open.",
                "%(shown)s critical questions are open.",
                critical,
            )
            % {"shown": formatting.number(critical)},
        )
    if reading.result.get("separate_work") and variant.nodes > 1:
        yield "network", _("The network and the shared storage are not designed.")
