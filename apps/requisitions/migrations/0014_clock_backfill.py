"""Clocks of what was sent before there were any, from the moments that are stored."""

import json

from django.db import migrations

from apps.requisitions.clock_facts import size_class, wanted_on
from apps.worktime.arithmetic import add_working, working_between
from apps.worktime.selectors import default_targets, shipped_calendar

UNDER_WAY = ("estimating", "in_review", "in_approval")
PAUSED = "changes_requested"


def clocks_of(apps, requisition_id, revisions, calendar):
    Clock = apps.get_model("requisitions", "Clock")
    ClockPause = apps.get_model("requisitions", "ClockPause")
    clock = pause = None
    for revision in revisions:
        answers = json.loads(revision.answers_text)["answers"]
        revision.wanted_on, revision.size_class = wanted_on(answers), size_class(answers).value
        sent = revision.submitted_at
        if clock is None:
            targets = default_targets(revision.size_class, calendar)
            clock = Clock.objects.create(
                requisition_id=requisition_id,
                size_class=revision.size_class,
                started_at=sent,
                first_look=targets.first_look,
                target=targets.ready,
                due_at=add_working(calendar, sent, targets.ready),
            )
        elif pause is not None:
            end_pause(clock, pause, sent, calendar)
            pause = None
        asked = revision.decisions.filter(kind="request-changes").order_by("at").first()
        if asked is not None:
            pause = ClockPause.objects.create(clock=clock, revision=revision, started_at=asked.at)
        revision.clock = clock
        ended = ended_at(revision)
        if ended is not None:
            if pause is not None:
                end_pause(clock, pause, ended, calendar)
                pause = None
            clock.stopped_at = ended
            clock.save()
        elif revision.state in UNDER_WAY:
            revision.due_at = clock.due_at
        revision.save(update_fields=["wanted_on", "size_class", "clock", "due_at"])
        clock = None if ended is not None else clock


def ended_at(revision):
    """When the house was done with it; None for what goes on, also in the next letter."""
    if revision.approved_at is not None:
        return revision.approved_at
    return None if revision.state in (*UNDER_WAY, PAUSED, "superseded") else revision.state_since


def end_pause(clock, pause, at, calendar):
    pause.ended_at, pause.worked = at, working_between(calendar, pause.started_at, at)
    pause.save()
    clock.due_at = add_working(calendar, clock.due_at, pause.worked)
    clock.save()


def fill(apps, _editor):
    Revision = apps.get_model("requisitions", "Revision")
    calendar = shipped_calendar()
    sent = Revision.objects.filter(submitted_at__isnull=False, clock__isnull=True)
    for requisition_id in sent.order_by().values_list("requisition", flat=True).distinct():
        rows = sent.filter(requisition=requisition_id).order_by("index")
        clocks_of(apps, requisition_id, list(rows), calendar)


class Migration(migrations.Migration):
    dependencies = [("requisitions", "0013_clock"), ("worktime", "0001_initial")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
