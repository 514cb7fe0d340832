"""The pilot: what to measure beside the estimate, and what each answer decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.documents.models import Document
from apps.documents.sheets.pace import deadline_hours
from apps.documents.sheets.reading import Reading, clipped
from apps.documents.sheets.storage import rate_text
from apps.documents.sheets.variants import Variant, picked, piloted, range_of
from apps.estimation.wording.schemes import keeps_whole
from apps.pilots.protocol import Protocol, protocol_of
from apps.sizing.ranges import Range

_COUNTS: Final = (1, 2, 4, 8)
# What a peak may take of a card: the rest is the margin of the verdicts.
_PEAK_RATIO: Final = 0.9


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
    protocol: Protocol | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """Where the pilot is run, and the variant that its figures decide on."""

    reading: Reading
    tried: Variant | None
    wanted: Variant | None

    @property
    def step(self) -> Range | None:
        return range_of(self.tried.block("time"), "step_s") if self.tried else None

    @property
    def elsewhere(self) -> bool:
        """What is measured is not the platform that is decided on."""
        tried, wanted = self.tried, self.wanted
        if tried is None or wanted is None:
            return False
        return (tried.accelerator, tried.gpus, tried.layout) != (
            wanted.accelerator,
            wanted.gpus,
            wanted.layout,
        )


def pilot_of(reading: Reading, variants: tuple[Variant, ...]) -> Pilot:
    facts = reading.snapshot.pilot.get("protocol")
    trial = _Trial(reading=reading, tried=piloted(variants), wanted=picked(variants))
    return Pilot(
        conclusion=_conclusion(trial) if trial.tried else "",
        fixed=_(
            "Keep fixed: the model, the data, the length, the micro-batch, versions of the framework and the driver. Warm up for 20 steps, then measure 50."
        ),
        success=_success(reading),
        rows=tuple(_rows(trial)),
        protocol=protocol_of(facts) if facts and reading.kind == Document.Kind.PROTOCOL else None,
    )


def wants_measured_step(reading: Reading) -> bool:
    acquisition = reading.snapshot.context.get("acquisition") or {}
    return acquisition.get("measured_step") is True


def _conclusion(trial: _Trial) -> str:
    if wants_measured_step(trial.reading):
        wish = _("You asked for a measured step time: it is the first line of the protocol.")
    else:
        wish = _(
            "A pilot of a day on a rented node replaces the widest ranges by measured figures."
        )
    return f"{wish} {_platform(trial)}".rstrip()


def _platform(trial: _Trial) -> str:
    """Whose figures the protocol expects."""
    if trial.tried is None:
        return ""
    named = {"variant": trial.tried.key, "hardware": trial.tried.hardware}
    if trial.tried.rented:
        return _("Platform of the pilot: %(variant)s, rented %(hardware)s.") % named
    return _("Platform of the pilot: %(variant)s, %(hardware)s.") % named


def _success(reading: Reading) -> str:
    """Quality decides before speed does."""
    task = reading.snapshot.context.get("task") or {}
    criterion = task.get("success_criterion")
    if criterion:
        return _("Criterion of success in the client's words: “%(text)s”.") % {
            "text": clipped(criterion, 400)
        }
    return _("No criterion of success on held-out data is named: without one nothing is bought.")


def _rows(trial: _Trial) -> Iterator[Measurement]:
    variant, step = trial.tried, trial.step
    yield Measurement(
        what=_("Time of a step after the warm-up, GPUs: %(counts)s")
        % {"counts": ", ".join(formatting.number(n) for n in _counts(trial))},
        estimate=_with_gpus(formatting.duration(step), variant) if step else formatting.not_given(),
        decides=_step_decides(trial),
    )
    yield Measurement(
        what=_("Peak of memory on one GPU"),
        estimate=formatting.range_text(variant.device_gib if variant else None, "GiB"),
        decides=_memory_decides(trial),
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


def _counts(trial: _Trial) -> tuple[int, ...]:
    """The counts to measure: those that the rented node has and that hold the model."""
    if trial.tried is None:
        return _COUNTS
    most = trial.tried.gpus
    scheme = str((trial.tried.document.get("layout") or {}).get("name") or "")
    # A layout is split only where a copy on one GPU does not fit.
    alone = 1 if not scheme or keeps_whole(scheme) else 2
    least = max(alone, _fewest(trial.reading, trial.tried))
    return (*(n for n in _COUNTS if least <= n < most), most)


def _fewest(reading: Reading, variant: Variant) -> int:
    """The fewest GPUs of this card that hold the task's own method, where that was looked for."""
    methods = reading.result.get("methods") or {}
    if methods.get("accelerator") != variant.accelerator:
        return 1
    fewest = next((row.get("fewest") for row in methods.get("rows") or () if row["named"]), None)
    return int((fewest or {}).get("gpus") or 1)


def _with_gpus(text: str, variant: Variant | None) -> str:
    """The estimate is of all the GPUs of the node; said where fewer are measured too."""
    if variant is None or variant.gpus == 1:
        return text
    return _("%(step)s with %(gpus)s") % {
        "step": text,
        "gpus": formatting.quantity(variant.gpus, "gpus"),
    }


def _step_decides(trial: _Trial) -> str:
    """The measured step that still meets the deadline, in proportion to the typical cycle.

    Where another platform is decided on, its step is taken to be off by as much as the measured.
    """
    wanted, step, deadline = trial.wanted, trial.step, deadline_hours(trial.reading)
    hours = wanted.hours if wanted else None
    if wanted is None or deadline is None or step is None or hours is None:
        return _("Replaces the estimate of the cycle.")
    said = {
        "variant": wanted.key,
        "step": formatting.duration(step.typical * deadline / hours.typical),
    }
    if trial.elsewhere:
        return _("%(variant)s is in time if a step of the pilot takes no longer than %(step)s.") % (
            said
        )
    return _("%(variant)s is in time if a step takes no longer than %(step)s.") % said


def _memory_decides(trial: _Trial) -> str:
    """The measured peak that the wanted card still holds, in proportion to the typical peaks."""
    wanted, tried = trial.wanted, trial.tried
    if wanted is None or tried is None or wanted.capacity_gib is None:
        return _("Decides which cards are enough.")
    limit_gib = wanted.capacity_gib * _PEAK_RATIO
    if trial.elsewhere:
        here, there = tried.device_gib, wanted.device_gib
        if here is None or there is None:
            return _("Decides which cards are enough.")
        limit_gib *= here.typical / there.typical
    if tried.capacity_gib is not None and limit_gib > tried.capacity_gib:
        return _("%(variant)s holds whatever fits the pilot's card.") % {"variant": wanted.key}
    said = {
        "variant": wanted.key,
        "limit": formatting.quantity(round(limit_gib, 1), "GiB"),
    }
    if trial.elsewhere:
        return _("%(variant)s holds while the peak of the pilot stays under %(limit)s.") % said
    return _("%(variant)s holds while the peak stays under %(limit)s.") % said
