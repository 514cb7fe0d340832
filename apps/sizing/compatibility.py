"""What may stand together: accelerator, chassis, processors, memory, power supplies.

A refusal names its rule, the reason, the source and the nearest pair that is valid. Nothing here
ever confirms a delivery: a concrete part number is confirmed by the supplier's document only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from apps.sizing.compatibility_rules import (
    BOARD_FORM_FACTORS,
    RULES,
    Finding,
    Proposal,
    Rule,
    Severity,
    nearest_accelerators,
    seen_in,
    servers_taking,
    takes,
)
from apps.sizing.estimators.host_memory import ratio_status
from apps.sizing.estimators.network import islands
from apps.sizing.estimators.node import channels_of, power_of
from apps.sizing.estimators.power_supplies import psu_scheme
from apps.sizing.facts import Catalog, Server
from apps.sizing.messages import Message, Parameter
from apps.sizing.platform import Platform
from apps.sizing.task import Placement, Task

__all__ = ["RULES", "Compatibility", "Finding", "Proposal", "Rule", "check"]


@dataclass(frozen=True, slots=True)
class Compatibility:
    """All findings about one proposal."""

    findings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Nothing refuses it. Warnings and things to confirm may remain."""
        return not any(f.severity == "refused" for f in self.findings)

    @property
    def refusals(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity == "refused")


def check(proposal: Proposal, catalog: Catalog) -> Compatibility:
    """Apply every rule to `proposal`. What the proposal does not say is not judged.

    Raises:
        KeyError: the server or the accelerator is not in the catalog.
    """
    return Compatibility(tuple(f for rule in _CHECKS for f in rule(proposal, catalog)))


def _found(rule: str, severity: Severity, key: str, **params: Parameter) -> Finding:
    return Finding(rule, severity, Message(f"compatibility.{key}", params))


