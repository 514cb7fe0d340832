"""RAM of a node and the modules that give it."""

from __future__ import annotations

from typing import Any, Final

from apps.sizing.estimators.datasets import dataset_bytes, sample_bytes
from apps.sizing.estimators.trained import trained_of
from apps.sizing.facts import Catalog, Server
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.units import GB

# Sizes of registered DDR5 modules, GB as they are sold.
MODULE_GB: Final = (16, 32, 64, 96, 128, 256)

# A host that keeps the optimizer alone holds fp32 master weights and two moments.
_OFFLOADED_OPTIMIZER_BYTES: Final = Range(12, 14, 18)
_ACTIVATION_BYTES: Final = 2


def ram_needed_gb(task: Task, platform: Platform, catalog: Catalog, vram_gb: float) -> Range:
    """RAM of one node, GB: the largest of the guide ratio, what is offloaded, and cache and loaders.

    The low end is the least that works (one time the GPU memory), the typical is comfortable.
    """
    constants = catalog.constants
    by_ratio = constants["host.ram_to_vram_ratio"] * vram_gb
    offload = _offload_gb(task, platform, catalog)
    loaders = _loaders_gb(task, platform, catalog)
    cache = _cache_gb(task, catalog, by_ratio.high)
    need = Range(
        max(by_ratio.low, offload.low, loaders.low),
        max(by_ratio.typical, offload.typical, loaders.typical + cache),
        max(by_ratio.high, offload.high, loaders.high + cache),
    )
    need = need + constants["host.os_reserve"]
    if task.horizon.sharing in ("shared", "service"):
        need = need * constants["host.shared_use_factor"]
    return need


def ratio_status(ram_gb: float, vram_gb: float) -> str:
    """`below-vram`, `lean` (one to two times) or `comfortable`: never a reason to refuse."""
    if ram_gb < vram_gb:
        return "below-vram"
    return "lean" if ram_gb < 2 * vram_gb else "comfortable"


def offload_gb(params: float, bytes_per_param: float, nodes: int) -> float:
    """Host memory of one node for states kept there, GB: the model's states split by nodes."""
    return params * bytes_per_param / nodes / GB


def _offload_gb(task: Task, platform: Platform, catalog: Catalog) -> Range:
    kind = task.recipe.offload
    trained = trained_of(task, catalog)
    if trained is None or kind not in ("optimizer", "params", "activations"):
        return Range.exact(0)
    nodes = platform.nodes
    if kind == "activations":
        shape, recipe = trained.shape, task.recipe
        tokens = (recipe.sequence_length or 0) * (recipe.micro_batch or 0)
        size = tokens * shape.hidden * shape.layers * _ACTIVATION_BYTES * platform.gpus_per_node
        return Range(size, size, 2 * size) / GB
    states = _OFFLOADED_OPTIMIZER_BYTES * trained.trained_params
    if kind == "params":
        states = catalog.constants["host.zero3_offload_cpu_bytes"] * trained.total_params
    return states / (nodes * GB)


def _loaders_gb(task: Task, platform: Platform, catalog: Catalog) -> Range:
    """Loader processes and the batches they hold ready, GB."""
    constants = catalog.constants
    text = task.data.kind in (None, "text")
    workers = constants[
        "host.dataloader_workers_per_gpu" if text else "host.dataloader_workers_medium"
    ]
    sample = sample_bytes(task.data, constants) or 0.0
    # A decoded sample is an order of magnitude larger than the file it came from.
    batch_gb = 10 * sample * (task.recipe.micro_batch or 1.0) / GB
    own, held = constants["host.dataloader_worker_overhead"], constants["host.prefetch_batches"]
    return loaders_gb(own, held * batch_gb, workers * platform.gpus_per_node)


def loaders_gb(own_gb: Range, held_gb: Range, workers: Range) -> Range:
    """RAM of `workers` loader processes: each has its own and the batches it holds ready, GB."""
    return (own_gb + held_gb) * workers


def _cache_gb(task: Task, catalog: Catalog, room_gb: float) -> float:
    """The dataset in the page cache, when it is small enough to be kept there whole.

    Text is read so slowly that nothing is gained.
    """
    size = dataset_bytes(task.data, catalog.constants)
    if size is None or task.data.kind in (None, "text"):
        return 0.0
    cached_gb = size.typical * catalog.constants["host.page_cache_share"].typical / GB
    return cached_gb if cached_gb <= room_gb else 0.0


def populations(
    ram: Range, sockets: int, channels: int, server: Server | None
) -> list[dict[str, Any]]:
    """Ways to fill the channels evenly: the least (low end) and the comfortable (typical).

    One or two modules on every channel of every socket; the fewest gigabytes that are enough,
    one module a channel where that does (it runs faster).
    """
    found = []
    for purpose, need_gb in (("least", ram.low), ("comfortable", ram.typical)):
        choice = population_for(need_gb, sockets, channels, server.dimm_slots if server else None)
        if choice is not None:
            found.append({"purpose": purpose, **choice})
    return found


def population_for(
    need_gb: float, sockets: int, channels: int, slots: int | None
) -> dict[str, Any] | None:
    """The even population with the fewest gigabytes that gives `need_gb`; None: no one does."""
    ways = [w for w in (1, 2) if slots is None or w * channels * sockets <= slots]
    options = [
        (count * size, per_channel, count, size)
        for per_channel in ways
        for size in MODULE_GB
        if (count := per_channel * channels * sockets) * size >= need_gb
    ]
    if not options:
        return None
    total, per_channel, count, size = min(options)
    return {"count": count, "module_gb": size, "total_gb": total, "per_channel": per_channel}
