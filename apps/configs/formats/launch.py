"""What the way of starting says: how many GPUs, on how many machines, and who shards.

Launchers, environment variables and comments; the last are guesses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import read_deepspeed_reference, sharding_word
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.scalars import resolve_scalar
from apps.configs.values import as_count, as_flag, as_text
from apps.configs.words import precision_word

_PER_NODE: Final = (
    "NPROC_PER_NODE",
    "GPUS_PER_NODE",
    "N_GPUS_PER_NODE",
    "NUM_GPUS",
    "NGPU",
    "N_GPUS",
)
_NODES: Final = ("NNODES", "NUM_NODES", "N_NODES", "NODES")
_VISIBLE: Final = ("CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
_COMMENT: Final = re.compile(r"#[^\n]{0,400}")
_PROCESSES_COMMENT: Final = re.compile(
    r"--?(?:nproc[_-]per[_-]node|num_processes|num_gpus)[ =]+([0-9]{1,4})\b"
)
_NODES_COMMENT: Final = re.compile(r"--?nnodes[ =]+([0-9]{1,4})\b")
_SBATCH: Final = re.compile(r"^#SBATCH\s+(.*)$", re.MULTILINE)
_SBATCH_NODES: Final = re.compile(r"(?:--nodes[ =]|-N\s*)([0-9]{1,4})\b")
_SBATCH_GPUS: Final = re.compile(r"(?:--gpus-per-node[ =]|--gres[ =]gpu:)(?:\w+:)?([0-9]{1,3})\b")
_LONGEST: Final = 2_000
_HOSTS: Final = re.compile(r"[\w.-]+:([0-9,]+)")


def read_launch(document: Document, draft: Draft) -> None:
    """GPUs, nodes and sharding of a document that is a command; of any other, its comments."""
    if document.notation != "shell":
        read_comments(document.comments, draft)
        return
    launch = Keys(document.launch)
    environment = {k: resolve_scalar(v) for k, v in document.environment.items()}
    nodes = _nodes(launch, environment)
    gpus = _gpus(launch, environment, nodes or 1)
    batch = _SBATCH.findall(document.comments)
    if gpus is None:
        nodes, gpus = _slurm(" ".join(batch), nodes)
    draft.file("gpus", gpus)
    draft.file("nodes", nodes if nodes and (gpus or nodes > 1) else None)
    _read_accelerate(launch, draft)


def read_comments(text: str, draft: Draft) -> None:
    """`# tune run --nproc_per_node 4 …` in the head of a file is a guess."""
    comments = "\n".join(m.group() for m in islice(_COMMENT.finditer(text), 200))
    found = _PROCESSES_COMMENT.search(comments)
    if not found:
        return
    nodes = _NODES_COMMENT.search(comments)
    count = int(nodes.group(1)) if nodes else 1
    draft.guess("gpus", int(found.group(1)) * max(1, count))


def _nodes(launch: Keys, environment: Mapping[str, Any]) -> int | None:
    stated = launch.get("nnodes", "num_machines", "num_nodes", "N", "nodes")
    if stated is OPAQUE:
        return None
    elastic = stated.split(":")[-1] if isinstance(stated, str) else stated
    return as_count(resolve_scalar(str(elastic))) or _first(environment, _NODES)


def _gpus(launch: Keys, environment: Mapping[str, Any], nodes: int) -> int | None:
    """GPUs of all nodes together."""
    total = as_count(launch.plain("num_processes"))
    if total:
        return total
    per_node = launch.get("nproc_per_node", "num_gpus", "nproc", "n", "gpus_per_node")
    if per_node is OPAQUE or launch.has("num_processes"):
        return None
    count = as_count(per_node) or _hosts(launch.plain("include", "i"))
    count = count or _first(environment, _PER_NODE) or _visible(environment, launch)
    return count * nodes if count else None


def _visible(environment: Mapping[str, Any], launch: Keys) -> int | None:
    listed = launch.plain("gpu_ids")
    listed = listed if listed != "all" else None
    for value in (listed, *(environment.get(name) for name in _VISIBLE)):
        ids = str(value).split(",") if isinstance(value, str | int) else []
        if ids and all(i.strip().isdigit() for i in ids):
            return len(ids)
    return None


def _hosts(include: Any) -> int | None:
    """DeepSpeed's `--include localhost:0,1@worker:0,1`."""
    found = _HOSTS.findall(include[:_LONGEST]) if isinstance(include, str) else []
    return sum(len([i for i in ids.split(",") if i]) for ids in found) or None


def _first(environment: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    return next((n for name in names if (n := as_count(environment.get(name)))), None)


def _slurm(options: str, nodes: int | None) -> tuple[int | None, int | None]:
    found = _SBATCH_NODES.search(options)
    nodes = nodes or (int(found.group(1)) if found else None)
    gpus = _SBATCH_GPUS.search(options)
    count = int(gpus.group(1)) * (nodes or 1) if gpus else None
    return nodes, count or None


def _read_accelerate(launch: Keys, draft: Draft) -> None:
    """Options of `accelerate launch`, and what the name of its file gives away."""
    precision = launch.plain("mixed_precision")
    # `no` only leaves it to the trainer, which has said nothing else so far.
    state = draft.guess if precision == "no" else draft.file
    state("precision", precision_word(precision) if precision else None)
    if as_flag(launch.plain("use_deepspeed")):
        stage = as_count(launch.plain("zero_stage"))
        draft.file("data_parallel", f"zero{stage}" if stage else None)
    if as_flag(launch.plain("use_fsdp")):
        strategy = launch.plain("fsdp_sharding_strategy")
        draft.file("data_parallel", sharding_word(strategy) if strategy else "fsdp")
    if as_flag(launch.plain("multi_gpu", "multi-gpu")):
        draft.file("data_parallel", "ddp")
    read_deepspeed_reference(draft, launch.plain("deepspeed_config_file"))
    draft.refer(launch.plain("config_file"))
    name = as_text(launch.plain("config_file"))
    if name:
        _guess_by_file(name.rsplit("/", 1)[-1].lower(), draft)


def _guess_by_file(name: str, draft: Draft) -> None:
    read_deepspeed_reference(draft, name)
    if "fsdp" in name:
        draft.guess("data_parallel", "fsdp")
        draft.guess("offload", "params" if "offload" in name else None)
    elif "multi_gpu" in name or "ddp" in name:
        draft.guess("data_parallel", "ddp")


def layout_default(draft: Draft) -> None:
    """Without a word about sharding, several processes replicate the model; one does nothing."""
    gpus = draft.value("gpus")
    split = (draft.value("tensor_parallel") or 1) * (draft.value("pipeline_parallel") or 1)
    if gpus and split == 1:
        draft.default("data_parallel", "ddp" if gpus > 1 else "none")
