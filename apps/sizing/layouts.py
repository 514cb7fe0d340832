"""A placement with every degree known: who holds what, and over which links they talk."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from apps.sizing.facts import Accelerator
from apps.sizing.task import Placement

_SHARDED: Final = frozenset({"zero1", "zero2", "zero3", "fsdp", "hsdp"})
# Sharded weights, gradients: which kinds divide which part of the states.
_SHARDS_WEIGHTS: Final = frozenset({"zero3", "fsdp", "hsdp"})
_SHARDS_GRADIENTS: Final = frozenset({"zero2", "zero3", "fsdp", "hsdp"})
_GBIT: Final = re.compile(r"(?:(\d+)\s*x)?[^0-9]*?(\d+(?:\.\d+)?)\s*g(?:b(?:ps|/s|it(?:/s)?)?|\b)")
_TBIT: Final = re.compile(r"(?:(\d+)\s*x)?[^0-9]*?(\d+(?:\.\d+)?)\s*tb")
_SOCKETS: Final = re.compile(r"ethernet|gbe\b|\btcp\b")
_FABRIC: Final = re.compile(r"\b(ib|infiniband|roce(v2)?|rdma|hdr|ndr)\b")
# The fastest port of an RDMA adapter in wide use.
_PORT_GBIT: Final = 400.0
_NAMED_GBIT: Final = {"efa": 400.0, "ndr": 400.0, "hdr": 200.0, "edr": 100.0, "ethernet": 100.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Degrees of every kind of parallelism; `shard` is over how many ranks the states are cut.

    `inter_gbit` is the network of one node in Gbit/s, None when there is one node or nobody said.
    `sockets` says that the text tells of Ethernet without RDMA;
    `ports_assumed` adapters of a node are counted in it although the text names one.
    `assumed` names the placement fields that were filled in.
    """

    gpus: int
    nodes: int
    tensor: int
    sequence: bool
    pipeline: int
    chunks: int
    context: int
    expert: int
    data: int
    kind: str
    shard: int
    intra_link: str
    inter_gbit: float | None
    ports_assumed: int = 1
    sockets: bool = False
    assumed: tuple[str, ...] = ()

    @property
    def gpus_per_node(self) -> int:
        return max(1, self.gpus // self.nodes)

    @property
    def replicas(self) -> int:
        """Ranks that see different data: data-parallel × context-parallel."""
        return self.data * self.context

    @property
    def weight_shards(self) -> int:
        return self.shard if self.kind in _SHARDS_WEIGHTS else 1

    @property
    def gradient_shards(self) -> int:
        return self.shard if self.kind in _SHARDS_GRADIENTS else 1

    @property
    def optimizer_shards(self) -> int:
        return self.shard if self.kind in _SHARDED else 1

    @property
    def gathers_weights(self) -> bool:
        """Weights are cut and fetched layer by layer."""
        return self.kind in _SHARDS_WEIGHTS and self.shard > 1


def resolve_layout(
    place: Placement, card: Accelerator | None, *, megatron: bool, default_kind: str
) -> Layout:
    """Fill in a placement. `default_kind` is how the framework spreads data unless told."""
    gpus, nodes = place.gpus or 1, place.nodes or 1
    tensor, pipeline = place.tensor_parallel or 1, place.pipeline_parallel or 1
    context = place.context_parallel or 1
    data = max(1, gpus // (tensor * pipeline * context))
    kind = place.data_parallel or (default_kind if data > 1 else "none")
    if megatron and kind == "none" and data * context > 1:
        kind = "zero1"  # its distributed optimizer is the common choice
    if data * context == 1:
        kind = "none"  # nobody to share with
    sequence = place.sequence_parallel
    gbit = network_gbit(place.inter_node_link, gpus // nodes)
    ports = ports_of(place.inter_node_link, card, gpus // nodes)
    return Layout(
        gpus=gpus,
        nodes=nodes,
        tensor=tensor,
        sequence=(megatron if sequence is None else sequence) and tensor > 1,
        pipeline=pipeline,
        chunks=place.virtual_pipeline or 1,
        context=context,
        expert=place.expert_parallel or 1,
        data=data,
        kind=kind,
        shard=_shard_degree(place, kind, data * context, gpus // nodes),
        intra_link=_intra_link(place.intra_node_link, card),
        inter_gbit=gbit * ports if gbit and nodes > 1 else None,
        ports_assumed=ports,
        sockets=nodes > 1 and _over_sockets(place.inter_node_link),
        assumed=tuple(
            name
            for name, value, matters in (
                ("gpus", place.gpus, True),
                ("data_parallel", place.data_parallel, data > 1),
                ("sequence_parallel", sequence, tensor > 1),
                ("inter_node_link", place.inter_node_link, nodes > 1),
            )
            if value is None and matters
        ),
    )


def _shard_degree(place: Placement, kind: str, replicas: int, per_node: int) -> int:
    if kind not in _SHARDED:
        return 1
    # Hybrid sharding keeps one whole copy of the states in every node.
    whole = min(replicas, max(1, per_node)) if kind == "hsdp" else replicas
    if place.shard_degree is None:
        return whole
    return place.shard_degree


def _intra_link(text: str | None, card: Accelerator | None) -> str:
    """`nvswitch`, `nvlink`, `nvlink-bridge`, `xgmi` or `pcie`: as said, else what the card has."""
    own = card.link if card else "pcie"
    word = (text or "").lower()
    if not word:
        return "pcie" if own == "nvlink-bridge" else own  # a bridge is bought apart
    if "pci" in word:
        return "pcie"
    if "bridge" in word:
        return "nvlink-bridge"
    if "switch" in word:
        return "nvswitch"
    if "xgmi" in word or "infinity" in word:
        return "xgmi"
    if "nvlink" in word:
        return own if own != "pcie" else "nvlink-bridge"
    return own


def ports_of(text: str | None, card: Accelerator | None, gpus_per_node: int) -> int:
    """How many adapters a node has where a text names one port of an RDMA fabric.

    "400 Gb/s RoCE" is said of nodes with an adapter for each GPU, as baseboards have them; a count,
    a word about the node, or more than any port has mean that the text tells all.
    """
    word = (text or "").lower()
    if card is None or card.link not in ("nvswitch", "xgmi") or not _FABRIC.search(word):
        return 1
    one = network_gbit(text, 1)
    said = re.search(r"\d\s*x|(per |/)(node|gpu)", word)
    return gpus_per_node if one and one <= _PORT_GBIT and not said else 1


def _over_sockets(text: str | None) -> bool:
    word = (text or "").lower()
    return bool(_SOCKETS.search(word)) and not _FABRIC.search(word)


def network_gbit(text: str | None, gpus_per_node: int) -> float | None:
    """Gbit/s of a node's network out of free text ("8x400G", "200 Gb/s per GPU"), else None."""
    word = (text or "").lower().strip()
    found = _GBIT.search(word) or _TBIT.search(word)
    if found:
        gbit = float(found.group(2)) * float(found.group(1) or 1)
        gbit *= 1000 if found.re is _TBIT else 1
        return gbit * gpus_per_node if re.search(r"(per |/)gpu", word) else gbit
    return next((gbit for name, gbit in _NAMED_GBIT.items() if name in word), None)
