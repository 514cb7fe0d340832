"""What changed from one result document to the next one of the same requisition.

Pure data in and out, `podbor.result/1` both times: figures with their ranges, verdicts, open
questions, and the conclusions as messages. A document made by an older engine may lack parts: what
is not in both is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from apps.sizing.conclusions import conclusions_of

Document: TypeAlias = Mapping[str, Any]

# The figures a reader compares, by their path in a variant, with the unit of their range.
FIGURES: Final[Mapping[str, str]] = {
    "memory.device_gib": "GiB",
    "time.cycle.hours": "h",
    "time.step_s": "s",
    "rack.power.load_kw": "kW",
    "storage.total_gb": "GB",
    "host.ram_gb": "GB",
}
# A range that moved by less than this share of itself is the same range, computed again.
_SAME_RATIO: Final = 0.005
_ENDS: Final = ("low", "typical", "high")


def changes_between(old: Document, new: Document) -> dict[str, Any]:
    """Everything that differs, JSON-able.

    Returns:
        `variants`: by key, each `{key, state, hardware, figures, verdicts}`, where `state` is
        "same", "appeared" or "gone", `hardware` `{old, new}` in `{server, accelerator, gpus,
        nodes}`, `figures` a list of `{path, old, new, apart}` (ranges; `apart`: neither reaches
        the other) and `verdicts` a list of `{part, old, new}`; a variant without any difference
        is left out.
        `closed`, `opened`: task fields that are no question any more, and that have become one.
        `conclusions`: messages, the weightiest first.
    """
    return {
        "variants": list(_variants(old, new)),
        "closed": _fields_missing(old, new),
        "opened": _fields_missing(new, old),
        "conclusions": [message.as_dict() for message in conclusions_of(old, new)],
    }


def _fields_missing(of: Document, there: Document) -> list[str]:
    """Fields that are questions in `of` and none in `there`."""
    others = {question["field"] for question in there.get("open_questions") or ()}
    return [q["field"] for q in of.get("open_questions") or () if q["field"] not in others]


def _variants(old: Document, new: Document) -> Iterator[dict[str, Any]]:
    before = {variant["key"]: variant for variant in old.get("variants") or ()}
    after = {variant["key"]: variant for variant in new.get("variants") or ()}
    for key in sorted({*before, *after}):
        change = _variant(key, before.get(key), after.get(key))
        if change["state"] != "same" or change["figures"] or change["verdicts"]:
            yield change


def _variant(key: str, before: Document | None, after: Document | None) -> dict[str, Any]:
    state = "appeared" if before is None else "gone" if after is None else "same"
    hardware = {"old": _hardware(before), "new": _hardware(after)}
    return {
        "key": key,
        "state": "changed" if state == "same" and hardware["old"] != hardware["new"] else state,
        "hardware": hardware,
        "figures": list(_figures(before or {}, after or {})) if before and after else [],
        "verdicts": list(_verdicts(before or {}, after or {})) if before and after else [],
    }


def _hardware(variant: Document | None) -> dict[str, Any] | None:
    if variant is None:
        return None
    return {name: variant.get(name) for name in ("server", "accelerator", "gpus", "nodes")}


def _figures(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    for path in FIGURES:
        was, now = _range_at(before, path), _range_at(after, path)
        # The step is only compared where there is no cycle to compare.
        if path == "time.step_s" and _range_at(after, "time.cycle.hours"):
            continue
        if was is None and now is None:
            continue
        if was is None or now is None or not _alike(was, now):
            yield {"path": path, "old": was, "new": now, "apart": _apart(was, now)}


def _range_at(variant: Document, path: str) -> dict[str, float] | None:
    found: Any = variant
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping) or not all(end in found for end in _ENDS):
        return None
    return {end: found[end] for end in _ENDS}


def _alike(was: Mapping[str, float], now: Mapping[str, float]) -> bool:
    return all(
        abs(was[end] - now[end]) <= _SAME_RATIO * max(abs(was[end]), abs(now[end])) for end in _ENDS
    )


def _apart(was: Mapping[str, float] | None, now: Mapping[str, float] | None) -> bool:
    if was is None or now is None:
        return False
    return was["high"] < now["low"] or now["high"] < was["low"]


def _verdicts(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    was, now = before.get("verdicts") or {}, after.get("verdicts") or {}
    for part in _in_both(was, now):
        if was[part] != now[part]:
            yield {"part": part, "old": was[part], "new": now[part]}


def _in_both(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterable[str]:
    """The overall verdict first, the parts in the order of the document."""
    return sorted((part for part in was if part in now), key=lambda part: part != "overall")
