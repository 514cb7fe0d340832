"""Names of published models as Russian speakers write them: «лама 3 8б», «квен 2.5 7b».

Only spelling: words become the Latin words that the catalog's names are made of, the size keeps
its letter. A word that is not in the table stays as it is.
"""

from __future__ import annotations

import re
from typing import Final

# Families in the catalog and what people write for them, longest first where one begins another.
_WORDS: Final[dict[str, str]] = {
    "ллама": "llama",
    "лама": "llama",
    "кодлама": "codellama",
    "тайнилама": "tinyllama",
    "квен": "qwen",
    "квэн": "qwen",
    "куэн": "qwen",
    "мистраль": "mistral",
    "микстраль": "mixtral",
    "немо": "nemo",
    "гемма": "gemma",
    "джемма": "gemma",
    "дипсик": "deepseek",
    "дипсек": "deepseek",
    "сайга": "saiga",
    "вихрь": "vikhr",
    "гигачат": "gigachat",
    "яндексгпт": "yandexgpt",
    "ругпт": "rugpt",
    "руберт": "rubert",
    "роберта": "roberta",
    "берт": "bert",
    "виспер": "whisper",
    "уиспер": "whisper",
    "фалкон": "falcon",
    "блум": "bloom",
    "пифия": "pythia",
    "кими": "kimi",
    "ллава": "llava",
    "лава": "llava",
    "флюкс": "flux",
    "йоло": "yolo",
    "ёло": "yolo",
    "резнет": "resnet",
    "реснет": "resnet",
    "юнет": "unet",
    "сегформер": "segformer",
    "клип": "clip",
    "стейбл": "stable",
    "диффьюжн": "diffusion",
    "диффузия": "diffusion",
    "хуньюань": "hunyuan",
    "фи": "phi",
    "гпт": "gpt",
    "яндекс": "yandex",
    "лайт": "lite",
    "про": "pro",
    "мини": "mini",
    "база": "base",
    "базовая": "base",
    "большая": "large",
    "ларж": "large",
    "смол": "small",
    "медиум": "medium",
    "инструкт": "instruct",
    "чат": "chat",
    "кодер": "coder",
    "скаут": "scout",
    "маверик": "maverick",
    "р": "r",
    "в": "v",
    "т": "t",
}
_CYRILLIC: Final = re.compile(r"[а-яё]+")
# A size: «8б», «7 млрд», «0.5 миллиарда»; «350м», «350 млн».
_BILLIONS: Final = re.compile(r"(?<=\d)\s*(?:б|млрд\w*|миллиард\w*)\b")
_MILLIONS: Final = re.compile(r"(?<=\d)\s*(?:м|млн\w*|миллион\w*)\b")
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")


def latin(name: str) -> str:
    """The name in the letters of the catalog, lower case; a Latin name comes back unchanged but
    for its case."""
    text = _DECIMAL_COMMA.sub(".", name.lower())
    if not _CYRILLIC.search(text):
        return text
    sized = _MILLIONS.sub("m", _BILLIONS.sub("b", text))
    return _CYRILLIC.sub(lambda found: _WORDS.get(found[0], found[0]), sized)
