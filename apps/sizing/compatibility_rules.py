"""The rules of compatibility as rows, and the catalog queries behind their alternatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from apps.sizing.facts import Accelerator, Catalog, NetworkCard, Processor, Server
from apps.sizing.messages import Message

# GPUs that exist only on an indivisible board; everything else is a card in a slot.
BOARD_FORM_FACTORS: Final = frozenset({"sxm", "oam"})
# What a refusal may give other numbers of.
COUNTED: Final = ("gpus", "cpus", "dimms", "nics")
_SHOWN: Final = 3
_ALL: Final = 10_000
_USUAL_WIDTH: Final = 2
_AVAILABILITY: Final = ("current", "reference", "legacy")


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a rule comes from. `confidence` as in the catalog's facts."""

    source: str
    source_url: str
    confidence: str


_HGX: Final = Rule(
    "NVIDIA HGX platform", "https://www.nvidia.com/en-us/data-center/hgx/", "derived"
)
_521GE: Final = Rule(
    "Supermicro SYS-521GE-TNRT datasheet",
    "https://www.supermicro.com/en/products/system/gpu/5u/sys-521ge-tnrt",
    "datasheet",
)
_H200: Final = Rule(
    "NVIDIA H200 datasheet", "https://www.nvidia.com/en-us/data-center/h200/", "datasheet"
)
_821GE: Final = Rule(
    "Supermicro SYS-821GE-TNHR product page",
    "https://www.supermicro.com/en/products/system/gpu/8u/sys-821ge-tnhr",
    "secondary",
)
_ISLANDS: Final = Rule(
    "Logs of a SYS-521GE-TNRT with eight H200 NVL (2026-07-31)",
    "https://github.com/Czyszka/nanoserve-mini/tree/ea27445/results",
    "measurement",
)
_MLPERF: Final = Rule(
    "MLPerf system registry", "https://github.com/mlcommons/inference_results_v4.1", "secondary"
)
_GUIDE: Final = Rule(
    "NVIDIA-Certified configuration guide",
    "https://docs.nvidia.com/certification-programs/nvidia-certified-configuration-guide/index.html",
    "secondary",
)

_NICS: Final = Rule(
    "BlueField-3 firmware: compatible products; Lenovo LP1809",
    "https://docs.nvidia.com/networking/display/bluefield3firmwarev32432402lts/firmware+compatible+products",
    "datasheet",
)

RULES: Final[Mapping[str, Rule]] = {
    "form-factor": _HGX,
    "listed": _821GE,
    "seen": _MLPERF,
    "fixed-count": _HGX,
    "card-places": _521GE,
    "card-power": _521GE,
    "thermal": _521GE,
    "no-nvlink": _H200,
    "islands": _ISLANDS,
    "bridges": _521GE,
    "supplies": _521GE,
    "sockets-filled": _521GE,
    "socket": _821GE,
    "cpu-power": _821GE,
    "dimm-slots": _821GE,
    "dimm-population": _821GE,
    "dimm-speed": _821GE,
    "ram-ratio": _GUIDE,
    "nic-slots": _521GE,
    "nic-connector": _NICS,
    "nic-power": _NICS,
}

