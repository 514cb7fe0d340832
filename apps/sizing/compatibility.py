"""What may stand together: accelerator, chassis, processors, memory, power supplies.

A refusal names its rule, the reason, the source and the nearest pair that is valid. Nothing here
ever confirms a delivery: a concrete part number is confirmed by the supplier's document only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from apps.sizing.compatibility_rules import (
    BOARD_FORM_FACTORS,
    RULES,
    Finding,
    Proposal,
    Rule,
    Severity,
    most_of,
    nearest_accelerators,
    nearest_network_cards,
    nearest_processors,
    seen_in,
    servers_feeding,
    servers_taking,
    servers_with_places,
    servers_with_socket,
    stands_on,
    takes,
)
from apps.sizing.estimators.host_memory import ratio_status
from apps.sizing.estimators.network import islands
from apps.sizing.estimators.node import channels_of, power_of
from apps.sizing.estimators.power_supplies import PsuScheme, psu_scheme
from apps.sizing.facts import Catalog, NetworkCard, Processor, Server
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
    if stands_on(card.form_factor, board) or takes(server, card.id):
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
            found = _found(
                "fixed-count", "refused", "fixed-count", gpus=gpus, server=server.sku, board=board
            )
            servers = servers_taking(card, gpus, catalog)
            yield replace(found, counted="gpus", counts=server.gpu_counts, servers=servers)
        return
    most = most_of(card, server)
    if gpus > most:
        found = _found(
            "card-places", "refused", "card-places", gpus=gpus, server=server.sku, most=most
        )
        servers = servers_with_places(card, gpus, catalog)
        yield replace(found, counted="gpus", counts=(most,), servers=servers)


def _card_power(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server, card = proposal.server_in(catalog), proposal.accelerator_in(catalog)
    ceiling = server.extra.get("gpu_max_w")
    if ceiling is not None and card.tdp_w is not None and card.tdp_w > ceiling:
        found = _found(
            "card-power",
            "refused",
            "card-power",
            accelerator=card.id,
            card_w=card.tdp_w,
            limit_w=ceiling,
        )
        yield replace(found, servers=servers_feeding(card, card.tdp_w, catalog))


def _thermal(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    """Every place taken by cards of the hottest class: makers allow that at some inlet temperature
    only, and a chassis' general limit is not that temperature."""
    server, card = proposal.server_in(catalog), proposal.accelerator_in(catalog)
    if card.form_factor in BOARD_FORM_FACTORS or card.tdp_w is None or proposal.gpus is None:
        return
    hot = card.tdp_w >= catalog.constants["cooling.hot_card"].typical
    if hot and proposal.gpus >= most_of(card, server):
        named: dict[str, Parameter] = {"card_w": card.tdp_w, "server": server.sku}
        yield _found("thermal", "confirm", "thermal", gpus=proposal.gpus, **named)


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
    if proposal.gpus is None:
        return
    scheme = _scheme(server, proposal.accelerator, proposal.gpus, catalog)
    if scheme is None:
        return
    params: dict[str, Parameter] = {
        "count": scheme.count,
        "supply_w": scheme.watts,
        "needed": scheme.needed,
        "spare": scheme.spare,
    }
    if not scheme.carries_load:
        yield Finding(
            "supplies",
            "refused",
            Message("compatibility.supplies.too-weak", params),
            counted="gpus",
            counts=_carried(proposal, proposal.gpus, catalog),
        )
    elif not scheme.n_plus_n:
        yield Finding("supplies", "warning", Message("compatibility.supplies.no-n-plus-n", params))
    if server.psu_needed is None:
        yield _found("supplies", "confirm", "supplies.ask-scheme", server=server.sku)


def _scheme(server: Server, accelerator: str, gpus: int, catalog: Catalog) -> PsuScheme | None:
    """How the supplies share the load; None while too little is known of them."""
    if server.psu_count is None or server.psu_w is None:
        return None
    platform = Platform(
        key="",
        server=server.sku,
        accelerator=accelerator,
        gpus=gpus,
        nodes=1,
        placement=Placement(),
    )
    power = power_of(Task(), platform, catalog)
    if power is None:
        return None
    return psu_scheme(
        server.psu_count,
        server.psu_w,
        power.output_peak_w,
        maker_needs=server.psu_needed,
        feeds=None,
    )


def _carried(proposal: Proposal, gpus: int, catalog: Catalog) -> tuple[int, ...]:
    """The most GPUs, fewer than named, that the supplies carry; none when there is no number."""
    server = proposal.server_in(catalog)
    for fewer in sorted((n for n in server.gpu_counts if n < gpus), reverse=True):
        scheme = _scheme(server, proposal.accelerator, fewer, catalog)
        if scheme is not None and scheme.carries_load:
            return (fewer,)
    return ()


