"""What must hold before a revision goes to approval and is approved, and what to mind.

A blocking check that fails stops both steps, in the service as well as on the page. Each names
the place where it is mended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from apps.accounts.models import User
from apps.catalog.freshness import fact_age_days, oldest_fresh_day
from apps.catalog.releases import contents_for
from apps.core.prices import names_a_price
from apps.core.verdict_words import verdict_word
from apps.documents.facts import facts_used
from apps.estimation.models import Calculation
from apps.estimation.presenters import VariantView
from apps.estimation.texts import estimator_name, field_label
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.models import Annotation, OpenQuestion
from apps.requisitions.workflow import State
from apps.review.check import Check, Rule
from apps.review.dossier import Dossier
from apps.review.need_checks import NEED_RULES
from apps.review.variant_checks import VARIANT_RULES, own_words

# Without these two there is nothing to approve; the others may be missing with their reason.
MANDATORY: Final = frozenset({"memory", "time"})
# An unknown of this weight, or one that moves the result so far, needs a person and a day.
CRITICAL_WEIGHT: Final = 3
CRITICAL_INFLUENCE: Final = 0.5


def checks_of(dossier: Dossier, user: User) -> list[Check]:
    """Every condition with its outcome, blocking ones first in each group."""
    return [check for rule in _RULES for check in rule(dossier, user)]


def blockers_of(dossier: Dossier, user: User) -> list[Check]:
    return [check for check in checks_of(dossier, user) if check.stop]


def split(checks: Sequence[Check]) -> tuple[list[Check], list[Check], list[Check]]:
    """Obstacles, things to mind, conditions met."""
    return (
        [c for c in checks if c.state == "blocked"],
        [c for c in checks if c.state == "tight"],
        [c for c in checks if c.state == "ok"],
    )


def _page(dossier: Dossier, name: str = "workspace", anchor: str = "") -> str:
    return reverse(f"review:{name}", args=[dossier.revision.pk]) + anchor


def _engineer(dossier: Dossier, user: User) -> Iterator[Check]:
    """Somebody answers for the work, and it is they who hand it on."""
    revision = dossier.revision
    mine = revision.engineer_id == user.pk
    if revision.engineer_id is None:
        yield Check(
            key="engineer",
            state="blocked",
            text=_("Nobody has taken the requisition."),
            sub=_("The engineer who takes it answers for it and hands it on."),
            href=_page(dossier, anchor="#checks"),
            link=_("Take it"),
        )
    elif revision.state == State.IN_REVIEW and not mine:
        name = str(revision.engineer)
        yield Check(
            key="engineer",
            state="blocked",
            text=_("%(name)s has the requisition.") % {"name": name},
            sub=_("Only the engineer who has it hands it on."),
        )
    else:
        yield Check(key="engineer", state="ok", text=_("An engineer answers for it."))


def _calculated(dossier: Dossier, user: User) -> Iterator[Check]:
    calculation = dossier.calculation
    if dossier.running:
        yield Check(
            key="calculated",
            state="blocked",
            text=_("The calculation is still running."),
            href=_page(dossier),
            link=pgettext("check", "Refresh"),
        )
    elif calculation is None or calculation.state == Calculation.State.FAILED or dossier.stale:
        yield Check(
            key="calculated",
            state="blocked",
            text=_("There is no finished calculation."),
            href=_page(dossier, anchor="#estimates"),
            link=_("Recalculate"),
        )
    else:
        yield Check(key="calculated", state="ok", text=_("The calculation is finished."))
        yield from _estimators(dossier, calculation)


def _estimators(dossier: Dossier, calculation: Calculation) -> Iterator[Check]:
    failed = calculation.results.filter(failed=True).order_by("estimator")
    for result in failed:
        yield Check(
            key=f"estimator-{result.estimator}",
            state="blocked" if result.estimator in MANDATORY else "tight",
            text=_("Not calculated: %(name)s.") % {"name": estimator_name(result.estimator)},
            sub=result.reason,
            href=_page(dossier, anchor="#estimates"),
            link=_("Recalculate"),
        )
    if dossier.result is not None and dossier.result.get("status") == "insufficient":
        yield Check(
            key="insufficient",
            state="blocked",
            text=_("There is not enough data for figures."),
            sub=_("Ask the client, or set your own values with a reason."),
            href=_page(dossier, "ask"),
            link=_("Ask the client"),
        )


def _gate(dossier: Dossier, user: User) -> Iterator[Check]:
    """The question whether training is needed at all has been answered."""
    gate, effective = dossier.evaluated.gate, dossier.evaluated.effective
    reason = effective.get("continue_reason")
    if gate.advised and not reason:
        yield Check(
            key="gate",
            state="blocked",
            text=_("By the answers another way comes first: %(way)s.") % {"way": gate.title},
            sub=_("The client gave no reason to go on."),
            href=_page(dossier, "redirect"),
            link=_("Redirect"),
        )
    elif gate.advised or gate.key == "undecided":
        yield Check(key="gate", state="tight", text=str(gate.title), sub=str(reason or ""))
    else:
        yield Check(key="gate", state="ok", text=_("Training is justified by the goal."))


def is_critical(question: OpenQuestion) -> bool:
    """Does not knowing it move the result so far that somebody must be after it?"""
    asked = QUESTIONS.get(question.key)
    heavy = asked is not None and asked.weight >= CRITICAL_WEIGHT
    return heavy or (question.influence or 0.0) >= CRITICAL_INFLUENCE


def _questions(dossier: Dossier, user: User) -> Iterator[Check]:
    critical = [q for q in dossier.questions if is_critical(q)]
    loose = [q for q in critical if not (q.owner_name and q.due_text)]
    for question in loose:
        asked = QUESTIONS.get(question.key)
        yield Check(
            key="critical-question",
            state="blocked",
            text=_("A critical question without a person or a day: %(question)s")
            % {"question": str(asked.label) if asked else question.text},
            href=_page(dossier, anchor=f"#q-{question.pk}"),
            link=_("Name them"),
        )
    if not loose:
        yield Check(
            key="critical-question",
            state="ok",
            text=_("Every critical question has a person and a day."),
        )
    count = len(dossier.questions)
    if count:
        text = ngettext("%(count)s question is open.", "%(count)s questions are open.", count)
        yield Check(
            key="questions",
            state="tight",
            text=text % {"count": count},
            sub=_("They go into the document with their influence."),
            href=_page(dossier, anchor="#questions"),
            link=pgettext("check", "See"),
        )


def _rechecks(dossier: Dossier, user: User) -> Iterator[Check]:
    """Nobody's value falls away unseen because the client changed the answer beside it."""
    waiting = dossier.revision.rechecks.filter(settled_at__isnull=True).select_related("override")
    for row in waiting:
        yield Check(
            key="recheck",
            state="blocked",
            text=_("Check the earlier value again: %(field)s.")
            % {"field": field_label(row.override.field)},
            sub=_("The client's answer has changed, so the value is not applied."),
            href=_page(dossier, anchor="#rechecks"),
            link=pgettext("check", "See"),
        )