def _form_factor(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server, card = proposal.server_in(catalog), proposal.accelerator_in(catalog)
    board = server.extra.get("gpu_form_factor")
    modules = card.form_factor in BOARD_FORM_FACTORS
    fits = card.form_factor == board if modules else board == "pcie"
    if fits or takes(server, card.id):
        return
    yield Finding(
        rule="form-factor",
        severity="refused",
        message=Message(
            "compatibility.form-factor.module" if modules else "compatibility.form-factor.card",
            {"accelerator": card.id, "server": server.sku, "takes": board},
        ),
        servers=servers_taking(card, proposal.gpus, catalog),
        accelerators=nearest_accelerators(card, server, catalog),
    )


def _listed(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server, card = proposal.server_in(catalog), proposal.accelerator_in(catalog)
    modules = card.form_factor in BOARD_FORM_FACTORS
    if card.id in seen_in(server):
        yield _found("seen", "confirm", "seen", accelerator=card.id, server=server.sku)
    if takes(server, card.id) or modules != (
        server.extra.get("gpu_form_factor") in BOARD_FORM_FACTORS
    ):
        return
    yield Finding(
        rule="listed",
        severity="refused",
        message=Message("compatibility.listed", {"accelerator": card.id, "server": server.sku}),
        servers=servers_taking(card, proposal.gpus, catalog),
        accelerators=nearest_accelerators(card, server, catalog),
    )


def _count(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server, card = proposal.server_in(catalog), proposal.accelerator_in(catalog)
    gpus = proposal.gpus
    if gpus is None:
        return
    if card.form_factor in BOARD_FORM_FACTORS:
        if gpus not in server.gpu_counts:
            board = max(server.gpu_counts)
            yield _found(
                "fixed-count", "refused", "fixed-count", gpus=gpus, server=server.sku, board=board
            )
        return
    widths = server.extra.get("gpu_counts_by_width") or {}
    width = str(card.extra.get("slot_width") or 2)
    most = int(widths.get(width, max(server.gpu_counts)))
    if gpus > most:
        yield _found(
            "card-places", "refused", "card-places", gpus=gpus, server=server.sku, most=most
        )


def _card_power(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server, card = proposal.server_in(catalog), proposal.accelerator_in(catalog)
    ceiling = server.extra.get("gpu_max_w")
    if ceiling is not None and card.tdp_w is not None and card.tdp_w > ceiling:
        yield _found(
            "card-power",
            "refused",
            "card-power",
            accelerator=card.id,
            card_w=card.tdp_w,
            limit_w=ceiling,
        )


def _bridges(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    card = proposal.accelerator_in(catalog)
    gpus = proposal.gpus or 1
    if card.form_factor in BOARD_FORM_FACTORS or gpus < 2:
        return
    if card.link == "pcie":
        yield _found("no-nvlink", "warning", "no-nvlink", accelerator=card.id, gpus=gpus)
        return
    sizes = islands(gpus, card.link_domain_gpus)
    if len(sizes) > 1:
        sketch = "+".join(str(size) for size in sizes)
        yield _found("islands", "warning", "islands", accelerator=card.id, islands=sketch)
    yield _found("bridges", "confirm", "bridges", accelerator=card.id, island_gpus=sizes[0])


def _supplies(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server = proposal.server_in(catalog)
    if proposal.gpus is None or server.psu_count is None or server.psu_w is None:
        return
    platform = Platform(
        key="",
        server=server.sku,
        accelerator=proposal.accelerator,
        gpus=proposal.gpus,
        nodes=1,
        placement=Placement(),
    )
    power = power_of(Task(), platform, catalog)
    if power is None:
        return
    scheme = psu_scheme(
        server.psu_count,
        server.psu_w,
        power.output_peak_w,
        maker_needs=server.psu_needed,
        feeds=None,
    )
    params: dict[str, Parameter] = {
        "count": scheme.count,
        "supply_w": scheme.watts,
        "needed": scheme.needed,
        "spare": scheme.spare,
    }
    if not scheme.carries_load:
        yield Finding("supplies", "refused", Message("compatibility.supplies.too-weak", params))
    elif not scheme.n_plus_n:
        yield Finding("supplies", "warning", Message("compatibility.supplies.no-n-plus-n", params))
    if server.psu_needed is None:
        yield _found("supplies", "confirm", "supplies.ask-scheme", server=server.sku)


def _processors(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server = proposal.server_in(catalog)
    if proposal.cpus is not None and proposal.cpus != server.cpu_sockets:
        yield _found(
            "sockets-filled",
            "refused",
            "sockets-filled",
            cpus=proposal.cpus,
            sockets=server.cpu_sockets,
            server=server.sku,
        )
    cpu = catalog.processors.get(proposal.cpu) if proposal.cpu else None
    socket = server.extra.get("cpu_socket")
    if cpu is None or socket is None:
        return
    if cpu.socket != socket:
        yield _found(
            "socket",
            "refused",
            "socket",
            cpu=cpu.name,
            has=cpu.socket,
            needs=socket,
            server=server.sku,
        )
    ceiling = server.extra.get("cpu_max_tdp_w")
    if ceiling is not None and cpu.tdp_w is not None and cpu.tdp_w > ceiling:
        yield _found(
            "cpu-power", "refused", "cpu-power", cpu=cpu.name, cpu_w=cpu.tdp_w, limit_w=ceiling
        )


def _memory(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server = proposal.server_in(catalog)
    dimms = proposal.dimms
    if dimms is None:
        return
    if server.dimm_slots is not None and dimms > server.dimm_slots:
        yield _found(
            "dimm-slots",
            "refused",
            "dimm-slots",
            dimms=dimms,
            slots=server.dimm_slots,
            server=server.sku,
        )
        return
    even = channels_of(server) * server.cpu_sockets
    if dimms not in (even, 2 * even):
        yield _found(
            "dimm-population", "warning", "dimm-population", dimms=dimms, one=even, two=2 * even
        )
    elif dimms == 2 * even:
        yield from _slower_memory(server)
    yield from _memory_ratio(proposal, catalog)


def _slower_memory(server: Server) -> Iterator[Finding]:
    one, two = (server.extra.get(f"memory_speed_{n}dpc_mts") for n in (1, 2))
    if one is not None and two is not None and two < one:
        yield _found("dimm-population", "warning", "dimm-slower", one_mts=one, two_mts=two)


def _memory_ratio(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    if proposal.dimms is None or proposal.module_gb is None or proposal.gpus is None:
        return
    ram_gb = proposal.dimms * proposal.module_gb
    card_gb = proposal.accelerator_in(catalog).memory_gb
    vram_gb = proposal.gpus * card_gb
    figures: dict[str, Parameter] = {"ram_gb": ram_gb, "gpus": proposal.gpus, "card_gb": card_gb}
    if ratio_status(ram_gb, vram_gb) == "below-vram":
        yield _found("ram-ratio", "warning", "ram-below-vram", **figures)


_CHECKS: Final[tuple[Callable[[Proposal, Catalog], Iterator[Finding]], ...]] = (
    _form_factor,
    _listed,
    _count,
    _card_power,
    _bridges,
    _supplies,
    _processors,
    _memory,
)
