"""Every way to build it: accelerators × servers × counts × nodes × layouts, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from apps.sizing import settling
from apps.sizing.calibration import Calibration
from apps.sizing.estimators.node import is_module
from apps.sizing.facts import Accelerator, Catalog, Server
from apps.sizing.platform import Platform
from apps.sizing.platforms import NODE_COUNTS, platform_of, servers_of
from apps.sizing.shapes import Shape
from apps.sizing.task import Placement, Task

# Nodes, power of the GPUs in W, their memory in GB: there are no prices, so these stand for size.
Size = tuple[int, float, float]

# From so many parameters published runs of Megatron-LM split the layers, and the model into a
# pipeline across nodes (arXiv 2104.04473, table 1: tensor 8 at 18 B, pipeline from 39 B).
_TENSOR_PARAMS: Final = 13e9
_PIPELINE_PARAMS: Final = 30e9
_TENSOR_DEGREES: Final = (2, 4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """GPUs of one card in nodes of one size; `servers` that take them, the best known first.

    `sold` is false where no server on sale takes them.
    """

    card: Accelerator
    gpus: int
    nodes: int
    servers: tuple[Server, ...]
    sold: bool = True

    @property
    def size(self) -> Size:
        watts = self.gpus * (self.card.tdp_w or 0.0)
        return self.nodes, watts, self.gpus * self.card.memory_gb

    def platform(self, server: Server | None, wish: Placement | None) -> Platform:
        return platform_of(server, self.card, self.gpus, self.nodes, wish)


def hardware_on_sale(task: Task, catalog: Catalog) -> list[Hardware]:
    """All of it, the smallest first. Boards grow by nodes, as `platforms` has it."""
    found = [
        hardware
        for card in catalog.accelerators.values()
        for hardware in _of_card(card, servers_of(card, catalog))
    ]
    return sorted(
        (hardware for hardware in found if _wished(hardware, task.placement)),
        key=lambda h: (h.size, h.card.id),
    )


def _of_card(
    card: Accelerator, sold: dict[int, tuple[Server, ...]], *, on_sale: bool = True
) -> Iterator[Hardware]:
    for gpus, servers in sold.items():
        yield Hardware(card=card, gpus=gpus, nodes=1, servers=servers, sold=on_sale)
    if not sold or not is_module(card):
        return
    largest = max(sold)
    for nodes in NODE_COUNTS:
        yield Hardware(
            card=card,
            gpus=largest * nodes,
            nodes=nodes,
            servers=sold[largest],
            sold=on_sale,
        )


def hardware_not_sold(task: Task, catalog: Catalog) -> list[Hardware]:
    """Single nodes of cards that only servers no longer or not yet on sale take."""
    found = []
    for card in catalog.accelerators.values():
        if not servers_of(card, catalog):
            there = servers_of(card, catalog, on_sale=False)
            found += list(_of_card(card, there, on_sale=False))
    return sorted(
        (h for h in found if h.nodes == 1 and _wished(h, task.placement)),
        key=lambda h: (h.size, h.card.id),
    )


def _wished(hardware: Hardware, wish: Placement | None) -> bool:
    """Whether the counts are those that the task's placement asks for."""
    if wish is None:
        return True
    return wish.gpus in (None, hardware.gpus) and wish.nodes in (None, hardware.nodes)


def layouts_of(
    hardware: Hardware, task: Task, shape: Shape, calibration: Calibration
) -> Iterator[Placement]:
    """Layouts worth trying, the simplest first; a wish of the task's stands alone.

    Copies (DDP), then states cut over all GPUs (FSDP, ZeRO-3) or over those of a node (HSDP), then
    the model itself split: by layers' matrices inside the NVLink domain, by stages across nodes.
    """
    place = hardware.platform(None, task.placement).placement
    if place.data_parallel is not None or hardware.gpus == 1:
        yield replace(place, data_parallel=place.data_parallel or "none")
        return
    yield replace(place, data_parallel="ddp")
    yield replace(place, data_parallel="fsdp", shard_degree=None)
    yield replace(place, data_parallel="zero3", shard_degree=None)
    if hardware.nodes > 1:
        yield replace(place, data_parallel="hsdp", shard_degree=None)
    if _is_split(place):
        return
    megatron = settling.dialect_of(task.recipe, place, calibration).stack == "megatron"
    if megatron:
        yield replace(place, data_parallel="zero1", shard_degree=None)
    if splits(task, shape):
        yield from _split_layouts(hardware, place, shape, megatron=megatron)


def _is_split(place: Placement) -> bool:
    degrees = (place.tensor_parallel, place.pipeline_parallel, place.context_parallel)
    return any((degree or 1) > 1 for degree in degrees)


def splits(task: Task, shape: Shape) -> bool:
    """Whether the model itself is worth splitting: a large language model, trained whole."""
    whole = settling.method_of(task) == "full"
    return whole and shape.sample is None and shape.total_params >= _TENSOR_PARAMS


def _split_layouts(
    hardware: Hardware, place: Placement, shape: Shape, *, megatron: bool
) -> Iterator[Placement]:
    """Tensor parallelism inside the node's fast link, pipelines of whole nodes.

    Beside it Megatron cuts the optimizer's states only; other stacks, whose word for the same is
    FSDP, cut all.
    """
    per_node = hardware.gpus // hardware.nodes
    beside = "zero1" if megatron else "fsdp"
    if hardware.card.link in ("pcie", "nvlink-bridge"):
        return
    for tensor in _TENSOR_DEGREES:
        fits = tensor <= hardware.card.link_domain_gpus and per_node % tensor == 0
        if not fits or not _cuts(shape, "heads", tensor):
            continue
        kind = beside if hardware.gpus > tensor else "none"
        split = replace(
            place,
            data_parallel=kind,
            shard_degree=None,
            tensor_parallel=tensor,
            sequence_parallel=True,
        )
        yield split
        yield from _pipelines(hardware, split, tensor, shape)


def _cuts(shape: Shape, part: str, degree: int) -> bool:
    """Whether heads or layers divide evenly; those of a guessed shape are taken to."""
    return part in shape.assumed or int(getattr(shape, part)) % degree == 0


def _pipelines(
    hardware: Hardware, split: Placement, tensor: int, shape: Shape
) -> Iterator[Placement]:
    """Stages of whole nodes, over 2 to 8 nodes, layers cut evenly."""
    whole_node = tensor == hardware.gpus // hardware.nodes
    if not whole_node or hardware.nodes == 1 or shape.total_params < _PIPELINE_PARAMS:
        return
    for stages in (2, 4, 8):
        if hardware.nodes % stages == 0 and _cuts(shape, "layers", stages):
            kind = split.data_parallel if hardware.gpus > tensor * stages else "none"
            yield replace(split, pipeline_parallel=stages, data_parallel=kind)
