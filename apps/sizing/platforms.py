"""Which platforms are worth estimating for a task.

A task that names its hardware has one candidate: that hardware. Otherwise every accelerator that
is sold in a server of the catalog, by one to eight cards (boards come whole), as long as the
model can fit at all; several nodes of a board where one is not enough. The order is fixed: the
same task and catalog give the same candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from apps.sizing.cases import accelerator_of
from apps.sizing.compatibility_rules import servers_taking
from apps.sizing.estimators.memory import MemoryEstimate, estimate_memory
from apps.sizing.estimators.node import is_module
from apps.sizing.estimators.time import estimate_time
from apps.sizing.facts import Accelerator, Catalog, Server
from apps.sizing.platform import Platform as Platform
from apps.sizing.task import Placement, Task
from apps.sizing.verdicts import HOLDS, VERDICTS, Verdict

MOST_CANDIDATES: Final = 40
_CARD_COUNTS: Final = (1, 2, 4, 8)
NODE_COUNTS: Final = (2, 4, 8, 16, 32)
# Pairs of nodes: a few are enough to see whether a second node helps.
_MOST_PAIRS: Final = 3
# One 400 Gbit/s card for each GPU of a board: the usual rail between nodes.
_RAIL_GBIT: Final = 400
_ON_SALE: Final = "current"


def candidate_platforms(task: Task, catalog: Catalog) -> tuple[Platform, ...]:
    """The candidates, at most `MOST_CANDIDATES`; none when the model's size is not known.

    A placement with an accelerator stands alone. One without narrows the search by its counts
    and gives the candidates its layout.

    Raises:
        TaskError: the placement's accelerator is not in the catalog.
    """
    place = task.placement
    if place is not None and place.accelerator is not None:
        return (_placed(place, catalog),)
    single = [p for p in _single_nodes(task, catalog) if _wanted(p, place)]
    judged = [layout_for(p, task, catalog) for p in single]
    if any(found is None for _, found in judged):
        return ()
    fitting = [p for p, found in judged if found != "does-not-fit"]
    clusters = _clusters(judged, task, catalog) if place is None or place.gpus is None else []
    if not fitting and not clusters:
        clusters = [p for p, _ in judged]
    return (*fitting[: MOST_CANDIDATES - len(clusters)], *clusters)


def _placed(place: Placement, catalog: Catalog) -> Platform:
    """The platform a task names: its layout stays as it is, only the number of nodes is filled."""
    card = accelerator_of(place, catalog)
    gpus = place.gpus or place.nodes or 1
    server = _server_for(card, -(-gpus // place.nodes) if place.nodes else gpus, catalog)
    largest = max(server.gpu_counts) if server else gpus
    nodes = place.nodes or -(-gpus // largest)
    return Platform(
        key=_key(server, card, gpus, nodes),
        server=server.sku if server else None,
        accelerator=card.id,
        gpus=gpus,
        nodes=nodes,
        placement=replace(place, gpus=gpus, nodes=nodes),
    )


def _server_for(card: Accelerator, gpus: int, catalog: Catalog) -> Server | None:
    """The best known server that takes `gpus` of the card, or the largest there is."""
    every = [catalog.servers[s] for s in servers_taking(card, None, catalog, most=99)]
    exact = [s for s in every if gpus in s.gpu_counts]
    enough = [s for s in every if max(s.gpu_counts) >= gpus]
    return next(iter(exact or enough or every), None)


def _key(server: Server | None, card: Accelerator, gpus: int, nodes: int) -> str:
    chassis = server.sku if server else "no-server"
    return f"{chassis}/{card.id}x{gpus}" + (f"/{nodes}-nodes" if nodes > 1 else "")


def _single_nodes(task: Task, catalog: Catalog) -> Iterator[Platform]:
    """One platform for every accelerator on sale and number of GPUs in one node."""
    for card in catalog.accelerators.values():
        for gpus, server in _sold(card, catalog):
            yield platform_of(server, card, gpus, 1, task.placement)


def _sold(card: Accelerator, catalog: Catalog) -> list[tuple[int, Server]]:
    """Numbers of the card that are sold in one node, ascending, with the best known server."""
    return [(gpus, servers[0]) for gpus, servers in servers_of(card, catalog).items()]


def servers_of(
    card: Accelerator, catalog: Catalog, *, on_sale: bool = True
) -> dict[int, tuple[Server, ...]]:
    """Numbers of the card in one node, ascending, with the servers that take so many.

    The best known server first. Not only those `on_sale`: every one that takes the card.
    """
    skus = servers_taking(card, None, catalog, most=99)
    taking = [catalog.servers[sku] for sku in skus]
    taking = [s for s in taking if not on_sale or _on_sale(s, card)]
    counts = {n for server in taking for n in server.gpu_counts}
    return {
        gpus: tuple(server for server in taking if gpus in server.gpu_counts)
        for gpus in sorted(counts if is_module(card) else counts & set(_CARD_COUNTS))
    }


def growing(card: Accelerator, task: Task, catalog: Catalog) -> Iterator[Platform]:
    """Platforms of one card from a single GPU up: parts of a node, a whole node, several nodes.

    A part of a board is no product: it says how many GPUs a task needs of those that are there.
    A card that nobody sells any more grows in the server that took it.
    """
    servers: dict[int, Server | None] = dict(_sold(card, catalog))
    servers = servers or {n: _server_for(card, n, catalog) for n in _CARD_COUNTS}
    largest = max(servers)
    wanted = replace(task.placement or Placement(), shard_degree=None)
    counts = sorted({*servers, *(n for n in _CARD_COUNTS if n <= largest)})
    shapes = [(gpus, 1) for gpus in counts]
    shapes += [(largest * nodes, nodes) for nodes in NODE_COUNTS if is_module(card)]
    for gpus, nodes in shapes:
        if gpus % _model_parallel(wanted) == 0:
            server = servers[min(n for n in servers if n * nodes >= gpus)]
            yield platform_of(server, card, gpus, nodes, wanted)


def _model_parallel(place: Placement) -> int:
    """GPUs that one copy of the model is split over by the task's own wish."""
    split = (place.tensor_parallel or 1) * (place.pipeline_parallel or 1)
    return split * (place.context_parallel or 1)


