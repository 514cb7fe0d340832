"""The client's list, a new requisition, its task list, and what the gate advises."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.models import Company, Role, User
from apps.intake import services
from apps.intake.access import person, signed_in, take_typed
from apps.intake.fields import fields_of, slots_of
from apps.intake.gate import GATE_SECTION
from apps.intake.listing import listed_for
from apps.intake.navigation import next_url, place_of, section_of, section_url
from apps.intake.posted import read_posted, typed_answers
from apps.intake.questions import client_questions, engineer_questions
from apps.intake.selectors import Draft, blank_draft, draft_of
from apps.intake.tasklist import finished_count, task_rows
from apps.intake.views.common import draft_stamp, to_hub, with_draft
from apps.questionnaire.sections import QUESTIONS, section_for


@require_GET
@signed_in
def requisitions(request: HttpRequest) -> HttpResponse:
    return render(request, "intake/list.html", {"rows": listed_for(person(request))})


@require_http_methods(["GET", "POST"])
@signed_in
def new(request: HttpRequest) -> HttpResponse:
    """The gate comes first: the requisition is made together with the answers about the goal."""
    actor = person(request)
    companies = _companies(actor)
    if request.method == "POST":
        company = companies.get(request.POST.get("company", ""), actor.company)
        return _start(request, actor, company)
    draft = blank_draft()
    place = place_of(draft, section_of(draft, GATE_SECTION), None)
    typed = take_typed(request)
    unsaved = typed_answers(typed, place.section.questions, draft) if typed else None
    context = {
        "place": place,
        "slots": slots_of(draft, place, unsaved=unsaved),
        "companies": companies.values(),
    }
    return render(request, "intake/new.html", context)


def _companies(actor: User) -> dict[str, Company]:
    """For whom a manager may open a requisition; a client asks for the own company."""
    if actor.has_role(Role.CLIENT) or not actor.has_role(Role.MANAGER):
        return {}
    return {str(company.pk): company for company in Company.objects.all()}


def _start(request: HttpRequest, actor: User, company: Company | None) -> HttpResponse:
    draft = services.requisition_start(actor=actor, company=company)
    goal = section_for(GATE_SECTION)
    assert goal is not None
    posted = read_posted(request.POST, goal.questions, draft)
    services.page_save(draft=draft, posted=posted, section=goal, finished="yes", actor=actor)
    after = draft_of(draft.revision)
    if after.evaluated.gate.advised:
        return redirect("intake:gate", draft.requisition.pk)
    place = place_of(after, goal, None)
    unanswered = any(q.key in after.evaluated.missing for q in place.page.questions)
    here = section_url(draft.requisition.pk, goal)
    return HttpResponseRedirect(here if unanswered else next_url(after, place))


@require_GET
@with_draft
def hub(request: HttpRequest, draft: Draft) -> HttpResponse:
    done, needed = finished_count(draft)
    context = {
        "draft": draft,
        "stamp": draft_stamp(draft),
        "rows": task_rows(draft),
        "done": done,
        "needed": needed,
        "unknown_count": len(draft.evaluated.unknown),
        "questions": client_questions(draft, most=3),
        "asked": engineer_questions(draft),
    }
    return render(request, "intake/hub.html", context)


@require_http_methods(["GET", "POST"])
@with_draft
def gate(request: HttpRequest, draft: Draft) -> HttpResponse:
    """What the answers about the goal lead to; going on against the advice needs a reason."""
    if request.method == "POST":
        return _go_on(request, draft)
    outcome = draft.evaluated.gate
    reason = QUESTIONS["continue_reason"]
    context = {
        "draft": draft,
        "outcome": outcome,
        "fields": fields_of(draft, [reason]) if outcome.advised else [],
        "goal_url": section_url(draft.requisition.pk, section_of(draft, GATE_SECTION)),
    }
    return render(request, "intake/gate.html", context)


def _go_on(request: HttpRequest, draft: Draft) -> HttpResponse:
    goal = section_of(draft, GATE_SECTION)
    posted = read_posted(request.POST, [QUESTIONS["continue_reason"]], draft)
    services.page_save(draft=draft, posted=posted, section=goal, finished="", actor=person(request))
    after = draft_of(draft.revision)
    if after.evaluated.gate.advised and "continue_reason" not in after.evaluated.effective:
        messages.error(request, _("Write why you go on with training: the engineer will read it."))
        return redirect("intake:gate", draft.requisition.pk)
    return to_hub(draft)


@require_POST
@with_draft
def another_way(request: HttpRequest, draft: Draft) -> HttpResponse:
    """End the requisition on the way that the gate advises. The answers are kept."""
    services.requisition_redirect(draft=draft, actor=person(request))
    return redirect("intake:status", draft.requisition.pk)
