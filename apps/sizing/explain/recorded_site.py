"""A task, a platform and a catalog whose numbers are recorded: for storage, host and rack."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from apps.sizing.explain.leaves import CATALOG, COMPUTED, LAYOUT, TASK, Leaves, Recording
from apps.sizing.facts import Catalog
from apps.sizing.platform import Platform
from apps.sizing.task import Task

_PARTS: Final = ("data", "cycle", "recipe", "site", "horizon")
# Constants of the catalog whose unit the formulas need, by the first beginning that matches; the
# others are ratios and counts.
_UNITS: Final = (
    ("host.os_reserved_cores", ""),
    ("host.os_reserve", "gb"),
    ("host.dataloader_worker_overhead", "gb"),
    ("host.tokenize", "mib_per_s"),
    ("host.zero3_offload", "bytes"),
    ("power.base_board", "w"),
    ("power.cpu_default_tdp", "w"),
    ("power.cpu_small_tdp", "w"),
    ("power.nic_house", "w"),
    ("power.dimm", "w"),
    ("power.nic_connectx7", "w"),
    ("power.nvme", "w"),
    ("power.nvswitch", "w"),
    ("power.optic", "w"),
    ("power.pcie_switch", "w"),
    ("storage.bytes", "bytes"),
    ("storage.checkpoint_interval", "hours"),
    ("storage.ckpt", "bytes"),
    ("storage.drive_tb", "tb"),
    ("storage.nvme_gen4", "gb_per_s"),
    ("storage.read_per_gpu", "gb_per_s"),
    ("storage.recovery_line", "gb_per_s"),
    ("storage.restart", "minutes"),
    ("storage.sata", "gb_per_s"),
    ("cooling.air_temperature", "kelvin"),
    ("cooling.rack_own_mass", "kg"),
    ("cooling.mass_per", "kg"),
    ("cooling.depth", "mm"),
)
_CARD: Final = ("memory_gb", "tdp_w")
_SERVER: Final = (
    "rack_units",
    "depth_mm",
    "weight_kg",
    "cpu_sockets",
    "psu_count",
    "psu_w",
    "psu_needed",
    "max_input_w",
)


def unit_of_constant(key: str) -> str:
    return next((unit for beginning, unit in _UNITS if key.startswith(beginning)), "")


def recorded_task(leaves: Leaves, task: Task) -> Task:
    """`task` with the stated numbers of its data, cycle, recipe and site recorded."""
    changes: dict[str, Any] = {}
    for part in _PARTS:
        holder = getattr(task, part)
        found = {}
        for name in (f.name for f in fields(holder)):
            path = f"{part}.{name}"
            found[name] = leaves.known(path, getattr(holder, name), TASK, path)
        changes[part] = replace(holder, **found)
    return replace(task, **changes)


def recorded_platform(leaves: Leaves, platform: Platform) -> Platform:
    gpus = leaves.known("gpus", platform.gpus, LAYOUT, "placement.gpus")
    nodes = leaves.known("nodes", platform.nodes, LAYOUT, "placement.nodes")
    return replace(platform, gpus=gpus, nodes=nodes)


def recorded_catalog(leaves: Leaves, catalog: Catalog, platform: Platform) -> Catalog:
    """A catalog with the platform's card, server and all constants recorded."""

    def constant(key: str, value: Any) -> Any:
        return leaves.ranged(key, value, unit_of_constant(key))

    accelerators, servers = dict(catalog.accelerators), dict(catalog.servers)
    for rows, slug, names in (
        (accelerators, platform.accelerator, _CARD),
        (servers, platform.server, _SERVER),
    ):
        row: Any = rows.get(slug or "")
        if row is not None and slug is not None:
            changes = {
                name: leaves.known(name, getattr(row, name), CATALOG, f"{slug}:{name}")
                for name in names
            }
            rows[slug] = replace(row, **changes)
    return replace(
        catalog,
        accelerators=accelerators,
        servers=servers,
        constants=Recording(catalog.constants, constant),
    )


def recorded_count(leaves: Leaves, key: str, value: float) -> float:
    """A count that the engine worked out before, under a key."""
    found: float = leaves.known(key, value, COMPUTED, "")
    leaves.tracer.recognise(value, found)
    return found
