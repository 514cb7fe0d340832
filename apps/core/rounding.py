"""How many digits of an estimate are worth reading. Pure arithmetic, shared by text and charts."""

import math
from typing import Final

SIGNIFICANT_DIGITS: Final = 3
_WIDE_RATIO: Final = 10.0
_LARGEST: Final = 1e300  # beyond it rounding to tens of powers leaves the range of a float


def exponent(value: float) -> int:
    """Power of ten of the first significant digit; 0 for zero."""
    return math.floor(math.log10(abs(value))) if value else 0


def common_digits(low: float, typical: float, high: float) -> int | None:
    """Decimals (negative: tens, hundreds) that suit the three figures of a range.

    About a twentieth of the spread, and at most three digits of the typical. None when the range
    goes over a power of ten: then each figure is rounded for itself.
    """
    spread = high - low
    wide = low <= 0 < high or high > _WIDE_RATIO * abs(low)
    if not 0 < spread < _LARGEST or wide:
        return None
    by_spread = 1 - exponent(spread / 2)
    return min(by_spread, SIGNIFICANT_DIGITS - 1 - exponent(typical)) if typical else by_spread


def rounded_alike(low: float, typical: float, high: float) -> tuple[float, float, float]:
    """The three figures of a range at the precision that suits them all."""
    digits = common_digits(low, typical, high)
    if digits is None:
        return low, typical, high
    return round(low, digits), round(typical, digits), round(high, digits)
