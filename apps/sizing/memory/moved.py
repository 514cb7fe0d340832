"""An estimate of memory after the client's own measured runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from apps.sizing.cases import Case
from apps.sizing.transfer import Transfer
from apps.sizing.verdicts import memory_verdict

if TYPE_CHECKING:
    from apps.sizing.estimators.memory import MemoryEstimate


def after_runs(said: MemoryEstimate, case: Case, transfer: Transfer | None) -> MemoryEstimate:
    """`said` with every figure moved alike: the parts still sum to what is allocated.

    What is not known of the recipe moves a measured figure as much less as its range has narrowed.
    """
    if transfer is None:
        return said
    ranges = (said.allocated_gib, said.reserved_gib, said.device_gib)
    allocated, reserved, device = transfer.memory(case, ranges, said.components_gib)
    return replace(
        said,
        allocated_gib=allocated.range,
        reserved_gib=reserved.range,
        device_gib=device.range,
        components_gib={k: gib * allocated.factor for k, gib in said.components_gib.items()},
        verdict=memory_verdict(device.range, said.capacity_gib),
        influences={k: swing * device.left for k, swing in said.influences.items()},
        causes={k: swing * device.left for k, swing in said.causes.items()},
    )
