"""Heat of a rack, the air that carries it away, and the cooling methods that reach so far.

All electrical power becomes heat, all day long. Methods are judged by their design value (the
average of a row of racks), not by what one hot rack can do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.sizing.ranges import Range
from apps.sizing.verdicts import Verdict, verdict

KW_PER_REFRIGERATION_TON: Final = 3.517
AIR_DENSITY_KG_PER_M3: Final = 1.2
AIR_HEAT_CAPACITY_J_PER_KG_K: Final = 1005.0
M3_PER_H_PER_CFM: Final = 1.699
WATER_L_PER_MIN_PER_KW_K: Final = 14.33


@dataclass(frozen=True, slots=True)
class Method:
    """A way to cool a rack and the constant that holds its limits, kW a rack."""

    key: str
    limit: str


# Simplest first.
METHODS: Final = (
    Method("room-air", "cooling.limit_perimeter_air"),
    Method("containment", "cooling.limit_containment"),
    Method("in-row", "cooling.limit_inrow_unit"),
    Method("rear-door-passive", "cooling.rdhx_passive"),
    Method("rear-door-active", "cooling.rdhx_active"),
    Method("direct-to-chip", "cooling.limit_direct_to_chip"),
)

# What people write, to the method meant. `air` alone leaves open which one.
WORDS: Final[Mapping[str, str]] = {
    "air": "air",
    "room": "room-air",
    "room-air": "room-air",
    "perimeter": "room-air",
    "crac": "room-air",
    "containment": "containment",
    "aisle": "containment",
    "hot-aisle": "containment",
    "cold-aisle": "containment",
    "in-row": "in-row",
    "inrow": "in-row",
    "rdhx": "rear-door-passive",
    "rear-door": "rear-door-passive",
    "rear-door-passive": "rear-door-passive",
    "rear-door-active": "rear-door-active",
    "liquid": "direct-to-chip",
    "dlc": "direct-to-chip",
    "direct-to-chip": "direct-to-chip",
    "water": "direct-to-chip",
    "immersion": "immersion",
}


def btu_per_h(heat_kw: Range, constants: Mapping[str, Range]) -> Range:
    """Heat in BTU/h."""
    return heat_kw * constants["cooling.btu_per_kw"].typical


def refrigeration_tons(heat_kw: Range) -> Range:
    """Heat in tons of refrigeration."""
    return heat_kw / KW_PER_REFRIGERATION_TON


def airflow_m3_per_h(
    heat_kw: float, rise_k: float, density_kg_per_m3: float = AIR_DENSITY_KG_PER_M3
) -> float:
    """Air that carries `heat_kw` away while warming by `rise_k`, m³/h; at sea level by default.

    V = 3600·P / (ρ·c·ΔT). Air of 1000 m is thinner by the pressure: 13 % more of it is needed.
    """
    watts = heat_kw * 1000
    return 3600 * watts / (density_kg_per_m3 * AIR_HEAT_CAPACITY_J_PER_KG_K * rise_k)


def airflow_range_m3_per_h(heat_kw: Range, rise_k: Range) -> Range:
    """Air for the range of heat: the least with the largest rise, the most with the smallest."""
    return Range(
        airflow_m3_per_h(heat_kw.low, rise_k.high),
        airflow_m3_per_h(heat_kw.typical, rise_k.typical),
        airflow_m3_per_h(heat_kw.high, rise_k.low),
    )


def water_l_per_min(heat_kw: float, rise_k: float) -> float:
    """Water that carries `heat_kw` away while warming by `rise_k`, l/min."""
    return WATER_L_PER_MIN_PER_KW_K * heat_kw / rise_k


def method_for(text: str | None) -> str | None:
    """The method that the site's own words mean; None when they are missing or not understood."""
    if text is None:
        return None
    word = "-".join(text.strip().lower().replace("_", "-").split())
    return WORDS.get(word)


def method_verdict(heat_kw: Range, method: str, constants: Mapping[str, Range]) -> Verdict:
    """Whether one method reaches `heat_kw` a rack.

    Its typical design value is what it does with reserve, its high value what it does at best.
    """
    limit_key = next((m.limit for m in METHODS if m.key == method), None)
    if limit_key is None:
        return "unknown"
    limit = constants[limit_key]
    return verdict(heat_kw, limit.high, 1 - limit.typical / limit.high)


def sufficient_methods(
    heat_kw: Range, constants: Mapping[str, Range], *, liquid_server: bool
) -> tuple[str, ...]:
    """Methods that carry the heat with reserve, simplest first.

    A server with cold plates takes nothing but the liquid loop.
    """
    keys = [m.key for m in METHODS if (m.key == "direct-to-chip") == liquid_server]
    return tuple(key for key in keys if method_verdict(heat_kw, key, constants) == "fits")


def cooling_verdict(
    heat_kw: Range, site_method: str | None, constants: Mapping[str, Range], *, liquid_server: bool
) -> Verdict:
    """Whether what the site has takes the heat of the rack."""
    if site_method is None or site_method == "immersion":
        return "unknown"
    if liquid_server:
        if site_method != "direct-to-chip":
            return "does-not-fit"
        return method_verdict(heat_kw, "direct-to-chip", constants)
    if site_method == "direct-to-chip":
        # The loop does not reach an air-cooled chassis; what the room's air can do is not said.
        return "unknown"
    if site_method != "air":
        return method_verdict(heat_kw, site_method, constants)
    plain = method_verdict(heat_kw, "room-air", constants)
    if plain == "fits":
        return plain
    contained = method_verdict(heat_kw, "containment", constants)
    return "does-not-fit" if contained == "does-not-fit" else "risk"
