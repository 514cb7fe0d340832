"""Values that caches tell apart by what is in them: rows of a database come and go."""

from __future__ import annotations

from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Marked(Generic[_Value]):
    """`value`, equal to any other with the same `mark`: hashes of all that the cached work reads."""

    def __init__(self, value: _Value, *mark: str) -> None:
        self.value = value
        self._mark = mark

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marked) and self._mark == other._mark

    def __hash__(self) -> int:
        return hash(self._mark)
