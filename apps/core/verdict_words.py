"""The default words of the six states. A resource may say its own; the mark stays."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from apps.core.palette import State, state_of

_WORDS: Final[dict[State, Promise]] = {
    "ok": pgettext_lazy("verdict", "fits"),
    "tight": pgettext_lazy("verdict", "tight"),
    "risk": pgettext_lazy("verdict", "at risk"),
    "blocked": pgettext_lazy("verdict", "does not fit"),
    "unknown": pgettext_lazy("verdict", "unknown"),
    "info": pgettext_lazy("verdict", "for information"),
}


def verdict_word(code: str | None) -> str:
    """The word for a verdict in the active language."""
    return str(_WORDS[state_of(code)])
