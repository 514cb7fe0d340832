"""Writing down what a pilot measured, closing it, carrying it into the next letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.pilots import policy
from apps.pilots.carrying import answers_of
from apps.pilots.judging import counts_for_calibration
from apps.pilots.models import PilotRun
from apps.pilots.records import SCHEMA, as_workload, missing, quality_delta
from apps.pilots.table import fields_of
from apps.pilots.telling import announce_pilot
from apps.pilots.workload import fingerprint, record_sha256
from apps.requisitions.models import Revision
from apps.requisitions.services import Change, answers_save, revision_open_next

Facts = Mapping[str, Any]


class NoQuality(DomainError):
    """A pilot that says nothing of quality says nothing of the training."""

    status = 422
    code = "no-quality"


@transaction.atomic
def pilot_save(
    *,
    revision: Revision,
    facts: Facts,
    values: Mapping[str, Any],
    origin: str,
    actor: User,
    run: PilotRun | None = None,
    expected_version: int | None = None,
) -> PilotRun:
    """Keep a record, complete or not; what lacks something stays a draft.

    Raises:
        NotAllowed: the person may not, or not in this state of the revision.
        Conflict: it is closed, or somebody else saved it meanwhile.
    """
    if not policy.may_enter(actor, revision):
        raise NotAllowed(_("Results of a pilot cannot be written down here now."))
    run = _new(revision, origin, actor) if run is None else _locked(run, expected_version)
    was_entered = run.state == PilotRun.State.ENTERED
    _fill(run, facts, values)
    run.save()
    audit.record(actor=actor, action="pilot.enter", subject=revision, number=run.number)
    if run.state == PilotRun.State.ENTERED and not was_entered:
        announce_pilot(run=run, actor=actor)
    return run


def _new(revision: Revision, origin: str, actor: User) -> PilotRun:
    last = revision.pilots.aggregate(last=Max("number"))["last"] or 0
    try:
        with transaction.atomic():
            return PilotRun.objects.create(
                revision=revision, number=last + 1, origin=origin, entered_by=actor
            )
    except IntegrityError:
        raise Conflict(
            _("Somebody else has just written down a pilot. Send yours again.")
        ) from None


def _locked(run: PilotRun, expected_version: int | None) -> PilotRun:
    held = PilotRun.objects.select_for_update().get(pk=run.pk)
    if held.state == PilotRun.State.CLOSED:
        raise Conflict(_("This pilot is closed: its record cannot change any more."))
    if expected_version is not None and held.version != expected_version:
        raise Conflict(_("Somebody else has changed this record. Look at it again."))
    held.version += 1
    return held


def _fill(run: PilotRun, facts: Facts, values: Mapping[str, Any]) -> None:
    whole = not missing(values, fields_of(facts))
    record = as_workload(values, facts["workload"])
    run.record = {"schema": SCHEMA, "values": dict(values), "facts": dict(facts)}
    run.variant = facts["variant"]
    run.state = PilotRun.State.ENTERED if whole else PilotRun.State.DRAFT
    run.workload_sha256 = fingerprint(record) if whole else ""
    run.record_sha256 = record_sha256(record) if whole else ""
    run.quality_delta = quality_delta(values)


@transaction.atomic
def pilot_close(*, run: PilotRun, actor: User) -> PilotRun:
    """End a pilot: from here on it decides.

    Raises:
        NotAllowed: the person may not.
        NoQuality: nobody has said what the held-out data show.
        Conflict: it is incomplete, or closed already.
    """
    if not policy.may_enter(actor, run.revision):
        raise NotAllowed(_("Results of a pilot cannot be written down here now."))
    held = _locked(run, None)
    if held.quality_delta is None:
        raise NoQuality(
            _(
                "A pilot is not closed without the quality on held-out data: metric, baseline, result."
            )
        )
    if held.state != PilotRun.State.ENTERED:
        raise Conflict(_("The record is incomplete: fill in what is missing first."))
    held.state, held.closed_by, held.closed_at = PilotRun.State.CLOSED, actor, timezone.now()
    held.save()
    audit.record(actor=actor, action="pilot.close", subject=held.revision, number=held.number)
    return held


@transaction.atomic
def pilot_carry(*, run: PilotRun, actor: User) -> Revision:
    """Open the next letter with the measured run among its answers: its calculation narrows.

    Raises:
        NotAllowed: not a person of the client.
        Conflict: what was measured is of another workload, or incomplete.
    """
    if not policy.may_carry(actor, run.revision):
        raise NotAllowed(_("The next revision is opened by the client."))
    if not counts_for_calibration(run):
        raise Conflict(_("This run is incomplete or of another workload: it moves no estimate."))
    draft = revision_open_next(revision=run.revision, actor=actor)
    answers_save(revision=draft, changes=_changes(draft, run), actor=actor)
    audit.record(actor=actor, action="pilot.carry", subject=draft, number=run.number)
    return draft


def _changes(draft: Revision, run: PilotRun) -> Sequence[Change]:
    versions = dict(draft.answers.values_list("key", "version"))
    said = _("pilot %(number)s of revision %(letter)s") % {
        "number": run.number,
        "letter": run.revision.letter,
    }
    return [
        Change(
            key=key, value=value, base_version=versions.get(key, 0), provenance="pilot", note=said
        )
        for key, value in answers_of(run).items()
    ]
