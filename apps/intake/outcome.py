"""Another way, or a refusal, as its client reads it: the verdict, what it follows from, ways on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.core import formatting
from apps.documents.notes.page import note_title
from apps.documents.notes.parts import NeedRow, needs_of
from apps.documents.notes.reading import Said, answered
from apps.estimation.presenters import OwnView, own_of
from apps.estimation.selectors import latest_assessment, result_of
from apps.intake.selectors import Draft
from apps.questionnaire.gate import JUDGED_BY
from apps.questionnaire.sentences import Text
from apps.questionnaire.ways import WAYS, Way, why_of
from apps.requisitions import policy
from apps.requisitions.models import Decision, Revision
from apps.requisitions.outcomes import OtherWay
from apps.requisitions.policy import Deed

# A test of these ways is the ground for training, and brings the requisition back.
_TESTED: Final = frozenset({OtherWay.RAG.value, OtherWay.PILOT.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`way` is None of a rejection. `words` are those of the person who decided (`by`), empty when
    the client chose. `asks_for_test` offers to come back with what a test has shown."""

    title: str
    why: Text | str
    way: Way | None
    reasons: tuple[Said, ...]
    needs: tuple[NeedRow, ...]
    asks_for_test: bool
    words: str = ""
    by: str = ""


def advice_of(draft: Draft) -> Outcome | None:
    """The other way that the gate advises; None when it advises none."""
    way = WAYS.get(draft.evaluated.gate.way)
    if way is None:
        return None
    return Outcome(
        title=str(way.title),
        why=way.why,
        way=way,
        reasons=answered(draft.evaluated, JUDGED_BY),
        needs=needs_of(draft.evaluated, way),
        asks_for_test=way.key in _TESTED,
    )


def outcome_of(draft: Draft) -> Outcome | None:
    """How the revision of `draft` ended without an assessment; None when it did not.

    Also None of endings from before their kind was written down.
    """
    kinds = (Decision.Kind.REDIRECT, Decision.Kind.REJECT)
    decision = draft.revision.decisions.filter(kind__in=kinds).select_related("by").last()
    if decision is None or not decision.category:
        return None
    way = WAYS.get(decision.category) if decision.kind == Decision.Kind.REDIRECT else None
    return Outcome(
        title=note_title(decision.kind, decision.category),
        why=why_of(way, at_gate=draft.revision.submitted_at is None)
        if way
        else _("The requisition ends here without an assessment."),
        way=way,
        reasons=answered(draft.evaluated, way.grounds) if way else (),
        needs=needs_of(draft.evaluated, way) if way else (),
        asks_for_test=way is not None and way.key in _TESTED,
        words=decision.comment,
        by=_("%(name)s, %(day)s") % {"name": decision.by, "day": formatting.day(decision.at)}
        if decision.comment
        else "",
    )


def own_comparison(user: User, revision: Revision) -> OwnView | None:
    """Own against rented, for a client who has not decided; it names hardware, so not before the
    approval."""
    assessment = latest_assessment(revision)
    if assessment is None or not policy.may(user, Deed.DOWNLOAD_FINAL, revision):
        return None
    return own_of(result_of(assessment))
