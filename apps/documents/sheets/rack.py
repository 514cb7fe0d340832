"""The rack: room, power and cooling of the recommended variant against what the site offers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from apps.charts import (
    FeedCase,
    FeedPlot,
    PowerLabels,
    Rack,
    RackItem,
    RackLabels,
    power_chart,
    rack_chart,
)
from apps.core import formatting
from apps.core.palette import state_of
from apps.core.verdict_words import verdict_word
from apps.documents.sheets.memory import not_calculated
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Block, Variant, picked, placed
from apps.estimation.presenters.detail_lines import Line, energy_lines, supply_lines
from apps.estimation.texts import code_word, sentences, value_text
from apps.questionnaire.echo import display
from apps.questionnaire.sections import QUESTIONS
from apps.sizing.ranges import Range

_PARTS: Final = ("gpu", "cpu_and_memory", "drives_and_network", "board", "fans_and_losses")
_GROWTHS: Final = ("planned", "full_chassis", "next_node")
_SPARE_UNITS: Final = 3
_MOST_UNITS: Final = 30
_MOST_ADVICE: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RackRow:
    """One requirement: what the site has, what is needed, what growth would need."""

    label: str
    has: str
    has_provenance: str
    need: Range | None
    unit: str
    need_text: str
    growth: str
    verdict: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RackSheet:
    conclusion: str
    rack: str
    power: str
    caption: str
    rows: tuple[RackRow, ...]
    advice: tuple[str, ...]
    facts: tuple[Line, ...] = ()
    signs: str = ""


def rack_of(reading: Reading, variants: tuple[Variant, ...]) -> RackSheet:
    variant = placed(variants)
    block = variant.block("rack") if variant else None
    if variant is None or block is None or not block.get("power"):
        shown = picked(variants)
        reason = not_calculated(shown, "rack") if shown else ""
        return RackSheet(conclusion=reason, rack="", power="", caption="", rows=(), advice=())
    return RackSheet(
        conclusion=_rented_first(picked(variants)) + _conclusion(variant, block),
        rack=_rack_drawing(reading, variant, block),
        power=_power_drawing(block),
        caption=_caption(variant),
        rows=tuple(_rows(reading, block)),
        advice=tuple(sentences(block.get("advice") or ())[:_MOST_ADVICE]),
        facts=(
            *supply_lines(block["power"].get("supplies")),
            *energy_lines(block.get("energy")),
        ),
        signs=sign_offs_text(reading.result.get("sign_offs") or ()),
    )


def sign_offs_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """What the site has agreed to and what it has not; empty where nothing is asked of it."""
    if not rows:
        return ""
    lacking = [code_word("sign_off", row["key"]) for row in rows if not row["agreed"]]
    if not lacking:
        return _("The site has agreed: power, cooling, network and service access.")
    return _("Before the platform is final the site has to agree: %(what)s.") % {
        "what": ", ".join(lacking)
    }


def _rented_first(recommended: Variant | None) -> str:
    """Why the rack is judged by another variant than the recommended one."""
    if recommended is None or not recommended.rented:
        return ""
    return (
        _("%(variant)s is rented and needs no place of yours.") % {"variant": recommended.key} + " "
    )


def _conclusion(variant: Variant, block: Block) -> str:
    power = block["power"]
    need = formatting.span_text(variant.load_kw, "kW")
    if power.get("feed_capacity_kw") is None:
        return _("%(variant)s takes %(need)s; the power of a feed is not known yet.") % {
            "variant": variant.key,
            "need": need,
        }
    return _("%(variant)s takes %(need)s on one feed of %(feed)s: %(verdict)s.") % {
        "variant": variant.key,
        "need": need,
        "feed": formatting.quantity(power["feed_capacity_kw"], "kW"),
        "verdict": verdict_word(power.get("verdict")),
    }


def _caption(variant: Variant) -> str:
    return _("Room and power, %(variant)s") % {"variant": variant.key}


def _power_drawing(block: Block) -> str:
    power = block["power"]
    parts = power.get("parts_kw") or {}
    named = [name for name in _PARTS if parts.get(name)]
    total = sum(parts[name] for name in named)
    if not total:
        return ""
    shares = [parts[name] / total for name in named]
    cases = [_case(case, power, shares) for case in power["cases"]]
    cases += _growth_case(block.get("growth") or {}, power, named, shares)
    plot = FeedPlot(
        cases=cases,
        part_names=[code_word("power_part", name) for name in named],
        limit_kw=power.get("feed_limit_kw"),
        breaker_kw=power.get("feed_capacity_kw"),
    )
    labels = PowerLabels().translated(gettext)
    return power_chart(plot, labels=labels, number=formatting.approximate).wide


def _case(
    case: Mapping[str, Any], power: Block, shares: list[float], *, title: str = ""
) -> FeedCase:
    feeds = max(int(power.get("feeds") or 1), case["live_feeds"])
    load = [case["per_feed_kw"]["typical"] * share for share in shares]
    lost = [None] * (feeds - case["live_feeds"])
    verdict = case.get("verdict")
    return FeedCase(
        title=title or _capital(code_word("feed_case", case["case"])),
        loads_kw=[*lost, *([load] * case["live_feeds"])],
        status=state_of(verdict),
        word=verdict_word(verdict),
    )


def _growth_case(
    growth: Block, power: Block, named: Sequence[str], shares: list[float]
) -> Iterator[FeedCase]:
    """The growth that is planned, else all places of the chassis or one node more, on the one feed
    that is left."""
    key = _grows_to(growth)
    if not growth.get(f"{key}_load_kw"):
        return
    gpus = growth.get(f"{key}_gpus")
    parts = growth.get("full_chassis_parts_kw")
    if parts and gpus == growth["full_chassis_gpus"]:
        total = sum(parts.values())
        shares = [parts.get(name, 0.0) / total for name in named]
    if gpus:
        what = _("Growth to %(gpus)s") % {"gpus": formatting.quantity(gpus, "gpus")}
    else:
        what = _("One more node")
    lost = (power.get("feeds") or 1) > 1
    case = {
        "per_feed_kw": growth[f"{key}_load_kw"],
        "live_feeds": 1,
        "verdict": growth[f"{key}_verdict"],
    }
    title = _("%(growth)s, one feed is lost") % {"growth": what} if lost else what
    yield _case(case, power, shares, title=title)


def _grows_to(growth: Block) -> str:
    """Which growth is shown: what the client plans, else what the variant can grow by."""
    return next((key for key in _GROWTHS if growth.get(f"{key}_load_kw")), _GROWTHS[-1])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rack_drawing(reading: Reading, variant: Variant, block: Block) -> str:
    space = block.get("space") or {}
    needed = space.get("rack_units")
    if not needed:
        return ""
    free = (reading.snapshot.task.get("site") or {}).get("rack_units")
    unit_count = min(max(int(free or 0), needed + _SPARE_UNITS), _MOST_UNITS)
    items = list(_servers(variant, space))
    if free and free >= 2 * space["server_rack_units"] + needed - space["server_rack_units"]:
        items.append(_growth(space, needed))
    note = (
        _("%(count)s are free") % {"count": formatting.quantity(free, "U")}
        if free
        else _("free units are not known")
    )
    rack = Rack(
        title=_("Place in the rack"),
        note=note,
        foot=_foot(space),
        first_unit=1,
        shown_unit_count=unit_count,
        items=items,
        feed_count=int(block["power"].get("feeds") or 0),
    )
    return rack_chart(rack, labels=RackLabels().translated(gettext), number=formatting.number)


def _servers(variant: Variant, space: Block) -> Iterator[RackItem]:
    height = space["server_rack_units"]
    slots = variant.reading.fact(variant.server, "gpu_counts") or []
    per_node = -(-variant.gpus // variant.nodes)
    for index in range(min(variant.nodes, _MOST_UNITS // height)):
        yield RackItem(
            kind="server",
            name=str(variant.server),
            detail=_("%(used)s of %(slots)s GPU places")
            % {"used": per_node, "slots": max(slots, default=per_node)},
            first_unit=1 + index * height,
            unit_count=height,
            slot_count=max(slots, default=per_node),
            used_slot_count=per_node,
        )


def _growth(space: Block, needed: int) -> RackItem:
    return RackItem(
        kind="growth",
        name=_("place for one more"),
        detail=formatting.quantity(space["server_rack_units"], "U"),
        first_unit=needed + 1,
        unit_count=space["server_rack_units"],
    )


def _foot(space: Block) -> str:
    parts = []
    if space.get("depth_mm"):
        parts.append(
            _("depth with cables %(span)s")
            % {"span": formatting.span_text(space["depth_mm"], "mm")}
        )
    if space.get("node_kg"):
        parts.append(_("mass %(span)s") % {"span": formatting.span_text(space["node_kg"], "kg")})
    return ", ".join(parts)


def _rows(reading: Reading, block: Block) -> Iterator[RackRow]:
    power, cooling = block["power"], block.get("cooling") or {}
    site = reading.snapshot.task.get("site") or {}
    feed_kw = power.get("feed_capacity_kw")
    yield _row(
        _("Power on one feed"),
        formatting.quantity(feed_kw, "kW") if feed_kw is not None else "",
        power["load_kw"],
        "kW",
        power.get("verdict"),
        growth=_growth_text(block.get("growth") or {}),
    )
    if cooling.get("heat_kw"):
        yield _row(
            _("Heat to carry away"),
            _cooling_text(site.get("cooling")),
            cooling["btu_per_h"],
            "BTU_per_h",
            cooling.get("verdict"),
        )
    yield from _space_rows(site, block.get("space") or {})


def _space_rows(site: Mapping[str, Any], space: Block) -> Iterator[RackRow]:
    """Height, depth and mass; nothing when the catalog has no server for the card."""
    if not space.get("rack_units"):
        return
    for label, field, need, unit, verdict in (
        (_("Height"), "rack_units", "rack_units", "U", "units_verdict"),
        (_("Depth with cables"), "depth_mm", "depth_mm", "mm", "depth_verdict"),
        (_("Mass of the filled rack"), "floor_kg", "rack_kg", "kg", "weight_verdict"),
    ):
        stated = site.get(field)
        has = value_text(f"site.{field}", stated) if stated is not None else ""
        yield _row(label, has, space.get(need), unit, space.get(verdict))


def _row(
    label: str, has: str, need: Any, unit: str, verdict: str | None, *, growth: str = ""
) -> RackRow:
    """`has` is empty where the client said nothing."""
    ranged = isinstance(need, dict)
    return RackRow(
        label=label,
        has=has or formatting.not_given(),
        has_provenance="client" if has else "",
        need=Range.from_dict(need) if ranged else None,
        unit=unit,
        need_text="" if ranged else formatting.quantity(need, unit),
        growth=growth,
        verdict=verdict,
    )


def _cooling_text(code: str | None) -> str:
    """The site's cooling as the questionnaire words it; empty when it is not stated."""
    return display(QUESTIONS["cooling"], code) if code else ""


def _growth_text(growth: Block) -> str:
    """The growth that is planned, else the larger chassis or one more node."""
    key = _grows_to(growth)
    if growth.get(f"{key}_gpus"):
        return _("%(load)s with %(gpus)s") % {
            "load": formatting.span_text(growth[f"{key}_load_kw"], "kW"),
            "gpus": formatting.quantity(growth[f"{key}_gpus"], "gpus"),
        }
    if growth.get("next_node_load_kw"):
        return _("%(load)s with one more node") % {
            "load": formatting.span_text(growth["next_node_load_kw"], "kW")
        }
    return ""
