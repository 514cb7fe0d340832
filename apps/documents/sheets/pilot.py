"""The pilot: what to measure beside the estimate, and what each answer decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.documents.sheets.pace import deadline_hours
from apps.documents.sheets.reading import Reading, clipped
from apps.documents.sheets.storage import rate_text
from apps.documents.sheets.variants import Variant, picked, range_of

_COUNTS: Final = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One line of the protocol; `estimate` is what the calculation expects."""

    what: str
    estimate: str
    decides: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    conclusion: str
    fixed: str
    success: str
    rows: tuple[Measurement, ...]


def pilot_of(reading: Reading, variants: tuple[Variant, ...]) -> Pilot:
    variant = picked(variants)
    return Pilot(
        conclusion=_conclusion(reading) if variant else "",
        fixed=_(
            "Keep fixed: the model, the data, the length, the micro-batch, versions of the framework and the driver. Warm up for 20 steps, then measure 50."
        ),
        success=_success(reading),
        rows=tuple(_rows(reading, variant)),
    )


def wants_measured_step(reading: Reading) -> bool:
    acquisition = reading.snapshot.context.get("acquisition") or {}
    return acquisition.get("measured_step") is True


def _conclusion(reading: Reading) -> str:
    if wants_measured_step(reading):
        return _("You asked for a measured step time: it is the first line of the protocol.")
    return _("A pilot of a day on a rented node replaces the widest ranges by measured figures.")


def _success(reading: Reading) -> str:
    """Quality decides before speed does."""
    task = reading.snapshot.context.get("task") or {}
    criterion = task.get("success_criterion")
    if criterion:
        return _("Criterion of success in the client's words: “%(text)s”.") % {
            "text": clipped(criterion, 400)
        }
    return _("No criterion of success on held-out data is named: without one nothing is bought.")


def _rows(reading: Reading, variant: Variant | None) -> Iterator[Measurement]:
    step = range_of(variant.block("time"), "step_s") if variant else None
    yield Measurement(
        what=_("Time of a step after the warm-up, GPUs: %(counts)s")
        % {"counts": ", ".join(formatting.number(n) for n in _counts(variant))},
        estimate=formatting.duration(step) if step else formatting.not_given(),
        decides=_step_decides(reading, variant),
    )
    yield Measurement(
        what=_("Peak of memory on one GPU"),
        estimate=formatting.range_text(variant.device_gib if variant else None, "GiB"),
        decides=_memory_decides(variant),
    )
    read = range_of(variant.block("storage"), "read", "gb_per_s") if variant else None
    yield Measurement(
        what=_("Reading and preparing the data without training"),
        estimate=rate_text(read) if read else formatting.not_given(),
        decides=_("If it is slower than the GPUs eat, the drives or the processors come first."),
    )
    saved = range_of(variant.block("storage"), "checkpoint", "full_gb") if variant else None
    yield Measurement(
        what=_("Saving a checkpoint, stopping, resuming"),
        estimate=formatting.byte_size(saved * 1e9) if saved else formatting.not_given(),
        decides=_("The run must go on from the same step with the same loss."),
    )
    yield Measurement(
        what=_("Quality on held-out data"),
        estimate=_("not estimated"),
        decides=_("Without a gain over the ready model a server is not bought."),
    )


def _counts(variant: Variant | None) -> tuple[int, ...]:
    most = variant.gpus if variant else _COUNTS[-1]
    return tuple(n for n in _COUNTS if n <= most) or (1,)


def _step_decides(reading: Reading, variant: Variant | None) -> str:
    """The step that still meets the deadline, in proportion to the typical cycle."""
    deadline = deadline_hours(reading)
    step = range_of(variant.block("time"), "step_s") if variant else None
    hours = variant.hours if variant else None
    if variant is None or deadline is None or step is None or hours is None:
        return _("Replaces the estimate of the cycle.")
    longest_s = step.typical * deadline / hours.typical
    return _("%(variant)s is in time if a step takes no longer than %(step)s.") % {
        "variant": variant.key,
        "step": formatting.duration(longest_s),
    }


def _memory_decides(variant: Variant | None) -> str:
    if variant is None or variant.capacity_gib is None:
        return _("Decides which cards are enough.")
    return _("%(variant)s holds while the peak stays under %(limit)s.") % {
        "variant": variant.key,
        "limit": formatting.quantity(round(variant.capacity_gib * 0.9, 1), "GiB"),
    }