def _processors(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server = proposal.server_in(catalog)
    if proposal.cpus is not None and proposal.cpus != server.cpu_sockets:
        found = _found(
            "sockets-filled",
            "refused",
            "sockets-filled",
            cpus=proposal.cpus,
            sockets=server.cpu_sockets,
            server=server.sku,
        )
        yield replace(found, counted="cpus", counts=(server.cpu_sockets,))
    cpu = catalog.processors.get(proposal.cpu) if proposal.cpu else None
    if cpu is not None:
        yield from _processor(cpu, server, proposal, catalog)


def _processor(
    cpu: Processor, server: Server, proposal: Proposal, catalog: Catalog
) -> Iterator[Finding]:
    socket = server.extra.get("cpu_socket")
    if socket is None:
        return
    if cpu.socket != socket:
        found = _found(
            "socket",
            "refused",
            "socket",
            cpu=cpu.name,
            has=cpu.socket,
            needs=socket,
            server=server.sku,
        )
        yield replace(
            found,
            processors=nearest_processors(cpu, server, catalog),
            servers=servers_with_socket(proposal.accelerator_in(catalog), cpu.socket, catalog),
        )
    ceiling = server.extra.get("cpu_max_tdp_w")
    if ceiling is not None and cpu.tdp_w is not None and cpu.tdp_w > ceiling:
        found = _found(
            "cpu-power", "refused", "cpu-power", cpu=cpu.name, cpu_w=cpu.tdp_w, limit_w=ceiling
        )
        yield replace(found, processors=nearest_processors(cpu, server, catalog))


def _memory(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    server = proposal.server_in(catalog)
    yield from _memory_speed(proposal, server)
    dimms = proposal.dimms
    if dimms is None:
        return
    even = channels_of(server) * server.cpu_sockets
    if server.dimm_slots is not None and dimms > server.dimm_slots:
        found = _found(
            "dimm-slots",
            "refused",
            "dimm-slots",
            dimms=dimms,
            slots=server.dimm_slots,
            server=server.sku,
        )
        fitting = tuple(n for n in (even, 2 * even) if n <= server.dimm_slots)
        yield replace(found, counted="dimms", counts=fitting or (server.dimm_slots,))
        return
    if dimms not in (even, 2 * even):
        yield _found(
            "dimm-population", "warning", "dimm-population", dimms=dimms, one=even, two=2 * even
        )
    elif dimms == 2 * even:
        yield from _slower_memory(server)
    yield from _memory_ratio(proposal, catalog)


def _memory_speed(proposal: Proposal, server: Server) -> Iterator[Finding]:
    """A module may be faster than its board, but not make the board faster."""
    most_mts = server.extra.get("memory_speed_1dpc_mts")
    said_mts = proposal.module_mts
    if said_mts is not None and most_mts is not None and said_mts > most_mts:
        yield _found(
            "dimm-speed",
            "warning",
            "dimm-speed",
            said_mts=said_mts,
            most_mts=most_mts,
            server=server.sku,
        )


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


def _network(proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    nic = catalog.network_cards.get(proposal.nic) if proposal.nic else None
    if nic is None:
        return
    if nic.auxiliary_power:
        yield _found("nic-power", "confirm", "nic-power", nic=nic.id)
    if proposal.optics is not None and nic.connector not in (None, proposal.optics):
        found = _found(
            "nic-connector",
            "refused",
            "nic-connector",
            nic=nic.id,
            has=nic.connector,
            needs=proposal.optics,
        )
        cards = nearest_network_cards(nic, proposal.optics, catalog)
        yield replace(found, network_cards=cards)
    yield from _network_slots(nic, proposal, catalog)


def _network_slots(nic: NetworkCard, proposal: Proposal, catalog: Catalog) -> Iterator[Finding]:
    """Slots beside the GPUs. A place for a GPU card that stays empty takes a network card too."""
    server, card = proposal.server_in(catalog), proposal.accelerator_in(catalog)
    beside = server.extra.get("network_slots")
    if beside is None or proposal.nics is None or proposal.gpus is None:
        return
    modules = card.form_factor in BOARD_FORM_FACTORS
    free = 0 if modules else max(0, most_of(card, server) - proposal.gpus)
    slots = beside + free
    needed = proposal.nics * nic.slots
    if needed > slots:
        found = _found(
            "nic-slots",
            "refused",
            "nic-slots",
            nic=nic.id,
            nics=proposal.nics,
            gpus=proposal.gpus,
            needed=needed,
            slots=slots,
            server=server.sku,
        )
        fewer = slots // nic.slots
        yield replace(found, counted="nics", counts=(fewer,) if fewer else ())


_CHECKS: Final[tuple[Callable[[Proposal, Catalog], Iterator[Finding]], ...]] = (
    _form_factor,
    _listed,
    _count,
    _card_power,
    _thermal,
    _bridges,
    _supplies,
    _processors,
    _memory,
    _network,
)