def _document(dossier: Dossier, user: User) -> Iterator[Check]:
    """What the document has to say, and what it must not."""
    result = dossier.result
    if result is None:
        return
    if not result.get("assumptions"):
        yield Check(
            key="assumptions",
            state="blocked",
            text=_("The calculation names no assumptions."),
            href=_page(dossier, anchor="#estimates"),
            link=_("Recalculate"),
        )
    else:
        yield Check(key="assumptions", state="ok", text=_("The assumptions are named."))
    if result.get("status") == "magnitude":
        yield Check(
            key="magnitude",
            state="tight",
            text=_("The figures show the order of magnitude only."),
            sub=_("The document says so on its first page."),
        )
    if not (result.get("evidence") or {}).get("validated", False):
        yield Check(
            key="evidence",
            state="tight",
            text=_("This kind of run is not checked against measurements."),
            sub=_("The ranges are wider, and the document says so."),
        )


def _prices(dossier: Dossier, user: User) -> Iterator[Check]:
    """Words that go to the client name no prices: the assessment is not an offer."""
    visible = dossier.revision.annotations.filter(
        visibility=Annotation.Visibility.CLIENT,
        side=Annotation.Side.REVIEW,
        removed_at__isnull=True,
    )
    words = [*(o.reason for o in dossier.overrides), *(a.text for a in visible)]
    words += [text for view in dossier.variants for text in own_words(view)]
    priced = next((text for text in words if names_a_price(text)), None)
    if priced is None:
        yield Check(key="prices", state="ok", text=_("No prices in the words for the client."))
        return
    yield Check(
        key="prices",
        state="blocked",
        text=_("There is a price in the words for the client."),
        sub=priced[:200],
        href=_page(dossier, anchor="#remarks"),
        link=pgettext("check", "See"),
    )


