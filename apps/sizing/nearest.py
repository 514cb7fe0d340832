"""The published runs most like a case: what its figures may be held against."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

from apps.sizing.calibration import Calibration, EvidenceRun
from apps.sizing.cases import Case
from apps.sizing.settling_kinds import ENCODERS, ONLINE_STAGES

_SHOWN: Final = 3
# What makes two runs unlike: another framework or method more than another card, a tenfold size
# as much as another method. Judgement: it orders a short list, no figure depends on it.
_OTHER_METHOD: Final = 2.0
_OTHER_FRAMEWORK: Final = 2.0
_OTHER_CARD: Final = 1.0
_PER_GPU_RATIO: Final = 0.3
# Beyond this distance a run says nothing about a case.
_FAR: Final = 4.0


def nearest_runs(case: Case, framework: str | None) -> list[dict[str, Any]]:
    """At most three measured runs like `case`, the nearest first.

    All measured runs are of language models that see text: of images, encoders and reinforcement
    they say nothing.
    """
    shape = case.shape
    if shape.sample is not None or shape.kind in ENCODERS or case.stage in ONLINE_STAGES:
        return []
    found = _nearest(
        case.calibration,
        case.dialect.key if framework is None else framework,
        case.method,
        case.card.id,
        round(math.log10(shape.total_params), 1),
        case.layout.gpus,
    )
    return [
        {
            "id": run.id,
            "source": run.source,
            "model": run.model,
            "method": run.method,
            "framework": run.framework,
            "accelerator": run.accelerator,
            "gpus": run.gpus,
            "memory_gib": run.memory_gib,
            "step_s": run.step_s,
        }
        for run in found
    ]


@lru_cache(maxsize=512)
def _nearest(
    calibration: Calibration,
    framework: str,
    method: str,
    accelerator: str,
    size: float,
    gpus: int,
) -> tuple[EvidenceRun, ...]:
    def distance(run: EvidenceRun) -> float:
        apart = abs(math.log10(run.params_billion) + 9.0 - size)
        apart += _PER_GPU_RATIO * abs(math.log2(run.gpus / gpus))
        apart += _OTHER_METHOD * (run.method != method)
        apart += _OTHER_FRAMEWORK * (run.framework != framework)
        return apart + _OTHER_CARD * (run.accelerator != accelerator)

    ordered = sorted((distance(run), run.id, run) for run in calibration.evidence)
    return tuple(run for apart, _, run in ordered[:_SHOWN] if apart < _FAR)
