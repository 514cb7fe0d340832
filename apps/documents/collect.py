"""Freezing the facts of a revision: the only code that reads rows for a document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from apps.catalog.releases import Contents, contents_for
from apps.core.errors import DomainError
from apps.core.prices import names_a_price
from apps.documents.facts import catalog_day, facts_used
from apps.documents.snapshot import (
    Changes,
    Edition,
    OverrideFact,
    Question,
    Remark,
    Snapshot,
    Step,
)
from apps.estimation.comparison import comparison_of
from apps.estimation.edited import with_edits
from apps.estimation.edits import edits_of
from apps.estimation.explanations import explanation_of, kept
from apps.estimation.models import Calculation
from apps.estimation.selectors import latest_assessment, latest_calculation, result_of
from apps.pilots.standing import pilot_of
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import TASK_FIELDS
from apps.requisitions.authors import authors_of
from apps.requisitions.models import Annotation, Decision, Override, Revision
from apps.requisitions.selectors import base_of, open_questions_of
from apps.requisitions.services import reply_of

# What the client may read; remarks between engineer and approver stay inside.
_STEPS = (Decision.Kind.REQUEST_CHANGES, Decision.Kind.SEND_TO_APPROVAL)


class NothingCalculated(DomainError):
    """There are no results to put on paper."""

    status = 409
    code = "nothing-calculated"


def calculation_for(revision: Revision) -> Calculation:
    """The calculation whose assessment a document shows.

    Raises:
        NothingCalculated: there is none, or a newer one still runs.
    """
    calculation = latest_calculation(revision)
    if calculation is None or calculation.state != Calculation.State.DONE:
        raise NothingCalculated(
            _("The calculation is not finished, so there is nothing to put into a document yet.")
        )
    return calculation


def snapshot_of(revision: Revision) -> Snapshot:
    """The facts of a revision as they are now, without an approval.

    Raises:
        NothingCalculated: there are no results, or they are about to change.
    """
    calculation = calculation_for(revision)
    assessment = latest_assessment(revision)
    assert assessment is not None, "a calculation is done when its assessment is stored"
    requisition = revision.requisition
    result = result_of(assessment)
    frozen, given = json.loads(revision.answers_text), json.loads(calculation.input_text)
    contents = contents_for(calculation.catalog_sha256)
    edits = edits_of(revision)
    return Snapshot(
        number=requisition.display_number,
        letter=revision.letter,
        client=requisition.company.name,
        sent_by=str(revision.submitted_by or ""),
        sent_at=revision.submitted_at.isoformat() if revision.submitted_at else "",
        engineer=str(revision.engineer or ""),
        calculated_at=assessment.created_at.isoformat(),
        input_sha256=calculation.input_sha256,
        engine_version=calculation.engine_version,
        catalog_sha256=calculation.catalog_sha256,
        catalog_day=catalog_day(contents),
        answers=frozen["answers"],
        attachments=tuple(frozen["attachments"]),
        task=given["task"],
        context=given["context"],
        result=result,
        failures=_failures(calculation),
        overrides=_overrides(revision),
        remarks=_remarks(revision),
        questions=_questions(revision, result),
        steps=_steps(revision),
        editions=_editions(revision),
        facts=facts_used(given["task"], result, contents),
        on_behalf_of=str(revision.on_behalf_of or ""),
        prepared_by=str(revision.prepared_by or ""),
        changes=_changes(revision),
        derivation=_derivation(calculation, result, edits, contents),
        authors=_authors(revision, frozen["answers"]),
        edits=edits,
        pilot=pilot_of(revision),
    )


def _authors(revision: Revision, answers: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Who gave which of the answers that were sent; nothing when one person gave all."""
    found = {k: author for k, author in authors_of(revision).items() if k in answers}
    if len(set(found.values())) < 2:
        return {}
    return {key: asdict(author) for key, author in found.items()}


def _derivation(
    calculation: Calculation,
    result: Mapping[str, Any],
    edits: Mapping[str, Any],
    contents: Contents,
) -> dict[str, Any] | None:
    """How the figures of the recommended variant came about; None: there is none to explain."""
    read = with_edits(result, edits)["variants"]
    chosen = next((v["key"] for v in read if v["recommended"]), None)
    variant = next((v for v in result["variants"] if v["key"] == chosen), None)
    explanation = explanation_of(calculation, variant) if variant else None
    if explanation is None or variant is None:
        return None
    return kept(explanation, variant["key"], contents)


