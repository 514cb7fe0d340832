"""Which facts of the catalog a document rests on, copied with their sources.

A document shows the platforms of its variants, so the facts are those of their cards and servers,
of the model, and of the constants that move its figures most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.catalog.releases import Contents
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


def facts_used(
    task: Mapping[str, Any], result: Mapping[str, Any], contents: Contents
) -> tuple[Fact, ...]:
    """Facts of the model, of the cards and servers named in the variants, and of the constants.

    Args:
        contents: the catalog that the calculation began with.
    """
    named = set(_named(task, result))
    found = list(_model_facts(task, contents))
    for part, keys in (("accelerators", ACCELERATOR_KEYS), ("servers", SERVER_KEYS)):
        for row in contents.document[part]:
            if row["slug"] in named:
                found += _item_facts(row, keys)
    for block, constants in CONSTANT_KEYS.items():
        if any(variant.get(block) for variant in result.get("variants") or ()):
            found += [_constant(contents.rows[key]) for key in constants]
    return tuple(found)


def catalog_day(contents: Contents) -> str:
    """The day of the newest fact in the catalog, ISO."""
    facts = (
        fact
        for part in ("accelerators", "servers")
        for row in contents.document[part]
        for fact in row["facts"]
    )
    return str(max(fact["as_of"] for fact in facts))


def _named(task: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[str]:
    """Slugs of the cards and servers that the document shows."""
    for holder in (*(result.get("variants") or ()), task.get("placement") or {}):
        for part in ("accelerator", "server"):
            if holder.get(part):
                yield holder[part]


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


def _model_facts(task: Mapping[str, Any], contents: Contents) -> Iterator[Fact]:
    architecture = find_architecture(parse_task(dict(task)).model, contents.catalog)
    if architecture is not None:
        yield Fact(
            item=architecture.name,
            name=architecture.name.rsplit("/", maxsplit=1)[-1],
            key=_PARAMETERS,
            value=architecture.params / 1e9,
            unit="params_billion",
            source=contents.rows[architecture.name]["source"],
            source_ref="",
            as_of="",
            confidence="secondary",
        )
