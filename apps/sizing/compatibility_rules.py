"""The rules of compatibility as rows, and the catalog queries behind their alternatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from apps.sizing.facts import Accelerator, Catalog, Server
from apps.sizing.messages import Message

# GPUs that exist only on an indivisible board; everything else is a card in a slot.
BOARD_FORM_FACTORS: Final = frozenset({"sxm", "oam"})
_SHOWN: Final = 3
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

RULES: Final[Mapping[str, Rule]] = {
    "form-factor": _HGX,
    "listed": _821GE,
    "seen": _MLPERF,
    "fixed-count": _HGX,
    "card-places": _521GE,
    "card-power": _521GE,
    "no-nvlink": _H200,
    "islands": _ISLANDS,
    "bridges": _521GE,
    "supplies": _521GE,
    "sockets-filled": _521GE,
    "socket": _821GE,
    "cpu-power": _821GE,
    "dimm-slots": _821GE,
    "dimm-population": _821GE,
    "ram-ratio": _GUIDE,
}

Severity = Literal["refused", "warning", "confirm"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule says. A refusal may name servers and accelerators that would be valid."""

    rule: str
    severity: Severity
    message: Message
    servers: tuple[str, ...] = ()
    accelerators: tuple[str, ...] = ()

    @property
    def source(self) -> Rule:
        return RULES[self.rule]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What somebody would put together. `cpu` is a catalog id, `cpus` their number."""

    server: str
    accelerator: str
    gpus: int | None = None
    cpu: str | None = None
    cpus: int | None = None
    dimms: int | None = None
    module_gb: float | None = None

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
