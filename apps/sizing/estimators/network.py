"""The wires around an exchange: islands of NVLink in a node, cards and switches between nodes.

No maker's fabric is recommended: what it has to carry is worked out, which one carries it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from apps.sizing.cases import Case
from apps.sizing.messages import Message, Parameter
from apps.sizing.ranges import Range
from apps.sizing.timing.links import usual_network_gbit

# A network card's port, Gbit/s; the ports of one common switch of that speed.
_PORT_GBIT: Final = 400
_SWITCH_PORTS: Final = 64
# Nodes up to which a network of each shape does (DGX SuperPOD reference architecture, H100).
_ONE_SWITCH_NODES: Final = 8
_BITS: Final = 8


def islands(gpus: int, island_gpus: int) -> tuple[int, ...]:
    """Sizes of the NVLink islands that `gpus` cards form; single cards are islands of one."""
    whole, rest = divmod(gpus, max(1, island_gpus))
    return (max(1, island_gpus),) * whole + ((rest,) if rest else ())


def node_islands(case: Case) -> list[int]:
    """Islands of one node; empty where the cards have no link of their own or one GPU stands."""
    gpus = case.layout.gpus_per_node
    if gpus < 2 or not case.card.extra.get("link_gb_per_s"):
        return []
    return list(islands(gpus, case.card.link_domain_gpus))


def network_block(case: Case, constants: Mapping[str, Range]) -> dict[str, Any] | None:
    """What a node has towards the others; None for one node.

    `line_gb_per_s` is the rate of all its cards together one way, `reached_gb_per_s` what
    collectives of large messages reach of it, `card_count` cards of 400 Gbit/s at most.
    """
    layout = case.layout
    if layout.nodes == 1:
        return None
    gbit = layout.inter_gbit or usual_network_gbit(case)
    line = gbit / _BITS
    count = max(1, math.ceil(gbit / _PORT_GBIT))
    reached = constants["network.wire_efficiency_collective"] * line
    return {
        "gbit_per_s": gbit,
        "card_count": count,
        "line_gb_per_s": line,
        "reached_gb_per_s": reached.as_dict(),
        "gpus_per_card": layout.gpus_per_node / count,
        "port_count": count * layout.nodes,
        "stated": layout.inter_gbit is not None,
    }


def network_advice(
    case: Case, found: Sequence[int], network: Mapping[str, Any] | None
) -> Iterator[Message]:
    """How the nodes are to be wired, and what the islands `found` in a node hold apart."""
    if len(found) > 1:
        params: dict[str, Parameter] = {
            "islands": "+".join(str(size) for size in found),
            "gpus": sum(found),
        }
        yield Message("interconnect.advice.islands", params)
    if network is None:
        return
    nodes = case.layout.nodes
    ports: dict[str, Parameter] = {"port_count": network["port_count"], "nodes": nodes}
    if nodes == 2:
        yield Message("interconnect.advice.two-nodes", ports)
    elif nodes <= _ONE_SWITCH_NODES and network["port_count"] <= _SWITCH_PORTS:
        yield Message("interconnect.advice.one-switch", ports)
    else:
        yield Message("interconnect.advice.several-switches", ports)
    if case.layout.sockets:
        yield Message("interconnect.advice.sockets")
    else:
        yield Message("interconnect.advice.rdma")
