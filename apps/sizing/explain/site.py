"""Lines of the parts around training: storage, host, rack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from apps.sizing.estimators.checkpoints import checkpoint_sizes
from apps.sizing.estimators.host import host_estimator
from apps.sizing.estimators.node import accelerator_of, installed_gpus, power_of, server_of
from apps.sizing.estimators.power import efficiency_at
from apps.sizing.estimators.rack import rack_estimator
from apps.sizing.estimators.storage import storage_estimator
from apps.sizing.estimators.trained import trained_of
from apps.sizing.explain.derivation import Sheet
from apps.sizing.explain.recorded_site import recorded_count
from apps.sizing.facts import Catalog
from apps.sizing.joined import energy_of
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.units import SECONDS_PER_HOUR

Block = Mapping[str, Any]

_VOLUME_PARTS: Final = {
    "raw": "V_raw",
    "copy": "V_copy",
    "intermediate": "V_mid",
    "tokens": "V_tok",
    "reserve": "V_free",
    "intermediate-states": "V_st",
    "final": "V_fin",
    "in-flight": "V_fly",
}


def storage_lines(sheet: Sheet, task: Task, catalog: Catalog, platform: Platform) -> None:
    """Size of a checkpoint, both volumes by part, rates, time of a save."""

    def add(key: str, mark: str, unit: str, value: float, *, detail: bool = False) -> None:
        sheet.add("storage", key, mark, unit, value, detail=detail)

    _checkpoint(sheet, task, catalog)
    block = storage_estimator(task, catalog, (platform,))["platforms"][platform.key]
    for volume in block["volumes"]:
        name = volume["key"]
        mark = "V_set" if name == "dataset" else "V_ckpt"
        for part, size in volume["parts_gb"].items():
            add(
                f"volume.{name}.{part}",
                _VOLUME_PARTS.get(part, "V_x") + _index(name),
                "gb",
                size["typical"],
            )
        add(f"volume.{name}", mark, "gb", volume["capacity_gb"]["typical"])
    if block.get("total_gb"):
        add("volumes_total", "V_all", "gb", block["total_gb"]["typical"])
    add("read_rate", "R_read", "gb_per_s", block["read"]["gb_per_s"]["typical"])
    backup = block.get("backup")
    if backup:
        add("backup", "V_bak", "gb", backup["volume_gb"]["typical"])
        add("recovery", "t_rec", "hours", backup["recovery_hours"]["typical"])
    save = block.get("save")
    if save:
        add("save_time", "t_sv", "s", save["save_s"]["typical"])
        add("write_rate", "R_wr", "gb_per_s", save["write_gb_per_s"]["typical"])
        add(
            "restart_rate",
            "R_rd",
            "gb_per_s",
            save["restart_read_gb_per_s"]["typical"],
            detail=True,
        )
        add("writes_per_day", "n_dwpd", "", save["drive_writes_per_day"], detail=True)


def _index(volume: str) -> str:
    return "" if volume == "dataset" else "c"


def _checkpoint(sheet: Sheet, task: Task, catalog: Catalog) -> None:
    """The engine sizes a checkpoint from plain counts: the same call with recorded ones."""
    trained = trained_of(task, catalog)
    if trained is None:
        return
    plain = checkpoint_sizes(trained, task.recipe, catalog.constants)
    leaves, counted = sheet.leaves, trained.trained_params
    total = recorded_count(leaves, "params", trained.total_params)
    count = total
    if counted.typical != trained.total_params:
        count = recorded_count(leaves, "trained_params", counted.typical)
    made = replace(
        trained,
        total_params=total,
        trained_params=Range(counted.low, count, counted.high),
    )
    sizes = checkpoint_sizes(made, task.recipe, catalog.constants)
    for key, mark, size, was in (
        ("checkpoint", "C_full", sizes.full_gb, plain.full_gb),
        ("final_weights", "C_fin", sizes.final_gb, plain.final_gb),
    ):
        leaves.tracer.recognise(was.typical, size.typical, always=True)
        sheet.add("storage", key, mark, "gb", size.typical)


def host_lines(sheet: Sheet, task: Task, catalog: Catalog, platform: Platform) -> None:
    """Cores and RAM of a node."""
    block = host_estimator(task, catalog, (platform,))["platforms"][platform.key]
    accelerator = accelerator_of(platform, catalog)

    def add(key: str, mark: str, unit: str, value: float) -> None:
        sheet.add("host", key, mark, unit, value)

    if accelerator is not None:
        installed = installed_gpus(platform, server_of(platform, catalog))
        add("vram", "M_node", "gb", installed * accelerator.memory_gb)
    add("cores", "n_core", "", block["cores"]["typical"])
    if block.get("ram_gb"):
        add("ram", "M_ram", "gb", block["ram_gb"]["typical"])
        add("ram_share", "k_ram", "ratio", block["ram_to_vram_ratio"]["typical"])


def rack_lines(sheet: Sheet, task: Task, catalog: Catalog, platform: Platform) -> None:
    """Power of a node and of the platform, the feed, heat, air, room."""
    block = rack_estimator(task, catalog, (platform,))["platforms"][platform.key]
    node = power_of(task, platform, catalog)
    if node is None or "power" not in block:
        return
    add = partial(sheet.add, "rack")
    parts = node.parts_w
    add("power.gpu", "P_gpu", "w", parts["gpu"])
    add("power.cpu_and_memory", "P_cpu", "w", parts["cpu_and_memory"])
    add("power.drives_and_network", "P_io", "w", parts["drives_and_network"])
    add("power.output", "P_dc", "w", node.output_peak_w.typical)
    server = server_of(platform, catalog)
    if server and server.psu_count and server.psu_w:
        share = node.output_peak_w.typical / (server.psu_count * server.psu_w)
        add("psu_load", "k_psu", "ratio", share, detail=True)
        add("efficiency", "k_eff", "ratio", efficiency_at(share, catalog.constants), detail=True)
    add("power.peak", "P_node", "w", node.peak_w.typical)
    add("power.average", "P_avg", "w", node.average_w.typical)
    add("power.feed", "P_plan", "w", node.feed_w.typical)
    power, cooling, space = block["power"], block["cooling"], block["space"]
    if power["supplies"]:
        add("supply_current", "I_psu", "amps", power["supplies"]["supply_amps"], detail=True)
        phase = power["supplies"]["phase_amps"] or 0.0
        add("phase_current", "I_ph", "amps", phase, detail=True)
    add("load", "P_load", "kw", power["load_kw"]["typical"])
    add("load_high", "P_high", "kw", power["load_kw"]["high"])
    add("required_feed", "P_need", "kw", power["required_feed_kw"])
    add("feed_limit", "P_lim", "kw", power["feed_limit_kw"] or 0.0)
    add("heat", "Q_heat", "kw", cooling["heat_kw"]["typical"], detail=True)
    add("btu", "Q_btu", "btu_per_h", cooling["btu_per_h"]["typical"])
    if cooling.get("airflow_m3_per_h"):
        add("airflow", "V_air", "m3_per_h", cooling["airflow_m3_per_h"]["typical"])
    if space.get("rack_units"):
        _space_lines(sheet, space)


def _space_lines(sheet: Sheet, space: Block) -> None:
    add = partial(sheet.add, "rack")
    add("rack_height", "U", "rack_units", space["rack_units"])
    add("node_mass", "m_node", "kg", space["node_kg"]["typical"])
    add("rack_mass", "m_rack", "kg", space["rack_kg"]["typical"])
    add("tile_mass", "m_tile", "kg", space["tile_kg"]["typical"], detail=True)
    if space.get("depth_mm"):
        add("depth", "l_rack", "mm", space["depth_mm"]["typical"])


def joined_lines(sheet: Sheet, task: Task, catalog: Catalog, platform: Platform) -> None:
    """What two parts say together: the energy of a run, what the stated saves cost."""
    figures = {figure.key: figure.value for figure in sheet.figures}
    hours, average_w = figures.get("hours"), figures.get("power.average")
    if hours is not None and average_w is not None:
        average = Range.exact(average_w / 1000).as_dict()
        cycle = {"scope": _scope(task, figures), "hours": Range.exact(hours).as_dict()}
        rack = {"power": {"node_kw": {"average": average}}}
        energy = energy_of(task, catalog, platform, rack, {"cycle": cycle})
        for key, mark, name in (("energy_run", "E_run", "run"), ("energy_year", "E_year", "year")):
            used = energy[f"{name}_kwh"] if energy else None
            sheet.add("rack", key, mark, "kwh", used["typical"] if used else 0.0)
    step_s, save_s = figures.get("step"), figures.get("save_time")
    every = task.recipe.save_every_steps
    if step_s is not None and save_s is not None and every:
        interval_s = (step_s + figures.get("wait", 0.0)) * every
        sheet.add("storage", "save_interval", "t_int", "hours", interval_s / SECONDS_PER_HOUR)
        sheet.add("storage", "save_share", "k_sv", "share", save_s / interval_s)


def _scope(task: Task, figures: Mapping[str, float]) -> str:
    """What the hours are of: an epoch only where one is asked for and its length was known."""
    stated = task.recipe.steps is not None and figures.get("steps") == task.recipe.steps
    return "epoch" if task.cycle.scope == "epoch" and not stated else "run"
