"""The figures of one recipe over every accelerator, for the page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.catalog.releases import contents_of, present_sha256
from apps.charts import Drawing, MemoryBar, MemoryLabels, memory_chart
from apps.core import formatting
from apps.core.canonical import canonical_json
from apps.core.verdict_words import verdict_word
from apps.estimation.texts import sentence, sentences
from apps.estimation.wording.schemes import SINGLE, scheme_text
from apps.sizing.measured import MeasuredRun, measured_catalog
from apps.sizing.messages import Message
from apps.sizing.ranges import Range
from apps.sizing.sweep import CardResult, Sweep, sweep
from apps.sizing.task_reader import parse_task

_MOST_BARS: Final = 12
_MOST_NAMED: Final = 2
_SOFTWARE: Final = "framework-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One accelerator. `about` is its number of GPUs and the layout, `unproven` what nobody has
    measured there; `memory` is None where the wished layout cannot be had."""

    slug: str
    name: str
    about: str
    sold: str
    memory: Range | None
    capacity_gib: float
    verdict: str
    unproven: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """`top_gib` is the common end of the scales in the table."""

    conclusion: str
    drawing: Drawing
    rows: tuple[CardRow, ...]
    top_gib: float
    unproven: tuple[str, ...]
    assumptions: tuple[str, ...]
    not_counted: tuple[str, ...]
    bars_left_out: int


def swept(
    document: Mapping[str, Any],
    runs: tuple[MeasuredRun, ...] = (),
    capacities_gib: tuple[tuple[str, float], ...] = (),
) -> Sweep | None:
    """The sweep of a task that `parse_task` accepts, after its measured runs; None when nothing is
    known of its model.

    The same task on the same catalog is worked out once a process. `capacities_gib` are of cards
    that were seen with another capacity than the catalog's, by id.
    """
    return _swept(canonical_json(document), present_sha256(), runs, capacities_gib)


@lru_cache(maxsize=64)
def _swept(
    text: str,
    catalog_sha256: str,
    runs: tuple[MeasuredRun, ...],
    capacities_gib: tuple[tuple[str, float], ...],
) -> Sweep | None:
    task, catalog = parse_task(json.loads(text)), contents_of(catalog_sha256).catalog
    if capacities_gib:
        cards = dict(catalog.accelerators)
        for key, capacity_gib in capacities_gib:
            cards[key] = replace(cards[key], usable_memory_gib=capacity_gib)
        catalog = replace(catalog, accelerators=cards)
    return sweep(task, measured_catalog(catalog, task, runs))


def figures_of(found: Sweep, stated_gpus: int | None, *, software_stated: bool) -> Figures:
    """The page's figures. Where no software is stated, that is said once, not of every card."""
    if not software_stated:
        found = _without(found, _SOFTWARE)
    ordered = sorted(found.results, key=_order)
    bars = _bars(ordered)
    shown = [r for r in ordered if r.memory is not None]
    unproven = _gap_sentences(found.gaps)
    if not software_stated:
        unproven = (_("The software is not stated, so no measured runs stand for it."), *unproven)
    return Figures(
        conclusion=_conclusion(ordered, stated_gpus),
        drawing=memory_chart(
            bars[:_MOST_BARS],
            weights_only_gib=None,
            labels=MemoryLabels().translated(_),
            number=formatting.approximate,
        ),
        rows=tuple(_row(result) for result in ordered),
        top_gib=_top_gib(shown),
        unproven=unproven,
        assumptions=tuple(sentences(found.assumptions)),
        not_counted=tuple(sentences(found.not_counted)),
        bars_left_out=max(0, len(bars) - _MOST_BARS),
    )


def _without(found: Sweep, gap: str) -> Sweep:
    results = tuple(
        replace(result, gaps=tuple(g for g in result.gaps if g != gap)) for result in found.results
    )
    return replace(found, results=results, gaps=tuple(g for g in found.gaps if g != gap))


def _order(result: CardResult) -> tuple[int, float, float, str]:
    """What holds it first, by few GPUs and small cards; then what comes nearest."""
    memory, size = result.memory, result.card.usable_memory_gib
    if memory is None:
        return 2, 0.0, size, result.card.id
    if result.holds:
        return 0, result.gpus, size, result.card.id
    return 1, memory.device_gib.typical / memory.capacity_gib, size, result.card.id