def _variants(dossier: Dossier, user: User) -> Iterator[Check]:
    if dossier.result is None:
        return
    for variant in dossier.variants:
        if variant.gpus > 1 and not variant.layout:
            yield Check(
                key="layout",
                state="blocked",
                text=_("Variant %(key)s has several GPUs and no layout.") % {"key": variant.key},
                href=_page(dossier, "variants"),
                link=_("Variants"),
            )
    chosen = dossier.recommended
    if chosen is not None:
        yield from _chosen(dossier, chosen)
    else:
        yield Check(
            key="recommended",
            state="tight",
            text=_("No variant is recommended."),
            sub=_("The document will say what each one lacks."),
            href=_page(dossier, "variants"),
            link=_("Variants"),
        )


def _chosen(dossier: Dossier, chosen: VariantView) -> Iterator[Check]:
    """The recommended variant: nothing refuses it; what is not settled is said."""
    for refusal in chosen.refusals:
        yield Check(
            key="compatibility",
            state="blocked",
            text=refusal,
            href=_page(dossier, "variants"),
            link=_("Variants"),
        )
    if not chosen.confirmed and not chosen.rented:  # a rented node needs no part number
        yield Check(
            key="sku",
            state="tight",
            text=_("The part number of %(key)s is not confirmed.") % {"key": chosen.key},
            sub=_("The document says “requires confirmation”."),
            href=reverse("review:variant", args=[dossier.revision.pk, chosen.key]) + "#part",
            link=_("Confirm it"),
        )
    for cell in chosen.cells:
        if cell.state in ("risk", "does-not-fit"):
            yield Check(
                key=f"verdict-{cell.key}",
                state="tight",
                text=_("%(name)s: %(verdict)s.")
                % {"name": cell.label, "verdict": cell.word or verdict_word(cell.state)},
                href=_page(dossier, "variants"),
                link=_("Variants"),
            )


def _plan(dossier: Dossier, user: User) -> Iterator[Check]:
    """What the client has not planned and will miss."""
    effective = dossier.evaluated.effective
    if effective.get("held_out_set") is False:
        yield Check(
            key="held-out",
            state="tight",
            text=_("There is no held-out set to judge the result by."),
        )
    if "stop_criteria" in dossier.evaluated.answers and not effective.get("stop_criteria"):
        yield Check(key="stop", state="tight", text=_("It is not said when the experiments stop."))
    for problem in dossier.evaluated.warnings:
        yield Check(
            key="doubt",
            state="tight",
            text=str(QUESTIONS[problem.key].label),
            sub=str(problem.message),
        )


def _facts(dossier: Dossier, user: User) -> Iterator[Check]:
    """Facts of the catalog grow old: somebody has to look at the source again."""
    if dossier.result is None or dossier.assessment is None:
        return
    contents = contents_for(dossier.assessment.calculation.catalog_sha256)
    oldest = oldest_fresh_day(contents.catalog)
    stale = [
        fact
        for fact in facts_used(dossier.task, dossier.result, contents)
        if fact.as_of and date.fromisoformat(fact.as_of) < oldest
    ]
    if stale:
        text = ngettext(
            "%(count)s fact of the catalog is older than %(days)s days.",
            "%(count)s facts of the catalog are older than %(days)s days.",
            len(stale),
        )
        yield Check(
            key="facts",
            state="tight",
            text=text % {"count": len(stale), "days": fact_age_days(contents.catalog)},
            sub=", ".join(dict.fromkeys(fact.name for fact in stale)),
            href=reverse("catalog:list"),
            link=_("Catalog"),
        )


_RULES: Final[tuple[Rule, ...]] = (
    _engineer,
    _calculated,
    _gate,
    _questions,
    _rechecks,
    _document,
    _prices,
    _variants,
    _facts,
    _plan,
    *NEED_RULES,
    *VARIANT_RULES,
)
