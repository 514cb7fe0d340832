"""Names of units in both languages, and how a person reads a count of them."""

from collections.abc import Callable
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import npgettext, pgettext, pgettext_lazy

# GB is 10**9 bytes, GiB is 2**30: the product never mixes the two without saying so.
_NAMES: Final[dict[str, Promise]] = {
    "B": pgettext_lazy("unit", "B"),
    "kB": pgettext_lazy("unit", "kB"),
    "MB": pgettext_lazy("unit", "MB"),
    "GB": pgettext_lazy("unit", "GB"),
    "TB": pgettext_lazy("unit", "TB"),
    "PB": pgettext_lazy("unit", "PB"),
    "KiB": pgettext_lazy("unit", "KiB"),
    "MiB": pgettext_lazy("unit", "MiB"),
    "GiB": pgettext_lazy("unit", "GiB"),
    "TiB": pgettext_lazy("unit", "TiB"),
    "PiB": pgettext_lazy("unit", "PiB"),
    "GB_per_s": pgettext_lazy("unit", "GB/s"),
    "TB_per_s": pgettext_lazy("unit", "TB/s"),
    "Gbit_per_s": pgettext_lazy("unit", "Gbit/s"),
    "tokens_per_s": pgettext_lazy("unit", "tokens/s"),
    "TFLOPS": pgettext_lazy("unit", "TFLOP/s"),
    "PFLOPS": pgettext_lazy("unit", "PFLOP/s"),
    "EFLOP": pgettext_lazy("unit", "EFLOP"),
    "FLOP": pgettext_lazy("unit", "FLOP"),
    "K": pgettext_lazy("unit", "K"),
    "m3_per_h": pgettext_lazy("unit", "m³/h"),
    "W": pgettext_lazy("unit", "W"),
    "kW": pgettext_lazy("unit", "kW"),
    "kVA": pgettext_lazy("unit", "kVA"),
    "kWh": pgettext_lazy("unit", "kWh"),
    "A": pgettext_lazy("unit", "A"),
    "V": pgettext_lazy("unit", "V"),
    "BTU_per_h": pgettext_lazy("unit", "BTU/h"),
    "ms": pgettext_lazy("unit", "ms"),
    "s": pgettext_lazy("unit", "s"),
    "min": pgettext_lazy("unit", "min"),
    "h": pgettext_lazy("unit", "h"),
    "GPU_h": pgettext_lazy("unit", "GPU-h"),
    "d": pgettext_lazy("unit", "d"),
    "mo": pgettext_lazy("unit", "months"),
    "mm": pgettext_lazy("unit", "mm"),
    "kg": pgettext_lazy("unit", "kg"),
    "U": pgettext_lazy("unit", "U"),
    "params_billion": pgettext_lazy("unit", "B parameters"),
    "percent": pgettext_lazy("unit", "%"),
}

# The number decides the form of the word: 1 token, 2 tokens; 1 токен, 2 токена, 5 токенов.
_COUNTED: Final[dict[str, Callable[[int], str]]] = {
    "tokens": lambda n: npgettext("unit", "token", "tokens", n),
    "gpus": lambda n: npgettext("unit", "GPU", "GPUs", n),
    "nodes": lambda n: npgettext("unit", "node", "nodes", n),
    "steps": lambda n: npgettext("unit", "step", "steps", n),
    "samples": lambda n: npgettext("unit", "sample", "samples", n),
    "files": lambda n: npgettext("unit", "file", "files", n),
    "days": lambda n: npgettext("unit", "day", "days", n),
}

UNITS: Final = frozenset(_NAMES) | frozenset(_COUNTED)

# A fraction and a range take the form of «пять»: any number that ends in 5 asks for it.
_MANY: Final = 5


def unit_name(unit: str, count: float | None = None) -> str:
    """The unit as the active language writes it, in the form that `count` asks for.

    Raises:
        KeyError: there is no such unit.
    """
    if unit in _COUNTED:
        whole = count is not None and count == int(count)
        return _COUNTED[unit](int(count) if count is not None and whole else _MANY)
    return str(_NAMES[unit])


def with_unit(text: str, unit: str, count: float | None = None) -> str:
    """`text` and the unit with a no-break space between; English writes 28% without one."""
    if not unit:
        return text
    if unit == "percent":
        return pgettext("unit", "%(number)s%%") % {"number": text}
    return f"{text}\N{NO-BREAK SPACE}{unit_name(unit, count)}"
