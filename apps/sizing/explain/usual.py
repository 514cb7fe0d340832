"""What the engine takes as usual, named: numbers that stand in its code with their source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from apps.sizing.explain.leaves import CALIBRATION, Leaves
from apps.sizing.memory.beside import ENCODING_BYTES_PER_PIXEL, WORKSPACE_GIB
from apps.sizing.timing.cycle import (
    CHECKPOINT_GB_PER_S,
    EVALUATION,
    GPU_HOURS_PER_INTERRUPTION,
    HOURS_PER_RESTART,
    START_S,
)
from apps.sizing.units import GB, GIB

_OF_THE_CYCLE: Final = {
    "usual.checkpoint_rate": CHECKPOINT_GB_PER_S.typical * GB,
    "usual.start": START_S.typical,
    "usual.evaluation": EVALUATION.typical,
    "usual.interruption": GPU_HOURS_PER_INTERRUPTION.typical,
    "usual.restart": HOURS_PER_RESTART.typical,
}
_OF_IMAGES: Final = {
    "usual.image_workspace": WORKSPACE_GIB * GIB,
    "usual.encoding": ENCODING_BYTES_PER_PIXEL,
}


def recognise_images(leaves: Leaves) -> None:
    """Numbers large enough to mean one thing wherever they stand."""
    for name, value in _OF_IMAGES.items():
        leaves.tracer.recognise(value, leaves.known(name, value, CALIBRATION, ""))


@contextmanager
def usual_cycle(leaves: Leaves) -> Iterator[None]:
    """Within it the numbers of the cycle are named; elsewhere a half may mean anything."""
    meant = {
        value: leaves.known(name, value, CALIBRATION, "") for name, value in _OF_THE_CYCLE.items()
    }
    with leaves.tracer.meaning(meant):
        yield
