"""The programme of acceptance: what is shown on the delivered hardware, by whom, and to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.pilots.workload import MEASURED_STEPS


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that the contractor shows and the client accepts; `evidence` stays as a file."""

    what: str
    criterion: str
    evidence: str


def acceptance_of(facts: Mapping[str, Any]) -> tuple[Check, ...]:
    """In the order in which they are shown. Resuming is part of it where the optimizer has a
    state."""
    return tuple(Check(what=w, criterion=c, evidence=e) for w, c, e in _checks(facts))


def _checks(facts: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    estimates = facts["estimates"]
    yield (
        _("Launch from the saved configuration"),
        _("Starts without edits by hand; versions equal those of the protocol."),
        _("configuration file, list of versions"),
    )
    yield (
        _("%(steps)s steps on all GPUs") % {"steps": formatting.number(MEASURED_STEPS)},
        _speed(estimates),
        _("log of steps, peak of memory, clocks and temperatures"),
    )
    yield (
        _("Correctness of the loss"),
        _("The loss falls as in the pilot and is never NaN; the seed and the data are the same."),
        _("curve of the loss beside that of the pilot"),
    )
    yield (
        _("Saving and restoring a checkpoint"),
        _("The files are whole and can be read by another process."),
        _("time of saving, size and hash of the files"),
    )
    if facts["keeps_state"]:
        yield (
            _("Resuming after a stop"),
            _(
                "The state of the optimizer and the number of the step are restored; the loss goes on."
            ),
            _("log before and after the stop"),
        )


def _speed(estimates: Mapping[str, Any]) -> str:
    step, peak = estimates["step_s"], estimates["device_gib"]
    if not step or not peak:
        return _("No stop for lack of memory; step and peak as in the pilot.")
    return _("A step of at most %(step)s, a peak of at most %(peak)s, no stop.") % {
        "step": formatting.estimate(step["high"], "s"),
        "peak": formatting.estimate(peak["high"], "GiB"),
    }
