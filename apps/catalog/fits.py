"""What stands in what, with the reason, and whether anybody measured it.

From the engine's own values, so that a card says what a calculation would. Nothing here confirms
a delivery: a part number is confirmed by the supplier's document only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.catalog.models import Item, Kind
from apps.catalog.releases import Contents
from apps.catalog.values import value_text
from apps.core import formatting
from apps.sizing.compatibility_rules import BOARD_FORM_FACTORS, seen_in
from apps.sizing.evidence import measured_card
from apps.sizing.facts import Accelerator, Catalog, Processor, Server

_USUAL_WIDTH: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The other half of a pair. `seen`: it ran there, but is not on the maker's list."""

    kind: str
    slug: str
    name: str
    reason: str
    source: str = ""
    seen: bool = False


def fits_of(item: Item, contents: Contents) -> list[Fit]:
    """What goes together with the item, in the catalog's order."""
    of_kind = _FITS.get(item.kind)
    return list(of_kind(item.slug, contents)) if of_kind else []


def _of_server(slug: str, contents: Contents) -> Iterator[Fit]:
    server = contents.catalog.servers.get(slug)
    if server is None:
        return
    for name in (*server.accelerators, *seen_in(server)):
        card = contents.catalog.accelerators[name]
        yield _pair(server, card, contents, shown=(Kind.ACCELERATOR, card.id, card.name))
    for cpu in contents.catalog.processors.values():
        if cpu.socket == server.extra.get("cpu_socket"):
            yield Fit(kind=Kind.CPU, slug=cpu.id, name=cpu.name, reason=_socket_reason(server, cpu))


def _of_accelerator(slug: str, contents: Contents) -> Iterator[Fit]:
    card = contents.catalog.accelerators.get(slug)
    if card is None:
        return
    for server in contents.catalog.servers.values():
        if slug in server.accelerators or slug in seen_in(server):
            yield _pair(server, card, contents, shown=_as_server(server))


def _of_processor(slug: str, contents: Contents) -> Iterator[Fit]:
    cpu = contents.catalog.processors.get(slug)
    if cpu is None:
        return
    for server in contents.catalog.servers.values():
        if server.extra.get("cpu_socket") == cpu.socket:
            kind, slug, name = _as_server(server)
            yield Fit(kind=kind, slug=slug, name=name, reason=_socket_reason(server, cpu))


_FITS: Final[Mapping[str, Callable[[str, Contents], Iterator[Fit]]]] = {
    Kind.SERVER: _of_server,
    Kind.ACCELERATOR: _of_accelerator,
    Kind.CPU: _of_processor,
}


def _as_server(server: Server) -> tuple[str, str, str]:
    return Kind.SERVER, server.sku, server.extra["name"]


def _pair(
    server: Server, card: Accelerator, contents: Contents, *, shown: tuple[str, str, str]
) -> Fit:
    """The pair as the half `shown` (kind, slug, name) of it."""
    kind, slug, name = shown
    seen = card.id not in server.accelerators
    key = "accelerators_seen" if seen else "accelerators"
    facts = contents.rows[server.sku]["facts"]
    stated = next(f for f in facts if f["key"] == key and not f.get("superseded"))
    return Fit(
        kind=kind,
        slug=slug,
        name=name,
        reason=f"{_places(server, card)}; {_exchange(card)}",
        source=stated["source"],
        seen=seen,
    )


def _places(server: Server, card: Accelerator) -> str:
    """How many of them the server takes."""
    if card.form_factor in BOARD_FORM_FACTORS:
        counts = ", ".join(map(formatting.number, server.gpu_counts))
        return _("one board, number of modules: %(counts)s") % {"counts": counts}
    by_width = server.extra.get("gpu_counts_by_width") or {}
    width = str(card.extra.get("slot_width") or _USUAL_WIDTH)
    most = int(by_width.get(width, max(server.gpu_counts)))
    return ngettext("up to %(count)s card", "up to %(count)s cards", most) % {"count": most}


def _exchange(card: Accelerator) -> str:
    if card.link == "pcie":
        return _("no NVLink, exchange over PCIe")
    if card.link == "nvlink-bridge":
        size = card.link_domain_gpus
        text = ngettext(
            "NVLink bridges join %(count)s card", "NVLink bridges join %(count)s cards", size
        )
        return text % {"count": size}
    return value_text(card.link, "", "link")


def _socket_reason(server: Server, cpu: Processor) -> str:
    ceiling_w = server.extra.get("cpu_max_tdp_w")
    if ceiling_w is not None and cpu.tdp_w is not None and cpu.tdp_w > ceiling_w:
        return _("the same socket %(socket)s, but %(cpu)s over the limit of %(limit)s") % {
            "socket": cpu.socket,
            "cpu": formatting.quantity(cpu.tdp_w, "W"),
            "limit": formatting.quantity(ceiling_w, "W"),
        }
    return _("the same socket %(socket)s") % {"socket": cpu.socket}


def is_measured(item: Item, catalog: Catalog) -> bool | None:
    """Whether runs on it were measured; None for what a run is not measured on."""
    if item.kind == Kind.ACCELERATOR:
        return _measured(item.slug, catalog)
    if item.kind == Kind.SERVER:
        server = catalog.servers.get(item.slug)
        return any(_measured(name, catalog) for name in server.accelerators) if server else None
    return None


def _measured(slug: str, catalog: Catalog) -> bool:
    card = catalog.accelerators.get(slug)
    return card is not None and measured_card(card, catalog.calibration)
