"""The width of words, and how they are cut."""

from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from apps.charts.canvas import Canvas
from apps.charts.font_widths import MONO_WIDTH, WIDTHS
from apps.charts.legend import draw_legend
from apps.charts.measure import shorten, text_width, wrap
from apps.core.svg import LABEL, NOTE, Type

FONTS: Final = Path(settings.BASE_DIR) / "static" / "fonts"
SIZES = st.floats(8, 20)


@pytest.mark.parametrize(("weight", "file"), [(400, "400Regular"), (600, "600SemiBold")])
def test_the_widths_are_those_of_the_fonts(weight: int, file: str) -> None:
    font = TTFont(FONTS / f"GolosText_{file}.ttf")
    glyphs, advances = font.getBestCmap(), font["hmtx"]
    assert font["head"].unitsPerEm == 1000
    assert {c: advances[glyphs[ord(c)]][0] for c in WIDTHS[weight]} == WIDTHS[weight]
    assert set("АЯабвэюяЁё «»–—×≈≥0123456789") <= set(WIDTHS[weight])


def test_every_letter_of_the_mono_font_is_equally_wide() -> None:
    font = TTFont(FONTS / "JetBrainsMono_400Regular.ttf")
    glyphs, advances = font.getBestCmap(), font["hmtx"]
    assert {advances[glyphs[ord(c)]][0] for c in "iШ0–w "} == {MONO_WIDTH}


def test_a_width_grows_with_the_size_and_the_weight() -> None:
    assert text_width("Память", Type(24)) == pytest.approx(2 * text_width("Память", Type(12)))
    assert text_width("Память", Type(12, weight=600)) > text_width("Память", Type(12))
    assert text_width("abc", LABEL) == pytest.approx(3 * 6.0)


@given(text=st.text(max_size=200), size=SIZES, room=st.floats(0, 400))
def test_a_shortened_text_fits_and_is_a_beginning(text: str, size: float, room: float) -> None:
    look = Type(size)
    short = shorten(text, look, room)
    assert text_width(short, look) <= room
    assert short in (text, "") or text.startswith(short[:-1])
    if text_width(text, look) <= room:
        assert short == text


@given(text=st.text("абв ", max_size=200), room=st.floats(20, 300), lines=st.integers(1, 4))
def test_wrapped_lines_fit_and_keep_the_order_of_words(text: str, room: float, lines: int) -> None:
    look = Type(12)
    wrapped = wrap(text, look, room, lines)
    assert len(wrapped) <= lines
    assert all(text_width(line, look) <= room for line in wrapped)
    joined = "".join(wrapped).replace(" ", "").replace("…", "")
    if not any("…" in line for line in wrapped):
        assert joined == "".join(text.split())


def test_a_text_that_fits_in_two_lines_is_not_cut() -> None:
    assert wrap("не хватает памяти", Type(11), 70, 3) == ["не хватает", "памяти"]


def test_a_legend_that_just_fits_its_line_is_not_cut() -> None:
    name = "cache and driver"
    canvas = Canvas(400)
    draw_legend(canvas, [(name, "solid")], 100, 2, 18 + text_width(name, NOTE) + 0.5)
    assert name in canvas.render(40, title="", description="")
