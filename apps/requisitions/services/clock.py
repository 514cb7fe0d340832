"""The clock of a requisition: started when it is sent, paused while the client is asked."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from apps.requisitions.clock_facts import size_class, wanted_on
from apps.requisitions.models import Clock, ClockPause, Revision
from apps.requisitions.selectors import raw_answers
from apps.requisitions.workflow import Action, State
from apps.worktime.arithmetic import add_working, working_between
from apps.worktime.selectors import calendar_now, targets_of
from apps.worktime.sizes import SizeClass

_ENDS: Final = frozenset({State.APPROVED, State.REJECTED, State.REDIRECTED, State.WITHDRAWN})


def clock_step(*, revision: Revision, action: Action, target: State, at: datetime) -> None:
    """Keep the clock with a step that has just been taken, in the step's transaction."""
    if action == Action.SUBMIT:
        _run(revision, at)
    elif action == Action.REQUEST_CHANGES:
        _pause(revision, at)
    elif target in _ENDS:
        _stop(revision, at)


def clock_pass_on(*, earlier: Revision, later: Revision) -> None:
    """The letter that takes another's place goes on with its clock."""
    later.clock = earlier.clock
    Revision.objects.filter(pk=later.pk).update(clock=earlier.clock)
    Revision.objects.filter(pk=earlier.pk).update(due_at=None)


def clock_looked(*, revision: Revision, at: datetime) -> None:
    """An engineer has taken it: the first of them counts."""
    if revision.clock_id is not None:
        Clock.objects.filter(pk=revision.clock_id, looked_at__isnull=True).update(looked_at=at)


def _run(revision: Revision, at: datetime) -> None:
    answers = raw_answers(revision)
    revision.size_class = size_class(answers)
    revision.wanted_on = wanted_on(answers)
    if revision.clock is None:
        revision.clock = _start(revision, at)
    else:
        _resume(revision.clock, at)
    revision.due_at = revision.clock.due_at
    revision.save(update_fields=["clock", "due_at", "wanted_on", "size_class"])


def _start(revision: Revision, at: datetime) -> Clock:
    calendar = calendar_now()
    targets = targets_of(SizeClass(revision.size_class), calendar)
    return Clock.objects.create(
        requisition=revision.requisition,
        size_class=revision.size_class,
        started_at=at,
        first_look=targets.first_look,
        target=targets.ready,
        due_at=add_working(calendar, at, targets.ready),
    )


def _pause(revision: Revision, at: datetime) -> None:
    if revision.clock_id is None:
        return
    ClockPause.objects.create(clock_id=revision.clock_id, revision=revision, started_at=at)
    _without_due(revision)


def _resume(clock: Clock, at: datetime) -> None:
    """End the open pause, if any: what was worked in it is added to the time there is."""
    pause = clock.pauses.filter(ended_at__isnull=True).first()
    if pause is None:
        return
    calendar = calendar_now()
    pause.ended_at, pause.worked = at, working_between(calendar, pause.started_at, at)
    pause.save(update_fields=["ended_at", "worked"])
    clock.due_at = add_working(calendar, clock.due_at, pause.worked)
    clock.save(update_fields=["due_at"])


def _stop(revision: Revision, at: datetime) -> None:
    clock = revision.clock
    if clock is not None and clock.stopped_at is None:
        _resume(clock, at)
        clock.stopped_at = at
        clock.save(update_fields=["stopped_at"])
    _without_due(revision)


def _without_due(revision: Revision) -> None:
    revision.due_at = None
    Revision.objects.filter(pk=revision.pk).update(due_at=None)
