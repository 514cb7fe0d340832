"""The gate and what follows from it: another way, and coming back with a test of it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from apps.core.errors import DomainError
from apps.intake import other_ways, services
from apps.intake.access import person, signed_in
from apps.intake.fields import fields_of
from apps.intake.gate import GATE_SECTION
from apps.intake.navigation import question_url, section_of, section_url
from apps.intake.outcome import advice_of
from apps.intake.posted import read_posted
from apps.intake.selectors import Draft, client_revision_for, draft_of
from apps.intake.views.common import to_hub, with_draft
from apps.questionnaire.gate import JUDGED_BY
from apps.questionnaire.question import LONG_TEXT
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions import policy
from apps.requisitions.workflow import Action

_REASON = "continue_reason"


@require_http_methods(["GET", "POST"])
@with_draft
def gate(request: HttpRequest, draft: Draft) -> HttpResponse:
    """What the answers about the goal lead to; going on against the advice needs a reason."""
    if request.method == "POST":
        return _go_on(request, draft)
    evaluated = draft.evaluated
    outcome = advice_of(draft)
    context = {
        "draft": draft,
        "gate": evaluated.gate,
        "outcome": outcome,
        "fields": fields_of(draft, [QUESTIONS[_REASON]]) if outcome else [],
        "may_end": policy.can(person(request), Action.REDIRECT, draft.revision),
        "goal_url": section_url(draft.requisition.pk, section_of(draft, GATE_SECTION)),
        "missing": [
            {"label": QUESTIONS[key].label, "href": question_url(draft, key)}
            for key in JUDGED_BY
            if key in evaluated.answers and key not in evaluated.effective
        ],
        "adapter_first": evaluated.effective.get("purpose") == "behaviour",
        "has_server": evaluated.effective.get("inference_server") is True,
        "evidence_length": LONG_TEXT,
    }
    return render(request, "intake/gate.html", context)


def _go_on(request: HttpRequest, draft: Draft) -> HttpResponse:
    goal = section_of(draft, GATE_SECTION)
    posted = read_posted(request.POST, [QUESTIONS[_REASON]], draft)
    services.page_save(draft=draft, posted=posted, section=goal, finished="", actor=person(request))
    after = draft_of(draft.revision)
    if after.evaluated.gate.advised and _REASON not in after.evaluated.effective:
        messages.error(request, _("Write why you go on with training: the engineer will read it."))
        return redirect("intake:gate", draft.requisition.pk)
    return to_hub(draft)


@require_POST
@with_draft
def another_way(request: HttpRequest, draft: Draft) -> HttpResponse:
    """End the requisition on the way that the gate advises. The answers are kept."""
    other_ways.requisition_redirect(draft=draft, actor=person(request))
    return redirect("intake:status", draft.requisition.pk)


@require_POST
@signed_in
def evidence(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    """What a test of the other way has shown; it opens again what ended on that way."""
    actor = person(request)
    revision = client_revision_for(actor, requisition_id)
    try:
        other_ways.evidence_give(
            revision=revision, evidence=request.POST.get("evidence", ""), actor=actor
        )
    except DomainError as problem:
        if problem.status != DomainError.status:
            raise
        messages.error(request, str(problem))
        return redirect("intake:gate" if revision.is_draft else "intake:status", requisition_id)
    return redirect("intake:gate", requisition_id)
