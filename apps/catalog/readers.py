"""Read the fixture files into the engine's values.

One function a file. A row that does not hold what its reader needs is a mistake in our own data:
the KeyError or TypeError it raises names it. Sources stay in the rows; the engine takes values.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from apps.catalog.schema import parse_constant, parse_cpu, parse_server
from apps.sizing.facts import Accelerator, Architecture, Processor, Server
from apps.sizing.ranges import Range

FIXTURES: Final = Path(__file__).resolve().parents[2] / "fixtures" / "catalog"

# Facts that are fields of `Accelerator`; what else a row holds goes to `extra`.
_ACCELERATOR_FIELDS: Final = frozenset(
    {
        "memory_gb",
        "usable_memory_gib",
        "memory_tb_per_s",
        "fp8_tflops_per_s",
        "tdp_w",
        "link",
        "link_domain_gpus",
        "pcie_generation",
    }
)


def load_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of one fixture file: a JSON list of objects."""
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def read_accelerators(path: Path = FIXTURES / "accelerators.json") -> dict[str, Accelerator]:
    """Accelerators by id."""
    return {row["slug"]: accelerator_from_row(row) for row in load_rows(path)}


def accelerator_from_row(row: dict[str, Any]) -> Accelerator:
    """One accelerator from its slug, names and list of facts."""
    facts = {fact["key"]: fact["value"] for fact in row["facts"]}
    bf16_tflops_per_s = facts.pop("bf16_tflops_per_s", None)
    return Accelerator(
        id=row["slug"],
        name=row["name"],
        vendor=row["vendor"],
        family=row["family"],
        form_factor=row["form_factor"],
        bf16_tflops_per_s=bf16_tflops_per_s,
        **{key: value for key, value in facts.items() if key in _ACCELERATOR_FIELDS},
        extra={key: value for key, value in facts.items() if key not in _ACCELERATOR_FIELDS},
    )


def read_architectures(path: Path = FIXTURES / "architectures.json") -> dict[str, Architecture]:
    """Published model architectures by name."""
    return {
        row["name"]: Architecture(**{k: v for k, v in row.items() if k != "source"})
        for row in load_rows(path)
    }


# Facts that are fields of `Server`; what else a row holds goes to `extra`.
_SERVER_FIELDS: Final = (
    "rack_units",
    "depth_mm",
    "weight_kg",
    "cpu_sockets",
    "dimm_slots",
    "nvme_bays",
    "psu_count",
    "psu_w",
    "psu_needed",
    "max_input_w",
    "cooling",
)


def read_servers(path: Path = FIXTURES / "servers.json") -> dict[str, Server]:
    """Servers by SKU, from the facts in force.

    Raises:
        CatalogError: a row is not fit for use.
    """
    return {row["slug"]: server_from_row(row) for row in load_rows(path)}


def server_from_row(document: dict[str, Any]) -> Server:
    """One server from its row. A fact that nobody has found is None."""
    row = parse_server(document)
    facts = row.values()
    return Server(
        sku=row.slug,
        vendor=row.vendor,
        accelerators=tuple(facts.pop("accelerators")),
        gpu_counts=tuple(facts.pop("gpu_counts")),
        **{key: facts.pop(key, None) for key in _SERVER_FIELDS},
        extra={"name": row.name, **facts},
    )


def read_processors(path: Path = FIXTURES / "cpus.json") -> dict[str, Processor]:
    """Processors by id.

    Raises:
        CatalogError: a row is not fit for use.
    """
    rows = [parse_cpu(document) for document in load_rows(path)]
    return {
        row.slug: Processor(
            id=row.slug,
            name=row.name,
            vendor=row.vendor,
            socket=row.values()["socket"],
            cores=row.values()["cores"],
            memory_channels=row.values()["memory_channels"],
            tdp_w=row.values().get("tdp_w"),
        )
        for row in rows
    }


def read_constants(path: Path = FIXTURES / "constants.json") -> dict[str, Range]:
    """The engine's constants by `section.key`, each in the unit its row states.

    Raises:
        CatalogError: a row is not fit for use.
    """
    rows = [parse_constant(document) for document in load_rows(path)]
    return {row.key: Range(row.low, row.typical, row.high) for row in rows}
