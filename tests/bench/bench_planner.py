"""How long the planner takes on one core, over the whole catalog: at most a second a task.

The catalog is the product's own, and the same with every card and server three times over.
"""

import statistics
import sys
import time
from dataclasses import replace
from typing import Any, Final

from apps.catalog.facts import fixture_catalog
from apps.sizing.facts import Catalog
from apps.sizing.planner import plan
from apps.sizing.task_reader import parse_task

ROUNDS: Final = 5
MOST_S: Final = 1.0
RECIPE: Final = {
    "framework": "trl",
    "precision": "bf16-mixed",
    "optimizer": "adamw",
    "sequence_length": 8192,
    "micro_batch": 2,
    "grad_accumulation": 4,
    "activation_checkpointing": "full",
    "epochs": 2,
}
TASKS: Final[dict[str, dict[str, Any]]] = {
    "8 B in full": {
        "method": "full",
        "model": {"name": "Llama-3.1-8B"},
        "recipe": RECIPE,
        "data": {"tokens": 3e8},
        "cycle": {"target_hours": 72},
        "site": {"kw_usable": 5, "feeds": 2, "cooling": "containment", "rack_units": 20},
    },
    "8 B with adapters": {
        "method": "lora",
        "model": {"name": "Llama-3.1-8B"},
        "recipe": RECIPE,
        "data": {"tokens": 3e8},
    },
    "70 B from scratch": {
        "strategy": "from-scratch",
        "method": "full",
        "model": {"kind": "decoder", "params_billion": 70},
        "recipe": {**RECIPE, "framework": "megatron", "micro_batch": 1},
        "data": {"tokens": 1e12},
        "cycle": {"target_hours": 2000},
    },
    "8 B, nothing else known": {"model": {"name": "Llama-3.1-8B"}, "data": {"tokens": 3e8}},
}


def thrice(catalog: Catalog) -> Catalog:
    """Every card and every server three times: cards under other names, in servers of their own."""
    cards = dict(catalog.accelerators)
    servers = dict(catalog.servers)
    for copy in (2, 3):
        for card in catalog.accelerators.values():
            # A few watts apart, so that no two are of one size.
            watts = (card.tdp_w or 0.0) * (1 + copy / 100) or None
            cards[f"{card.id}-{copy}"] = replace(card, id=f"{card.id}-{copy}", tdp_w=watts)
        for server in catalog.servers.values():
            taken = tuple(f"{card}-{copy}" for card in server.accelerators)
            sku = f"{server.sku}-{copy}"
            servers[sku] = replace(server, sku=sku, accelerators=taken)
    return replace(catalog, accelerators=cards, servers=servers)


def measure(name: str, document: dict[str, Any], catalog: Catalog) -> float:
    """The median of the rounds, seconds of processor time; printed with what was looked at."""
    took_s = []
    for _round in range(ROUNDS):
        # A catalog of its own each time: nothing is remembered from the round before.
        fresh, task = replace(catalog), parse_task(document)
        began_s = time.process_time()
        found = plan(task, fresh, {})
        took_s.append(time.process_time() - began_s)
    assert found is not None
    median_s = statistics.median(took_s)
    ways, rows = found["considered"]["ways"], len(found["front"])
    sys.stdout.write(f"{name}: {median_s:.3f} s, {ways} ways, {rows} rows\n")
    return median_s


if __name__ == "__main__":
    own = fixture_catalog()
    medians = [
        measure(f"{name}, {which}", document, catalog)
        for which, catalog in (("own catalog", own), ("three times the catalog", thrice(own)))
        for name, document in TASKS.items()
    ]
    if max(medians) > MOST_S:
        raise SystemExit(f"the slowest takes {max(medians):.2f} s, the most is {MOST_S:.0f} s")
