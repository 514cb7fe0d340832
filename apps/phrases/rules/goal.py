"""What is wanted: training, search over documents, running a ready model; where it starts from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from apps.phrases.found import Hit, Lexicon, Sure, of_key
from apps.phrases.rules import choices
from apps.phrases.text import Reading

_TRAIN: Final = re.compile(
    r"\b(?:до|пере|пред)?обуч(?:ать|аем|ить|им|ени[еяюй]|ает|ают|ается)\w{0,2}|\b(?:за)?файн-?тюн\w{0,6}|\bтюнить|"
    r"\bfine[- ]?tun(?:e|ing)\b|\b(?:pre-?|re)?train(?:ing)?\b(?! loss)|\bучим\b|\bучить\b|\bto teach\b"
)
_FINETUNE: Final = re.compile(
    r"\bдообуч(?!енн)\w{1,6}|файн-?тюн\w{0,6}|\bfine[- ]?tun(?:e|ing)\b|\bsft\b|\bтюнить"
)
_SCRATCH: Final = re.compile(r"\bс нуля\b|\bfrom scratch\b")
_CONTINUAL: Final = re.compile(
    r"(?:дообуча\w{2,4}|обуча\w{2,4})[^.;\n]{0,20}(?:регулярно|кажд\w{2,3})|регулярн\w{1,3} дообуч\w{1,6}|continual(?:ly)? (?:re)?train\w{0,3}|retrain\w{0,3} (?:every|regularly)"
)
_RAG: Final = re.compile(r"(?<![a-z])rag(?![a-z])")
_KNOWLEDGE: Final = re.compile(
    r"(?:вопрос\w{0,2}|отвеч\w{2,4}|поиск\w{0,2}|чат-?бот\w{0,2}|ассистент\w{0,2}|answers?|search)\s(?:[\w-]{1,20}\s){0,5}?(?:по|over|about)\s(?:[\w-]{1,20}\s){0,3}?"
    r"(?:документ\w{0,3}|регламент\w{0,3}|договор\w{0,3}|баз\w знаний|ним|documents|knowledge base)|\bбаз\w{1,2} знаний\b"
)
_TESTED: Final = re.compile(r"не хват\w{1,4}|недостаточн\w{1,3}|мало\b|not enough|плох\w{1,3}")
_UNTESTED: Final = re.compile(
    r"не (?:пробов|тестиров|проверя)\w{1,5}|not (?:yet )?(?:tried|tested)|haven't tried"
)
_STYLE: Final = re.compile(
    r"(?:в|един\w{2,3}|фирменн\w{2,3})\s(?:[\w-]{1,12}\s)?стил[еья]|по шаблон\w{1,2}|формат\w? ответ\w{1,2}|tone of voice|consistent (?:style|format)"
)
_VISION: Final = re.compile(
    r"\bдетек(?:тор|ци)\w{0,3}|сегментац\w{1,2}|распознавани\w [^.\n]{0,40}(?:фото|снимк|изображени|видео)\w{0,3}|object detection|image segmentation|классификаци\w изображений"
)
_SERVE: Final = re.compile(
    r"\bинференс\w{0,2}|\binference\b|\bto serve\b|\bserving\b|\bonly (?:need to )?(?:serve|run)\b"
)
_HAVE: Final = re.compile(r"\b(?:есть|уже|имеется|have|existing|already)\b[^,.;]{0,30}$")
_ADAPTERS: Final = frozenset({"lora", "qlora", "dora"})
_ADAPTER: Final = re.compile(r"\bадаптер\w{0,2}\b|\badapters?\b")


def find(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    chosen = list(choices.find(reading, lexicon))
    methods = of_key(chosen, "method")
    trains = list(_TRAIN.finditer(reading.folded))
    meant = [m for m in trains if not reading.denied(*m.span())]
    yield from _strategy(reading, methods)
    yield from _weights(reading, trains, meant, methods)
    yield from _purpose(reading, bool(meant or methods))
    adapter = _ADAPTER.search(reading.folded)
    if adapter and not methods and not reading.denied(*adapter.span()):
        yield Hit("method", "lora", *adapter.span(), Sure.LIKELY)


def _said(reading: Reading, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    return [m for m in pattern.finditer(reading.folded) if not reading.denied(*m.span())]


def _strategy(reading: Reading, methods: list[Hit]) -> Iterator[Hit]:
    """Adapters need a base, so they start from a ready model; a cycle is fine-tuning too."""
    again, scratch = _said(reading, _CONTINUAL), _said(reading, _SCRATCH)
    tuned = _said(reading, _FINETUNE)
    if again:
        yield Hit("strategy", "continual", *again[0].span())
        return
    for found in scratch[:1]:
        yield Hit("strategy", "from-scratch", *found.span())
        if not tuned:
            yield Hit("purpose", "scratch", *found.span(), Sure.LIKELY)
    if tuned:
        yield Hit("strategy", "finetune", *tuned[0].span())
        return
    base = next((h for h in methods if h.value in _ADAPTERS or h.value == "full"), None)
    if (
        base
        and not scratch
        and (base.value in _ADAPTERS or "tun" in reading.folded[base.start : base.end])
    ):
        yield Hit("strategy", "finetune", base.start, base.end)


def _weights(
    reading: Reading, trains: list[re.Match[str]], meant: list[re.Match[str]], methods: list[Hit]
) -> Iterator[Hit]:
    if meant:
        yield Hit("weights_change", "yes", *meant[0].span())
    elif methods:
        yield Hit("weights_change", "yes", methods[0].start, methods[0].end)
    elif trains:
        start, end = trains[0].span()
        after = reading.after(end)[:30]
        yield Hit("weights_change", "no", start, end + len(after.split(",")[0].rstrip()))
    else:
        found = _said(reading, _SCRATCH) or _said(reading, _VISION)
        yield from (Hit("weights_change", "yes", *f.span(), Sure.LIKELY) for f in found[:1])


def _purpose(reading: Reading, trains: bool) -> Iterator[Hit]:
    tried = [m for m in _RAG.finditer(reading.folded) if _verdict(reading, m)]
    for found in tried[:1]:
        yield Hit("alternatives", _verdict(reading, found), *found.span())
    asked = _said(reading, _KNOWLEDGE)
    wanted = asked or [
        m
        for m in _RAG.finditer(reading.folded)
        if not _verdict(reading, m) and not reading.denied(*m.span())
    ]
    for found in wanted[:1]:
        yield Hit("purpose", "knowledge", *found.span())
    for value, pattern in (("behaviour", _STYLE), ("vision", _VISION)):
        said = _said(reading, pattern)
        if said and not wanted:
            yield Hit("purpose", value, *said[0].span())
    served = [m for m in _said(reading, _SERVE) if not _HAVE.search(reading.before(m.start()))]
    if served and not trains and not wanted:
        yield Hit("purpose", "serve", *served[0].span())


def _verdict(reading: Reading, found: re.Match[str]) -> str:
    around = reading.around(*found.span())
    if _UNTESTED.search(around):
        return "not-tested"
    return "not-enough" if _TESTED.search(around) else ""
