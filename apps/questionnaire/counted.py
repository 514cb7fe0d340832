"""What the numbers count: the word beside the field, its plural, the words people type after it.

The plural is lazy with the parameter `n`; the context «unit» is shared with `apps.core.units`, so
a word has one translation.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import npgettext_lazy, pgettext_lazy

from apps.questionnaire.question import Unit


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TOKENS: Final = Unit(
    pgettext_lazy("unit beside a field", "tokens"),
    npgettext_lazy("unit", "token", "tokens", "n"),
    _words("token tokens tok токен токена токенов ток"),
)
SAMPLES: Final = Unit(
    pgettext_lazy("unit beside a field", "samples"),
    npgettext_lazy("unit", "sample", "samples", "n"),
    _words("sample samples пример примера примеров образец образца образцов записей записи"),
)
FILES: Final = Unit(
    pgettext_lazy("unit beside a field", "files"),
    npgettext_lazy("unit", "file", "files", "n"),
    _words("file files файл файла файлов"),
)
PARAMETERS: Final = Unit(
    pgettext_lazy("unit beside a field", "parameters"),
    npgettext_lazy("unit", "parameter", "parameters", "n"),
    _words("param params parameter parameters параметр параметра параметров"),
)
STEPS: Final = Unit(
    pgettext_lazy("unit beside a field", "steps"),
    npgettext_lazy("unit", "step", "steps", "n"),
    _words("step steps шаг шага шагов итераций итерации"),
)
EPOCHS: Final = Unit(
    pgettext_lazy("unit beside a field", "epochs"),
    npgettext_lazy("unit", "epoch", "epochs", "n"),
    _words("epoch epochs эпоха эпохи эпох"),
)
RUNS: Final = Unit(
    pgettext_lazy("unit beside a field", "runs"),
    npgettext_lazy("unit", "run", "runs", "n"),
    _words("run runs запуск запуска запусков"),
)
SAVES: Final = Unit(
    pgettext_lazy("unit beside a field", "saves"),
    npgettext_lazy("unit", "save", "saves", "n"),
    _words("save saves checkpoint checkpoints чекпойнт чекпойнта чекпойнтов шт штук штуки"),
)
LAYERS: Final = Unit(
    pgettext_lazy("unit beside a field", "layers"),
    npgettext_lazy("unit", "layer", "layers", "n"),
    _words("layer layers слой слоя слоёв слоев"),
)
PIECES: Final = Unit(
    pgettext_lazy("unit beside a field", "pieces"),
    npgettext_lazy("unit", "piece", "pieces", "n"),
    _words("piece pieces pcs шт штук штуки"),
)
TEAMS: Final = Unit(
    pgettext_lazy("unit beside a field", "teams"),
    npgettext_lazy("unit", "team", "teams", "n"),
    _words("team teams команда команды команд"),
)
TIMES: Final = Unit(
    pgettext_lazy("unit beside a field", "times"),
    npgettext_lazy("unit", "time", "times", "n"),
    _words("x × х times раз раза"),
)
PIXELS: Final = Unit(
    pgettext_lazy("unit beside a field", "px"),
    npgettext_lazy("unit", "pixel", "pixels", "n"),
    _words("px pixel pixels пикс пиксель пикселя пикселей"),
)
RACK_UNITS: Final = Unit(
    pgettext_lazy("unit beside a field", "U"),
    npgettext_lazy("unit", "rack unit", "rack units", "n"),
    _words("u юнит юнита юнитов unit units"),
)
AMPERES: Final = Unit(
    pgettext_lazy("unit beside a field", "A"),
    npgettext_lazy("unit", "ampere", "amperes", "n"),
    _words("a а ампер ампера amp amps ampere amperes"),
)
VOLTS: Final = Unit(
    pgettext_lazy("unit beside a field", "V"),
    npgettext_lazy("unit", "volt", "volts", "n"),
    _words("v в вольт вольта volt volts"),
)
TOKENS_PER_SECOND: Final = Unit(
    pgettext_lazy("unit beside a field", "tokens/s"),
    npgettext_lazy("unit", "token/s", "tokens/s", "n"),
    _words("token/s tokens/s tok/s tps ток/с токен/с токена/с токенов/с"),
)
SAMPLES_PER_SECOND: Final = Unit(
    pgettext_lazy("unit beside a field", "samples/s"),
    npgettext_lazy("unit", "sample/s", "samples/s", "n"),
    _words("sample/s samples/s img/s images/s пример/с примера/с примеров/с картинок/с"),
)
GPU_HOURS: Final = Unit(
    pgettext_lazy("unit beside a field", "GPU-hours"),
    npgettext_lazy("unit", "GPU-hour", "GPU-hours", "n"),
    _words("gpu-h gpu-hour gpu-hours gpu-ч gpu-час gpu-часа gpu-часов"),
)
SECONDS: Final = Unit(
    pgettext_lazy("unit beside a field", "s"),
    npgettext_lazy("unit", "second", "seconds", "n"),
    _words("s sec secs second seconds с сек секунда секунды секунд"),
)
