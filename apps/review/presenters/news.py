"""What moved since the figures were looked at: facts of the catalog, and the last recalculation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.catalog.releases import contents_for, present_contents, present_sha256
from apps.core import formatting
from apps.documents.facts import facts_used
from apps.documents.sheets.sources import fact_words
from apps.documents.snapshot import Fact
from apps.estimation.magnitude import as_shown
from apps.estimation.models import Assessment, Calculation
from apps.estimation.presenters.changes import result_change
from apps.estimation.selectors import result_of
from apps.estimation.texts import field_label
from apps.requisitions import policy
from apps.requisitions.policy import Deed
from apps.requisitions.workflow import State
from apps.review.dossier import Dossier
from apps.sizing.changes import changes_between

# Nobody acts on what has ended another way.
_CONCERNED = frozenset(
    {State.IN_REVIEW, State.IN_APPROVAL, State.CHANGES_REQUESTED, State.APPROVED}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """A fact of the catalog as the figures rest on it, and as it is now; "" where there is none."""

    name: str
    label: str
    was: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactNews:
    """Facts that changed since the calculation; in an approved revision they stay as they were."""

    changes: tuple[FactChange, ...]
    approved: bool
    may_recalculate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LastChange:
    """What the last recalculation, and a choice of the engineer, changed in the conclusions."""

    why: str
    by: str
    at: datetime
    conclusions: tuple[str, ...]


def fact_news(user: User, dossier: Dossier) -> FactNews | None:
    """None when the figures rest on what the catalog says today."""
    assessment = dossier.assessment
    if assessment is None or State(dossier.revision.state) not in _CONCERNED:
        return None
    calculation = assessment.calculation
    if calculation.catalog_sha256 == present_sha256():
        return None
    result = result_of(assessment)
    then = facts_used(dossier.task, result, contents_for(calculation.catalog_sha256))
    now = facts_used(dossier.task, result, present_contents())
    changes = _fact_changes(then, now)
    if not changes:
        return None
    may = policy.may(user, Deed.RECALCULATE, dossier.revision) and not dossier.running
    return FactNews(
        changes=changes,
        approved=dossier.revision.was_approved,
        may_recalculate=may,
    )


def _fact_changes(then: tuple[Fact, ...], now: tuple[Fact, ...]) -> tuple[FactChange, ...]:
    before = {(fact.item, fact.key): fact for fact in then}
    after = {(fact.item, fact.key): fact for fact in now}
    return tuple(
        _fact_change(before.get(key), after.get(key))
        for key in {**before, **after}
        if _value(before.get(key)) != _value(after.get(key))
    )


def _value(fact: Fact | None) -> object:
    return None if fact is None else (fact.value, fact.unit)


def _fact_change(before: Fact | None, after: Fact | None) -> FactChange:
    known = after or before
    assert known is not None, "a change has one end at least"
    return FactChange(
        name=known.name,
        label=fact_words(known)[0],
        was=fact_words(before)[1] if before else formatting.not_given(),
        now=fact_words(after)[1] if after else formatting.not_given(),
    )


def last_change(dossier: Dossier) -> LastChange | None:
    """What the newest calculation of this letter says that the one before it did not.

    None for the first one. It stays on the page until there is another.
    """
    assessment = dossier.assessment
    if assessment is None or dossier.running:
        return None
    earlier = (
        Assessment.objects.filter(
            calculation__revision=dossier.revision,
            calculation__number__lt=assessment.calculation.number,
        )
        .select_related("calculation")
        .order_by("calculation__number")
        .last()
    )
    if earlier is None:
        return None
    found = changes_between(as_shown(result_of(earlier)), as_shown(result_of(assessment)))
    calculation = assessment.calculation
    return LastChange(
        why=_why(calculation),
        by=str(calculation.created_by or ""),
        at=assessment.created_at,
        conclusions=result_change(found).conclusions
        or (_("No conclusion changed; the figures moved within their ranges."),),
    )


def _why(calculation: Calculation) -> str:
    """The reason that the calculation was started with, in words."""
    kind, _space, field = calculation.reason.partition(" ")
    words = {
        "override": _("The engineer's value: %(field)s"),
        "override-remove": _("The engineer's value is taken back: %(field)s"),
        "what-if": _("Values taken from the what-if page"),
    }
    known = words.get(kind)
    if known is None:
        return _("Recalculated")
    return known % {"field": field_label(field)} if field else known


def choice_words(dossier: Dossier) -> str:
    """Which variant the engineer recommends instead of the computed one; "" when they do not."""
    chosen = dossier.recommended
    if chosen is None or chosen.pick is None:
        return ""
    if not chosen.pick.computed:
        return _("The engineer recommends %(key)s; the calculation recommended none.") % {
            "key": chosen.key
        }
    return _("The engineer recommends %(key)s instead of %(computed)s: %(reason)s") % {
        "key": chosen.key,
        "computed": chosen.pick.computed,
        "reason": chosen.pick.text,
    }
