"""Search words that compare alike on every database.

SQLite folds ASCII only and PostgreSQL does as its locale says, so both sides of a comparison are
folded here: what is stored, and what is typed.
"""

import unicodedata
from typing import Final

# People type «Н100» and «А100» on a Russian keyboard. A word with a digit in it is a name, and its
# Cyrillic letters that look Latin are read as Latin.
_LOOKALIKES: Final = str.maketrans("авекмнорстух", "abekmhopctyx")
_MOST_WORDS: Final = 10


def folded(text: str) -> str:
    """Lower case, е for ё, single spaces, no control characters."""
    printable = "".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFKC", text))
    return " ".join(map(_word, printable.casefold().replace("ё", "е").split()))


def search_words(text: str) -> list[str]:
    """What a person searches for, as words to look up in folded text; the first ten."""
    return folded(text).split()[:_MOST_WORDS]


def _word(word: str) -> str:
    return word.translate(_LOOKALIKES) if any(c.isdigit() for c in word) else word
