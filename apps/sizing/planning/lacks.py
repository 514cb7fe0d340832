"""What a way lacks, with the number, and which rejected ways came nearest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from apps.sizing.estimators.space import depth_needed_mm, node_mass_kg
from apps.sizing.messages import Message
from apps.sizing.planning.judging import Judged, Question, Way, judged, stand_of, ways_on
from apps.sizing.planning.search import Miss, Search, lateness
from apps.sizing.planning.ways import Hardware, hardware_not_sold
from apps.sizing.verdicts import HOLDS

MOST_REJECTED: Final = 5
# Judged with their ranges before the nearest are chosen; and how many may lack the same.
_LOOKED_AT: Final = 8
_MOST_ALIKE: Final = 2
# What lacks as much again as there is, of the card, the deadline or the feed, came near in nothing.
_NEAR_SHORTAGE: Final = 1.0
_KNOWN_STATES: Final = frozenset({"legacy", "reference", "announced"})


def lacks_of(found: Judged, question: Question) -> tuple[Message, ...]:
    """Everything that it lacks by the high end; empty when it meets everything."""
    return (*_not_sold(found.way.hardware), *_of_card_and_time(found), *_of_site(found, question))


def _not_sold(hardware: Hardware) -> Iterator[Message]:
    if hardware.sold:
        return
    server = next(iter(hardware.servers), None)
    state = server.extra.get("availability") if server else None
    known = state if state in _KNOWN_STATES else "unknown"
    yield Message(f"plan.lack.not-sold-{known}", {"server": server.sku if server else None})


def _of_card_and_time(found: Judged) -> Iterator[Message]:
    memory = found.memory
    if memory.verdict not in HOLDS:
        missing = memory.device_gib.high - memory.capacity_gib
        params = {"missing_gib": missing, "capacity_gib": memory.capacity_gib}
        yield Message("plan.lack.memory", params)
    cycle = found.time.cycle if found.time else None
    if cycle is not None and cycle.target_hours is not None and not found.on_time:
        late = cycle.hours.high - cycle.target_hours
        yield Message("plan.lack.time", {"late_hours": late, "target_hours": cycle.target_hours})


def _of_site(found: Judged, question: Question) -> Iterator[Message]:
    fit = found.stand.fit
    if fit is None:
        return
    for part in fit.obstacles:
        if part == "power" and (phases := fit.short_of_phase):
            amps = {"phase_amps": phases.amps(fit.load_kw.high)}
            yield Message("plan.lack.phases", {**amps, "breaker_amps": phases.breaker_amps})
        elif part == "power":
            params = {"load_kw": fit.load_kw.high, "feed_kw": fit.feed_kw}
            yield Message("plan.lack.power", params)
        elif part == "cooling":
            yield Message("plan.lack.cooling", {"heat_kw": fit.load_kw.high})
        else:
            yield Message(f"plan.lack.{part}", _of_space(part, found, question))


def _of_space(part: str, found: Judged, question: Question) -> dict[str, Any]:
    """Room that the server needs and that there is."""
    server, site = found.stand.server, question.task.site
    constants = question.catalog.constants
    assert server is not None  # nothing else has a verdict on its room
    nodes = found.way.hardware.nodes
    params: dict[str, Any] = {"server": server.sku}
    if part == "units":
        needed_rack_units = nodes * server.rack_units
        return {**params, "needed_rack_units": needed_rack_units, "rack_units": site.rack_units}
    if part == "depth":
        depth = depth_needed_mm(server, constants)
        return {**params, "needed_mm": depth.high if depth else None, "depth_mm": site.depth_mm}
    needed_kg = (node_mass_kg(server, constants) * nodes).high
    return {**params, "needed_kg": needed_kg, "floor_kg": site.floor_kg}


def nearest_rejected(search: Search) -> list[tuple[Judged, tuple[Message, ...]]]:
    """At most five, one a card: those that lack least, and one that is not sold.

    None that lacks more than the whole card, the whole deadline or the whole feed once again.
    Those that lack the same take two places at most while others are there.
    """
    question = search.question
    unsold = _best_not_sold(search)
    room = MOST_REJECTED - len(unsold)
    looked = [judged(m.way, m.stand, question, whole=True) for m in _one_a_card(search.misses)]
    looked = [found for found in looked if _is_near(found, question)]
    looked.sort(key=lambda found: (_shortfall(found, question), found.way.platform.key))
    kept: list[Judged] = []
    spared: list[Judged] = []
    seen: dict[str, int] = {}
    for found in looked:
        kind = lacks_of(found, question)[0].key
        seen[kind] = seen.get(kind, 0) + 1
        (kept if seen[kind] <= _MOST_ALIKE else spared).append(found)
    chosen = sorted(
        [*kept, *spared][:room],
        key=lambda found: (_shortfall(found, question), found.way.platform.key),
    )
    return [(found, lacks_of(found, question)) for found in [*chosen, *unsold]]


def _one_a_card(misses: Iterable[Miss]) -> list[Miss]:
    nearest: dict[str, Miss] = {}
    for miss in sorted(misses, key=lambda m: m.rank):
        nearest.setdefault(miss.way.hardware.card.id, miss)
    return list(nearest.values())[:_LOOKED_AT]


def _shortfall(found: Judged, question: Question) -> float:
    """What the high ends lack, each relative to what there is."""
    late = lateness(found.pace.high, found.way, question)
    return max(0.0, found.share.high - 1.0) + late + found.stand.shortage


def _is_near(found: Judged, question: Question) -> bool:
    late = lateness(found.pace.high, found.way, question)
    worst = max(found.share.high - 1.0, late, found.stand.power_shortage)
    return worst <= _NEAR_SHORTAGE


def _best_not_sold(search: Search) -> list[Judged]:
    """The smallest that would meet everything if it were sold; measured ones first."""
    question = search.question
    every = hardware_not_sold(question.task, question.catalog)
    ways = [way for hardware in every for way in _typically_fine(hardware, search)]
    ways.sort(key=lambda way: (-way.evidence, way.hardware.size, way.order, way.platform.key))
    for way in ways[:_LOOKED_AT]:
        found = judged(way, stand_of(way.hardware, question), question)
        if found.holds and found.on_time:
            return [found]
    return []


def _typically_fine(hardware: Hardware, search: Search) -> Iterator[Way]:
    stand = stand_of(hardware, search.question)
    if stand.carried:
        for way in ways_on(hardware, stand, search.question):
            if way.fits and not lateness(way.pace, way, search.question):
                yield way
