"""CPU cores of a node: reading, decoding, augmenting, tokenising."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from apps.sizing.facts import Catalog, Server
from apps.sizing.ranges import Range
from apps.sizing.task import Data

# What the kind of data usually asks for when nobody has described the preprocessing.
_USUAL: Final[Mapping[str, str]] = {
    "text": "light",
    "images": "medium",
    "video": "heavy",
    "multimodal": "medium",
}

_CHOICES: Final = 4


def cores_for(
    gpus: int,
    *,
    workers: float,
    certified: float,
    reserved: float,
    samples_per_s: float = 0.0,
    samples_per_s_per_core: float = 1.0,
) -> int:
    """Physical cores of a node with `gpus` GPUs: the largest of three needs.

    The certified minimum per GPU; a core for every loader worker and for the process of each GPU;
    the cores that decode `samples_per_s` per GPU.
    """
    by_workers = gpus * (workers + 1) + reserved
    by_rate = (
        math.ceil(gpus * samples_per_s / samples_per_s_per_core) + gpus + reserved
        if samples_per_s
        else 0
    )
    return math.ceil(max(certified * gpus, by_workers, by_rate))


def cores_needed(data: Data, gpus: int, constants: Mapping[str, Range]) -> Range:
    """Cores for light, medium or heavy preprocessing; an unknown one spans what may be meant."""
    usual = _USUAL.get(data.kind or "text", "light")
    level = data.preprocessing or usual
    found = _cores_of(level, gpus, constants)
    if data.preprocessing is not None:
        return found
    others = ("light", "heavy") if data.kind not in (None, "text") else ("light", "medium")
    spans = [_cores_of(other, gpus, constants) for other in others]
    return Range.spanning(
        found.typical, [found.low, found.high, *(s.low for s in spans), *(s.typical for s in spans)]
    )


def _cores_of(level: str, gpus: int, constants: Mapping[str, Range]) -> Range:
    text = level == "light"
    workers = constants[
        "host.dataloader_workers_per_gpu" if text else "host.dataloader_workers_medium"
    ]
    images = constants["host.images_per_s_per_gpu"]
    rate = constants["host.jpeg_full_pipeline_per_core"]
    certified = constants["host.cores_per_gpu_min_cert"].typical
    reserved = constants["host.os_reserved_cores"]
    heavy = level == "heavy"
    # The slowest decoding goes with the fastest feed, and the other way round.
    ends = (
        (workers.low, reserved.low, images.low, rate.high),
        (workers.typical, reserved.typical, images.typical, rate.typical),
        (workers.high, reserved.high, images.high, rate.low),
    )
    return Range(
        *(
            cores_for(
                gpus,
                workers=count,
                certified=certified,
                reserved=kept,
                samples_per_s=feed if heavy else 0.0,
                samples_per_s_per_core=per_core,
            )
            for count, kept, feed, per_core in ends
        )
    )


def processor_choices(
    server: Server | None, cores: Range, catalog: Catalog
) -> list[dict[str, Any]]:
    """A few processors for the server's socket: the smallest that is enough first.

    When none is enough, the largest first. Empty when the socket is not known.
    """
    socket = server.extra.get("cpu_socket") if server else None
    if server is None or socket is None:
        return []
    ceiling = server.extra.get("cpu_max_tdp_w")
    fitting = [
        cpu
        for cpu in catalog.processors.values()
        if cpu.socket == socket and not (ceiling and cpu.tdp_w and cpu.tdp_w > ceiling)
    ]
    fitting.sort(key=lambda cpu: (cpu.cores, cpu.id))
    enough = [cpu for cpu in fitting if cpu.cores * server.cpu_sockets >= cores.typical]
    return [
        {
            "id": cpu.id,
            "name": cpu.name,
            "sockets": server.cpu_sockets,
            "cores": cpu.cores * server.cpu_sockets,
            "tdp_w": cpu.tdp_w,
        }
        for cpu in (enough or fitting[::-1])[:_CHOICES]
    ]
