"""The course of a requisition as its client sees it: states, estimators, a rough band.

Before approval nothing here names a server or an accelerator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core import formatting
from apps.estimation.selectors import (
    EstimatorRun,
    latest_assessment,
    latest_calculation,
    result_of,
    runs_of,
)
from apps.estimation.texts import estimator_name
from apps.requisitions.clock_words import client_words
from apps.requisitions.models import Decision, Revision
from apps.requisitions.workflow import State

_COURSE: Final = (
    State.DRAFT,
    State.ESTIMATING,
    State.IN_REVIEW,
    State.IN_APPROVAL,
    State.APPROVED,
)
_NEXT: Final = {
    State.ESTIMATING: gettext_lazy("Usually about a minute. You may close the page."),
    State.IN_REVIEW: gettext_lazy("If something is unclear, you will see a question here."),
    State.CHANGES_REQUESTED: gettext_lazy(
        "Answer in the new revision and send it: the calculation is made anew."
    ),
    State.IN_APPROVAL: gettext_lazy("A second person reads the assessment before it goes out."),
    State.APPROVED: gettext_lazy("The document is below, in Russian and in English."),
    State.REJECTED: gettext_lazy(
        "The reason is below. You may correct the answers in a new revision."
    ),
    State.REDIRECTED: gettext_lazy("The answers are kept: come back if this way is not enough."),
    State.WITHDRAWN: gettext_lazy("The answers are kept, and you may take it up again."),
    State.SUPERSEDED: gettext_lazy("Its answers and documents are kept."),
}
_HEADINGS: Final = {
    State.ESTIMATING: gettext_lazy("The requisition is accepted and being computed"),
    State.IN_REVIEW: gettext_lazy("An engineer is checking the calculation"),
    State.CHANGES_REQUESTED: gettext_lazy("The engineer has questions for you"),
    State.IN_APPROVAL: gettext_lazy("The assessment is being approved"),
    State.APPROVED: gettext_lazy("The assessment is ready"),
    State.REJECTED: gettext_lazy("The requisition is rejected"),
    State.REDIRECTED: gettext_lazy("Another way comes first"),
    State.WITHDRAWN: gettext_lazy("The requisition is withdrawn"),
    State.SUPERSEDED: gettext_lazy("A later revision has taken its place"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the course; `state` is done, now or nothing."""

    text: str
    sub: str
    state: str


def is_deleted(revision: Revision) -> bool:
    """A draft that was given up before it was ever sent."""
    return revision.state == State.WITHDRAWN and revision.never_sent


def state_name(revision: Revision) -> str:
    """The state as the client's pages say it."""
    return _("Deleted draft") if is_deleted(revision) else str(State(revision.state).label)


def heading(revision: Revision) -> str:
    if is_deleted(revision):
        return _("The draft is deleted")
    return str(_HEADINGS[State(revision.state)])


def next_step(revision: Revision) -> str:
    if is_deleted(revision):
        return _("It was never sent. The answers are kept: bring it back whenever you like.")
    said = str(_NEXT[State(revision.state)])
    return " ".join([said, *client_words(revision, timezone.now())])


def steps_of(revision: Revision) -> list[Step]:
    """The usual course with this revision's place in it; an unusual end is its own last step."""
    state = State(revision.state)
    sent = formatting.short_moment(revision.submitted_at) if revision.submitted_at else ""
    if state not in _COURSE:
        first = [Step(_("Sent"), sent, "done")] if sent else []
        return [
            *first,
            Step(state_name(revision), formatting.short_moment(revision.state_since), "now"),
        ]
    place = _COURSE.index(state)
    steps = []
    for number, stage in enumerate(_COURSE):
        text = _("Sent") if stage is State.DRAFT else str(stage.label)
        mark = "done" if number < place else "now" if number == place else ""
        steps.append(Step(text, _sub(revision, stage, sent, is_now=number == place), mark))
    return steps


def _sub(revision: Revision, stage: State, sent: str, *, is_now: bool) -> str:
    if stage is State.DRAFT:
        return sent
    since: datetime | None = revision.state_since if is_now else None
    return formatting.short_moment(since) if since else ""


def runs_for_client(revision: Revision) -> list[dict[str, Any]]:
    """Estimators at work; failures in words, without what only an engineer understands."""
    calculation = latest_calculation(revision)
    if calculation is None:
        return []
    return [_run(run) for run in runs_of(calculation) if run.key != "assemble"]


def _run(run: EstimatorRun) -> dict[str, Any]:
    said = ""
    if run.state == "failed":
        said = _("the others go on; the engineer sees the reason")
    return {
        "state": run.state,
        "name": estimator_name(run.key),
        "said": said,
        "took": _took(run.took_s),
    }


def _took(took_s: float | None) -> str:
    """To the second: a client has no use for milliseconds."""
    if took_s is None:
        return ""
    return formatting.duration(round(took_s)) if took_s >= 1 else _("less than a second")


@dataclass(frozen=True, slots=True)
class Band:
    """One rough figure: low to high over everything that was computed."""

    label: str
    value: str


def rough_bands(revision: Revision) -> list[Band]:
    """Orders of magnitude over all variants: no server, no accelerator, no single number."""
    assessment = latest_assessment(revision)
    if assessment is None:
        return []
    variants = result_of(assessment).get("variants") or []
    found = [
        (_("Memory for one GPU"), "GiB", _spread(variants, "memory", "device_gib")),
        (_("Time of one training"), "h", _spread(variants, "time", "hours")),
    ]
    return [
        Band(label, formatting.span_text(spread, unit))
        for label, unit, spread in found
        if spread is not None
    ]


def _spread(
    variants: list[Mapping[str, Any]], part: str, name: str
) -> tuple[float, float, float] | None:
    """From the lowest low to the highest high of all variants that have the figure."""
    ranges = [(v.get(part) or {}).get(name) for v in variants]
    known = [r for r in ranges if isinstance(r, Mapping)]
    if not known:
        return None
    typical = sorted(float(r["typical"]) for r in known)
    low = min(float(r["low"]) for r in known)
    return low, typical[len(typical) // 2], max(float(r["high"]) for r in known)


def last_words(revision: Revision) -> str:
    """What was said with the latest decision that the client may read."""
    shown = (Decision.Kind.REJECT, Decision.Kind.REDIRECT, Decision.Kind.REQUEST_CHANGES)
    decision = revision.decisions.filter(kind__in=shown).last()
    return decision.comment if decision else ""
