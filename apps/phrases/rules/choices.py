"""Answers that are chosen among options: the words that mean each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from apps.phrases.found import Hit, Lexicon, Sure
from apps.phrases.text import Reading


@dataclass(frozen=True, slots=True)
class Words:
    """Words that mean `value`; `denied` is what they mean when they are denied, if anything.

    With `near`, the sentence must hold a word of that topic too.
    """

    key: str
    value: str
    pattern: re.Pattern[str]
    sure: Sure = Sure.STATED
    denied: str = ""
    near: re.Pattern[str] | None = None


def _words(
    key: str,
    value: str,
    pattern: str,
    *,
    likely: bool = False,
    denied: str = "",
    near: str = "",
) -> Words:
    return Words(
        key,
        value,
        re.compile(pattern),
        Sure.LIKELY if likely else Sure.STATED,
        denied,
        re.compile(near) if near else None,
    )


_OFF: Final = re.compile(r"\s?[:=]\s?(?:нет|no|false|off|отключ|выкл)")
_ASKED: Final = re.compile(r"(?:хватит|достаточно|стоит|нужн\w|подойдет) ли\s$")
_COOLING: Final = r"охлажд|cool"
_DATA: Final = (
    r"датасет|данн|dataset|\bdata\b|\d\s*(?:[кмгт]б|[kmgt]i?b)\b|корпус|выборк|терабайт|гигабайт|токен|tokens"
    r"|\d\s?(?:тыс\w{0,3}|млн|k|m|million|thousand)?\s(?:картин|изображен|снимк|фото|images|диалог|dialogues)"
)
_BF16: Final = r"(?:bf16|bfloat16|бф16)"
_FP16: Final = r"(?:fp16|float16|фп16)"
_MIXED: Final = r"(?:mixed|amp|смешан\w{0,6})"

CHOICES: Final = (
    _words("method", "qlora", r"(?<![a-z])q-?lora(?![a-z])|кулор\w{0,3}|к-?лора\b"),
    _words("method", "lora", r"(?<![a-z-])lora(?![a-z])|(?<![\w-])лор(?:а|ы|у|ой|е)(?!\w)"),
    _words("method", "dora", r"(?<![a-z])dora(?![a-z])"),
    _words(
        "method",
        "full",
        r"(?:пол\w{1,5}|full)[ -]?(?:параметр\w{1,6} )?(?:дообучени\w|файн-?тюн\w{0,6}|fine[- ]?tun\w{0,4}|sft\b|ft\b|обучени\w)"
        r"|полностью\s(?:до|пере)?обуч\w{1,6}|\bfft\b|вс(?:е|ех|еми) (?:вес|параметр)\w{0,5}"
        r"|\ball (?:the |of the )?(?:weights|parameters)",
    ),
    _words("method", "freeze", r"част\w{1,4} сло[её]в|заморо\w{2,10} сло\w{1,4}|frozen layers"),
    _words("model_kind", "decoder", r"(?<![-\w])decoder\b|(?<![-\w])декодер\w{0,2}"),
    _words("model_kind", "encoder", r"\bencoder\b(?!-)|\bэнкодер\w{0,2}(?!-)"),
    _words("model_kind", "moe-decoder", r"\bmoe\b|mixture of experts", likely=True),
    _words("stage", "dpo", r"\bdpo\b"),
    _words("stage", "orpo", r"\borpo\b"),
    _words("stage", "kto", r"\bkto\b"),
    _words("stage", "ppo", r"\bppo\b"),
    _words("stage", "grpo", r"\bgrpo\b"),
    _words("stage", "sft", r"\bsft\b(?!'|-?ed|d)"),
    _words("stage", "pretrain", r"continued pre-?training|дообучени\w на корпус\w{1,3}", likely=True),
    _words("precision", "bf16-mixed", rf"{_BF16}[ -]{_MIXED}|{_MIXED}[ -]{_BF16}|{_MIXED} precision[ (]+{_BF16}"),
    _words("precision", "bf16-pure", rf"(?:pure|чист\w{{1,3}})[ -]{_BF16}|{_BF16}[ -]pure"),
    _words("precision", "fp16-mixed", rf"{_FP16}[ -]{_MIXED}|{_MIXED}[ -]{_FP16}"),
    _words("precision", "fp16-pure", rf"(?:pure|чист\w{{1,3}})[ -]{_FP16}|{_FP16}[ -]pure"),
    _words("precision", "bf16-mixed", rf"{_BF16}(?![ -](?:{_MIXED}|pure))", likely=True),
    _words("precision", "fp32", r"\bfp32\b|\bfloat32\b"),
    _words("quantization", "nf4-double", r"nf4[ -](?:double|с двойн\w{1,4})|double[ -]quant\w{0,8}"),
    _words("quantization", "nf4", r"\bnf4\b(?![ -](?:double|с двойн))"),
    _words("quantization", "gptq-int4", r"\bgptq\b"),
    _words("quantization", "awq-int4", r"\bawq\b"),
    _words("optimizer", "adamw-8bit", r"adamw?[ _-]?(?:8[ -]?bit|8 бит)|8[- ]?bit adamw?"),
    _words("optimizer", "adamw", r"\badamw\b(?![ _-]?8)"),
    _words("optimizer", "adafactor", r"\badafactor\b"),
    _words("optimizer", "lion", r"\blion\b(?![ _-]?8)"),
    _words("optimizer", "muon", r"\bmuon\b"),
    _words("optimizer", "galore", r"\bgalore\b"),
    _words("optimizer", "sgd", r"\bsgd\b"),
    _words(
        "activation_checkpointing",
        "full",
        r"(?:gradient|activation)[ _-]checkpoint\w{0,3}|пересч[её]т\w{0,2} активаци\w{1,2}|чекпойнтинг\w{0,2} (?:активаций|градиентов)",
        denied="none",
    ),
    _words("attention", "flash", r"flash[ -]?att\w{1,6}(?:[ -]?[23])?|\bfa[23]\b"),
    _words("attention", "sdpa", r"\bsdpa\b"),
    _words("packing", "yes", r"\b(?:sample )?packing\b|упаковк\w{1,3} (?:примеров|последовательностей)", denied="no"),
    _words("lora_targets", "all-linear", r"all[- ]linear|все(?:х)? линейн\w{1,3}(?: сло\w{1,3})?"),
    _words("lora_targets", "qv", r"(?:только|only)\s(?:на )?q\s?(?:и|and|,|/)\s?v\b"),
    _words("lora_targets", "attention", r"q\s?,\s?k\s?,\s?v\s?(?:,|и|and)\s?o\b"),
    _words("offload", "optimizer", r"(?:offload|выгруз\w{1,4})[ -](?:of )?(?:the )?(?:optimizer|оптимизатор\w?)"),
    _words("data_location", "nfs", r"\bnfs\b|\bsmb\b|\bnas\b|файлов\w{1,3} сервер\w{0,2}"),
    _words("data_location", "san", r"\bsan\b|\bсхд\b"),
    _words("data_location", "object", r"\bs3\b|\bminio\b|object storage|объектн\w{1,3} хранилищ\w{1,3}"),
    _words("data_location", "local", r"локальн\w{1,3} (?:диск|ssd|nvme)\w{0,3}|local (?:disks?|drives?|nvme|ssd)"),
    _words("cooling", "air", r"возду\w{2,6}|\bair\b", near=_COOLING),
    _words("cooling", "rear-door", r"\brdhx\b|rear[- ]door|задн\w{1,3} двер\w{1,2}"),
    _words("cooling", "liquid", r"жидкост\w{1,4}|\bliquid\b|\bdlc\b", near=_COOLING),
    _words("cooling", "immersion", r"погружн\w{1,3}|иммерси\w{1,5}|immersion", near=_COOLING),
    _words("phases", "3", r"(?:три|тр[её]х|3)[ -]?фаз\w{0,6}|\b(?:three|3)[ -]phases?"),
    _words("phases", "1", r"одн\w{1,2}[ -]?фаз\w{0,6}|\b1[ -]?фаз\w{0,6}|\bsingle[ -]phase"),
    _words("data_kind", "images", r"картин\w{1,4}|изображени\w{1,3}|снимк\w{1,3}|\bфото\w{0,10}|\bimages?\b|pictures", near=_DATA),
    _words("data_kind", "text", r"текст\w{0,3}|диалог\w{1,3}|\bчат(?:ов|ы)\b|\btexts?\b|dialogues", near=_DATA),
    _words("data_kind", "video", r"видео(?!карт|памят|адапт)\w{0,4}|\bvideos?\b", near=_DATA),
    _words("use", "one-off", r"разов\w{1,3} (?:проект|задач|обучени)\w{0,2}|одноразов\w{1,3}|one[- ]off|one[- ]time project"),
    _words("deadline_hard", "yes", r"ж[её]стк\w{1,4}(?: срок\w{0,2}| дедлайн\w{0,2})?|(?:hard|firm)(?: limit| deadline)?", denied="no", near=r"срок|дедлайн|deadline|limit|дней|час"),
    _words("deadline_hard", "no", r"срок\w{0,2} (?:не важ\w{1,3}|не крит\w{1,6}|гибк\w{1,3})|soft deadline"),
    _words("measured_step", "yes", r"(?:тест\w{0,4}|замер\w{0,4}|измер\w{2,6}|провер\w{2,6}|measur\w{2,4}|benchmark)\s(?:[\w-]{1,20}\s){0,2}?(?:шаг\w{0,2}|step)(?!\w)|(?:время шага|step time)\s(?:[\w-]{1,20}\s){0,2}?(?:тест|замер|измер|measured|benchmark)\w{0,5}"),
    _words("data_may_leave", "no", r"(?:данн\w{2,4}|data)[^.;\n]{0,40}?(?:нельзя|не (?:покида\w{2,4}|выход\w{2,4}|выноси\w{1,3}|должн\w{1,2} (?:покидать|выходить))|(?:must|may|can)(?:not| not|'t) leave)|вынос\w{2,4} нельзя"),
    _words("held_out_set", "yes", r"отложенн\w{2,3} (?:выборк|набор|данн|вопрос)\w{0,3}|валидационн\w{2,3} (?:выборк|набор)\w{0,2}|held[- ]out (?:set|data|samples|questions)|validation set", denied="no"),
    _words("checkpoint_reserve", "yes", r"(?:мест\w|диск\w?|запас\w?|space)\s(?:[\w-]{1,20}\s){0,3}?(?:под|для|for)\s(?:[\w-]{1,20}\s){0,2}?(?:чекпо[йи]нт\w{0,3}|checkpoints?)", likely=True),
)  # fmt: skip

FRAMEWORKS: Final = {
    "llama-factory": r"llama[- _]?factory",
    "hf-trainer": r"(?:hugging ?face|hf)[ -]trainer|transformers trainer",
    "axolotl": r"axolotl|аксолотл\w?",
    "unsloth": r"unsloth",
    "torchtune": r"torchtune",
    "torchtitan": r"torchtitan",
    "ms-swift": r"ms-swift",
    "litgpt": r"litgpt",
    "llm-foundry": r"llm[- ]foundry",
    "megatron": r"megatron(?:-lm)?",
    "nemo": r"\bnemo framework|nvidia nemo",
    "nanotron": r"nanotron",
    "diffusers": r"diffusers",
    "kohya": r"kohya(?:[ _]ss)?",
    "timm": r"\btimm\b",
    "ultralytics": r"ultralytics",
    "trl": r"\btrl\b",
    "deepspeed": r"deepspeed",
    "accelerate": r"\baccelerate\b",
}
_UNDER_OTHERS: Final = frozenset({"deepspeed", "accelerate"})


def find(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    """Choices by their words, and the framework that runs the loop."""
    for words in CHOICES:
        for found in words.pattern.finditer(reading.folded):
            if words.near and not words.near.search(reading.around(*found.span())):
                continue
            value = words.value
            if reading.denied(*found.span()) or _OFF.match(reading.after(found.end())):
                value = words.denied
            if value:
                asked = _ASKED.search(reading.before(found.start()))
                sure = Sure.DOUBT if asked else words.sure
                yield Hit(words.key, value, *found.span(), sure)
    yield from _frameworks(reading)


def _frameworks(reading: Reading) -> Iterator[Hit]:
    """DeepSpeed and Accelerate run under another one: they count when they stand alone."""
    hits = [
        Hit("framework", value, *found.span())
        for value, pattern in FRAMEWORKS.items()
        for found in re.finditer(pattern, reading.folded)
        if not reading.denied(*found.span())
    ]
    above = [hit for hit in hits if hit.value not in _UNDER_OTHERS]
    yield from above or hits
