"""The components of the design as template tags: HTML and inline SVG, classes only.

Whatever a page passes in is escaped here. States are the engine's verdict codes or the names of
the styles; a range is anything that `formatting.range_values` reads.
"""

import re
from typing import Any, Final, Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting, glyphs, palette
from apps.core.contact import contact_html
from apps.core.icons import ICONS
from apps.core.number_filters import FILTERS
from apps.core.palette import state_of
from apps.core.provenance import ORIGINS, PROVENANCE
from apps.core.verdict_words import verdict_word

_INDEX: Final = re.compile(r"(?<=[A-Za-z])_([A-Za-z0-9]+)")

register = template.Library()
register.filters.update(FILTERS)


class HasDrawings(Protocol):
    """What `charts` return: the same drawing for a wide and for a narrow column."""

    @property
    def wide(self) -> str: ...
    @property
    def narrow(self) -> str: ...


def _svg(drawing: str) -> SafeString:
    """Trust our own drawing code: `apps.core.svg` escapes every text that enters a drawing."""
    return mark_safe(drawing)  # noqa: S308


@register.simple_tag
def contact() -> SafeString:
    """Whom to write to, as a sentence."""
    return contact_html()


@register.simple_tag
def icon(name: str) -> SafeString:
    return format_html(
        '<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">'
        '<path d="{}"/></svg>',
        ICONS[name],
    )


@register.simple_tag
def mark(state: str | None) -> SafeString:
    """The verdict's sign without its word; for rows whose text says the outcome."""
    return format_html(
        '<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">{}</svg>',
        _svg(glyphs.mark(state, 8, 8, 6.5)),
    )


@register.filter
def state(code: str | None) -> str:
    """The name that the styles use for a verdict's code."""
    return state_of(code)


@register.simple_tag
def spinner() -> SafeString:
    """Work in progress. The words beside it say so too."""
    return format_html(
        '<svg class="spin" viewBox="0 0 16 16" aria-hidden="true" focusable="false">'
        '<circle class="c-none c-rule2" cx="8" cy="8" r="6" fill="none" stroke="{}" stroke-width="2"/>'
        '<path class="c-none c-accent-s" d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="{}" stroke-width="2"/></svg>',
        palette.RULE,
        palette.ACCENT,
    )


@register.simple_tag
def verdict(state: str | None, word: str = "") -> SafeString:
    return format_html(
        '<span class="verdict v-{}">{}{}</span>',
        state_of(state),
        mark(state),
        word or verdict_word(state),
    )


@register.simple_tag
def tag(state: str | None, word: str = "", icon_name: str = "") -> SafeString:
    """A label for a state that asks for action. `engineer` is a kind of its own."""
    kind = "engineer" if state == "engineer" else state_of(state)
    return format_html(
        '<span class="tag tag-{}">{}{}</span>',
        kind,
        icon(icon_name) if icon_name else "",
        word or verdict_word(state),
    )


@register.filter
def formula(text: str) -> SafeString:
    """Symbols of a formula with their indices below the line: `M_peak`."""
    parts = _INDEX.split(text)
    made = [format_html("<sub>{}</sub>" if at % 2 else "{}", part) for at, part in enumerate(parts)]
    return format_html_join("", "{}", ((part,) for part in made))


@register.filter
def unbroken(text: str) -> str:
    """Units that a line does not end inside of: “GB/s”, not “GB/” and “s”."""
    return text.replace("/", f"/{formatting.WORD_JOINER}")


@register.simple_tag
def prov(kind: str) -> SafeString:
    """The letter of who says the figure."""
    source = PROVENANCE[kind]
    return format_html(
        '<abbr class="prov prov-{0}" title="{1}" aria-label="{1}">{2}</abbr>',
        source.css,
        source.meaning,
        source.letter,
    )


@register.simple_tag
def provenance_words(kind: str) -> str:
    return str(PROVENANCE[kind].meaning)


@register.simple_tag
def origin(kind: str, detail: str = "") -> SafeString:
    """Where a filled-in value came from; `detail` names the file and line, or the framework."""
    source = ORIGINS[kind]
    lead = icon(source.icon) if source.icon else ("? " if kind == "guess" else "")
    extra = format_html(': <span class="mono">{}</span>', detail) if detail else ""
    css = f"origin origin-{source.css}" if source.css else "origin"
    return format_html(
        '<span class="{}">{}<span>{}{}</span></span>', css, lead, source.words, extra
    )


@register.simple_tag
def ball(number: int | str, href: str = "") -> SafeString:
    """The balloon of an open question. A number gets the language's letter, a text stays."""
    text = (
        pgettext("balloon", "Q%(number)s") % {"number": number}
        if isinstance(number, int)
        else number
    )
    if href:
        return format_html('<a class="ball" href="{}">{}</a>', href, text)
    return format_html('<span class="ball">{}</span>', text)


@register.simple_tag
def rev(letter: str) -> SafeString:
    """The revision triangle with its letter, and the words beside it."""
    words = pgettext("revision", "rev. %(letter)s") % {"letter": letter}
    return format_html(
        '<span class="rev"><svg viewBox="0 0 24 21" aria-hidden="true" focusable="false">'
        '<path d="M12 1.5 23 20H1Z"/><text x="12" y="17.5" text-anchor="middle">{}</text></svg>'
        "<span>{}</span></span>",
        letter,
        words.replace(" ", formatting.NBSP),
    )


@register.simple_tag(name="range")
def range_(
    source: Any,
    unit: str = "",
    limit: float | None = None,
    top: float | None = None,
    status: str | None = "info",
    width: float = 150,
) -> SafeString:
    """Dimension line, low – typical – high and the unit. Without a range: «unknown»."""
    values = formatting.range_values(source)
    shown, shown_unit, size = formatting.fitted_range(source, unit)
    texts = formatting.range_texts(shown)
    if values is None or texts is None:
        return tag("unknown")
    drawing = glyphs.range_glyph(
        *values,
        limit=limit,
        top=top,
        width=width,
        state=status,
        title=_range_title(texts, shown_unit, None if limit is None else limit / size),
    )
    return format_html(
        '<span class="range">{}{}</span>', _svg(drawing), _range_words(values, texts, shown_unit)
    )


def _range_title(texts: tuple[str, str, str], unit: str, limit: float | None) -> str:
    title = formatting.with_unit(formatting.DASH.join(texts), unit)
    if limit is None:
        return title
    return _("%(range)s, limit %(limit)s") % {
        "range": title,
        "limit": formatting.quantity(limit, unit),
    }


def _range_words(
    values: tuple[float, float, float], texts: tuple[str, str, str], unit: str
) -> SafeString:
    low, typical, high = texts
    if low == high:
        one = formatting.with_unit(typical, unit, values[1])
        words = formatting.one_figure(one, exact=values[0] == values[2])
        return format_html('<span class="nowrap">{}</span>', words)
    # The unit follows the bold figure's own form; a no-break space is inside `with_unit`.
    name = formatting.with_unit("", unit)
    return format_html(
        '<span class="nowrap"><span class="lo">{}</span> – <b>{}</b> – <span class="hi">{}</span>{}</span>',
        low,
        typical,
        high,
        name,
    )


@register.simple_tag
def chart(drawing: HasDrawings) -> SafeString:
    """Both drawings; the style sheet shows the one that fits the screen."""
    return format_html(
        '<div class="chart-wide">{}</div><div class="chart-narrow">{}</div>',
        _svg(drawing.wide),
        _svg(drawing.narrow),
    )


@register.simple_tag
def svg(drawing: str) -> SafeString:
    """One drawing of `apps.charts` that has no narrow form."""
    return _svg(drawing)
