"""The programme of acceptance: what is shown on the delivered hardware, and who signs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Variant, picked, range_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing to show; `evidence` is what stays as a file."""

    number: int
    what: str
    criterion: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceSheet:
    """Left out where no variant is named. `signers` are the roles that sign."""

    conclusion: str
    checks: tuple[Check, ...]
    signers: tuple[str, ...]


def acceptance_of(reading: Reading, variants: tuple[Variant, ...]) -> AcceptanceSheet:
    variant = picked(variants)
    if variant is None or variant.device_gib is None:
        return AcceptanceSheet(conclusion="", checks=(), signers=())
    return AcceptanceSheet(
        conclusion=_(
            "The contractor shows, the client accepts: on the delivered hardware, with the client's own configuration."
        ),
        checks=tuple(
            Check(number=number, what=what, criterion=criterion, evidence=evidence)
            for number, (what, criterion, evidence) in enumerate(_checks(reading, variant), start=1)
        ),
        signers=(
            pgettext("who signs", "Shown by: contractor"),
            pgettext("who signs", "Accepted by: client"),
        ),
    )


def _checks(reading: Reading, variant: Variant) -> Iterator[tuple[str, str, str]]:
    yield (
        _("Launch from the saved configuration"),
        _("Starts without edits by hand; versions equal those of the protocol."),
        _("configuration file, list of versions"),
    )
    yield (
        _("%(steps)s steps on all GPUs") % {"steps": formatting.number(_steps(reading))},
        _speed(variant),
        _("log of steps, peak of memory, clocks and temperatures"),
    )
    yield (
        _("Correctness of the loss"),
        _("The loss falls as in the pilot and is never NaN; the seed and the data are the same."),
        _("curve of the loss beside that of the pilot"),
    )
    yield (
        _("Saving and restoring a checkpoint"),
        _saved(variant),
        _("time of saving, size and hash of the files"),
    )
    yield (
        _("Resuming after a stop"),
        _("The state of the optimizer and the number of the step are restored; the loss goes on."),
        _("log before and after the stop"),
    )


def _steps(reading: Reading) -> int:
    """As many as the client saves after, so that a checkpoint is among them; else a hundred."""
    recipe = reading.snapshot.task.get("recipe") or {}
    return int(recipe.get("save_every_steps") or 100)


def _speed(variant: Variant) -> str:
    step = range_of(variant.block("time"), "step_s")
    if step is None or variant.device_gib is None:
        return _("No stop for lack of memory; step and peak as in the pilot.")
    return _("A step of at most %(step)s, a peak of at most %(peak)s, no stop.") % {
        "step": formatting.estimate(step.high, "s"),
        "peak": formatting.estimate(variant.device_gib.high, "GiB"),
    }


def _saved(variant: Variant) -> str:
    saved = range_of(variant.block("storage"), "checkpoint", "full_gb")
    if saved is None:
        return _("The files are whole and can be read by another process.")
    return _("About %(size)s are written; the files are whole and can be read back.") % {
        "size": formatting.estimate(saved.typical, "GB")
    }
