"""Bandwidth between the GPUs of a layout."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from apps.sizing.calibration import LinkRow
from apps.sizing.cases import Case
from apps.sizing.units import GB


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Bytes per second a GPU can exchange.

    `intra` inside a node, `network` through the adapters of a node (None with one node), `group`
    for the ranks that share data-parallel traffic. `latency_s` is of one collective among them.
    `kind` names the link inside the node, `low` and `high` are factors on every bandwidth here.
    """

    intra: float
    network: float | None
    group: float
    crosses_nodes: bool
    latency_s: float
    kind: str
    low: float
    high: float

    def scaled(self, factor: float) -> Links:
        """The same links with every bandwidth times `factor`."""
        if factor == 1.0:
            return self
        network = None if self.network is None else self.network * factor
        return replace(self, intra=self.intra * factor, network=network, group=self.group * factor)


def links_of(case: Case, intra_bytes_per_s: float | None = None) -> Links:
    """Links of `case`; what nobody states is the custom of the card's family.

    `intra_bytes_per_s` stands in for the link inside a node.
    """
    layout, constants = case.layout, case.constants
    kind, row = _row_of(case)
    own = case.card.extra.get("link_gb_per_s") or 0.0
    intra = intra_bytes_per_s
    if intra is None:
        intra = (row.ratio * own if row.ratio is not None and own else row.gb_per_s or 0.0) * GB
    network = None
    if layout.nodes > 1:
        gbit = layout.inter_gbit or usual_network_gbit(case)
        network = gbit / 8 * constants["collective.network_ratio"] * GB
    crosses = _group_crosses_nodes(case)
    group = intra
    if crosses and network is not None:
        share = min(1.0, _group_ranks_per_node(case) / layout.gpus_per_node)
        group = min(intra, network * share)
    latency = constants["collective.latency_us"] * 1e-6 if layout.data > 1 else 0.0
    return Links(
        intra=intra,
        network=network,
        group=group,
        crosses_nodes=crosses,
        latency_s=latency * (1 + 0.5 * math.log2(layout.nodes)),
        kind=kind,
        low=row.low,
        high=row.high,
    )


def _row_of(case: Case) -> tuple[str, LinkRow]:
    """The row of the link that the ranks of one node use among themselves."""
    rows, card, layout = case.calibration.links, case.card, case.layout
    kind = layout.intra_link
    if kind == "nvlink-bridge" and layout.gpus_per_node > max(2, card.link_domain_gpus):
        kind = "pcie"  # a bridge joins pairs or fours; a larger group meets at the host
    if kind != "pcie" and not card.extra.get("link_gb_per_s"):
        kind = "pcie"
    if kind == "pcie":
        path = "pcie" if card.extra.get("peer_access", True) else "pcie-host"
        return kind, rows[f"{path}/{card.pcie_generation or 4}"]
    return kind, rows.get(f"{kind}/{card.family}", rows[kind])


def usual_network_gbit(case: Case) -> float:
    """What a node of such cards usually has: one adapter a GPU on baseboards, one or two else."""
    if case.card.form_factor in ("pcie", "nvl"):
        return min(case.family.network_gbit, case.constants["network.pcie_gbit"])
    if case.card.form_factor == "nvl72":
        return case.constants["network.superchip_gbit"]
    return case.family.network_gbit


def linked_gpus(case: Case) -> int:
    """GPUs that the card's own link joins: those of a node, of the whole rack where it goes on
    from tray to tray (NVL72)."""
    layout, card = case.layout, case.card
    if card.form_factor == "nvl72" and layout.intra_link == "nvswitch":
        return max(layout.gpus_per_node, card.link_domain_gpus)
    return layout.gpus_per_node


def _group_crosses_nodes(case: Case) -> bool:
    layout, linked = case.layout, linked_gpus(case)
    if layout.gpus <= linked:
        return False
    inner = layout.tensor * layout.pipeline
    in_node = linked // max(1, inner if inner <= linked else layout.tensor)
    return layout.replicas > max(1, in_node)


def _group_ranks_per_node(case: Case) -> int:
    """Ranks of one data-parallel group that share a node, and with it the node's adapters."""
    layout = case.layout
    inner = layout.tensor * (layout.pipeline if layout.nodes == 1 else 1)
    return max(1, layout.gpus_per_node // max(1, inner))


def host_link_bytes_per_s(case: Case) -> float:
    """What a GPU moves to or from pinned host memory while its neighbours do too."""
    generation = case.card.pcie_generation or 4
    return case.constants[f"offload.pcie.{min(6, max(3, generation))}"] * GB


def exchange_s(case: Case, sent_bytes: float, message_bytes: float, bandwidth: float) -> float:
    """Seconds for `sent_bytes` of a collective over a message of that size.

    A message reaches half of the bandwidth at `collective.half_bytes`.
    """
    if sent_bytes <= 0:
        return 0.0
    half = case.constants["collective.half_bytes"]
    return sent_bytes / bandwidth * (1.0 + half / message_bytes)
