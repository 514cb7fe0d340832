"""Figures with units: volumes, parameters, tokens, lengths, batches, counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from apps.phrases.amounts import (
    BYTE_UNIT,
    NUMBER,
    SCALE,
    bytes_text,
    in_range,
    number_of,
    plain_number,
    scaled_text,
)
from apps.phrases.found import Hit, Lexicon, Sure
from apps.phrases.rules.names import card_spans, model_spans
from apps.phrases.text import Reading

_BYTES: Final = re.compile(rf"{NUMBER}\s?{BYTE_UNIT}")
# What a volume is of: the nearest of these words in its sentence.
_TOPICS: Final = {
    "dataset_bytes": r"датасет\w{0,3}|данн\w{2,3}|\bdataset\b|\bdata\b|выборк\w{1,3}|корпус\w{0,3}|текст\w{0,3}|диалог\w{1,3}|чат(?:ов|ы)|картин\w{1,4}|изображени\w{1,3}|снимк\w{1,3}|фото\w{0,10}|видео(?!карт|памят)\w{0,4}|объ[её]м\w{0,2}|dialogues|images|texts?\b|corpus|jsonl|parquet|dicom|imagenet|обращени\w{1,2}|документ\w{0,3}",
    "disk_bytes": r"диск\w{0,3}|\bssd\b|nvme|хранилищ\w{1,3}|\bdisks?\b|storage",
    "unpacked_bytes": r"распаков\w{2,8}|unpacked",
    "": r"памят\w{1,3}|оператив\w{2,5}|\bозу\b|\bram\b|vram|\bmemory\b|\bhbm\b|\bпик\w?\b|на карт\w{1,3}|checkpoint size|каждый",
}
_TOPIC: Final = re.compile("|".join(f"(?P<{k or 'skip'}>{p})" for k, p in _TOPICS.items()))
_FAR: Final = 90
_NOT_WHOLE: Final = re.compile(r"\bпо $|[бb]\s?\($")

_PARAMS: Final = re.compile(
    rf"{NUMBER}{SCALE}\s?-?(?:(?:параметр|param)\w{{0,5}}|(?:модел|model)\w{{0,3}})"
    rf"|(?:параметр\w{{0,3}}|param(?:eter)?s|модель на|model size)\s?[:=]?\s?{NUMBER.replace('?P<n>', '?P<n2>')}{SCALE.replace('?P<s>', '?P<s2>')}"
)
_TOKENS: Final = re.compile(
    rf"{NUMBER}{SCALE}?\s?(?:токен\w{{0,3}}|tokens?)(?!\w|\s?(?:/|в сек|per sec))"
)
_LENGTH_WORDS: Final = r"(?:контекст\w{0,3}|(?:максимальн\w{2,3} |макс\.? )?длин\w{1,2}(?: последовательност\w{1,3}| контекста)?|последовательност\w{1,3}|секвенс\w{0,2}|(?:max(?:imum)?[ _])?(?:seq(?:uence)?|context)(?:[ _-]?(?:len(?:gth)?|window))?|max_seq_length|cutoff_len)"
_LENGTH_AFTER: Final = re.compile(
    rf"{_LENGTH_WORDS}\s?(?:[:=—-]|до|по|в|is|of|up to)?\s?(?:до|up to)?\s?{NUMBER}(?P<s>\s?[kк](?!\w))?(?!\s?(?:мм|см|м\b|mm|секунд|gb|гб))"
)
_LENGTH_BEFORE: Final = re.compile(
    rf"{NUMBER}(?P<s>\s?[kк])?(?:\s?(?:токен\w{{0,3}}|tokens?))?\s(?:контекст|context|sequence)\w{{0,3}}"
)
_K_TOKENS: Final = re.compile(
    rf"{NUMBER}(?P<s>\s?[kк])?\s?(?:токен\w{{0,3}}|tokens?)(?!\w|\s?(?:/|в сек|per sec|a sec))"
)
_LONGEST: Final = 2_000_000

_MANY: Final = rf"{NUMBER}{SCALE}?\s(?:(?![кмгт]б|[kmgt]i?b)[а-яa-z]{{2,15}}\s)?"
_SIMPLE: Final = (
    ("lora_rank", rf"(?:\brank|ранг\w{{0,2}}|lora_r|(?<![\w-])r)\s?[:=]?\s?{NUMBER}(?![\w.,]\d)"),
    ("lora_rank", rf"{NUMBER}\s(?:rank|ранг)(?!\w)"),
    ("grad_accumulation", rf"(?:grad(?:ient)?[ _-]accum\w{{0,10}}(?: steps)?|накоплени\w (?:градиент\w{{1,2}})?)\s?[:=]?\s?{NUMBER}"),
    ("global_batch", rf"(?:global|effective|общ\w{{2}}|эффективн\w{{2}})[ _-](?:batch(?:[ _-]size)?|батч\w?)\s?[:=]?\s?{NUMBER}"),
    ("micro_batch", rf"(?:micro[ _-]?batch(?:[ _-]size)?|микро-?батч\w?|per_device_train_batch_size|(?:батч|batch(?: size)?) (?:на|per) (?:одну |один )?(?:карт\w|gpu|device))\s?[:=]?\s?{NUMBER}"),
    ("micro_batch", rf"(?:батч|batch(?: size)?)\s?[:=]?\s?{NUMBER}\s(?:на|per) (?:карт\w|gpu|device)"),
    ("epochs", rf"{NUMBER}\s(?:эпох\w{{0,2}}|epochs?)(?!\w)"),
    ("epochs", rf"(?:эпох\w?|epochs)\s?[:=]\s?{NUMBER}"),
    ("saves_kept", rf"(?:хранить|храним|держать|keep(?:ing)?)\s(?:the )?(?:last )?{NUMBER}\s?(?:последн|last|чекпо|checkpoint)?"),
    ("save_every_steps", rf"(?:каждые|every)\s{NUMBER}\s(?:шаг\w{{0,2}}|steps)"),
    ("save_every_steps", rf"save_steps\s?[:=]\s?{NUMBER}"),
    ("experiments", rf"(?:эксперимент\w{{1,3}}|experiments)\s?[:=]\s?{NUMBER}"),
    ("image_size", rf"{NUMBER}\s?(?:пиксел\w{{1,3}}|px|pixels)(?!\w)"),
    ("teams", rf"{NUMBER}\s(?:команд\w{{0,2}}|teams)(?!\w)"),
    ("runs_per_quarter", rf"{NUMBER}\s(?:запуск\w{{0,2}}|прогон\w{{0,2}}|обучени\w|runs|trainings)\s(?:в|за|a|per)\s(?:квартал|quarter)"),
    ("parallel_runs", rf"{NUMBER}\s(?:эксперимент\w{{0,2}}|запуск\w{{0,2}}|прогон\w{{0,2}}|обучени\w|runs|experiments)\s(?:параллельно|одновременно|at (?:once|the same time)|in parallel)"),
    ("experiments", rf"{NUMBER}\s(?:эксперимент\w{{0,3}}|experiments)(?!\w|\s(?:параллельно|одновременно|at|in parallel))"),
)  # fmt: skip
_RULES: Final = tuple((key, re.compile(pattern)) for key, pattern in _SIMPLE)
_SAMPLES: Final = re.compile(
    rf"{_MANY}(?:пример|диалог|образц|обращени|запис|изображени|картин|снимк|фото|samples|examples|dialogues|images|pictures)\w{{0,3}}(?!\w)"
)
_SAMPLES_AFTER: Final = re.compile(
    rf"(?:картинок|изображений|примеров|диалогов|samples|images)\s?[:—-]?\s{NUMBER}{SCALE}?(?!\s?[кмгтkmgt]i?[bб]|\s?[xх*]\s?\d)"
)
_FILES: Final = re.compile(rf"{NUMBER}{SCALE}?\s(?:файл\w{{0,2}}|files)(?!\w)")
_BATCH: Final = re.compile(
    rf"(?<![\w-])(?:батч\w?|batch(?: size)?)\s?[:=]?\s?{NUMBER}(?!\s(?:на|per)\s)"
)
_WHOLE_BATCH: Final = re.compile(r"(?:global|effective|общ\w{2}|эффективн\w{2})[ _-]$")
_SQUARE: Final = re.compile(r"(?<![\w.])(?P<n>\d{2,4})\s?[xх*]\s?(?P=n)(?!\w|\.\d)")
_AVERAGE: Final = re.compile(r"средн\w{2,4}|average|avg|mean")


# What a ready model has seen is not the dataset.
_BASE_SAW: Final = re.compile(r"(?:trained on|обучен\w{0,4} на)\s(?:[\w~]{1,10}\s)?$")


def find(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    taken = model_spans(reading, lexicon)
    hits = [
        *_volumes(reading, lexicon),
        *_parameters(reading),
        *_tokens(reading),
        *_counts(reading),
    ]
    for hit in hits:
        inside = any(a <= hit.start < b for a, b in taken) and hit.key != "lora_rank"
        if not inside and not reading.denied(hit.start, hit.start):
            yield hit


def _hit(
    reading: Reading, key: str, found: re.Match[str], value: str, sure: Sure = Sure.STATED
) -> Hit:
    """An end of a range answers nothing alone: both stand in doubt."""
    start, end = found.span()
    number = "n" if found.groupdict().get("n") else "n2"
    if in_range(reading.folded, *found.span(number)):
        sure = Sure.DOUBT
    return Hit(key, value, start, end, sure)


def _volumes(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    cards = card_spans(reading, lexicon)
    for found in _BYTES.finditer(reading.folded):
        if any(a <= found.start() < b for a, b in cards):
            continue
        # «по 100 ГБ» is one of many; «200 ГБ (186 ГиБ)» says one volume twice.
        if _NOT_WHOLE.search(reading.before(found.start())):
            continue
        key = _topic(reading, found)
        if key:
            yield _hit(reading, key, found, bytes_text(found))


def _topic(reading: Reading, found: re.Match[str]) -> str:
    """The question that the nearest word of the sentence belongs to; empty for none of ours."""
    first, _last = reading.sentence(*found.span())
    near: list[tuple[int, str]] = []
    for word in _TOPIC.finditer(reading.around(*found.span())):
        start, end = first + word.start(), first + word.end()
        gap = found.start() - end if end <= found.start() else start - found.end()
        crossed = reading.folded[min(end, found.end()) : max(start, found.start())]
        # What stands behind a comma speaks of something else, mostly.
        near.append((gap + 12 * crossed.count(","), word.lastgroup or ""))
    distance, name = min(near, default=(_FAR + 1, ""))
    return "" if distance > _FAR or name == "skip" else name


def _parameters(reading: Reading) -> Iterator[Hit]:
    for found in _PARAMS.finditer(reading.folded):
        parts = {k.rstrip("2"): v for k, v in found.groupdict().items() if v}
        scale = parts["s"].strip().rstrip(".")
        scale = {"в": "b", "б": "b", "м": "m"}.get(scale, scale)
        yield _hit(reading, "params", found, f"{number_of(parts['n'])} {scale}")


def _tokens(reading: Reading) -> Iterator[Hit]:
    """Tokens of the corpus are counted in millions; a length in thousands at most."""
    for found in _TOKENS.finditer(reading.folded):
        scale = (found["s"] or "").strip()
        if _BASE_SAW.search(reading.before(found.start())):
            continue
        if scale and scale not in ("k", "к", "тыс", "тыс."):
            yield _hit(reading, "tokens", found, scaled_text(found))
    lengths = [_LENGTH_AFTER, _LENGTH_BEFORE, _K_TOKENS]
    told: set[int] = set()
    for pattern in lengths:
        for found in pattern.finditer(reading.folded):
            number = plain_number(found["n"])
            place = found.start("n")
            if place in told or not 16 <= number * (1000 if found["s"] else 1) <= _LONGEST:
                continue
            told.add(place)
            yield from _length(reading, found, likely=pattern is _K_TOKENS)


def _length(reading: Reading, found: re.Match[str], *, likely: bool) -> Iterator[Hit]:
    """`8k` is 8192 to some and 8000 to others: both are offered."""
    about = reading.folded[max(0, found.start() - 20) : found.end()]
    key = "average_length" if _AVERAGE.search(about) else "sequence_length"
    sure = Sure.LIKELY if likely else Sure.STATED
    if not found["s"]:
        yield _hit(reading, key, found, number_of(found["n"]), sure)
        return
    thousands = plain_number(found["n"])
    for factor in (1024, 1000):
        yield _hit(reading, key, found, str(round(thousands * factor)), Sure.DOUBT)


def _counts(reading: Reading) -> Iterator[Hit]:
    for key, pattern in _RULES:
        for found in pattern.finditer(reading.folded):
            yield _hit(reading, key, found, number_of(found["n"]))
    for pattern in (_SAMPLES, _SAMPLES_AFTER):
        for found in pattern.finditer(reading.folded):
            yield _hit(reading, "samples", found, scaled_text(found))
    for found in _FILES.finditer(reading.folded):
        yield _hit(reading, "files_count", found, scaled_text(found))
    for found in _BATCH.finditer(reading.folded):
        if _WHOLE_BATCH.search(reading.before(found.start())):
            continue
        # Of one card or of all of them: the word does not say.
        yield _hit(reading, "micro_batch", found, number_of(found["n"]), Sure.DOUBT)
    for found in _SQUARE.finditer(reading.folded):
        yield _hit(reading, "image_size", found, found["n"])
