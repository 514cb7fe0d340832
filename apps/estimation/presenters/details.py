"""«How it was computed»: the lines, tables and sentences behind one part of a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.charts import Drawing
from apps.core import formatting
from apps.core.verdict_words import verdict_word
from apps.estimation.presenters.detail_lines import (
    Line,
    backup_lines,
    energy_lines,
    line_of,
    network_lines,
    save_lines,
    supply_lines,
)
from apps.estimation.presenters.detail_tables import (
    Table,
    cycle_table,
    exchange_table,
    feeds_table,
    memory_table,
    power_table,
    scaling_table,
    volumes_table,
)
from apps.estimation.presenters.scaling import scaling_drawing
from apps.estimation.texts import code_word, sentences
from apps.estimation.wording.parameters import rate_text
from apps.estimation.wording.schemes import scheme_text

__all__ = ["Detail", "Line", "Table", "detail_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """Everything behind one part; any of it may be empty. The last table is of the `drawing`."""

    lines: tuple[Line, ...] = ()
    drawing: Drawing | None = None
    tables: tuple[Table, ...] = ()
    sentences: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = field(default=())

    @property
    def empty(self) -> bool:
        return not (self.lines or self.tables or self.sentences or self.assumptions)


Block = Mapping[str, Any]

# Said once for all platforms but true of one; the lines of each platform say it for its own.
_OF_ONE_PLATFORM: Final = frozenset(
    {"interconnect.assumption.link", "interconnect.assumption.scheme"}
)


def detail_of(part: str, block: Block | None, result: Mapping[str, Any]) -> Detail:
    """What stands behind `part` of a variant; `result` gives the assumptions of its estimator."""
    said = [
        message
        for message in result.get("assumptions", ())
        if message.get("estimator") == part and message["key"] not in _OF_ONE_PLATFORM
    ]
    assumptions = tuple(sentences(said))
    if block is None or part not in _BUILDERS or _bare(part, block):
        return Detail(assumptions=assumptions)
    built = _BUILDERS[part](block)
    curve = result.get("scaling") if part == "interconnect" else None
    return Detail(
        lines=tuple(built.lines),
        drawing=scaling_drawing(curve) if curve else None,
        tables=(*built.tables, scaling_table(curve)) if curve else built.tables,
        sentences=(*built.sentences, *(sentences(curve["messages"]) if curve else ())),
        assumptions=assumptions,
    )


def _bare(part: str, block: Block) -> bool:
    """An estimator that could say only why it cannot."""
    return part != "interconnect" and block.get("reason") is not None


def _causes(block: Block) -> Iterable[str]:
    for cause, swing in (block.get("causes") or {}).items():
        if swing >= _WORTH_SAYING:
            yield _("The range holds a doubt, %(cause)s: up to %(share)s.") % {
                "cause": code_word("cause", cause),
                "share": formatting.percent(swing),
            }


_WORTH_SAYING: Final = 0.02


def _memory(block: Block) -> Detail:
    lines = [
        line_of(_("Phase of the peak"), code_word("phase", block["phase"])),
        line_of(
            _("Allocated by the framework"), formatting.range_text(block["allocated_gib"], "GiB")
        ),
        line_of(_("Held by its allocator"), formatting.range_text(block["reserved_gib"], "GiB")),
        line_of(_("Shown by nvidia-smi"), formatting.range_text(block["device_gib"], "GiB")),
    ]
    if block.get("capacity_gib") is not None:
        lines.append(line_of(_("The card has"), formatting.quantity(block["capacity_gib"], "GiB")))
    return Detail(
        lines=tuple(lines), tables=(memory_table(block),), sentences=tuple(_causes(block))
    )


def _time(block: Block) -> Detail:
    lines = [line_of(_("Optimizer step"), formatting.duration(block["step_s"]))]
    if block.get("tokens_per_s_per_gpu"):
        rate = formatting.range_text(block["tokens_per_s_per_gpu"], "tokens_per_s")
        lines.append(line_of(_("Rate of one GPU"), rate))
    lines += [
        line_of(_("Samples a second"), formatting.range_text(block["samples_per_s"])),
        line_of(_("Utilisation (MFU)"), formatting.percent(block["mfu"])),
        line_of(_("Exchange that nothing hides"), formatting.percent(block["communication_share"])),
        line_of(_("Waiting for data"), formatting.percent(block["data_share"])),
        line_of(_("The bottleneck"), code_word("bound_by", block["bound_by"])),
    ]
    cycle = block.get("cycle")
    if cycle is not None:
        lines.append(line_of(_("Steps"), formatting.approximate(cycle["steps"])))
    return Detail(
        lines=tuple(lines),
        tables=(cycle_table(cycle),) if cycle else (),
        sentences=tuple(_causes(block)),
    )


def _interconnect(block: Block) -> Detail:
    said = tuple(sentences([block["reason"], *(block.get("advice") or ())]))
    if not block["bytes_per_step"].get("total"):
        return Detail(sentences=said)
    lines = [
        line_of(_("Scheme"), scheme_text(block["scheme"])),
        line_of(_("Link"), code_word("link", block["link"])),
        line_of(_("Rate of the link"), rate_text(block["link_gb_per_s"])),
        line_of(_("Exchange alone"), formatting.duration(block["time_per_step_s"])),
        line_of(_("Not hidden"), formatting.duration(block["exposed_s"])),
        line_of(_("Share of the step"), formatting.percent(block["communication_share"])),
        line_of(
            _("Step over PCIe, times as long"), formatting.approximate(block["step_pcie_ratio"])
        ),
    ]
    lines += network_lines(block)
    return Detail(lines=tuple(lines), tables=(exchange_table(block),), sentences=said)


def _storage(block: Block) -> Detail:
    lines = list(_checkpoint_lines(block.get("checkpoint")))
    read, save, drives = block.get("read"), block.get("save"), block.get("drives") or {}
    if read:
        lines.append(line_of(_("Reading"), rate_text(read["gb_per_s"])))
    if save:
        lines += [
            line_of(_("Writing"), rate_text(save["write_gb_per_s"])),
            line_of(_("One save takes"), formatting.duration(save["save_s"])),
        ]
        lines += save_lines(save)
    lines += backup_lines(block.get("backup"))
    for name in ("dataset", "checkpoints"):
        if drives.get(name):
            label = _("Drives, %(volume)s") % {"volume": code_word("volume", name).lower()}
            lines.append(line_of(label, formatting.range_text(drives[name])))
    return Detail(
        lines=tuple(lines),
        tables=tuple(volumes_table(volume) for volume in block.get("volumes", ())),
        sentences=tuple(sentences(block.get("advice", ()))),
    )


def _checkpoint_lines(checkpoint: Block | None) -> Iterable[Line]:
    if checkpoint is None:
        return
    yield line_of(_("A full checkpoint"), formatting.range_text(checkpoint["full_gb"], "GB"))
    yield line_of(_("Finished weights"), formatting.range_text(checkpoint["final_gb"], "GB"))
    saved = checkpoint.get("saved_gb")
    if saved and saved != checkpoint["full_gb"]:
        yield line_of(_("What is saved each time"), formatting.range_text(saved, "GB"))
    chosen = code_word("save_class", checkpoint["save_class"]["class"])
    yield line_of(_("Class of the volume"), chosen)


def _rack(block: Block) -> Detail:
    power, cooling, space = block["power"], block["cooling"], block["space"]
    lines = [
        line_of(_("Heat to carry away"), formatting.range_text(cooling["heat_kw"], "kW")),
        *_cooling_lines(cooling),
        *_space_lines(space),
        *supply_lines(power.get("supplies")),
        *energy_lines(block.get("energy")),
    ]
    return Detail(
        lines=tuple(lines),
        tables=(power_table(power), feeds_table(power)),
        sentences=tuple(sentences(block.get("advice", ()))),
    )


def _cooling_lines(cooling: Block) -> Iterable[Line]:
    if cooling.get("airflow_m3_per_h"):
        air = formatting.range_text(cooling["airflow_m3_per_h"])
        yield line_of(_("Air, m³/h"), air)
    methods = [code_word("cooling_method", m) for m in cooling.get("sufficient_methods", ())]
    if methods:
        yield line_of(_("Cooling that is enough"), ", ".join(methods))
    yield line_of(_("Cooling of the site"), verdict_word(cooling["verdict"]))


def _space_lines(space: Block) -> Iterable[Line]:
    if space.get("reason"):
        return
    yield line_of(_("Room"), formatting.quantity(space["rack_units"], "U"))
    if space.get("depth_mm"):
        yield line_of(_("Depth"), formatting.range_text(space["depth_mm"], "mm"))
    yield line_of(_("Weight of a node"), formatting.range_text(space["node_kg"], "kg"))
    if space.get("tile_kg"):
        yield line_of(_("On one tile of the floor"), formatting.range_text(space["tile_kg"], "kg"))
    for key, label in (
        ("units_verdict", _("Free units")),
        ("depth_verdict", _("Depth of the rack")),
        ("weight_verdict", _("Load on the floor")),
    ):
        yield line_of(label, verdict_word(space[key]))


def _host(block: Block) -> Detail:
    lines = [
        line_of(_("Cores of a node"), formatting.range_text(block["cores"])),
        line_of(_("Cores a GPU"), formatting.range_text(block["cores_per_gpu"])),
    ]
    if block.get("ram_gb"):
        lines += [
            line_of(_("RAM of a node"), formatting.range_text(block["ram_gb"], "GB")),
            line_of(_("RAM to GPU memory"), formatting.range_text(block["ram_to_vram_ratio"])),
        ]
    names = ", ".join(f"{p['sockets']}× {p['name']}" for p in block.get("processors", ()))
    if names:
        lines.append(line_of(_("Processors that suit"), names))
    for choice in block.get("dimms", ()):
        label = _("Modules, %(purpose)s") % {
            "purpose": code_word("dimm_purpose", choice["purpose"])
        }
        lines.append(line_of(label, _dimms(choice)))
    return Detail(lines=tuple(lines), sentences=tuple(sentences(block.get("advice", ()))))


def _dimms(choice: Block) -> str:
    module = formatting.quantity(choice["module_gb"], "GB")
    total = formatting.quantity(choice["total_gb"], "GB")
    return pgettext("memory modules", "%(count)s × %(module)s = %(total)s") % {
        "count": choice["count"],
        "module": module,
        "total": total,
    }


_BUILDERS: Final[Mapping[str, Callable[[Block], Detail]]] = {
    "memory": _memory,
    "time": _time,
    "interconnect": _interconnect,
    "storage": _storage,
    "rack": _rack,
    "host": _host,
}
