"""The programme of runs as tables and sentences: the series, planned cycles, the price of speed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.estimation.presenters.methods import hardware_text
from apps.estimation.texts import code_word, sentences
from apps.estimation.wording.parameters import rate_text

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRow:
    """`what` says which runs, `about` what is changed from one to the next; the rest are texts."""

    what: str
    about: str
    runs: str
    hours: str
    gpu_hours: str
    total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRow:
    """One time limit and what meets it; `hardware` says so where nothing does."""

    target: str
    hardware: str
    link: str = ""
    storage: str = ""
    power: str = ""
    effort: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgrammeView:
    """`cycle` is one sentence with a verdict, empty for training that is not repeated."""

    conclusion: str
    rows: tuple[SeriesRow, ...]
    lines: tuple[str, ...]
    speed: tuple[SpeedRow, ...]
    cycle: str = ""
    cycle_verdict: str = "unknown"


def programme_of(result: Block) -> ProgrammeView | None:
    """None where the length of a run is not known, and for an older result."""
    block = result.get("programme")
    if not block:
        return None
    cycle = block["cycle"]
    return ProgrammeView(
        conclusion=_conclusion(block),
        rows=tuple(_rows(block)),
        lines=tuple(sentences(block["messages"])),
        speed=tuple(_speed(row) for row in block["speed"]),
        cycle=_cycle(cycle) if cycle else "",
        cycle_verdict=cycle["verdict"] if cycle else "unknown",
    )


def _conclusion(block: Block) -> str:
    pattern = (
        _("The whole series on %(variant)s: %(gpu_hours)s, with an assumed number of experiments.")
        if block["assumed_experiments"]
        else _("The whole series on %(variant)s: %(gpu_hours)s.")
    )
    total = formatting.span_text(block["total_gpu_hours"], "GPU_h")
    return pattern % {"variant": block["variant"], "gpu_hours": total}


def _rows(block: Block) -> Iterator[SeriesRow]:
    words = {
        "experiments": (
            pgettext("runs", "Experiments"),
            _("data: what is in it and how it is cleaned; settings: learning rate, rank, batch"),
        ),
        "final": (pgettext("runs", "The final run"), _("settings that won, all of the data")),
        "repeats": (pgettext("runs", "Repeats"), _("failures, checks, another seed")),
    }
    for row in block["rows"]:
        what, about = words[row["kind"]]
        yield SeriesRow(
            what=what,
            about=about,
            runs=formatting.span_text(row["runs"]) if row["runs"] else "",
            hours=formatting.span_text(row["hours"], "h"),
            gpu_hours=formatting.span_text(row["gpu_hours"], "GPU_h"),
        )
    parallel = block["parallel_runs"]
    yield SeriesRow(
        what=pgettext("runs", "In all"),
        about=_("runs at the same time: %(count)s") % {"count": formatting.number(parallel)},
        runs="",
        hours=formatting.span_text(block["total_hours"], "h"),
        gpu_hours=formatting.span_text(block["total_gpu_hours"], "GPU_h"),
        total=True,
    )


def _speed(row: Block) -> SpeedRow:
    target = formatting.estimate(row["target_hours"], "h")
    if row["platform"] is None:
        return SpeedRow(target=target, hardware=_("nothing in the catalog is fast enough"))
    nodes = row["nodes"]
    hardware = hardware_text(row)
    if nodes > 1:
        hardware = f"{hardware}, {formatting.quantity(nodes, 'nodes')}"
    return SpeedRow(
        target=target,
        hardware=hardware,
        link=_link(row),
        storage=rate_text(row["read_gb_per_s"]) if row["read_gb_per_s"] else "",
        power=formatting.range_text(row["load_kw"], "kW"),
        effort={
            "one-gpu": _("nothing to set up between GPUs"),
            "node": _("a layout over the GPUs of one node"),
            "cluster": _("a network, a scheduler and a person who runs a cluster"),
        }[row["effort"]],
    )


def _link(row: Block) -> str:
    if row["gpus"] == 1:
        return pgettext("link", "none is needed")
    inside = code_word("link", row["link"]) if row["link"] else ""
    if row["nodes"] == 1:
        return inside
    return _("%(link)s and a fast network between nodes") % {"link": inside}


def _cycle(cycle: Block) -> str:
    said = {
        "hours": formatting.span_text(cycle["hours"], "h"),
        "reserve": formatting.percent(cycle["reserve_ratio"]),
        "share": formatting.percent(1.0 if cycle["share_ratio"] is None else cycle["share_ratio"]),
    }
    text = _(
        "The heaviest planned cycle, %(share)s of the data, takes %(hours)s with %(reserve)s in reserve."
    )
    if cycle["every_hours"] is None:
        return text % said
    every = formatting.quantity(cycle["every_hours"], "h")
    return f"{text % said} " + _("The next one begins in %(every)s.") % {"every": every}
