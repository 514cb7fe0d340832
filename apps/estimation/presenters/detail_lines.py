"""Lines behind a part of a result that pages and documents share: supplies, energy, saves, wires.

A result kept from an earlier engine may lack any of them: such a line is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.estimation.texts import code_word
from apps.estimation.wording.parameters import rate_text

Block = Mapping[str, Any]

_HOUR_S: Final = 3600
# Fewer rewrites a day wear no drive that is sold.
_WORTH_SAYING_WRITES: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One intermediate figure: what it is, and the figure with its unit."""

    label: str
    value: str


def line_of(label: str, value: str) -> Line:
    return Line(label=label, value=value)


def supply_lines(supplies: Block | None) -> Iterator[Line]:
    """The power supplies of a node: scheme, what a loss does, outlets."""
    if supplies is None:
        return
    yield line_of(
        _("Power supplies"),
        _("%(count)s × %(power)s, needed: %(needed)s")
        % {
            "count": supplies["count"],
            "power": formatting.power(supplies["watts"]),
            "needed": supplies["needed"],
        },
    )
    if supplies["spare"] > 0:
        yield line_of(_("Scheme of the supplies"), scheme_of_supplies(supplies))
    for key, label in (
        ("on_supply_loss", _("When a supply is lost")),
        ("on_feed_loss", _("When a feed is lost")),
    ):
        if supplies.get(key):
            yield line_of(label, code_word("after_loss", supplies[key]))
    yield from _outlet_lines(supplies)


def scheme_of_supplies(supplies: Block) -> str:
    """4+2; a scheme whose halves each carry everything is N+N whatever is needed of it."""
    scheme = f"{supplies['needed']}+{supplies['spare']}"
    if not supplies["n_plus_n"]:
        return scheme
    return pgettext("power supplies", "%(scheme)s, half of them carries everything (N+N)") % {
        "scheme": scheme
    }


def _outlet_lines(supplies: Block) -> Iterator[Line]:
    if supplies.get("outlet"):
        said = {
            "count": formatting.number(supplies["outlets_per_feed"]),
            "outlet": supplies["outlet"],
            "current": formatting.estimate(supplies["supply_amps"], "A"),
        }
        yield line_of(
            _("Outlets on each feed"),
            _("%(count)s × %(outlet)s, up to %(current)s each on a breaker of its own") % said,
        )
    if supplies.get("phase_amps"):
        current = formatting.estimate(supplies["phase_amps"], "A")
        yield line_of(_("Fullest phase with one feed left"), current)


def energy_lines(energy: Block | None) -> Iterator[Line]:
    """Kilowatt-hours of a run and of a year; money is the client's own tariff to tell."""
    if energy is None:
        return
    yield line_of(_("Energy of one run"), formatting.range_text(energy["run_kwh"], "kWh"))
    if energy["year_kwh"]:
        yield line_of(_("Energy of a year"), formatting.range_text(energy["year_kwh"], "kWh"))
        room = formatting.range_text(energy["room_year_kwh"], "kWh")
        yield line_of(_("The same with the usual losses of a room"), room)


def backup_lines(backup: Block | None) -> Iterator[Line]:
    """A copy elsewhere, and how long it takes to bring it back."""
    if backup is None:
        return
    yield line_of(_("Backup"), formatting.range_text(backup["volume_gb"], "GB"))
    seconds = {end: hours * _HOUR_S for end, hours in backup["recovery_hours"].items()}
    yield line_of(_("Time to bring it back"), formatting.duration(seconds))


def save_lines(save: Block) -> Iterator[Line]:
    """How often to save, what it loses, and how it wears the drives."""
    yield from interval_lines(save)
    if save.get("lost_ratio") is not None:
        label = _("Lost to saves and failures at the interval advised")
        yield line_of(label, formatting.percent(save["lost_ratio"]))
    writes = save["drive_writes_per_day"]
    if writes >= _WORTH_SAYING_WRITES:
        label = _("Rewrites of the checkpoint volume a day")
        yield line_of(label, formatting.approximate(writes))


def interval_lines(save: Block) -> Iterator[Line]:
    """How often to save, and what the stated interval costs."""
    if save.get("interval_hours"):
        yield line_of(_("Save every, at most"), formatting.estimate(save["interval_hours"], "h"))
    stated = save.get("stated")
    if stated:
        yield line_of(_("As stated, every"), formatting.estimate(stated["interval_hours"], "h"))
        label = _("Share of the time such saves take")
        yield line_of(label, formatting.percent(stated["stall_ratio"]))


def network_lines(block: Block) -> Iterable[Line]:
    """Islands inside a node, cards and what they reach between nodes."""
    found = block.get("islands") or []
    if len(found) > 1:
        yield line_of(_("NVLink islands of a node"), " + ".join(str(size) for size in found))
    network = block.get("network")
    if network:
        said = {
            "count": formatting.number(network["card_count"]),
            "line": formatting.quantity(network["gbit_per_s"], "Gbit_per_s"),
        }
        yield line_of(_("Network of a node"), _("%(line)s, cards: %(count)s") % said)
        yield line_of(_("Reached by large messages"), rate_text(network["reached_gb_per_s"]))
    elif block.get("network_gbit_per_s"):
        network_text = formatting.quantity(block["network_gbit_per_s"], "Gbit_per_s")
        yield line_of(_("Network of a node"), network_text)
