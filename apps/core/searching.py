"""Search words that compare alike on every database.

SQLite folds ASCII only and PostgreSQL does as its locale says, so both sides of a comparison are
folded here: what is stored, and what is typed.
"""

import re
import unicodedata
from typing import Final

# People type «Н100» and «А100» on a Russian keyboard. A word with a digit in it is a name, and its
# Cyrillic letters are read as Latin when every one of them looks Latin: «ЗС-0042» stays Russian.
_CYRILLIC: Final = re.compile("[а-я]")
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
    if not any(c.isdigit() for c in word):
        return word
    latin = word.translate(_LOOKALIKES)
    return word if _CYRILLIC.search(latin) else latin
