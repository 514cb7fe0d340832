"""How many tasks a second `manage.py size --batch` sizes, start of the process included."""

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MODELS_BILLION = (1, 8, 32, 70)
METHODS = ("full", "lora", "qlora")
LENGTHS = (1024, 4096, 16384)
GPUS = (1, 4, 8)
ACROSS_THE_CATALOG_COUNT = 12


def tasks(*, placed: bool) -> Iterator[dict[str, Any]]:
    """Every combination, with made-up dense models: the time does not depend on their names."""
    for params, method, length, gpus in itertools.product(MODELS_BILLION, METHODS, LENGTHS, GPUS):
        task: dict[str, Any] = {
            "schema": "podbor.task/1",
            "id": f"{params}b-{method}-{length}-{gpus}",
            "strategy": "finetune",
            "method": method,
            "model": {"kind": "decoder", "params_billion": params},
            "recipe": {
                "stage": "sft",
                "framework": "trl",
                "precision": "bf16-mixed",
                "optimizer": "adamw",
                "sequence_length": length,
                "micro_batch": 1,
                "grad_accumulation": 8,
                "activation_checkpointing": "full",
            },
            "data": {"tokens": 100_000_000, "kind": "text"},
        }
        if placed:
            task["placement"] = {"accelerator": "H100-SXM5-80", "gpus": gpus, "nodes": 1}
        yield task


def measure(name: str, given: list[dict[str, Any]]) -> None:
    lines = "".join(json.dumps(task) + "\n" for task in given)
    began_s = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "size", "--batch"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    took_s = time.perf_counter() - began_s
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if len(results) != len(given):
        raise SystemExit(f"{name}: {len(given)} tasks in, {len(results)} results out")
    errors = [result["error"]["message"] for result in results if "error" in result]
    if errors:
        raise SystemExit(f"{name}: {len(errors)} errors, the first one: {errors[0]}")
    sys.stdout.write(
        f"{name}: {len(given)} tasks in {took_s:.2f} s, {len(given) / took_s:.1f} tasks/s\n"
    )


if __name__ == "__main__":
    measure("on its placement", list(tasks(placed=True)))
    across = list(itertools.islice(tasks(placed=False), 0, None, 9))[:ACROSS_THE_CATALOG_COUNT]
    measure("across the catalog", across)
