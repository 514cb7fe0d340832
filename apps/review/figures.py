"""How the work goes, in figures over a period: counted when somebody reads them, in a few queries.

Figures of everybody's work together: no requisition, person or answer is named.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final

from django.db.models import Count, Q
from django.utils import timezone

from apps.audit.models import AuditEvent
from apps.audit.services import as_written
from apps.pilots.judging import compared, facts_of_run, values_of
from apps.pilots.models import PilotRun
from apps.pilots.table import step_path
from apps.requisitions.models import Decision, Revision
from apps.requisitions.workflow import Action, State
from apps.worktime.arithmetic import working_between
from apps.worktime.selectors import calendar_now

ENOUGH: Final = 5
"""From so many on a median says something; with fewer the page says that there are few."""

SAMPLE_COUNT: Final = 500
"""Letters whose long answers are read for the share of unknowns, the latest ones."""

EVENTS_COUNT: Final = 20_000
"""Steps that are read for the time in a state, the latest ones."""

TIMED: Final = (State.ESTIMATING, State.IN_REVIEW, State.CHANGES_REQUESTED, State.IN_APPROVAL)
_STEPS: Final = [f"requisition.{action.value}" for action in Action]
_TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and ninth decile of `count` values; None of both when there are few."""

    count: int
    median: float | None
    p90: float | None


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `whole`; no ratio when there are few."""

    part: int
    whole: int

    @property
    def ratio(self) -> float | None:
        return self.part / self.whole if self.whole >= ENOUGH else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """`hours` are working hours in a state that was left in the period. `unknowns` is the share of
    one letter, `returns` and `asked` how often in all, `pilot_error` a ratio without its sign."""

    hours: dict[State, Spread]
    sent: int
    approved: int
    returns: int
    asked: int
    unknowns: Spread
    redirected: Share
    reopened: Share
    downloads: int
    pilot_error: Spread


def spread_of(values: Sequence[float]) -> Spread:
    if len(values) < ENOUGH:
        return Spread(len(values), None, None)
    p90 = statistics.quantiles(values, n=_TENTHS, method="inclusive")[-1]
    return Spread(len(values), statistics.median(values), p90)


def figures_over(days: int) -> Figures:
    """Figures of the last `days` days. Eight queries, however much there is."""
    since = timezone.now() - timedelta(days=days)
    counts = _counts(since)
    decided = Decision.objects.filter(at__gte=since).aggregate(
        returns=Count("pk", filter=Q(kind=Decision.Kind.RETURN)),
        asked=Count("pk", filter=Q(kind=Decision.Kind.REQUEST_CHANGES)),
    )
    downloads = AuditEvent.objects.filter(
        action="document.download", at_text__gte=as_written(since)
    )
    return Figures(
        hours=_hours(since),
        sent=counts["sent"],
        approved=counts["approved"],
        returns=decided["returns"],
        asked=decided["asked"],
        unknowns=spread_of(list(_unknowns(since))),
        redirected=Share(counts["redirected"], counts["ended"]),
        reopened=Share(counts["reopened"], counts["approved"]),
        downloads=downloads.count(),
        pilot_error=spread_of(list(_pilot_errors(since))),
    )


def _counts(since: datetime) -> dict[str, int]:
    redirected = Q(state=State.REDIRECTED, state_since__gte=since)
    closed = Q(state__in=(State.REJECTED, State.WITHDRAWN), submitted_at__isnull=False)
    approved = Q(approved_at__gte=since)
    counted: dict[str, int] = Revision.objects.aggregate(
        sent=Count("pk", filter=Q(submitted_at__gte=since)),
        approved=Count("pk", filter=approved),
        redirected=Count("pk", filter=redirected),
        ended=Count("pk", filter=approved | redirected | closed & Q(state_since__gte=since)),
        reopened=Count("pk", filter=approved & Q(next__isnull=False)),
    )
    return counted


def _hours(since: datetime) -> dict[State, Spread]:
    """Working hours in each state, of stays that ended in the period and began in it."""
    steps = AuditEvent.objects.filter(action__in=_STEPS, at_text__gte=as_written(since))
    courses: dict[str, list[tuple[datetime, str]]] = {}
    rows = steps.order_by("-seq").values_list("subject", "at_text", "payload_text")
    for subject, at_text, payload in reversed(rows[:EVENTS_COUNT]):
        target = json.loads(payload).get("target", "")
        courses.setdefault(subject, []).append((datetime.fromisoformat(at_text), target))
    calendar, hour = calendar_now(), timedelta(hours=1)
    found: dict[str, list[float]] = {state: [] for state in TIMED}
    for course in courses.values():
        for (began, state), (ended, _next) in pairwise(course):
            if state in found:
                found[state].append(working_between(calendar, began, ended) / hour)
    return {state: spread_of(found[state]) for state in TIMED}


def _unknowns(since: datetime) -> Iterator[float]:
    """Of each letter: which share of its answers was «I don't know»."""
    sent = Revision.objects.filter(submitted_at__gte=since).exclude(answers_text="")
    latest = sent.order_by("-submitted_at").values_list("answers_text", flat=True)[:SAMPLE_COUNT]
    for text in latest:
        answers: dict[str, dict[str, Any]] = json.loads(text)["answers"]
        if answers:
            yield sum(bool(a.get("unknown")) for a in answers.values()) / len(answers)


def _pilot_errors(since: datetime) -> Iterator[float]:
    """Of each closed pilot: by how much the step of the most GPUs missed its estimate."""
    runs = PilotRun.objects.filter(state=PilotRun.State.CLOSED, closed_at__gte=since)
    for run in runs[:SAMPLE_COUNT]:
        facts = facts_of_run(run)
        steps = {step_path(row["gpus"]) for row in facts["by_gpus"]}
        rows = compared(facts, values_of(run))
        errors = [row.error for row in rows if row.path in steps and row.error is not None]
        if errors:
            yield abs(errors[-1])
