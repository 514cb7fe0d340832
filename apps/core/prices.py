"""Finding a price in words: what the product hands out is never an offer."""

import re
from typing import Final

from django.utils.translation import gettext as _

from apps.core.errors import DomainError

_PRICE: Final = re.compile(
    r"[₽$€£]\s?[0-9]|[0-9]\s?(?:₽|\$|€|£|руб|р\.|тыс\.?\s?руб|млн\.?\s?руб|rub|usd|eur|долл)",
    re.IGNORECASE,
)


def names_a_price(text: str) -> bool:
    """Whether an amount of money stands in the text."""
    return _PRICE.search(text) is not None


def words_for_client(text: str, missing: str) -> str:
    """The text without space around it, fit to go into a document that is not an offer.

    Raises:
        DomainError: nothing is said (`missing` tells what to do), or a price is named.
    """
    said = text.strip()
    if not said:
        raise DomainError(missing)
    if names_a_price(said):
        raise DomainError(_("There is a price in the words for the client."))
    return said
