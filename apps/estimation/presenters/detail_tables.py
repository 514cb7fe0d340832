"""Tables behind a part of a result, in the shape of `partials/ledger.html`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.core.rounding import exponent
from apps.estimation.texts import accelerator_name, code_word, component_name, in_order

Block = Mapping[str, Any]
_MOST_DECIMALS: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`head` and `rows` as `partials/ledger.html` takes them."""

    caption: str
    head: list[dict[str, Any]]
    rows: list[dict[str, Any]]


def _ends() -> list[str]:
    return [
        pgettext("range", "low"),
        pgettext("range", "typ."),
        pgettext("range", "high"),
    ]


def _head(first: str, *others: str) -> list[dict[str, Any]]:
    return [{"text": first}, *({"text": text, "right": True} for text in others)]


def _row(head: str, *texts: str, total: bool = False) -> dict[str, Any]:
    return {
        "head": head,
        "cells": [{"text": text, "right": True} for text in texts],
        "total": total,
    }


def _range_cells(source: Any, unit_count: int = 3) -> tuple[str, ...]:
    """The three figures, rounded alike."""
    texts = formatting.range_texts(source)
    return texts or (formatting.not_given(),) * unit_count


def _decimals(value: float) -> int:
    """Decimals of a figure, one at most; negative where its last digits are zeros."""
    exponent_found = Decimal(repr(value)).normalize().as_tuple().exponent
    return min(_MOST_DECIMALS, -int(exponent_found)) if value else _MOST_DECIMALS


def _parts_and_sum(parts: Sequence[float]) -> tuple[list[str], str]:
    """Texts of parts and of their sum: no digit that the largest part does not have."""
    largest, total = max(parts, default=0.0), sum(parts)
    decimals = _decimals(largest)
    coarser = exponent(total) - exponent(largest)
    texts = [_at_least(value, decimals) for value in parts]
    return texts, formatting.number(total, decimals - coarser)


def _at_least(value: float, decimals: int) -> str:
    """A part at the precision of the whole; one that would read nought, as less than its least."""
    least = 10.0**-decimals
    if 0 < value < least / 2:
        return _("less than %(value)s") % {"value": formatting.number(least, max(decimals, 0))}
    return formatting.number(value, decimals)


def memory_table(block: Block) -> Table:
    """The parts of the peak phase, which sum to the typical allocated figure."""
    parts = dict(in_order("component", block["components_gib"]))
    texts, total = _parts_and_sum(list(parts.values()))
    rows = [_row(component_name(name), text) for name, text in zip(parts, texts, strict=True)]
    return Table(
        caption=_("Memory by parts at the peak, GiB, typical"),
        head=_head(_("Part"), _ends()[1]),
        rows=[*rows, _row(_("In all"), total, total=True)],
    )


def cycle_table(cycle: Block) -> Table:
    """Hours of the cycle by part, typical."""
    parts = {name: hours for name, hours in in_order("cycle_part", cycle["parts_hours"]) if hours}
    texts, total = _parts_and_sum(list(parts.values()))
    rows = [
        _row(code_word("cycle_part", name), text) for name, text in zip(parts, texts, strict=True)
    ]
    return Table(
        caption=_("The cycle by parts, hours, typical"),
        head=_head(_("Part"), _ends()[1]),
        rows=[*rows, _row(_("In all"), total, total=True)],
    )


def exchange_table(block: Block) -> Table:
    """Bytes one GPU sends in a step, by purpose."""
    sizes = block["bytes_per_step"]
    return Table(
        caption=_("Exchange of one GPU in a step"),
        head=_head(_("What"), _("Volume")),
        rows=[
            _row(code_word("exchange", name), formatting.byte_size(size), total=name == "total")
            for name, size in in_order("exchange", sizes)
            if size > 0
        ],
    )


def volumes_table(volume: Block) -> Table:
    """What lies on one volume."""
    name = code_word("volume", volume["key"])
    rows = [
        _row(code_word("volume_part", part), *_range_cells(size))
        for part, size in in_order("volume_part", volume["parts_gb"])
    ]
    return Table(
        caption=_("Volume “%(name)s”, GB") % {"name": name},
        head=_head(name, *_ends()),
        rows=[*rows, _row(_("In all"), *_range_cells(volume["capacity_gb"]), total=True)],
    )


def power_table(power: Block) -> Table:
    """Typical power of the whole platform by part, kW."""
    rows = [
        _row(code_word("power_part", name), formatting.number(kilowatts, 2))
        for name, kilowatts in in_order("power_part", power["parts_kw"])
    ]
    total = formatting.number(sum(power["parts_kw"].values()), 2)
    return Table(
        caption=_("Power at the peak by parts, kW, typical"),
        head=_head(_("Part"), _("kW")),
        rows=[*rows, _row(_("In all"), total, total=True)],
    )


def feeds_table(power: Block) -> Table:
    """The load of one feed in each case, against the feed."""
    return Table(
        caption=_("Load of one feed, kW"),
        head=[{"text": _("Case")}, {"text": _("kW"), "right": True}, {"text": _("Verdict")}],
        rows=list(_cases(power.get("cases", ()))),
    )


def _cases(cases: Iterable[Block]) -> Iterable[dict[str, Any]]:
    for case in cases:
        yield {
            "head": code_word("feed_case", case["case"]),
            "cells": [
                {"text": formatting.range_text(case["per_feed_kw"]), "right": True},
                {"state": case["verdict"]},
            ],
        }


def scaling_table(curve: Block) -> Table:
    """From the fewest GPUs of one card to several nodes: how much faster, how much of it each."""
    return Table(
        caption=_("More GPUs of %(accelerator)s")
        % {"accelerator": accelerator_name(curve["accelerator"])},
        head=_head(_("GPUs"), _("Samples a second"), _("Efficiency"), _("The same over PCIe")),
        rows=[_scaling_row(row) for row in curve["rows"]],
    )


def _scaling_row(row: Block) -> dict[str, Any]:
    gpus = formatting.quantity(row["gpus"], "gpus")
    if row["nodes"] > 1:
        nodes = formatting.quantity(row["nodes"], "nodes")
        gpus = pgettext("GPUs", "%(gpus)s, %(nodes)s") % {"gpus": gpus, "nodes": nodes}
    over_pcie = formatting.percent(row["pcie_efficiency"])
    return _row(
        gpus,
        formatting.range_text(row["samples_per_s"]),
        formatting.percent(row["efficiency"]),
        over_pcie if row["nodes"] == 1 else "–",
    )
