"""Room that the nodes take: height, depth and mass, against what the rack offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.sizing.facts import Server
from apps.sizing.ranges import Range
from apps.sizing.task import Site
from apps.sizing.verdicts import Verdict, verdict


def node_mass_kg(server: Server, constants: Mapping[str, Range]) -> Range:
    """Mass of one filled node, kg.

    The maker's figure where there is one. Otherwise by height; a known shipping or empty weight
    is a floor that the filled chassis cannot go under (empty) or a hint (shipping).
    """
    if server.weight_kg is not None:
        return Range.exact(server.weight_kg)
    by_height = constants["cooling.mass_per_rack_unit"] * server.rack_units
    empty = server.extra.get("weight_empty_kg")
    if empty is None:
        return by_height
    return by_height.map(lambda kilograms: max(kilograms, float(empty)))


def rack_mass_kg(nodes: int, node_kg: Range, constants: Mapping[str, Range]) -> Range:
    """Mass of a rack with `nodes` nodes, cabinet, PDU and cables, kg."""
    return node_kg * nodes + constants["cooling.rack_own_mass"]


def depth_needed_mm(server: Server, constants: Mapping[str, Range]) -> Range | None:
    """Depth from the rails to the rear door that the chassis needs with its cables, mm."""
    if server.depth_mm is None:
        return None
    return constants["cooling.depth_clearance"] + server.depth_mm


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Room needed in one rack and the verdicts on it.

    `tile_kg` is what one tile of a raised floor carries of the rack, its high end on one caster
    while the rack is rolled in.
    """

    rack_units: int
    depth_mm: Range | None
    node_kg: Range
    rack_kg: Range
    floor_kg_per_m2: Range
    tile_kg: Range
    units_verdict: Verdict
    depth_verdict: Verdict
    weight_verdict: Verdict


def space_of(nodes: int, server: Server, site: Site, constants: Mapping[str, Range]) -> Space:
    """`nodes` of `server` in the rack the site describes.

    Height is exact. Depth and mass are ranges; `floor_kg` is what may be added to the rack, so
    the nodes are judged by it and not the cabinet that stands there.
    """
    units = nodes * server.rack_units
    depth = depth_needed_mm(server, constants)
    node_kg = node_mass_kg(server, constants)
    rack_kg = rack_mass_kg(nodes, node_kg, constants)
    footprint_m2 = constants["cooling.rack_footprint_600x1200"].typical
    return Space(
        rack_units=units,
        depth_mm=depth,
        node_kg=node_kg,
        rack_kg=rack_kg,
        floor_kg_per_m2=rack_kg / footprint_m2,
        tile_kg=rack_kg * constants["cooling.tile_share_of_rack_mass"],
        units_verdict=verdict(Range.exact(units), site.rack_units),
        depth_verdict=verdict(depth, site.depth_mm),
        weight_verdict=verdict(node_kg * nodes, site.floor_kg),
    )
