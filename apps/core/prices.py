"""Finding a price in words: what the product hands out is never an offer."""

import re
from typing import Final

_PRICE: Final = re.compile(
    r"[₽$€£]\s?[0-9]|[0-9]\s?(?:₽|\$|€|£|руб|р\.|тыс\.?\s?руб|млн\.?\s?руб|rub|usd|eur|долл)",
    re.IGNORECASE,
)


def names_a_price(text: str) -> bool:
    """Whether an amount of money stands in the text."""
    return _PRICE.search(text) is not None
