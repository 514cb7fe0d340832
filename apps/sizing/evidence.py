"""How well a case is covered by measured runs, and what to add to a range where it is not.

Each row is a kind of run without measurements behind it. Its widths are relative half-widths of a
90 % range, added as independent causes; any row that applies makes the estimate "not validated".
Source of the widths: what the general formulas, without the framework's own row, missed on
published runs (median 15 %, 90th percentile 42 %), and spreads between careful teams.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.sizing.calibration import Calibration
from apps.sizing.cases import LOW_PRECISIONS, Case
from apps.sizing.facts import Accelerator
from apps.sizing.settling_kinds import ONLINE_STAGES

_PREFERENCE_STAGES: Final = frozenset({"dpo", "kto", "orpo", "rm"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A kind of run nobody measured; `reason` names the sentence that says so."""

    reason: str
    applies: Callable[[Case], bool]
    memory_width: float = 0.0
    time_width: float = 0.0


@lru_cache(maxsize=64)
def gaps_of(case: Case) -> tuple[Gap, ...]:
    """The gaps that apply to `case`, in the order of the table."""
    return tuple(gap for gap in _GAPS if gap.applies(case))


def combined(widths: Iterable[float]) -> float:
    """Independent relative widths together."""
    return math.sqrt(sum(width * width for width in widths))


@dataclass(frozen=True, slots=True)
class Covered:
    """Accelerators and frameworks of the runs that ship with the engine, `timed_cards` of those
    with a time of their step."""

    cards: frozenset[str]
    timed_cards: frozenset[str]
    frameworks: frozenset[str]


@lru_cache(maxsize=8)
def covered_by(calibration: Calibration) -> Covered:
    """What the shipped runs cover: the one place that says what was measured."""
    runs = [r for r in calibration.evidence if r.memory_gib is not None or r.step_s is not None]
    return Covered(
        cards=frozenset(run.accelerator for run in runs),
        timed_cards=frozenset(run.accelerator for run in runs if run.step_s is not None),
        frameworks=frozenset(run.framework for run in runs),
    )


def measured_card(card: Accelerator, calibration: Calibration) -> bool:
    """Whether a run on this very card ships. Its family is no proof: other cards of it run at
    another power, and constants fitted to runs that do not ship cannot be checked."""
    return card.id in covered_by(calibration).cards


def _unnamed_framework(case: Case) -> bool:
    return case.framework is None


def _framework(case: Case) -> bool:
    """Nobody measured it, or not in the way that carries out this layout."""
    if case.framework is None:
        return False
    runs = case.dialect.memory_runs + case.dialect.time_runs
    return runs == 0 or case.framework not in covered_by(case.calibration).frameworks


def _card(case: Case) -> bool:
    return not measured_card(case.card, case.calibration) and not case.family.fitted


def _card_of_fitted_family(case: Case) -> bool:
    return not measured_card(case.card, case.calibration) and case.family.fitted


def _untimed_card(case: Case) -> bool:
    covered = covered_by(case.calibration)
    return case.card.id in covered.cards - covered.timed_cards


def _pcie_exchange(case: Case) -> bool:
    return case.layout.gpus > 1 and case.card.form_factor in ("pcie", "nvl")


def _optimizer(case: Case) -> bool:
    return case.optimizer is not case.calibration.optimizers["adamw"]


def _quantization(case: Case) -> bool:
    return case.quantization in ("int8", "awq-int4", "fp8")


def _mixture(case: Case) -> bool:
    return case.shape.experts is not None


def _guessed_shape(case: Case) -> bool:
    assumed = case.shape.assumed
    return case.shape.sample is None and ("layers" in assumed or "hidden" in assumed)


def _encoder(case: Case) -> bool:
    return case.shape.kind in ("encoder", "encoder-decoder")


def _multimodal(case: Case) -> bool:
    return case.shape.kind == "vlm"


def _images(case: Case) -> bool:
    return case.shape.sample is not None


def _preference(case: Case) -> bool:
    return case.stage in _PREFERENCE_STAGES


def _online(case: Case) -> bool:
    return case.stage in ONLINE_STAGES


def _frozen_part(case: Case) -> bool:
    return case.method == "freeze"


def _decomposed(case: Case) -> bool:
    return case.method == "dora"


def _offload(case: Case) -> bool:
    return case.offload in ("params", "activations")


def _low_precision(case: Case) -> bool:
    return case.precision in LOW_PRECISIONS and not case.megatron


def _eager(case: Case) -> bool:
    return case.eager


_GAPS: Final = (
    Gap(reason="framework", applies=_framework),
    Gap(reason="framework-unknown", applies=_unnamed_framework),
    Gap(reason="card", applies=_card, memory_width=0.02, time_width=0.08),
    Gap(
        reason="card-of-family",
        applies=_card_of_fitted_family,
        memory_width=0.02,
        time_width=0.08,
    ),
    Gap(reason="card-untimed", applies=_untimed_card, memory_width=0.02, time_width=0.08),
    Gap(reason="pcie-exchange", applies=_pcie_exchange, time_width=0.10),
    Gap(reason="optimizer", applies=_optimizer, memory_width=0.05, time_width=0.05),
    Gap(reason="quantization", applies=_quantization, memory_width=0.12, time_width=0.25),
    Gap(reason="mixture", applies=_mixture, memory_width=0.15, time_width=0.30),
    Gap(reason="guessed-shape", applies=_guessed_shape, memory_width=0.15, time_width=0.10),
    Gap(reason="encoder", applies=_encoder, memory_width=0.30, time_width=0.40),
    Gap(reason="multimodal", applies=_multimodal, memory_width=0.20, time_width=0.25),
    Gap(reason="images", applies=_images, memory_width=0.40, time_width=0.45),
    Gap(reason="preference", applies=_preference, memory_width=0.20, time_width=0.30),
    Gap(reason="online", applies=_online, memory_width=0.40, time_width=0.60),
    Gap(reason="frozen-part", applies=_frozen_part, memory_width=0.25, time_width=0.25),
    Gap(reason="decomposed", applies=_decomposed, memory_width=0.10, time_width=0.20),
    Gap(reason="offload", applies=_offload, memory_width=0.20, time_width=0.40),
    Gap(reason="low-precision", applies=_low_precision, memory_width=0.05, time_width=0.10),
    Gap(reason="eager", applies=_eager, memory_width=0.05, time_width=0.05),
)


def every_gap() -> tuple[Gap, ...]:
    """Every kind of run without measurements, in the order of the table."""
    return _GAPS
