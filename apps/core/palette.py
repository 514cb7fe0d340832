"""The light theme's colours for drawings, and the states that carry a meaning.

A drawing names its colours as presentation attributes, because a PDF and a saved file have no
style sheet; classes beside them let `charts.css` recolour the page's dark theme. A test holds
these equal to `static/css/tokens.css`.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

INK: Final = "#14212b"
INK_2: Final = "#43525d"
INK_3: Final = "#5a6872"
RULE: Final = "#d2d9db"
RULE_2: Final = "#788690"
SHEET: Final = "#ffffff"
SUNKEN: Final = "#edf0ee"
ACCENT: Final = "#0b4f7d"
HATCH_LIGHT: Final = "#ffffff"
HATCH_DARK: Final = "#14212b"

MEMORY_FILLS: Final = {
    "weights": "#14344d",
    "gradients": "#2c6c9b",
    "optimizer": "#bd8726",
    "activations": "#e9b59d",
    "buffers": "#e3e8ea",
}

State: TypeAlias = Literal["ok", "tight", "risk", "blocked", "unknown", "info"]


@dataclass(frozen=True, slots=True)
class StateColours:
    """`fg` for words, `bg` behind words, `line` for borders and marks."""

    fg: str
    bg: str
    line: str


STATE_COLOURS: Final[dict[State, StateColours]] = {
    "ok": StateColours("#17643a", "#e1f1e6", "#2b8650"),
    "tight": StateColours("#6f4c00", "#fbf0d0", "#a57100"),
    "risk": StateColours("#983600", "#fde6d8", "#cb4f0d"),
    "blocked": StateColours("#9c121c", "#fae2e2", "#c3202b"),
    "unknown": StateColours("#46545e", "#e9edee", "#71808a"),
    "info": StateColours("#0b4f7d", "#e1edf5", "#2a78ab"),
}

# A verdict by its stable code, or already by the name that the styles use.
_STATES: Final[dict[str, State]] = {
    "fits": "ok",
    "does-not-fit": "blocked",
    **{name: name for name in STATE_COLOURS},
}


def state_of(code: str | None) -> State:
    """The state behind a verdict's code; what has no verdict is unknown.

    Raises:
        KeyError: there is no such verdict.
    """
    return _STATES[code] if code else "unknown"
