"""The numbers that go into the engine, each under a key with where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypeVar

from apps.sizing.explain.quantities import INPUTS
from apps.sizing.explain.tracing import Tracer
from apps.sizing.ranges import Range

Row = TypeVar("Row")

# Where a number comes from; the layer above tells a client's answer from an engineer's value.
TASK: Final = "task"  # reference: the field of the task document
CATALOG: Final = "catalog"  # reference: slug:fact, a model's name, or the key of a constant
CALIBRATION: Final = "calibration"  # reference: table/row
FRAMEWORK: Final = "framework"  # the framework's own way; reference: table/row
LAYOUT: Final = "layout"  # of the variant that is shown; reference: the field of the placement
ASSUMED: Final = "assumed"  # reference: the field nobody filled in
COMPUTED: Final = "computed"
PILOT: Final = "pilot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One number of the input. `low` and `high` are its own 90 % range where it has one."""

    symbol: str
    value: float
    unit: str
    origin: str
    reference: str
    low: float | None = None
    high: float | None = None


@dataclass(slots=True)
class Leaves:
    """Every number handed to the engine in one explanation, by key."""

    tracer: Tracer = field(default_factory=Tracer)
    found: dict[str, Leaf] = field(default_factory=dict)

    def known(
        self, name: str, value: Any, origin: str, reference: str, *, key: str | None = None
    ) -> Any:
        """`value` as a recorded number under `key`; unlisted names and other types as they are."""
        if name not in INPUTS or isinstance(value, bool) or not isinstance(value, int | float):
            return value
        symbol, unit = INPUTS[name]
        leaf = Leaf(symbol=symbol, value=value, unit=unit, origin=origin, reference=reference)
        return self.record(key or name, leaf)

    def record(self, key: str, leaf: Leaf) -> float:
        self.found.setdefault(key, leaf)
        return self.tracer.quantity(key, leaf.value, leaf.unit)

    def row(
        self, row: Row, prefix: str, origin: str, reference: str, *, names: str | None = None
    ) -> Row:
        """A dataclass whose listed numbers are recorded; `names` is their prefix in `INPUTS`."""
        spelt = names or prefix
        changes = {}
        for name in (f.name for f in fields(row)):  # type: ignore[arg-type]
            value = getattr(row, name)
            found = self.known(f"{spelt}.{name}", value, origin, reference, key=f"{prefix}.{name}")
            if found is not value:
                changes[name] = found
        return replace(row, **changes) if changes else row  # type: ignore[type-var]

    def coefficient(self, key: str, value: float, unit: str, reference: str) -> float:
        """A coefficient of the calibration; without a letter of its own it is numbered later."""
        leaf = Leaf(symbol="", value=value, unit=unit, origin=CALIBRATION, reference=reference)
        return self.record(key, leaf)

    def ranged(self, key: str, value: Range, unit: str) -> Range:
        """A constant of the catalog: its typical value is recorded, its ends stay plain."""
        leaf = Leaf(
            symbol="",
            value=value.typical,
            unit=unit,
            origin=CATALOG,
            reference=key,
            low=value.low,
            high=value.high,
        )
        return Range(value.low, self.record(key, leaf), value.high)


class Recording(Mapping[str, Any]):
    """A mapping of the calibration or the catalog that records a row when it is looked up."""

    def __init__(self, rows: Mapping[str, Any], record: Callable[[str, Any], Any]) -> None:
        self._rows, self._record = rows, record

    def __getitem__(self, key: str) -> Any:
        return self._record(key, self._rows[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows
