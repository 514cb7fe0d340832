"""The host of a node: CPU cores, RAM and how to fill the memory channels.

What is not counted: other work on the same host. The ratio of RAM to GPU memory is a guide to
start from, not a rule; the makers' own eight-GPU machines ship with 1.4 to 3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from apps.sizing.estimators.datasets import dataset_bytes, tokenise_s
from apps.sizing.estimators.host_cores import cores_needed, processor_choices
from apps.sizing.estimators.host_memory import populations, ram_needed_gb, ratio_status
from apps.sizing.estimators.node import (
    accelerator_of,
    channels_of,
    installed_gpus,
    server_of,
    sockets_of,
)
from apps.sizing.estimators.trained import trained_of
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Data, Task
from apps.sizing.units import GB, SECONDS_PER_HOUR
from apps.sizing.verdicts import verdict

VERSION: Final = 2


def host_estimator(task: Task, catalog: Catalog, platforms: tuple[Platform, ...]) -> dict[str, Any]:
    """CPU and RAM of one node of every platform; see `platform_block`."""
    return {
        "version": VERSION,
        "platforms": {p.key: platform_block(task, p, catalog) for p in platforms},
        "tokenise_hours": _tokenise_hours(task.data, catalog.constants),
        "assumptions": [m.as_dict() for m in _assumptions(task)],
        "open_questions": _open_questions(task),
        "not_counted": [Message("host.not-counted.other-work").as_dict()],
    }


def platform_block(task: Task, platform: Platform, catalog: Catalog) -> dict[str, Any]:
    """`cores`, `ram`, `processors`, `dimms` and `advice` of one node."""
    server = server_of(platform, catalog)
    gpus = platform.gpus_per_node
    cores = cores_needed(task.data, gpus, catalog.constants)
    choices = processor_choices(server, cores, catalog)
    most = max((c["cores"] for c in choices), default=None)
    memory = _memory_block(task, platform, catalog)
    return {
        "cores": cores.as_dict(),
        "cores_per_gpu": (cores / gpus).as_dict(),
        "sockets": sockets_of(server),
        "cpu_socket": server.extra.get("cpu_socket") if server else None,
        "processors": choices,
        "cores_verdict": verdict(cores, most),
        **memory,
        "advice": [m.as_dict() for m in _advice(task, platform, catalog, cores, most, memory)],
    }


def _memory_block(task: Task, platform: Platform, catalog: Catalog) -> dict[str, Any]:
    accelerator = accelerator_of(platform, catalog)
    server = server_of(platform, catalog)
    if accelerator is None:
        reason = Message("host.reason.no-accelerator", {"accelerator": platform.accelerator})
        return {"ram_gb": None, "reason": reason.as_dict()}
    vram_gb = installed_gpus(platform, server) * accelerator.memory_gb
    ram = ram_needed_gb(task, platform, catalog, vram_gb)
    return {
        "ram_gb": ram.as_dict(),
        "ram_to_vram_ratio": (ram / vram_gb).as_dict(),
        "ratio_status": ratio_status(ram.typical, vram_gb),
        "dimms": populations(ram, sockets_of(server), channels_of(server), server),
    }


def _tokenise_hours(data: Data, constants: Mapping[str, Range]) -> dict[str, float] | None:
    """Hours to tokenise the text once, offline; None when it is not text or not known."""
    size = dataset_bytes(data, constants)
    if data.kind != "text" or size is None or size.typical == 0:
        return None
    slow, fast = constants["host.tokenize_hf_python"], constants["host.tokenize_tiktoken"]
    threads = constants["host.tokenise_threads"]
    hours = Range(
        tokenise_s(size.low, fast.high, int(threads.high)),
        tokenise_s(size.typical, slow.typical, int(threads.typical)),
        tokenise_s(size.high, slow.low, int(threads.low)),
    )
    return (hours / SECONDS_PER_HOUR).as_dict()


def _assumptions(task: Task) -> list[Message]:
    found = [Message("host.assumption.ram-ratio-is-a-guide")]
    if task.data.preprocessing is None:
        found.append(
            Message(
                "host.assumption.preprocessing", {"field": "data.kind", "value": task.data.kind}
            )
        )
    if task.horizon.sharing in ("shared", "service"):
        found.append(
            Message(
                "host.assumption.shared-host",
                {"field": "horizon.sharing", "value": task.horizon.sharing},
            )
        )
    return found


def _open_questions(task: Task) -> list[dict[str, Any]]:
    weights = (("preprocessing", 0.4 if task.data.kind in (None, "text") else 0.6), ("kind", 0.4))
    return [
        {"field": f"data.{name}", "influence": influence}
        for name, influence in weights
        if getattr(task.data, name) is None
    ]


def _advice(
    task: Task,
    platform: Platform,
    catalog: Catalog,
    cores: Range,
    most_cores: int | None,
    memory: Mapping[str, Any],
) -> list[Message]:
    found: list[Message] = []
    if most_cores is not None and cores.high > most_cores:
        found.append(Message("host.advice.decode-elsewhere", {"cores": most_cores}))
    if task.data.kind == "video":
        found.append(Message("host.advice.hardware-video-decoding"))
    if platform.gpus_per_node > 2 and sockets_of(server_of(platform, catalog)) < 2:
        found.append(Message("host.advice.two-sockets"))
    if memory.get("ratio_status") == "below-vram":
        found.append(_below_gpus(platform, catalog))
    trained = trained_of(task, catalog)
    ram = memory.get("ram_gb")
    if trained is not None and ram is not None:
        copies_gb = 2 * trained.total_params * platform.gpus_per_node / GB
        if copies_gb > ram["low"]:
            found.append(Message("host.warning.load-copies", {"copies_gb": copies_gb}))
    return found


def _below_gpus(platform: Platform, catalog: Catalog) -> Message:
    """Said as so many GPUs of so much each: their memory does not pool."""
    accelerator = accelerator_of(platform, catalog)
    params = {
        "gpus": installed_gpus(platform, server_of(platform, catalog)),
        "card_gb": accelerator.memory_gb if accelerator else None,
    }
    return Message("host.warning.ram-below-vram", params)
