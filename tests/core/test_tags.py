"""The components as HTML: escaped, with words beside every sign, classes only."""

import re
from typing import Any

import pytest
from django.template import Context, Template
from django.utils import translation

from apps.core.icons import ICONS
from apps.core.palette import STATE_COLOURS
from apps.core.provenance import ORIGINS, PROVENANCE
from apps.core.templatetags import podbor

HOSTILE = '"><script>alert(1)</script>'


def render(source: str, **context: Any) -> str:
    return Template("{% load podbor %}" + source).render(Context(context))


def words(html: str) -> str:
    """What a person reads: no tags, no titles of drawings."""
    return re.sub(r"<[^>]+>", "", re.sub(r"<title>.*?</title>", "", html)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("code", "css", "english", "russian"),
    [
        ("fits", "ok", "fits", "помещается"),
        ("tight", "tight", "tight", "впритык"),
        ("risk", "risk", "at risk", "риск"),
        ("does-not-fit", "blocked", "does not fit", "не помещается"),
        ("unknown", "unknown", "unknown", "неизвестно"),
        ("info", "info", "for information", "к сведению"),
        (None, "unknown", "unknown", "неизвестно"),
    ],
)
def test_a_verdict_shows_its_mark_and_its_word(
    code: str | None, css: str, english: str, russian: str
) -> None:
    html = podbor.verdict(code)
    assert f'class="verdict v-{css}"' in html
    assert words(html) == english
    assert "<svg" in html
    with translation.override("ru"):
        assert words(podbor.verdict(code)) == russian


def test_a_verdict_may_speak_the_resources_own_words() -> None:
    assert words(podbor.verdict("fits", "в срок")) == "в срок"


def test_an_unknown_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        podbor.verdict("splendid")


def test_the_six_marks_differ_in_shape() -> None:
    shapes = {re.sub(r"#[0-9a-f]{6}|c-\w+(-[sft])?", "", podbor.mark(s)) for s in STATE_COLOURS}
    assert len(shapes) == len(STATE_COLOURS)


def test_a_range_shows_three_figures_its_unit_and_its_limit() -> None:
    source = '{% range r "GiB" limit=140.4 top=150 status="fits" %}'
    html = render(source, r={"low": 42, "typical": 59.2, "high": 67})
    assert words(html) == "42 – 59 – 67 GiB"
    assert "<b>59</b>" in html
    assert "<title>42–59–67\u00a0GiB, limit 140\u00a0GiB</title>" in html
    assert "c-ok-s" in html
    assert html.count('stroke-width="2"') == 1  # the bold tick of the limit


def test_a_range_that_is_missing_says_so() -> None:
    assert words(render('{% range r "h" %}', r=None)) == "unknown"


def test_a_range_without_width_shows_one_figure_and_says_that_it_is_exact() -> None:
    assert words(render('{% range r "gpus" %}', r=(8, 8, 8))) == "exactly 8 GPUs"


def test_a_unit_may_be_left_to_the_column() -> None:
    assert words(render("{% range r %}", r=(1, 2, 3))) == "1 – 2 – 3"


def test_provenance_letters_differ_within_a_language_and_say_what_they_mean() -> None:
    kinds = ("client", "catalog", "computed", "engineer", "pilot")
    for language, letters in (("en", "CSFEP"), ("ru", "КСРИП")):
        with translation.override(language):
            tags = [podbor.prov(kind) for kind in kinds]
        assert "".join(words(tag) for tag in tags) == letters
        assert all(re.search(r'title="([^"]+)" aria-label="\1"', tag) for tag in tags)


@pytest.mark.parametrize("kind", sorted(ORIGINS))
def test_every_origin_has_a_chip_with_words(kind: str) -> None:
    assert words(podbor.origin(kind, "train.yaml:14")).endswith(": train.yaml:14")
    assert len(words(podbor.origin(kind))) > 3


def test_every_way_into_the_form_has_a_provenance() -> None:
    assert set(ORIGINS) - {"none"} <= set(PROVENANCE)


def test_a_balloon_numbers_a_question_in_the_language() -> None:
    assert words(podbor.ball(3)) == "Q3"
    with translation.override("ru"):
        assert words(podbor.ball(3)) == "В3"
    assert words(podbor.ball("В7")) == "В7"
    assert podbor.ball(1, "#q-1").startswith('<a class="ball" href="#q-1">')


def test_the_revision_triangle_repeats_its_letter_in_words() -> None:
    assert words(podbor.rev("B")) == "Brev. B"
    assert 'aria-hidden="true"' in podbor.rev("B")


@pytest.mark.parametrize("name", sorted(ICONS))
def test_an_icon_is_decoration(name: str) -> None:
    assert 'aria-hidden="true"' in podbor.icon(name)


@pytest.mark.parametrize(
    "source",
    [
        '{% verdict "fits" word=x %}',
        '{% tag "tight" x %}',
        '{% origin "file" x %}',
        "{% ball x %}",
        "{% ball 1 x %}",
        "{% rev x %}",
    ],
)
def test_what_a_page_passes_in_is_escaped(source: str) -> None:
    html = render(source, x=HOSTILE)
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    ("source", "value", "text"),
    [
        ("{{ v|gib }}", 59.2, "59.2 GiB"),
        ("{{ v|gib }}", (42, 59.2, 67), "42 – 59 – 67 GiB"),
        ("{{ v|gb }}", 482, "482 GB"),
        ("{{ v|kw }}", 3.95, "3.95 kW"),
        ("{{ v|w }}", 3950, "3.95 kW"),
        ("{{ v|hours }}", 53, "53 h"),
        ("{{ v|tokens }}", 8192, "8,192 tokens"),
        ("{{ v|duration }}", 5400, "90 min"),
        ("{{ v|percent }}", 0.28, "28%"),
        ("{{ v|bytes }}", 482e9, "482 GB"),
        ("{{ v|bytes_both }}", 482e9, "482 GB (449 GiB)"),
        ("{{ v|num }}", 8192, "8,192"),
        ("{{ v|num:2 }}", 3.9, "3.90"),
        ("{{ v|approx }}", 41837, "41,800"),
        ('{{ v|unit:"GB_per_s" }}', 3.2, "3.2 GB/s"),
        ('{{ v|span:"GiB" }}', (42, 59, 67), "42–67 GiB"),
    ],
)
def test_a_filter_takes_a_figure_or_none(source: str, value: Any, text: str) -> None:
    assert render(source, v=value).replace("\u00a0", " ") == text
    assert render(source, v=None) == "not specified"
