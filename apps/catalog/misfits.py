"""What does not go into a server, and why: by the same rules as a calculation's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.catalog.compatibility_words import COMPATIBILITY
from apps.catalog.models import Kind
from apps.core import formatting
from apps.sizing.compatibility import Finding, Proposal, check
from apps.sizing.compatibility_rules import takes
from apps.sizing.facts import Accelerator, Catalog, Server

_MOST_NAMED: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """Things of one kind that do not go in for one reason; `instead` are servers that take them.

    `more` others are not named.
    """

    kind: str
    names: tuple[str, ...]
    reason: str
    source: str
    instead: tuple[str, ...] = ()
    more: int = 0


def misfits_of(sku: str, catalog: Catalog) -> list[Misfit]:
    """What the rules refuse in the server; nothing for what is no server of the catalog."""
    server = catalog.servers.get(sku)
    if server is None:
        return []
    return [*_accelerators(server, catalog), *_processors(server, catalog)]


def _accelerators(server: Server, catalog: Catalog) -> Iterator[Misfit]:
    """Those nearest to what goes in first; of a large catalog the rest is counted only."""
    families = {catalog.accelerators[name].family for name in server.accelerators}
    cards = sorted(catalog.accelerators.values(), key=lambda card: card.family not in families)
    named = 0
    for place, card in enumerate(cards):
        refusals = check(Proposal(server=server.sku, accelerator=card.id), catalog).refusals
        if not refusals:
            continue
        yield _refused(card, refusals[0])
        named += 1
        if named == _MOST_NAMED:
            # What the server is not known to take is always refused.
            more = sum(not takes(server, other.id) for other in cards[place + 1 :])
            yield Misfit(kind=Kind.ACCELERATOR, names=(), reason="", source="", more=more)
            return


def _refused(card: Accelerator, refusal: Finding) -> Misfit:
    names = {name: _word(name, value, card) for name, value in refusal.message.params.items()}
    return Misfit(
        kind=Kind.ACCELERATOR,
        names=(card.id,),
        reason=str(COMPATIBILITY[refusal.message.key]) % names,
        source=refusal.source.source,
        instead=refusal.servers,
    )


def _word(name: str, value: object, card: Accelerator) -> str:
    if name == "accelerator":
        return card.name
    if isinstance(value, int | float):
        unit = "W" if name.endswith("_w") else ""
        return formatting.quantity(value, unit)
    return str(value)


def _processors(server: Server, catalog: Catalog) -> Iterator[Misfit]:
    """One line a socket: a processor of another one never goes in."""
    needs = server.extra.get("cpu_socket")
    sockets = dict.fromkeys(cpu.socket for cpu in catalog.processors.values())
    for socket in sockets if needs else ():
        if socket == needs:
            continue
        others = [cpu for cpu in catalog.processors.values() if cpu.socket == socket]
        yield Misfit(
            kind=Kind.CPU,
            names=tuple(cpu.id for cpu in others[:_MOST_NAMED]),
            more=max(0, len(others) - _MOST_NAMED),
            reason=_("the socket is %(has)s, the server needs %(needs)s")
            % {"has": socket, "needs": needs},
            source=_rule_of(server, others[0].id, catalog),
        )


def _rule_of(server: Server, cpu: str, catalog: Catalog) -> str:
    """The source of the rule that refuses the processor."""
    card = next(iter(server.accelerators), next(iter(catalog.accelerators)))
    found = check(Proposal(server=server.sku, accelerator=card, cpu=cpu), catalog)
    return next(f.source.source for f in found.refusals if f.rule == "socket")
