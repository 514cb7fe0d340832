"""How the chosen variants stand to the front: on it, no better than one of it, or lacking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.sizing.cases import resolve_case
from apps.sizing.estimators.interconnect import scheme_of
from apps.sizing.estimators.site_fit import site_fit
from apps.sizing.messages import Message
from apps.sizing.planning.judging import Judged, Question, Stand, Way, judged
from apps.sizing.planning.lacks import lacks_of
from apps.sizing.planning.search import covers
from apps.sizing.planning.ways import Hardware
from apps.sizing.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """`relation` is `shown` (it is the row), `alike` (the row is no larger, and the ranges cannot
    tell them apart), `ample` (the row is no larger and about as fast; the variant leaves more of the
    card free, the row enough), `roomier`, `faster`, `better` (the row is no larger, and by more than its
    range takes less of the card, is faster, or both), `left-out` (the row is the nearest of those
    shown), `rented` (it stands at a landlord's, and would not at the client's) or `lacks`. `row`
    counts from zero.
    """

    relation: str
    row: int | None = None
    lacks: tuple[Message, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "relation": self.relation,
            "row": self.row,
            "lacks": [message.as_dict() for message in self.lacks],
        }


def mark_of(way: Way) -> tuple[Any, ...]:
    """What makes two ways the same, whatever the server."""
    hardware = way.hardware
    return hardware.card.id, hardware.gpus, hardware.nodes, scheme_of(way.case), bool(way.savings)


def way_of(variant: Variant, question: Question) -> Way | None:
    """A variant as a way of the planner; None where its accelerator is not in the catalog."""
    platform, catalog = variant.candidate.platform, question.catalog
    card = catalog.accelerators.get(platform.accelerator or "")
    task = question.thrifty if variant.savings else question.task
    case = resolve_case(task, platform.placement, catalog) if card else None
    if card is None or case is None:
        return None
    server = catalog.servers.get(platform.server or "")
    return Way(
        hardware=Hardware(
            card=card,
            gpus=platform.gpus,
            nodes=platform.nodes,
            servers=(server,) if server else (),
        ),
        task=task,
        savings=variant.savings,
        platform=platform,
        case=case,
        order=0,
        share=0.0,
        pace=0.0,
    )


def standing_of(way: Way, rows: Sequence[Judged], question: Question, *, rented: bool) -> Standing:
    """How a variant stands to the rows that are shown."""
    server = next(iter(way.hardware.servers), None)
    fit = None
    if question.placed:
        fit = site_fit(way.task, way.platform, question.catalog, question.feed)
    found = judged(way, Stand(server=server, fit=fit), question, whole=True)
    lacks = lacks_of(found, question)
    if lacks:
        abroad = rented and found.holds and found.on_time
        return Standing(relation="rented" if abroad else "lacks", lacks=lacks)
    mark = mark_of(way)
    same = next((i for i, row in enumerate(rows) if mark_of(row.way) == mark), None)
    if same is not None:
        return Standing(relation="shown", row=same)
    return _beside(found, rows)


def _beside(found: Judged, rows: Sequence[Judged]) -> Standing:
    """The smallest row that it is no better than; else the one nearest in size."""
    size = found.way.hardware.size
    for index, row in enumerate(rows):
        no_larger = row.way.hardware.size <= size
        if no_larger and covers(row, found.way, found.pace.high, found.share.high):
            return Standing(relation=_against(found, row), row=index)
    nearest = sorted((abs(r.way.hardware.size[1] - size[1]), i) for i, r in enumerate(rows))
    return Standing(relation="left-out", row=nearest[0][1] if nearest else None)


def _against(found: Judged, row: Judged) -> str:
    """In what the row is better by more than its own range."""
    slower = found.pace.typical > row.pace.high
    fuller = found.share.typical > row.share.high
    if slower and fuller:
        return "better"
    if slower or fuller:
        return "faster" if slower else "roomier"
    return "ample" if found.share.high < row.share.typical else "alike"
