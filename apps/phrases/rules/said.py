"""Answers in the client's own words: the task, the criterion, the budget, the address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from apps.phrases.found import Hit, Lexicon
from apps.phrases.text import Reading

_LABELLED: Final = (
    ("business_task", r"(?:бизнес-)?задача(?: проекта)?|business task|task"),
    ("business_task", r"цель(?: проекта)?|goal|objective"),
    ("success_criterion", r"критери[йи](?: при[её]мки| успеха| качества)?|метрика успеха|success criteri(?:on|a)|acceptance criteri(?:on|a)"),
)  # fmt: skip
_RULES: Final = tuple(
    (
        key,
        re.compile(
            rf"(?:^|(?<=[\n.;]\s)|(?<=\n)|(?<=\d[.)]\s))(?:{words})\s?[:—]\s?", re.MULTILINE
        ),
    )
    for key, words in _LABELLED
)
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,30}){1,4}")
_AMOUNT: Final = (
    r"(?:(?:до|около|примерно|порядка|не более|up to|about|under|~)\s?)?[$€₽]?\s?\d[\d .,]{0,14}(?:\s?[-–—]\s?\d[\d .,]{0,14})?"
    r"\s?(?:тыс\.?|тысяч|млн\.?|миллион\w{0,2}|млрд|k|m|к)?\s?(?:руб\w{0,4}\.?|₽|р\.|\$|€|usd|eur|долл\w{0,5}|евро|roubles|rub)?"
    r"(?:\s(?:за|в|per|a)\s(?:месяц|год|month|year)(?!\w))?(?:,?\s(?:с|без)\sндс)?"
)
_BUDGET: Final = re.compile(
    rf"(?:бюджет\w{{0,2}}|budget)\s?(?:[:—-]|is|of|у нас|составляет)?\s?(?P<b>{_AMOUNT}|не раскрыва\w{{2,3}}|не обсужда\w{{2,3}}|not disclosed)"
)
_CURRENCY: Final = re.compile(
    r"руб|₽|р\.|\$|€|usd|eur|долл|евро|rub|тыс|млн|k\b|\bк\b|m\b|раскр|обсужд|disclosed"
)
_LONGEST: Final = 600


def find(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    told: set[str] = set()
    for key, pattern in _RULES:
        found = pattern.search(reading.folded)
        if found and key not in told:
            told.add(key)
            start = found.end()
            end = min(reading.sentence(start, start)[1], start + _LONGEST)
            end = start + len(reading.folded[start:end].rstrip(" .;\n"))
            value = reading.text[start:end].strip()
            if len(value) > 5:
                yield Hit(key, value, start, end)
    for found in _BUDGET.finditer(reading.folded):
        start, end = found.span("b")
        value = reading.text[start:end].strip().rstrip(".,;")
        if _CURRENCY.search(found["b"]):
            yield Hit("budget", value, found.start(), start + len(reading.text[start:end].rstrip()))
    found = _EMAIL.search(reading.text)
    if found:
        yield Hit("contact_email", found.group(), *found.span())
