"""A text made ready for patterns: letters folded one for one, sentences, and what is denied."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Final

_SPACES: Final = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f\t\r"), " ")
_ALIKE: Final = {ord("ё"): "е", ord("×"): "x", ord("\u2212"): "-", ord("\u2011"): "-"}

# A full stop ends a sentence only before a space: «2.5» and «ruBERT.» differ.
_END: Final = re.compile(r"[.!?;…](?=\s|$)|\n")
_NEARBY: Final = 400
_SHORTENED: Final = re.compile(r"(?:тыс|млн|млрд|руб|т\.д|т\.п|др|шт|нед|мес|ул|тел|г|approx)$")
_CLAUSE: Final = re.compile(r"[,():—]|\s[-–]\s|\b(?:но|а|but|зато|именно|только|only|instead)\b")

_BEFORE: Final = re.compile(
    r"(?:\b(?:не|без|ни|никак\w{1,4}|кроме|not?|without|isn't|aren't|don't|doesn't|never|neither)\b"
    r"(?:\s+(?:[\w'/-]{1,20})){0,3}\s*|\bвместо\s+|\binstead of\s+)$"
)
_AFTER: Final = re.compile(
    r"^[\w'-]{0,20}\s*(?:[\w'-]{1,20}\s+){0,3}?(?:не\s+(?:нуж|план|рассм|буд|хот|треб|подх|мож|собир|исп)"
    r"|нельзя|исключ|отпада|(?:is|are)\s+not\b|isn't|not\s+(?:need|want|consider|plan))"
)


_BLANK: Final = re.compile(
    r"^[^:\n]{1,80}:\s?(?:не указано|не знаем|неизвестно|not specified|unknown|n/a|[-—?]+)[^\n]{0,60}$"
    r"|:\s?(?:из текста запроса|указал клиент|каталог, источник|from the text of the request|stated by the client|catalog, with its)[^\n]*$",
    re.MULTILINE,
)


def fold(text: str) -> str:
    """Lower case without changing the length, so that places stay places."""
    lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lower.translate(_SPACES).translate(_ALIKE)


@dataclass(frozen=True)
class Reading:
    """A text with its folded form; both of one length.

    A line of a form that was left blank says nothing, and where a value is from is no value.
    """

    text: str

    @cached_property
    def folded(self) -> str:
        return _BLANK.sub(lambda said: " " * len(said.group()), fold(self.text))

    @cached_property
    def _ends(self) -> list[int]:
        return [
            m.end()
            for m in _END.finditer(self.folded)
            if not (m.group() == "." and _SHORTENED.search(self.folded, 0, m.start()))
        ]

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """Where the sentence around a place begins and ends; of an endless one the part nearby."""
        before, after = bisect_right(self._ends, start), bisect_left(self._ends, end)
        first = self._ends[before - 1] if before else 0
        last = self._ends[after] if after < len(self._ends) else len(self.folded)
        return max(first, start - _NEARBY), min(last, end + _NEARBY)

    def around(self, start: int, end: int) -> str:
        """The folded sentence around a place."""
        first, last = self.sentence(start, end)
        return self.folded[first:last]

    def before(self, start: int) -> str:
        """The folded words of the same sentence before a place."""
        return self.folded[self.sentence(start, start)[0] : start]

    def after(self, end: int) -> str:
        """The folded words of the same sentence after a place."""
        return self.folded[end : self.sentence(end, end)[1]]

    def denied(self, start: int, end: int) -> bool:
        """Whether the words just before or after say that it is not so."""
        before = _CLAUSE.split(self.before(start)[-80:])[-1]
        if _BEFORE.search(before):
            return True
        after = _CLAUSE.split(self.after(end)[:80])[0]
        return bool(_AFTER.search(after))
