"""Turn rows of the catalog into the engine's values.

One function a kind of row. A row that does not hold what its reader needs is a mistake in our own
data: the KeyError or TypeError it raises names it. Sources stay in the rows; the engine takes
values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from apps.catalog.schema import Row, parse_constant, parse_cpu, parse_row, parse_server
from apps.sizing.facts import Accelerator, Architecture, NetworkCard, Processor, Server
from apps.sizing.ranges import Range

FIXTURES: Final = Path(__file__).resolve().parents[2] / "fixtures" / "catalog"
Rows = Iterable[Mapping[str, Any]]

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


def accelerators_from(rows: Rows) -> dict[str, Accelerator]:
    """Accelerators by id."""
    return {row["slug"]: accelerator_from_row(row) for row in rows}


def accelerator_from_row(row: Mapping[str, Any]) -> Accelerator:
    """One accelerator from its slug, names and the facts in force."""
    in_force = [fact for fact in row["facts"] if not fact.get("superseded")]
    facts = {fact["key"]: fact["value"] for fact in in_force}
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


def architectures_from(rows: Rows) -> dict[str, Architecture]:
    """Published model architectures by name."""
    return {
        row["name"]: Architecture(**{k: v for k, v in row.items() if k != "source"}) for row in rows
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


def servers_from(rows: Rows) -> dict[str, Server]:
    """Servers by SKU, from the facts in force.

    Raises:
        CatalogError: a row is not fit for use.
    """
    return {row["slug"]: server_from_row(row) for row in rows}


def server_from_row(document: Mapping[str, Any]) -> Server:
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


def processors_from(rows: Rows) -> dict[str, Processor]:
    """Processors by id.

    Raises:
        CatalogError: a row is not fit for use.
    """
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
        for row in map(parse_cpu, rows)
    }


def network_cards_from(rows: Rows) -> dict[str, NetworkCard]:
    """Network cards by part number. A card that does not say how many slots it takes takes one.

    Raises:
        CatalogError: a row is not fit for use.
    """
    parsed = (parse_row(row, "nic") for row in rows)
    return {row.slug: _network_card(row) for row in parsed}


def _network_card(row: Row) -> NetworkCard:
    facts = row.values()
    return NetworkCard(
        id=row.slug,
        name=row.name,
        vendor=row.vendor,
        ports=facts["ports"],
        port_gbps=facts["port_gbps"],
        connector=facts.get("connector"),
        slots=facts.get("slot_width", 1),
        auxiliary_power=facts.get("auxiliary_power", False),
    )


def constants_from(rows: Rows) -> dict[str, Range]:
    """The engine's constants by `section.key`, each in the unit its row states.

    Raises:
        CatalogError: a row is not fit for use.
    """
    parsed = map(parse_constant, rows)
    return {row.key: Range(row.low, row.typical, row.high) for row in parsed}