def sold_together(card: Accelerator, gpus: int, catalog: Catalog) -> int:
    """How many GPUs come in one node when `gpus` of them are needed: a board comes whole."""
    return next((n for n, _server in _sold(card, catalog) if n >= gpus), gpus)


def _on_sale(server: Server, card: Accelerator) -> bool:
    """Sold today, with this card on the maker's list."""
    sold = server.extra.get("availability", _ON_SALE) == _ON_SALE
    return sold and card.id in server.accelerators


def platform_of(
    server: Server | None, card: Accelerator, gpus: int, nodes: int, wanted: Placement | None
) -> Platform:
    """A platform without a data-parallel layout; what the task wants of the layout stays, and so
    does the network that it says is there."""
    network = wanted.inter_node_link if wanted is not None else None
    place = replace(
        wanted or Placement(),
        accelerator=card.id,
        gpus=gpus,
        nodes=nodes,
        intra_node_link=_link(card, gpus // nodes),
        inter_node_link=(network or f"{gpus // nodes}x{_RAIL_GBIT}G") if nodes > 1 else None,
    )
    return Platform(
        key=_key(server, card, gpus, nodes),
        server=server.sku if server else None,
        accelerator=card.id,
        gpus=gpus,
        nodes=nodes,
        placement=place,
    )


def _link(card: Accelerator, gpus_per_node: int) -> str | None:
    """The link all GPUs of a node share: the slowest edge counts once they leave an island."""
    if gpus_per_node < 2:
        return None
    return card.link if gpus_per_node <= card.link_domain_gpus else "pcie"


def _wanted(platform: Platform, place: Placement | None) -> bool:
    """Whether a candidate has the counts that the task's placement asks for."""
    if place is None:
        return True
    if place.nodes is not None and place.nodes > 1:
        return False
    return place.gpus in (None, platform.gpus)


def layout_for(platform: Platform, task: Task, catalog: Catalog) -> tuple[Platform, Verdict | None]:
    """The layout of `laid_out` with the verdict on its memory; None where nothing can be said."""
    placed, memory = laid_out(platform, task, catalog)
    return placed, memory.verdict if memory else None


def laid_out(
    platform: Platform, task: Task, catalog: Catalog
) -> tuple[Platform, MemoryEstimate | None]:
    """The simplest layout in which the model fits, with its memory.

    One GPU needs none. Copies of the model (DDP) come before sharding it (FSDP, then ZeRO-3,
    which some frameworks accumulate gradients in more sparingly): they exchange less. Where none
    fits, the best of them. The memory is None when nothing can be said of the model.
    """
    found: list[tuple[Platform, MemoryEstimate]] = []
    for place in _layouts(platform.placement, platform.gpus):
        memory = estimate_memory(task, catalog, place)
        if memory is None:
            return replace(platform, placement=place), None
        found.append((replace(platform, placement=place), memory))
        if memory.verdict == "fits":
            break
    return min(found, key=lambda pair: VERDICTS.index(pair[1].verdict))


def _layouts(place: Placement, gpus: int) -> Iterator[Placement]:
    """Layouts to try, the simplest first; a wish of the task's stands alone."""
    if place.data_parallel is not None or gpus == 1:
        yield replace(place, data_parallel=place.data_parallel or "none")
        return
    yield replace(place, data_parallel="ddp")
    yield replace(place, data_parallel="fsdp", shard_degree=gpus)
    yield replace(place, data_parallel="zero3", shard_degree=gpus)


def _clusters(
    judged: list[tuple[Platform, Verdict | None]], task: Task, catalog: Catalog
) -> list[Platform]:
    """Several nodes of the largest board of each accelerator.

    Where one node does not hold the model, the first number of nodes that does. Where it does, two
    nodes if there is a deadline, which may ask for them, or if other boards need several. More
    where the deadline asks for more.
    """
    boards: dict[str, tuple[Platform, Verdict | None]] = {}
    for platform, found in judged:
        card = catalog.accelerators[platform.accelerator or ""]
        if is_module(card) and platform.gpus >= _largest(boards, card):
            boards[card.id] = (platform, found)
    clusters: list[Platform] = []
    large = any(found == "does-not-fit" for _, found in boards.values())
    for board, found in boards.values():
        pair = (large or task.cycle.target_hours is not None) and len(clusters) < _MOST_PAIRS
        if found == "does-not-fit" or pair:
            clusters.append(_enough_nodes(board, task, catalog))
    return clusters


def _largest(boards: dict[str, tuple[Platform, Verdict | None]], card: Accelerator) -> int:
    return boards[card.id][0].gpus if card.id in boards else 1


def _enough_nodes(board: Platform, task: Task, catalog: Catalog) -> Platform:
    """The fewest nodes that hold the model in time; the most there are, when none do.

    A deadline that even they miss asks for no more than hold the model.
    """
    holding: Platform | None = None
    platform = board
    for nodes in NODE_COUNTS:
        platform, found = _over_nodes(board, nodes, task, catalog)
        if found in HOLDS:
            holding = holding or platform
            if _in_time(platform, task, catalog):
                return platform
    return holding or platform


def _in_time(platform: Platform, task: Task, catalog: Catalog) -> bool:
    """Whether the high end of the cycle keeps the deadline, as far as both are known."""
    if task.cycle.target_hours is None:
        return True
    time = estimate_time(task, catalog, platform.placement)
    cycle = time.cycle if time else None
    return cycle is None or cycle.verdict in (*HOLDS, "unknown")


def _over_nodes(
    board: Platform, nodes: int, task: Task, catalog: Catalog
) -> tuple[Platform, Verdict | None]:
    card = catalog.accelerators[board.accelerator or ""]
    server = catalog.servers.get(board.server or "")
    return layout_for(
        platform_of(server, card, board.gpus * nodes, nodes, task.placement), task, catalog
    )