def _top_gib(results: Sequence[CardResult]) -> float:
    """The largest card: what does not fit any of them ends at the edge of the scale."""
    capacities = [r.card.usable_memory_gib for r in results]
    highs = [r.memory.device_gib.high for r in results if r.memory is not None]
    return min(max(capacities), max(highs) * 1.05) if any(r.holds for r in results) else max(highs)


def _row(result: CardResult) -> CardRow:
    return CardRow(
        slug=result.card.id,
        name=result.card.name,
        about=_about(result),
        sold=_sold(result),
        memory=result.memory.device_gib if result.memory else None,
        capacity_gib=result.card.usable_memory_gib,
        verdict=result.memory.verdict if result.memory else "unknown",
        unproven=_gap_sentences(result.gaps),
    )


def _about(result: CardResult) -> str:
    if result.memory is None:
        return _("cannot be split in the way that is stated")
    parts = [formatting.quantity(result.gpus, "gpus")]
    if result.nodes > 1:
        parts.append(formatting.quantity(result.nodes, "nodes"))
    if result.layout != SINGLE:
        parts.append(scheme_text(result.layout))
    return ", ".join(parts)


def _sold(result: CardResult) -> str:
    if result.memory is None or result.sold_gpus <= result.gpus:
        return ""
    return _("sold together: %(gpus)s") % {"gpus": formatting.quantity(result.sold_gpus, "gpus")}


def _gap_sentences(reasons: Sequence[str]) -> tuple[str, ...]:
    return tuple(sentence(Message(f"evidence.gap.{reason}")) for reason in reasons)


def _conclusion(ordered: Sequence[CardResult], stated_gpus: int | None) -> str:
    total, holding = len(ordered), [r for r in ordered if r.holds]
    if not holding:
        return (
            _("No accelerator of the catalog holds this, not even in the largest number we know.")
            if stated_gpus is None
            else _("On %(gpus)s no accelerator of the catalog holds this.")
            % {"gpus": formatting.quantity(stated_gpus, "gpus")}
        )
    first = holding[0]
    if stated_gpus is not None:
        text = ngettext(
            "On %(gpus)s it fits on %(count)s accelerator of %(total)s; the smallest is %(card)s.",
            "On %(gpus)s it fits on %(count)s accelerators of %(total)s; the smallest is %(card)s.",
            len(holding),
        )
    elif first.gpus == 1:
        holding = [r for r in holding if r.gpus == 1]
        text = ngettext(
            "One GPU is enough on %(count)s accelerator of %(total)s; the smallest is %(card)s.",
            "One GPU is enough on %(count)s accelerators of %(total)s; the smallest is %(card)s.",
            len(holding),
        )
    else:
        text = _("One GPU is not enough. The fewest that hold it: %(gpus)s, %(card)s.")
    return text % {
        "count": formatting.number(len(holding)),
        "total": formatting.number(total),
        "gpus": formatting.quantity(first.gpus if stated_gpus is None else stated_gpus, "gpus"),
        "card": first.card.name,
    }


def _bars(ordered: Sequence[CardResult]) -> list[MemoryBar]:
    """One bar for cards that show the same picture: equal memory, number and layout."""
    groups: dict[tuple[Any, ...], list[CardResult]] = {}
    for result in ordered:
        if result.memory is not None:
            memory = result.memory
            alike = round(memory.capacity_gib), result.gpus, result.layout, memory.verdict
            groups.setdefault(alike, []).append(result)
    return [_bar(group) for group in groups.values()]


def _bar(group: Sequence[CardResult]) -> MemoryBar:
    first = group[0]
    assert first.memory is not None  # or it would be in no group
    return MemoryBar(
        key=f"{formatting.number(first.gpus)}×",
        name=formatting.estimate(first.memory.capacity_gib, "GiB"),
        hardware=_names(group),
        components_gib=first.memory.components_gib,
        device_gib=first.memory.device_gib,
        capacity_gib=first.memory.capacity_gib,
        status=first.memory.verdict,
        word=verdict_word(first.memory.verdict),
    )


def _names(group: Sequence[CardResult]) -> str:
    names = [result.card.id for result in group[:_MOST_NAMED]]
    left = len(group) - len(names)
    more = [_("%(count)s more") % {"count": formatting.number(left)}] if left else []
    return ", ".join([*names, *more])
