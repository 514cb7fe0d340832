"""Which facts of the catalog a document rests on, copied with their sources.

A document shows the platforms of its variants, so the facts are those of their cards and servers,
of the model, and of the constants that move its figures most.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from apps.catalog.facts import fixture_catalog
from apps.catalog.readers import FIXTURES, load_rows
from apps.documents.snapshot import Fact
from apps.sizing.architectures import find_architecture
from apps.sizing.task_reader import parse_task

# In the order of the document.
ACCELERATOR_KEYS: Final = (
    "memory_gb",
    "usable_memory_gib",
    "memory_tb_per_s",
    "bf16_tflops_per_s",
    "tdp_w",
)
SERVER_KEYS: Final = (
    "rack_units",
    "depth_mm",
    "weight_kg",
    "gpu_counts",
    "max_input_w",
    "psu_count",
    "psu_w",
)
# Constants by the block of the result that they move.
CONSTANT_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "storage": (
        "storage.ckpt_b_per_param_full_adam",
        "storage.dataset_copies",
        "storage.fill_share",
    ),
    "host": ("host.ram_to_vram_ratio",),
    "rack": (
        "power.gpu_utilisation_power_factor_peak",
        "power.feed_planning_ratio",
        "power.fan_share",
    ),
}
_PARAMETERS: Final = "params_billion"


def facts_used(task: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Facts of the model, of the cards and servers named in the variants, and of the constants."""
    named = set(_named(task, result))
    found = list(_model_facts(task))
    items: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("accelerators.json", ACCELERATOR_KEYS),
        ("servers.json", SERVER_KEYS),
    )
    for name, keys in items:
        rows = _rows(name)
        for slug in (slug for slug in rows if slug in named):
            found += _item_facts(rows[slug], keys)
    for block, constants in CONSTANT_KEYS.items():
        if any(variant.get(block) for variant in result.get("variants") or ()):
            found += [_constant(_constants()[key]) for key in constants]
    return tuple(found)


def catalog_day() -> str:
    """The day of the newest fact in the catalog, ISO."""
    facts = (
        fact
        for name in ("accelerators.json", "servers.json")
        for row in _rows(name).values()
        for fact in row["facts"]
    )
    return str(max(fact["as_of"] for fact in facts))


def _named(task: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[str]:
    """Slugs of the cards and servers that the document shows."""
    for holder in (*(result.get("variants") or ()), task.get("placement") or {}):
        for part in ("accelerator", "server"):
            if holder.get(part):
                yield holder[part]


@lru_cache(maxsize=8)
def _rows(name: str) -> dict[str, dict[str, Any]]:
    return {row["slug"]: row for row in load_rows(FIXTURES / name)}


@lru_cache(maxsize=1)
def _constants() -> dict[str, dict[str, Any]]:
    return {row["key"]: row for row in load_rows(FIXTURES / "constants.json")}


@lru_cache(maxsize=1)
def _model_sources() -> dict[str, str]:
    """Where each published architecture comes from."""
    text = Path(FIXTURES / "architectures.json").read_text(encoding="utf-8")
    return {row["name"]: row["source"] for row in json.loads(text)}


def _item_facts(row: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[Fact]:
    in_force = {fact["key"]: fact for fact in row["facts"] if not fact.get("superseded")}
    for key in keys:
        fact = in_force.get(key)
        if fact is not None:
            yield Fact(
                item=row["slug"],
                name=row["name"],
                key=key,
                value=fact["value"],
                unit=fact["unit"],
                source=fact["source"],
                source_ref=fact["source_ref"],
                as_of=fact["as_of"],
                confidence=fact["confidence"],
            )


def _constant(row: Mapping[str, Any]) -> Fact:
    section, _dot, _name = row["key"].partition(".")
    return Fact(
        item=section,
        name="",
        key=row["key"],
        value={end: row[end] for end in ("low", "typical", "high")},
        unit=row["unit"],
        source=row["source_title"],
        source_ref=row["source_url"],
        as_of=row["retrieved"],
        confidence=row["confidence"],
    )


def _model_facts(task: Mapping[str, Any]) -> Iterator[Fact]:
    architecture = find_architecture(parse_task(dict(task)).model, fixture_catalog())
    if architecture is not None:
        yield Fact(
            item=architecture.name,
            name=architecture.name.rsplit("/", maxsplit=1)[-1],
            key=_PARAMETERS,
            value=architecture.params / 1e9,
            unit="params_billion",
            source=_model_sources()[architecture.name],
            source_ref="",
            as_of="",
            confidence="secondary",
        )
