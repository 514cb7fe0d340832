"""What makes it fit, step by step, and how far the recipe may go: for pages and documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import npgettext, pgettext

from apps.core import formatting
from apps.estimation.presenters.methods import hardware_text
from apps.estimation.texts import accelerator_name, code_word, sentence, value_text
from apps.estimation.wording.schemes import scheme_text

Block = Mapping[str, Any]
_SIGNS: Final = {"less": "↓", "same": "=", "more": "↑"}
EFFECTS: Final = ("memory", "compute", "exchange")
# A change of the time below this is none that anybody would see.
_SAME_TIME_RATIO: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One change; `before` and `after` are range dicts of one GPU, GiB.

    `effects` are signs with their words, for memory, compute and exchange; `note` says that
    something is in the recipe already, does not help here, or changes what is trained.
    """

    lever: str
    name: str
    about: str
    before: Block
    after: Block
    verdict: str
    time: str
    effects: tuple[tuple[str, str], ...]
    note: str
    idle: bool
    stops: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderView:
    """`start` is the range of the recipe as it is, on `start_about`."""

    conclusion: str
    card: str
    capacity_gib: float | None = None
    start: Block | None = None
    start_about: str = ""
    start_verdict: str = "unknown"
    rungs: tuple[Rung, ...] = ()
    reason: str = ""


def ladder_of(result: Block) -> LadderView | None:
    """The ladder; only its reason where there is none, None for an older result."""
    if "ladder" not in result:
        return None
    block = result["ladder"]
    if block is None:
        reason = sentence((result.get("reasons") or {}).get("ladder"))
        return LadderView(conclusion="", card="", reason=reason)
    start = block["start"]
    return LadderView(
        conclusion=_conclusion(block),
        card=accelerator_name(block["accelerator"]),
        capacity_gib=start["capacity_gib"],
        start=start["device_gib"],
        start_about=_where(start),
        start_verdict=start["verdict"],
        rungs=tuple(_rung(rung) for rung in block["rungs"]),
    )


def _where(block: Block) -> str:
    parts = [formatting.quantity(block["gpus"], "gpus")]
    if block["nodes"] > 1:
        parts.append(formatting.quantity(block["nodes"], "nodes"))
    if block["gpus"] > 1:
        parts.append(scheme_text(block["layout"]))
    return ", ".join(parts)


def _conclusion(block: Block) -> str:
    start = _where(block["start"])
    card = accelerator_name(block["accelerator"])
    if block["fits_at"] == "start":
        return _("On %(card)s it fits as it stands: %(where)s.") % {"card": card, "where": start}
    if block["fits_at"] is None:
        return _(
            "On %(card)s nothing of this makes it fit: a shorter sequence, another method or a card with more memory would have to."
        ) % {"card": card}
    last = block["rungs"][-1]
    return _("On %(card)s it fits after this step: %(lever)s, %(where)s.") % {
        "card": card,
        "lever": code_word("lever", block["fits_at"]),
        "where": _where(last),
    }


def _rung(rung: Block) -> Rung:
    return Rung(
        lever=rung["lever"],
        name=code_word("lever", rung["lever"]),
        about=_about(rung),
        before=rung["before_gib"],
        after=rung["device_gib"],
        verdict=rung["verdict"],
        time=_time(rung["time_ratio"]),
        effects=tuple(
            (_SIGNS[rung["effects"][name]], code_word("effect", rung["effects"][name]))
            for name in EFFECTS
        ),
        note=_note(rung),
        idle=rung["state"] in ("already", "assumed", "worse"),
        stops=rung["stops"],
    )


def _about(rung: Block) -> str:
    """What the step sets."""
    if rung["lever"] == "precision":
        return value_text("recipe.precision", rung["to"])
    if rung["lever"] == "micro-batch":
        return pgettext("ladder", "one sample a pass, the rest accumulated")
    if rung["lever"] in ("sharding", "more-gpus") and rung["state"] not in ("already", "assumed"):
        return _where(rung)
    return ""


def _time(ratio: float | None) -> str:
    """×1,3: how many times as long a sample takes after the step as before it."""
    if ratio is None:
        return ""
    if abs(ratio - 1) < _SAME_TIME_RATIO:
        return _("the same")
    return f"×{formatting.approximate(ratio, 2)}"


def _note(rung: Block) -> str:
    if rung["state"] != "applied":
        return code_word("rung_state", rung["state"])
    if rung["changes_training"]:
        return _("Changes the arithmetic of training: check the quality.")
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRow:
    """One inverse question. With a `reason` there is no answer."""

    question: str
    value: str = ""
    stated: str = ""
    memory: Block | None = None
    capacity_gib: float | None = None
    reserve: str = ""
    about: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsView:
    """`hardware` is what length and micro-batch are of."""

    hardware: str
    note: str
    rows: tuple[LimitRow, ...]
    reason: str = ""


def limits_of(result: Block) -> LimitsView | None:
    """The inverse questions; only the reason where nothing was searched."""
    if "limits" not in result:
        return None
    block = result["limits"]
    if block is None:
        reason = sentence((result.get("reasons") or {}).get("limits"))
        return LimitsView(hardware="", note="", rows=(), reason=reason)
    note = _(
        "By the high end of the memory; length and micro-batch keep %(share)s of the card free."
    )
    return LimitsView(
        hardware=hardware_text(block),
        note=note % {"share": formatting.percent(block["reserve_ratio"])},
        rows=(
            _limit(_("Longest sequence"), "sequence_length", block),
            _limit(_("Largest micro-batch"), "micro_batch", block),
            _limit(_("Fewest GPUs of this card"), "fewest_gpus", block),
        ),
    )


def _limit(question: str, key: str, block: Block) -> LimitRow:
    found = block[key]
    if found.get("reason"):
        return LimitRow(question=question, reason=sentence(found["reason"]))
    value = _counted(key, found["value"])
    if found["at_least"]:
        value = _("%(value)s or more") % {"value": value}
    stated = found["stated"]
    return LimitRow(
        question=question,
        value=value,
        stated=_("stated: %(value)s") % {"value": _counted(key, stated)} if stated else "",
        memory=found["device_gib"],
        capacity_gib=found["capacity_gib"],
        reserve=_("%(share)s stay free") % {"share": formatting.percent(found["reserve_ratio"])},
        about=_about_limit(key, found),
    )


def _counted(key: str, value: float) -> str:
    if key == "sequence_length":
        return formatting.quantity(value, "tokens")
    if key == "fewest_gpus":
        return formatting.quantity(value, "gpus")
    return npgettext("micro-batch", "%(count)s sample", "%(count)s samples", int(value)) % {
        "count": formatting.number(value)
    }


def _about_limit(key: str, found: Block) -> str:
    if key != "fewest_gpus":
        return ""
    parts = [scheme_text(found["layout"])]
    if found["sold_gpus"] > found["gpus"]:
        sold = formatting.quantity(found["sold_gpus"], "gpus")
        parts.append(_("sold together: %(gpus)s") % {"gpus": sold})
    return ", ".join(parts)
