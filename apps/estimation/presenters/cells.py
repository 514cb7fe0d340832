"""One figure of one part of a result, against its limit: what a table cell or a row shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.core.verdict_words import verdict_word
from apps.estimation.texts import code_word, estimator_name, sentence

PARTS: Final = ("memory", "time", "interconnect", "storage", "rack", "host")

# A rented server stands in somebody else's rack.
_NEEDLESS: Final = "result.reason.rented"
# How a link's fit stands beside the verdicts of the other parts.
_LINK_STATES: Final = {"suits": "fits", "limits": "tight", "not-recommended": "risk"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """`value` is a range dict with its `unit`, or None when `text` says it in words.

    `state` is a verdict code, "" where there is nothing to judge; `word` the verdict in the
    resource's own terms, "" for the common word. `reason` stands when there is no figure;
    `needless` when none is wanted.
    """

    key: str
    label: str
    value: Mapping[str, float] | None = None
    unit: str = ""
    text: str = ""
    limit: float | None = None
    limit_text: str = ""
    state: str = ""
    word: str = ""
    reason: str = ""
    needless: bool = False

    @property
    def missing(self) -> bool:
        return bool(self.reason)


Block = Mapping[str, Any]


def cell_of(part: str, block: Block | None, reason: Mapping[str, Any] | None = None) -> Cell:
    """The cell of one part.

    Args:
        part: a key of `PARTS`.
        block: what the estimator said of the platform; None when it said nothing.
        reason: the message why there is no block.
    """
    own_reason = (block or {}).get("reason")
    if block is None or (own_reason and part != "interconnect"):
        message = own_reason or reason
        return Cell(
            key=part,
            label=estimator_name(part),
            reason=sentence(message) or _("Not calculated."),
            needless=(message or {}).get("key") == _NEEDLESS,
        )
    return _BUILDERS[part](block)


def _memory(block: Block) -> Cell:
    capacity = block.get("capacity_gib")
    return Cell(
        key="memory",
        label=_("Memory of one GPU"),
        value=block["device_gib"],
        unit="GiB",
        limit=capacity,
        limit_text=_limit(_("card: %(limit)s"), capacity, "GiB"),
        state=block["verdict"],
    )


def _limit(pattern: str, limit: float | None, unit: str) -> str:
    return "" if limit is None else pattern % {"limit": formatting.quantity(limit, unit)}


def deadline_word(verdict: str) -> str:
    """The verdict on a deadline in its own words."""
    words = {
        "fits": pgettext("deadline", "in time"),
        "tight": pgettext("deadline", "in time"),
        "risk": pgettext("deadline", "may be late"),
        "does-not-fit": pgettext("deadline", "late"),
    }
    return words.get(verdict, "")


def _time(block: Block) -> Cell:
    cycle = block.get("cycle")
    if cycle is None:
        return Cell(
            key="time",
            label=_("Time of a step"),
            value=block["step_s"],
            unit="s",
            limit_text=_per_billion(block),
        )
    target, verdict = cycle.get("target_hours"), cycle["verdict"]
    judged = target is not None
    return Cell(
        key="time",
        label=_("Time of the cycle"),
        value=cycle["hours"],
        unit="h",
        limit=target,
        limit_text=_limit(_("deadline: %(limit)s"), target, "h"),
        state=verdict if judged else "",
        word=deadline_word(verdict) if judged else "",
    )


def _per_billion(block: Block) -> str:
    """What can be said of the time when nobody knows how many tokens there are."""
    hours = block.get("hours_per_billion_tokens")
    if not hours:
        return ""
    seconds = [hours[end] * 3600 for end in ("low", "typical", "high")]
    return _("a billion tokens: %(time)s") % {"time": formatting.duration_span(seconds)}


# Below this share of the step nobody can measure it, and more digits would pretend to.
_HIDDEN_RATIO: Final = 0.001


def _exposed(ratio: float) -> str:
    """How much of the exchange the step waits for."""
    if ratio < _HIDDEN_RATIO:
        return _("hidden behind the computation")
    return _("not hidden: %(share)s of the step") % {"share": formatting.percent(ratio)}


def _interconnect(block: Block) -> Cell:
    fit = block.get("link_fit")
    parts = [code_word("profile", block["profile"])]
    total = block["bytes_per_step"].get("total")
    if total:
        parts.append(_("%(size)s a step") % {"size": formatting.byte_size(total)})
        parts.append(_exposed(block["communication_share"]["typical"]))
    alone = not total
    return Cell(
        key="interconnect",
        label=estimator_name("interconnect"),
        text=", ".join(parts),
        limit_text="" if alone else code_word("link", block.get("link")),
        state="" if alone else _LINK_STATES.get(fit or "", ""),
        word="" if alone or fit is None else code_word("link_fit", fit),
    )


def _storage(block: Block) -> Cell:
    total = block.get("total_gb")
    sizes = ", ".join(
        f"{code_word('volume', volume['key'])}: {formatting.span_text(volume['capacity_gb'], 'GB')}"
        for volume in block.get("volumes", ())
    )
    drives = block.get("drives") or {}
    verdict = block.get("verdict", "")
    return Cell(
        key="storage",
        label=estimator_name("storage"),
        value=total,
        unit="GB",
        text="" if total else sizes or _("the size of the data is not known"),
        limit_text=_drives_text(drives),
        state=verdict,
    )


def _drives_text(drives: Mapping[str, Any]) -> str:
    bays = drives.get("bays")
    return "" if bays is None else _("NVMe bays: %(count)s") % {"count": formatting.number(bays)}


def _rack(block: Block) -> Cell:
    power = block["power"]
    capacity = power.get("feed_capacity_kw")
    said = [_limit(_("one feed: %(limit)s"), capacity, "kW"), *_rack_lacks(block)]
    return Cell(
        key="rack",
        label=estimator_name("rack"),
        value=power["load_kw"],
        unit="kW",
        limit=capacity,
        limit_text=", ".join(part for part in said if part),
        state=block["verdict"],
        word=_rack_word(power, block["verdict"]),
    )


def _rack_lacks(block: Block) -> Iterable[str]:
    """What beside the load of the feed spoils the verdict."""
    phases = block["power"].get("phases")
    if phases and phases["verdict"] in ("risk", "does-not-fit"):
        yield _("fullest phase: %(current)s of %(breaker)s") % {
            "current": formatting.span_text(phases["amps"], "A"),
            "breaker": formatting.quantity(phases["breaker_amps"], "A"),
        }
    space = block.get("space") or {}
    judged = (
        (_("cooling: %(verdict)s"), (block.get("cooling") or {}).get("verdict")),
        (_("rack units: %(verdict)s"), space.get("units_verdict")),
        (_("depth: %(verdict)s"), space.get("depth_verdict")),
        (_("weight: %(verdict)s"), space.get("weight_verdict")),
    )
    for pattern, verdict in judged:
        if verdict in ("tight", "risk", "does-not-fit"):
            yield pattern % {"verdict": verdict_word(verdict)}


def _rack_word(power: Mapping[str, Any], verdict: str) -> str:
    if verdict != "does-not-fit" or power.get("verdict") != "does-not-fit":
        return ""
    if not power.get("missing_kw"):
        return ""  # the fullest phase, which is said beside
    needed = formatting.estimate(power["required_feed_kw"], "kW")
    return _("%(power)s needed") % {"power": needed}


def _host(block: Block) -> Cell:
    cores = formatting.span_text(block["cores"])
    parts = [_("CPU cores: %(cores)s") % {"cores": cores}]
    if block.get("ram_gb"):
        parts.append(_("RAM: %(size)s") % {"size": formatting.span_text(block["ram_gb"], "GB")})
    state = block.get("cores_verdict", "unknown")
    if block.get("ratio_status") == "below-vram" and state == "fits":
        state = "tight"
    enough = pgettext("host", "enough") if state == "fits" else ""
    return Cell(
        key="host", label=estimator_name("host"), text=", ".join(parts), state=state, word=enough
    )


_BUILDERS: Final[Mapping[str, Callable[[Block], Cell]]] = {
    "memory": _memory,
    "time": _time,
    "interconnect": _interconnect,
    "storage": _storage,
    "rack": _rack,
    "host": _host,
}
