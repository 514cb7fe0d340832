"""The kit that runs a pilot: settings, commands, the probe, what is expected. A zip of plain files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.utils import translation
from django.utils.translation import gettext as _

from apps.core import formatting
from apps.core.spreadsheets import csv_text
from apps.pilots.protocol import csv_rows, dataset_text, place_text

Facts = Mapping[str, Any]

_FILES: Final = Path(__file__).parent / "kit_files"
_PROBE: Final = ("probe.py", "probe_model.py")
_LANGUAGES: Final = ("ru", "en")
# One moment for every file, so that the same facts give the same bytes.
_MOMENT: Final = (2020, 1, 1, 0, 0, 0)

_OPTIMIZERS: Final = {
    "adamw": "adamw_torch",
    "adamw-8bit": "adamw_bnb_8bit",
    "lion": "lion_32bit",
    "lion-8bit": "lion_8bit",
    "galore": "galore_adamw",
}
_SHARDING: Final = {"fsdp": "full_shard", "hsdp": "hybrid_shard"}
_ADAPTERS: Final = frozenset({"lora", "qlora", "dora"})
_SEED: Final = 7


def kit_of(facts: Facts) -> bytes:
    """The zip: the same facts, the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _texts(facts):
            archive.writestr(zipfile.ZipInfo(f"pilot/{name}", _MOMENT), text)
    return packed.getvalue()


def _texts(facts: Facts) -> Iterator[tuple[str, str]]:
    for language in _LANGUAGES:
        with translation.override(language):
            yield f"README.{language}.md", _readme(facts)
            yield f"protocol.{language}.csv", csv_text(csv_rows(facts))
    yield "run.json", _json(settings_of(facts))
    yield "pilot.json", _json(_pilot(facts))
    stage = _stage(facts)
    if stage:
        yield "deepspeed.json", _json(deepspeed_of(facts))
    yield "launch.sh", launch_of(facts)
    for name in _PROBE:
        yield name, (_FILES / name).read_text(encoding="utf-8")


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def settings_of(facts: Facts) -> dict[str, Any]:
    """The recipe as TRL and the trainer of transformers write it; the probe reads it too."""
    workload, layout = facts["workload"], facts["place"]["layout"]
    given = workload["parameters"]
    precision, steps = given["precision"], workload["steps"]
    found: dict[str, Any] = {
        "model_name_or_path": workload["model"],
        "max_length": given["sequence_length"],
        "per_device_train_batch_size": given["micro_batch"],
        "gradient_accumulation_steps": given["grad_accumulation"],
        "max_steps": steps["warmup"] + steps["measured"],
        "optim": _OPTIMIZERS.get(given["optimizer"], given["optimizer"]),
        "gradient_checkpointing": given["activation_checkpointing"] == "full",
        "bf16": precision == "bf16-mixed",
        "fp16": precision == "fp16-mixed",
        "save_steps": steps["warmup"] + steps["measured"],
        "seed": _SEED,
    }
    if precision.endswith("-pure"):
        found["dtype"] = {"bf16-pure": "bfloat16", "fp16-pure": "float16"}[precision]
    if given["method"] in _ADAPTERS:
        found |= {"use_peft": True, "lora_r": given["lora_rank"]}
        found |= {"use_dora": True} if given["method"] == "dora" else {}
    if given["method"] == "qlora":
        found |= _quantised(given["quantization"])
    if layout in _SHARDING:
        found["fsdp"] = _SHARDING[layout]
    return {name: value for name, value in found.items() if value is not None}


def _quantised(kind: str) -> dict[str, Any]:
    if kind == "int8":
        return {"load_in_8bit": True}
    double = {"use_bnb_nested_quant": True} if kind == "nf4-double" else {}
    return {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4", **double}


def _stage(facts: Facts) -> int:
    layout = facts["place"]["layout"]
    return int(layout[-1]) if layout.startswith("zero") else 0


def deepspeed_of(facts: Facts) -> dict[str, Any]:
    """The file of DeepSpeed for a layout that is its own."""
    given = facts["workload"]["parameters"]
    return {
        "zero_optimization": {"stage": _stage(facts)},
        "bf16": {"enabled": given["precision"].startswith("bf16")},
        "fp16": {"enabled": given["precision"].startswith("fp16")},
        "train_micro_batch_size_per_gpu": given["micro_batch"],
        "gradient_accumulation_steps": given["grad_accumulation"],
    }


def _pilot(facts: Facts) -> dict[str, Any]:
    """What the probe needs beside the recipe, and the fields that come back in its result."""
    workload = facts["workload"]
    values = {"model": workload["model"]}
    values |= {f"parameters.{k}": v for k, v in workload["parameters"].items() if k != "stage"}
    return {
        "shape": facts["shape"],
        "layout": facts["place"]["layout"],
        "steps": workload["steps"],
        "workload": {name: value for name, value in values.items() if value is not None},
        "workload_sha256": facts["workload_sha256"],
    }


def launch_of(facts: Facts) -> str:
    """One command for every count of GPUs, the fewest first; arguments go through to the probe."""
    lines = ["#!/bin/sh", "# Each run adds its figures to pilot-result.json.", "set -e", ""]
    lines += [_command(row["gpus"], facts) for row in facts["by_gpus"]]
    return "\n".join(lines) + "\n"


def _command(gpus: int, facts: Facts) -> str:
    nodes, whole = facts["place"]["nodes"], facts["place"]["gpus"]
    each = whole // nodes
    if gpus <= each:
        return f'torchrun --standalone --nproc_per_node={gpus} probe.py "$@"'
    # Every node runs the same line; NODE_RANK and MASTER_ADDR are the site's own.
    return (
        f"torchrun --nnodes={-(-gpus // each)} --nproc_per_node={each}"
        ' --node_rank="$NODE_RANK" --master_addr="$MASTER_ADDR" probe.py "$@"'
    )


def _readme(facts: Facts) -> str:
    rows = "\n".join(
        f"| {formatting.quantity(row['gpus'], 'gpus')} | {formatting.range_text(row['step_s'], 's')}"
        f" | {formatting.range_text(row['device_gib'], 'GiB')} |"
        for row in facts["by_gpus"]
    )
    # Not inside of the lines: what stands there is not found for translation.
    title, running, expected = _("Kit of the pilot"), _("How to run"), _("What is expected")
    heads = (_("GPUs"), _("Step"), _("Memory of one GPU"))
    mark = _("Fingerprint of the workload")
    parts = (
        f"# {title}",
        place_text(facts),
        _("Data: %(data)s") % {"data": dataset_text(facts["workload"]["dataset"])},
        f"## {running}",
        _("It needs Python 3.10 or later and torch of your training environment."),
        _(
            "1. `python probe.py --dry-run` shows in seconds on a processor that everything is in place."
        ),
        _(
            "2. `sh launch.sh --workload my_workload.py` runs your own model and data, from the fewest GPUs to all. The head of `probe.py` says what that file has to have."
        ),
        _(
            "3. Without `--workload` a model of the same shape is trained on random tokens. Its memory and step are shown beside the estimate, but they count as another workload."
        ),
        _(
            "4. Upload `pilot-result.json` on the page of the pilot and add there what no probe can know: the card's part number, hours without a stop, quality on held-out data."
        ),
        f"## {expected}",
        f"| {' | '.join(heads)} |\n|---|---|---|\n{rows}",
        f"{mark}: `{facts['workload_sha256']}`",
        _(
            "`run.json` is read by TRL and by the trainer of transformers. Nothing in this kit uses the network."
        ),
    )
    return "\n\n".join(parts) + "\n"
