"""Rounding a result that shows the order of magnitude only: no digit that nobody can answer for.

The document stays as the engine wrote it; pages and sheets read it through `as_shown`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from apps.core.rounding import common_digits, exponent

# Facts and what was stated are known to every digit.
_KNOWN: Final = frozenset(
    {
        "params_billion",
        "capacity_gib",
        "capacity_gb",
        "feed_capacity_kw",
        "feed_limit_kw",
        "feed_kw",
        "depth_mm",
        "floor_kg",
        "gpu_rating_kw",
        "target_hours",
        "server_rack_units",
        "rack_units",
        "network_gbit_per_s",
        "influence",
        # Of a measured run; an estimate of them is a range.
        "memory_gib",
        "step_s",
        "measured",
        "measured_gib",
        "measured_s",
        "measured_ratio",
        "reserve_ratio",
        "watts",
        "module_gb",
        "drive_gb",
        "card_gb",
        "runs_per_quarter",
        "busy_ratio",
        "value",
        "tokens",
    }
)
# Said alone, without the range that would show how little is known: one digit.
_ALONE: Final = frozenset({"communication_share", "mfu", "step_pcie_ratio"})
_DIGITS: Final = 2
_WIDE_RATIO: Final = 1.5
_RANGE: Final = frozenset({"low", "typical", "high"})


def as_shown(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result as people see it: of the status `magnitude` rounded, otherwise as it is."""
    if result.get("status") != "magnitude":
        return dict(result)
    rounded: dict[str, Any] = _rounded(result)
    return rounded


def figure_as_shown(value: float) -> float:
    """One computed figure of such a result: two digits, none of them without meaning."""
    return _to_digits(value, _DIGITS)


def _rounded(node: Any) -> Any:
    if isinstance(node, Mapping):
        if set(node) == _RANGE:
            return _range(node)
        return {key: _named(key, value) for key, value in node.items()}
    if isinstance(node, list):
        return [_rounded(value) for value in node]
    if isinstance(node, float):
        return _to_digits(node, _DIGITS)
    return node


def _named(key: str, value: Any) -> Any:
    is_range = isinstance(value, Mapping) and set(value) == _RANGE
    if key in _ALONE and is_range:
        return {end: _to_digits(float(figure), 1) for end, figure in value.items()}
    if key in _ALONE and isinstance(value, float):
        return _to_digits(value, 1)
    return value if key in _KNOWN and not is_range else _rounded(value)


def _range(found: Mapping[str, float]) -> dict[str, float]:
    """Its ends to about a half of the spread, at most two digits of the high one, and no coarser
    than keeps the three apart; a wide one to two digits each at most, whatever then coincides; a
    range over a power of ten to one digit each."""
    low, typical, high = (float(found[end]) for end in ("low", "typical", "high"))
    digits = common_digits(low, typical, high)
    ends = {"low": low, "typical": typical, "high": high}
    if low == high:
        return {end: _to_digits(value, _DIGITS) for end, value in ends.items()}
    if digits is None:
        return {end: _to_digits(value, 1) for end, value in ends.items()}
    places = min(digits - 1, _DIGITS - 1 - exponent(high))
    if len({round(v, places) for v in ends.values()}) < len(set(ends.values())):
        # Ends far apart stay so with two digits each: 0.26, 0.34 and 1.1.
        own = {end: _to_digits(v, _DIGITS) for end, v in ends.items()}
        if high > _WIDE_RATIO * low or len(set(own.values())) == len(set(ends.values())):
            return own
        places += 1
    # What would round to nothing keeps a digit of its own.
    return {end: round(v, places) or _to_digits(v, 1) for end, v in ends.items()}


def _to_digits(value: float, digits: int) -> float:
    return round(value, digits - 1 - exponent(value))