Severity = Literal["refused", "warning", "confirm"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule says. A refusal names the nearest that would be valid: servers, accelerators,
    processors or network cards, each of these alone enough, or `counts` of one of `COUNTED`."""

    rule: str
    severity: Severity
    message: Message
    servers: tuple[str, ...] = ()
    accelerators: tuple[str, ...] = ()
    processors: tuple[str, ...] = ()
    network_cards: tuple[str, ...] = ()
    counted: str = ""
    counts: tuple[int, ...] = ()

    @property
    def source(self) -> Rule:
        return RULES[self.rule]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What somebody would put together. `cpu` and `nic` are catalog ids, `cpus` and `nics` their
    numbers; `module_mts` is the speed printed on a memory module, `optics` the connector of the
    modules or cables for the network cards."""

    server: str
    accelerator: str
    gpus: int | None = None
    cpu: str | None = None
    cpus: int | None = None
    dimms: int | None = None
    module_gb: float | None = None
    module_mts: float | None = None
    nic: str | None = None
    nics: int | None = None
    optics: str | None = None

    def server_in(self, catalog: Catalog) -> Server:
        return catalog.servers[self.server]

    def accelerator_in(self, catalog: Catalog) -> Accelerator:
        return catalog.accelerators[self.accelerator]


def known_facts(server: Server) -> int:
    """How much is known of a server: what we can stand behind comes first."""
    fields = (
        server.depth_mm,
        server.weight_kg,
        server.dimm_slots,
        server.nvme_bays,
        server.psu_count,
        server.psu_w,
        server.psu_needed,
        server.max_input_w,
    )
    return sum(f is not None for f in fields) + len(server.extra)


def stands_on(form_factor: str, board: str | None) -> bool:
    """Whether a GPU of the form factor stands on such a board, or goes into such slots."""
    return form_factor == board if form_factor in BOARD_FORM_FACTORS else board == "pcie"


def takes(server: Server, accelerator: str) -> bool:
    """Whether the accelerator is on the server's list, or was seen running in it."""
    return accelerator in server.accelerators or accelerator in seen_in(server)


def seen_in(server: Server) -> tuple[str, ...]:
    """Accelerators that ran in the server without being on the maker's current list."""
    return tuple(server.extra.get("accelerators_seen") or ())


def servers_taking(
    card: Accelerator, gpus: int | None, catalog: Catalog, most: int = _SHOWN
) -> tuple[str, ...]:
    """SKUs that take `gpus` of the card: those sold today and best known first."""
    taking = [
        server
        for server in catalog.servers.values()
        if takes(server, card.id) and (gpus is None or gpus in server.gpu_counts)
    ]
    taking.sort(key=lambda server: (card.id in seen_in(server), *_preference(server)))
    return tuple(server.sku for server in taking[:most])


def _preference(server: Server) -> tuple[int, int, str]:
    availability = server.extra.get("availability")
    order = _AVAILABILITY.index(availability) if availability in _AVAILABILITY else 0
    return order, -known_facts(server), server.sku


def nearest_accelerators(card: Accelerator, server: Server, catalog: Catalog) -> tuple[str, ...]:
    """Accelerators the server takes, nearest to `card` by family, then by memory."""
    taken = [catalog.accelerators[a] for a in server.accelerators if a in catalog.accelerators]
    taken.sort(key=lambda a: (a.family != card.family, abs(a.memory_gb - card.memory_gb), a.id))
    return tuple(a.id for a in taken[:_SHOWN])


def most_of(card: Accelerator, server: Server) -> int:
    """How many of the card the server has places for."""
    widths = server.extra.get("gpu_counts_by_width") or {}
    width = str(card.extra.get("slot_width") or _USUAL_WIDTH)
    return int(widths.get(width, max(server.gpu_counts)))


def servers_with_places(card: Accelerator, gpus: int, catalog: Catalog) -> tuple[str, ...]:
    """SKUs that take the card and have places for so many, the smallest of them first."""
    found = [catalog.servers[sku] for sku in servers_taking(card, None, catalog, most=_ALL)]
    enough = [server for server in found if most_of(card, server) >= gpus]
    enough.sort(key=lambda server: most_of(card, server))
    return tuple(server.sku for server in enough[:_SHOWN])


def servers_with_socket(card: Accelerator, socket: str, catalog: Catalog) -> tuple[str, ...]:
    """SKUs that take the card and processors of the socket."""
    found = servers_taking(card, None, catalog, most=_ALL)
    fitting = [s for s in found if catalog.servers[s].extra.get("cpu_socket") == socket]
    return tuple(fitting[:_SHOWN])


def servers_feeding(card: Accelerator, watts: float, catalog: Catalog) -> tuple[str, ...]:
    """SKUs that take the card and state that a place gives it so much."""
    found = servers_taking(card, None, catalog, most=_ALL)
    fitting = [s for s in found if (catalog.servers[s].extra.get("gpu_max_w") or 0) >= watts]
    return tuple(fitting[:_SHOWN])


def nearest_processors(cpu: Processor, server: Server, catalog: Catalog) -> tuple[str, ...]:
    """Processors of the server's socket within its limit, nearest to `cpu` by cores."""
    socket, limit_w = (server.extra.get(key) for key in ("cpu_socket", "cpu_max_tdp_w"))
    fitting = [
        other
        for other in catalog.processors.values()
        if other.socket == (socket or cpu.socket)
        and (limit_w is None or other.tdp_w is None or other.tdp_w <= limit_w)
    ]
    fitting.sort(key=lambda other: (abs(other.cores - cpu.cores), other.id))
    return tuple(other.id for other in fitting[:_SHOWN])


def nearest_network_cards(nic: NetworkCard, connector: str, catalog: Catalog) -> tuple[str, ...]:
    """Network cards with the connector, nearest to `nic` by all their ports together."""
    fitting = [other for other in catalog.network_cards.values() if other.connector == connector]
    rate = nic.ports * nic.port_gbps
    fitting.sort(key=lambda other: (abs(other.ports * other.port_gbps - rate), other.id))
    return tuple(other.id for other in fitting[:_SHOWN])
