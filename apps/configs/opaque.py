"""The value of a key that is stated, but not readably: a variable, a reference, an expression.

It is not the same as a key that is absent: no framework default may take its place.
"""

from __future__ import annotations

from typing import Final


class Opaque:
    """There is one of it; compare by identity."""

    def __repr__(self) -> str:
        return "OPAQUE"


OPAQUE: Final = Opaque()
