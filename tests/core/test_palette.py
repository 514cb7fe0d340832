"""The colours: strong enough to read, equal wherever they are written twice."""

import itertools
import re
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

from apps.core import palette

STYLES: Final = Path(settings.BASE_DIR) / "static" / "css"
TOKENS: Final = (STYLES / "tokens.css").read_text(encoding="utf-8")


def block(selector: str) -> dict[str, str]:
    """The colours set inside the first rule with this selector."""
    start = TOKENS.index("{", TOKENS.index(selector)) + 1
    depth, end = 1, start
    while depth:
        depth += {"{": 1, "}": -1}.get(TOKENS[end], 0)
        end += 1
    return dict(re.findall(r"--pb-([\w-]+):\s*(#[0-9a-f]{6})", TOKENS[start:end]))


LIGHT: Final = block(":root {")
BY_SYSTEM: Final = block(':root:not([data-bs-theme="light"]) {')
BY_CHOICE: Final = block('\n[data-bs-theme="dark"] {')
THEMES: Final = {"light": LIGHT, "dark": {**LIGHT, **BY_CHOICE}}

_SURFACES: Final = ("paper", "sheet", "sunken")
_MEANINGS: Final = [
    "ok",
    "tight",
    "risk",
    "blocked",
    "unknown",
    "info",
    "client",
    "catalog",
    "computed",
    "engineer",
    "pilot",
]


def _pairs() -> list[tuple[str, str, float]]:
    """(colour, colour behind it, ratio that WCAG 2.2 asks for)."""
    pairs = [(ink, on, 4.5) for ink in ("ink", "ink-2", "ink-3") for on in _SURFACES]
    pairs += [("accent", on, 4.5) for on in (*_SURFACES, "accent-soft")]
    pairs += [("on-accent", "accent", 4.5), ("on-accent", "accent-hover", 4.5)]
    pairs += [("rule-2", on, 3.0) for on in _SURFACES]
    pairs += [("focus", on, 3.0) for on in (*_SURFACES, "accent-soft")]
    for name in _MEANINGS:
        pairs += [(f"{name}-fg", on, 4.5) for on in (f"{name}-bg", "sheet", "paper")]
        pairs += [(f"{name}-line", on, 3.0) for on in ("sheet", "paper", f"{name}-bg")]
    return [*pairs, ("mem-edge", "sheet", 3.0), ("mem-edge", "paper", 3.0)]


def _linear(channel: int) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_wcag_defines_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("colour", "behind", "needed"), _pairs())
def test_every_pair_is_strong_enough(theme: str, colour: str, behind: str, needed: float) -> None:
    tokens = THEMES[theme]
    assert contrast(tokens[colour], tokens[behind]) >= needed


def test_the_system_and_the_choice_give_the_same_dark_theme() -> None:
    assert BY_CHOICE == BY_SYSTEM
    assert len(BY_CHOICE) > 50


@pytest.mark.parametrize("theme", THEMES)
def test_the_parts_of_memory_read_in_grey(theme: str) -> None:
    tokens = THEMES[theme]
    lightness = [
        116 * luminance(tokens[f"mem-{part}"]) ** (1 / 3) - 16 for part in palette.MEMORY_FILLS
    ]
    steps = [b - a for a, b in itertools.pairwise(lightness)]
    assert min(steps) >= 11


def test_drawings_carry_the_light_colours_of_the_tokens() -> None:
    written = {
        "ink": palette.INK,
        "ink-2": palette.INK_2,
        "ink-3": palette.INK_3,
        "rule": palette.RULE,
        "rule-2": palette.RULE_2,
        "sheet": palette.SHEET,
        "sunken": palette.SUNKEN,
        "accent": palette.ACCENT,
        "mem-hatch-light": palette.HATCH_LIGHT,
        "mem-hatch-dark": palette.HATCH_DARK,
        **{f"mem-{part}": fill for part, fill in palette.MEMORY_FILLS.items()},
    }
    for state, colours in palette.STATE_COLOURS.items():
        written |= {f"{state}-{k}": getattr(colours, k) for k in ("fg", "bg", "line")}
    assert {name: LIGHT[name] for name in written} == written


@pytest.mark.parametrize("sheet", ["app.css", "product.css"])
def test_only_the_tokens_write_colours(sheet: str) -> None:
    text = re.sub(r"/\*.*?\*/", "", (STYLES / sheet).read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"@media print \{.*", "", text)  # print is on white paper whatever the theme
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)", text)


def test_every_token_that_a_sheet_uses_exists() -> None:
    defined = set(re.findall(r"(--pb-[\w-]+):", TOKENS))
    for sheet in ("app.css", "charts.css", "product.css"):
        used = set(
            re.findall(r"var\((--pb-[\w-]+)\)", (STYLES / sheet).read_text(encoding="utf-8"))
        )
        assert used <= defined
