"""Figures of the work as lines: what is counted, how much, of how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.review.figures import SAMPLE_COUNT, Figures, Share, Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLine:
    """`value` is the median where there is a `p90`. `few` when too little is there to say it."""

    name: str
    about: str
    value: str
    p90: str
    count: int
    few: bool


def time_lines(figures: Figures) -> list[FigureLine]:
    return [
        FigureLine(
            name=str(state.label),
            about="",
            value=formatting.number(spread.median, 1),
            p90=formatting.number(spread.p90, 1),
            count=spread.count,
            few=spread.median is None,
        )
        for state, spread in figures.hours.items()
    ]


def other_lines(figures: Figures) -> list[FigureLine]:
    return list(_lines(figures))


def _lines(figures: Figures) -> Iterator[FigureLine]:
    sent = figures.sent
    yield _rate(_("Returns by the approver, a letter that was sent"), figures.returns, sent)
    yield _rate(_("Questions to the client, a letter that was sent"), figures.asked, sent)
    yield _spread(
        _("Answers “I don't know” in a letter"),
        _("of the latest %(count)s at most") % {"count": SAMPLE_COUNT},
        figures.unknowns,
    )
    yield _share(_("Led another way"), _("of what came to an end"), figures.redirected)
    yield _share(_("Opened again after the approval"), _("of the approved"), figures.reopened)
    yield FigureLine(
        name=_("Documents downloaded"),
        about=_("times"),
        value=formatting.number(figures.downloads),
        p90="",
        count=figures.downloads,
        few=False,
    )
    yield _spread(
        _("Time of a step: pilot beside the estimate"),
        _("difference, without its sign"),
        figures.pilot_error,
    )


def _rate(name: str, count: int, sent: int) -> FigureLine:
    share = Share(count, sent)
    value = formatting.number(share.ratio, 2)
    return FigureLine(
        name=name, about=_("times"), value=value, p90="", count=sent, few=share.ratio is None
    )


def _share(name: str, about: str, share: Share) -> FigureLine:
    return FigureLine(
        name=name,
        about=about,
        value=formatting.percent(share.ratio) if share.ratio is not None else "",
        p90="",
        count=share.whole,
        few=share.ratio is None,
    )


def _spread(name: str, about: str, spread: Spread) -> FigureLine:
    few = spread.median is None
    return FigureLine(
        name=name,
        about=about,
        value="" if few else formatting.percent(spread.median),
        p90="" if few else formatting.percent(spread.p90),
        count=spread.count,
        few=few,
    )


def figures_table(figures: Figures) -> Iterator[list[str]]:
    """The same for a spreadsheet."""
    yield [_("Figure"), _("Unit"), _("Median or share"), _("Nine of ten at most"), _("Counted")]
    for lines, unit in (
        (time_lines(figures), _("working hours")),
        (other_lines(figures), ""),
    ):
        for line in lines:
            value = _("too little data") if line.few else line.value
            p90 = "" if line.few else line.p90
            yield [line.name, line.about or unit, value, p90, str(line.count)]
