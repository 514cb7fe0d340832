"""A platform with what every estimator said of it: what the variants are chosen from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.sizing.cases import resolve_case
from apps.sizing.estimators.node import accelerator_of, is_module
from apps.sizing.evidence import gaps_of, measured_card
from apps.sizing.facts import Catalog
from apps.sizing.joined import joined
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.verdicts import Verdict, worst

Blocks = Mapping[str, dict[str, Any] | None]
# Order of smallness: nodes, power of the GPUs, W, their memory, GB, and the key to break a tie.
Size = tuple[int, float, float, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """`blocks` by estimator key, None where it failed or had nothing to say.

    `measured`: runs of this kind on this card ship with the engine, which was checked
    against them; `measured_card`: runs of some kind on this card do. `module`: the GPUs are a
    board rather than cards.
    """

    platform: Platform
    blocks: Blocks
    size: Size
    module: bool
    measured: bool
    measured_card: bool

    @property
    def memory_verdict(self) -> Verdict:
        return _verdict(self.blocks.get("memory"))

    @property
    def time_verdict(self) -> Verdict:
        cycle = (self.blocks.get("time") or {}).get("cycle")
        return _verdict(cycle)

    @property
    def rack_verdict(self) -> Verdict:
        return _verdict(self.blocks.get("rack"))

    @property
    def storage_verdict(self) -> Verdict:
        return _verdict(self.blocks.get("storage"))

    @property
    def hours(self) -> Range | None:
        """Hours of the cycle the task asks for; None when there is no length to it."""
        cycle = (self.blocks.get("time") or {}).get("cycle")
        return Range.from_dict(cycle["hours"]) if cycle else None

    @property
    def seconds_per_sample(self) -> float | None:
        """How fast it is, whatever the length of the run; None without a time."""
        rate = (self.blocks.get("time") or {}).get("samples_per_s")
        return 1 / rate["typical"] if rate and rate["typical"] > 0 else None

    @property
    def free_slots(self) -> int:
        growth = (self.blocks.get("rack") or {}).get("growth") or {}
        return growth.get("free_gpu_slots") or 0

    def overall(self, *, placed: bool) -> Verdict:
        """Memory, deadline and, where it has to stand on the client's site, the rack.

        What is not known of the deadline or the site does not hide what is known of the rest.
        """
        optional = [self.time_verdict, *([self.rack_verdict] if placed else [])]
        return worst([self.memory_verdict, *(v for v in optional if v != "unknown")])


def size_of(platform: Platform, catalog: Catalog) -> Size:
    """How small a platform is; there are no prices here, so the power of its GPUs stands for it."""
    card = accelerator_of(platform, catalog)
    watts = platform.gpus * (card.tdp_w or 0.0) if card else 0.0
    gigabytes = platform.gpus * card.memory_gb if card else 0.0
    return platform.nodes, watts, gigabytes, platform.key


def candidates_of(
    task: Task,
    catalog: Catalog,
    platforms: tuple[Platform, ...],
    outputs: Mapping[str, Mapping[str, Any] | None],
) -> tuple[Candidate, ...]:
    """One candidate a platform, in the platforms' order."""
    return tuple(_candidate(task, catalog, p, outputs) for p in platforms)


def _candidate(
    task: Task,
    catalog: Catalog,
    platform: Platform,
    outputs: Mapping[str, Mapping[str, Any] | None],
) -> Candidate:
    card = accelerator_of(platform, catalog)
    blocks = {
        key: ((output or {}).get("platforms") or {}).get(platform.key)
        for key, output in outputs.items()
    }
    return Candidate(
        platform=platform,
        blocks=joined(task, catalog, platform, blocks),
        size=size_of(platform, catalog),
        module=card is not None and is_module(card),
        measured=is_measured(task, catalog, platform),
        measured_card=card is not None and measured_card(card, catalog.calibration),
    )


def is_measured(task: Task, catalog: Catalog, platform: Platform) -> bool:
    """Whether published runs stand behind this kind of run on this platform."""
    if platform.accelerator not in catalog.accelerators:
        return False
    case = resolve_case(task, platform.placement, catalog)
    return case is not None and not gaps_of(case)


def _verdict(block: Mapping[str, Any] | None) -> Verdict:
    found: Verdict = (block or {}).get("verdict") or "unknown"
    return found