def _changes(revision: Revision) -> Changes | None:
    """Figures of a letter that was never approved have not been shown, and are not compared."""
    base = base_of(revision)
    if base is None:
        return None
    comparison = comparison_of(base, revision)
    return Changes(
        since=base.letter,
        answers=tuple(change.as_dict() for change in comparison.answers),
        result=comparison.result if base.was_approved else None,
    )


def _failures(calculation: Calculation) -> dict[str, str]:
    return {
        row.estimator: row.reason
        for row in calculation.results.filter(failed=True).order_by("estimator")
    }


def _overrides(revision: Revision) -> tuple[OverrideFact, ...]:
    rows = revision.overrides.filter(removed_at__isnull=True).select_related("author")
    return tuple(
        OverrideFact(
            field=row.field,
            value=row.value,
            reason=row.reason,
            author=str(row.author),
            at=row.created_at.isoformat(),
            **_reply(row),
        )
        for row in rows.prefetch_related("replies__by")
    )


def _reply(override: Override) -> dict[str, str]:
    """What the client says of a value; words with a price in them stay out of the document."""
    reply = reply_of(override)
    if reply is None:
        return {}
    words = "" if names_a_price(reply.words) else reply.words
    return {"reply": "accepted" if reply.accepted else "declined", "words": words}


def _remarks(revision: Revision) -> tuple[Remark, ...]:
    """What the reviewers wrote for the client; the talk that followed is no part of a document."""
    rows = revision.annotations.filter(
        visibility=Annotation.Visibility.CLIENT,
        side=Annotation.Side.REVIEW,
        parent__isnull=True,
        removed_at__isnull=True,
    )
    return tuple(
        Remark(
            target=row.target, text=row.text, author=str(row.author), at=row.created_at.isoformat()
        )
        for row in rows.select_related("author")
    )


def _questions(revision: Revision, result: Mapping[str, Any]) -> tuple[Question, ...]:
    """What people asked, and what the engine missed beside it, the most influential first."""
    influence = {q["field"]: q.get("influence") for q in result.get("open_questions") or ()}
    rows = [_from_row(row, influence) for row in open_questions_of(revision)]
    covered = {question.field for question in rows if question.field}
    missed = [
        Question(
            key=TASK_FIELDS.get(field, ""),
            field=field,
            text="",
            owner="",
            due="",
            influence=share,
        )
        for field, share in influence.items()
        if field not in covered
    ]
    return tuple(sorted([*rows, *missed], key=lambda q: -(q.influence or 0.0)))


def _from_row(row: Any, influence: Mapping[str, float | None]) -> Question:
    known = QUESTIONS.get(row.key)
    field = (known.field if known else None) or ""
    return Question(
        key=row.key,
        field=field,
        text=row.text,
        owner=row.owner_name,
        due=row.due_text,
        influence=row.influence if row.influence is not None else influence.get(field),
    )


def _steps(revision: Revision) -> tuple[Step, ...]:
    """The latest of each kind: a draft that came back and was sent again has one date."""
    latest = {
        row.kind: row
        for row in revision.decisions.filter(kind__in=_STEPS).select_related("by").order_by("at")
    }
    return tuple(
        Step(
            kind=row.kind,
            by=str(row.by),
            comment=row.comment if row.kind == Decision.Kind.REQUEST_CHANGES else "",
            at=row.at.isoformat(),
        )
        for row in latest.values()
    )


def _editions(revision: Revision) -> tuple[Edition, ...]:
    """Every revision sent so far, with the answers that changed from one to the next."""
    sent = revision.requisition.revisions.filter(
        submitted_at__isnull=False, index__lte=revision.index
    ).select_related("submitted_by", "on_behalf_of")
    editions = []
    before: dict[str, Any] | None = None
    for row in sent.order_by("index"):
        answers = json.loads(row.answers_text)["answers"]
        changed = () if before is None else _changed(before, answers)
        editions.append(
            Edition(
                letter=row.letter,
                at=row.submitted_at.isoformat() if row.submitted_at else "",
                by=str(row.submitted_by or ""),
                changed=changed,
                on_behalf_of=str(row.on_behalf_of or ""),
            )
        )
        before = answers
    return tuple(editions)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    keys = [key for key in QUESTIONS if key in before or key in after]
    return tuple(key for key in keys if _said(before.get(key)) != _said(after.get(key)))


def _said(answer: Mapping[str, Any] | None) -> tuple[Any, Any]:
    return (answer.get("value"), answer.get("unknown")) if answer else (None, None)
