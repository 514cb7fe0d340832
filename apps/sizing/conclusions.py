"""How the conclusions of a result differ from those of an earlier one, as messages.

Each sentence names what lifted or set an obstacle, for the very hardware it stood in the way of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from apps.sizing.messages import Message, Parameter
from apps.sizing.verdicts import HOLDS, VERDICTS

Document: TypeAlias = Mapping[str, Any]

_BLOCKED: Final = "does-not-fit"
# A rack at risk blocks nothing: the typical load fits. Memory and a deadline have to be safe.
_FREE: Final[Mapping[str, frozenset[str]]] = {
    "rack": frozenset({*HOLDS, "risk"}),
    "memory": frozenset(HOLDS),
    "time": frozenset(HOLDS),
}


@dataclass(frozen=True, slots=True, order=True)
class Hardware:
    """Cards in nodes, whichever server they stand in."""

    gpus: int
    nodes: int
    accelerator: str

    def params(self) -> dict[str, Parameter]:
        return {"gpu_count": self.gpus, "accelerator": self.accelerator}


def conclusions_of(old: Document, new: Document) -> tuple[Message, ...]:
    """The weightiest first; one message says it when nothing of weight changed."""
    found = (
        *_recommended(old, new),
        *_obstacles(old, new),
        *_words(old, new),
        *_evidence(old, new),
    )
    return found or (Message("change.none"),)


def _recommended(old: Document, new: Document) -> Iterator[Message]:
    was, now = _chosen(old), _chosen(new)
    if _named(was) == _named(now):
        return
    if now is None:
        assert was is not None
        cards = _hardware(was).params()
        yield Message("change.recommended.none", {"variant": was["key"], **cards})
    elif was is None:
        cards = _hardware(now).params()
        yield Message("change.recommended.first", {"variant": now["key"], **cards})
    else:
        cards, then = _hardware(now).params(), _hardware(was).params()
        before = {f"old_{name}": value for name, value in then.items()}
        yield Message(
            "change.recommended.other",
            {"variant": now["key"], **cards, "old_variant": was["key"], **before},
        )


def _chosen(result: Document) -> Document | None:
    variants: Iterable[Document] = result.get("variants") or ()
    return next((v for v in variants if v["key"] == result.get("recommended")), None)


def _named(variant: Document | None) -> tuple[Any, ...] | None:
    """The same cards under another key are the same advice; renting them is another."""
    return None if variant is None else (_hardware(variant), bool(variant.get("rented")))


def _obstacles(old: Document, new: Document) -> Iterator[Message]:
    """What no longer stands in the way of hardware that either result names, and what does now."""
    was, now = _verdicts(old), _verdicts(new)
    named = sorted({_hardware(v) for r in (old, new) for v in r.get("variants") or ()})
    for hardware in named:
        for part in _FREE:
            before, after = was.get((hardware, part)), now.get((hardware, part))
            free = _FREE[part]
            if before == _BLOCKED and after in free:
                yield _opened(hardware, part, old, new)
                if after not in HOLDS:
                    yield Message("change.rack-at-risk", hardware.params())
            elif before in free and after == _BLOCKED:
                yield _closed(hardware, part, old, new)


def _hardware(row: Document) -> Hardware:
    return Hardware(gpus=row["gpus"], nodes=row["nodes"], accelerator=row["accelerator"])


def _verdicts(result: Document) -> dict[tuple[Hardware, str], str]:
    """The best verdict on each hardware: one server that takes the cards is enough."""
    rows = [*(result.get("variants") or ()), *(result.get("candidates") or ())]
    best: dict[tuple[Hardware, str], str] = {}
    for row in rows:
        if row.get("rented"):
            continue  # the landlord's rack says nothing about the client's
        for part, verdict in (row.get("verdicts") or {}).items():
            place = (_hardware(row), part)
            if verdict in VERDICTS and _better(verdict, best.get(place)):
                best[place] = verdict
    return best


def _better(verdict: str, known: str | None) -> bool:
    order: tuple[str, ...] = VERDICTS
    return known is None or order.index(verdict) < order.index(known)


def _opened(hardware: Hardware, part: str, old: Document, new: Document) -> Message:
    cards = hardware.params()
    if part == "memory":
        return Message("change.memory-opened", cards)
    if part == "time":
        return Message("change.time-opened", cards)
    before_kw, now_kw = _feed_kw(old), _feed_kw(new)
    by_power = _lacks_power(old, hardware)
    if before_kw is None or now_kw is None or now_kw <= before_kw or not by_power:
        return Message("change.rack-opened", cards)
    return Message(
        "change.rack-opened.power", {**cards, "available_kw": now_kw, "before_kw": before_kw}
    )


def _closed(hardware: Hardware, part: str, old: Document, new: Document) -> Message:
    cards = hardware.params()
    if part == "memory":
        return Message("change.memory-closed", cards)
    if part == "time":
        return Message("change.time-closed", cards)
    before_kw, now_kw = _feed_kw(old), _feed_kw(new)
    by_power = _lacks_power(new, hardware)
    if before_kw is None or now_kw is None or now_kw >= before_kw or not by_power:
        return Message("change.rack-closed", cards)
    return Message(
        "change.rack-closed.power", {**cards, "available_kw": now_kw, "before_kw": before_kw}
    )


def _lacks_power(result: Document, hardware: Hardware) -> bool:
    """Is it the feed that stops it? So it is taken where the document does not say."""
    for variant in result.get("variants") or ():
        power = (variant.get("rack") or {}).get("power") or {}
        if _hardware(variant) == hardware and power.get("verdict"):
            return bool(power["verdict"] == _BLOCKED)
    return True


def _feed_kw(result: Document) -> float | None:
    """What one feed of the client's rack gives, kW; the same for every variant there."""
    for variant in result.get("variants") or ():
        power = (variant.get("rack") or {}).get("power") or {}
        if power.get("feed_capacity_kw") is not None:
            return float(power["feed_capacity_kw"])
    return None


def _words(old: Document, new: Document) -> Iterator[Message]:
    """The result's own words about itself."""

    def moved(name: str) -> dict[str, Any] | None:
        was, now = old.get(name), new.get(name)
        return None if was == now or not was or not now else {"old": was, "new": now}

    if pair := moved("verdict"):
        yield Message(
            "change.verdict",
            {"verdict_headline": pair["new"], "old_verdict_headline": pair["old"]},
        )
    if pair := moved("readiness"):
        yield Message("change.readiness", {"readiness": pair["new"], "old_readiness": pair["old"]})
    if pair := moved("confidence"):
        yield Message(
            "change.confidence", {"confidence": pair["new"], "old_confidence": pair["old"]}
        )


def _evidence(old: Document, new: Document) -> Iterator[Message]:
    was, now = ((r.get("evidence") or {}).get("validated") for r in (old, new))
    if was is False and now is True:
        yield Message("change.measured")
    elif was is True and now is False:
        yield Message("change.not-measured")
