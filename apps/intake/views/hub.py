"""The client's list, a new requisition, its task list, and what the gate advises."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from apps.accounts.models import Role, User
from apps.core.paging import FilterLink, page_of, query_with
from apps.intake import services
from apps.intake.access import person, signed_in, take_typed
from apps.intake.asking import with_asking
from apps.intake.fields import slots_of
from apps.intake.gate import GATE_SECTION
from apps.intake.guests import last_words, links_of
from apps.intake.influence import influence_of_draft
from apps.intake.listing import GROUP_NAMES, listed, own_rows
from apps.intake.navigation import next_url, place_of, section_of, section_url
from apps.intake.posted import read_posted, typed_answers
from apps.intake.questions import client_questions, engineer_questions
from apps.intake.selectors import Draft, blank_draft, draft_of
from apps.intake.tasklist import finished_count, task_rows
from apps.intake.views.common import draft_stamp, with_draft
from apps.questionnaire.sections import section_for
from apps.questionnaire.triples import TRIPLES
from apps.requisitions.models import Revision
from apps.requisitions.selectors import leading_revision
from apps.requisitions.standing import group_counts, in_group

_SEARCH_LENGTH: Final = 100


@require_GET
@signed_in
def requisitions(request: HttpRequest) -> HttpResponse:
    """Those of the person's company, by group and by words."""
    search = request.GET.get("q", "")[:_SEARCH_LENGTH]
    group = request.GET.get("group", "")
    group = group if group in GROUP_NAMES else ""
    found = own_rows(person(request), search)
    page = page_of(request, found.filter(in_group(group)))
    context = {
        "page": page,
        "rows": [listed(requisition) for requisition in page],
        "filters": _filters(request, group, group_counts(found)),
        "chosen": {"group": group, "search": search},
        "query": query_with(request.GET),
    }
    return render(request, "intake/list.html", context)


def _filters(request: HttpRequest, group: str, counts: dict[str, int]) -> list[FilterLink]:
    """Groups that hold something, and the one that is shown."""
    return [
        FilterLink(
            label=str(label),
            count=counts[name],
            query=query_with(request.GET, group=name),
            current=name == group,
        )
        for name, label in GROUP_NAMES.items()
        if counts[name] or name in {"", group}
    ]


@require_http_methods(["GET", "POST"])
@signed_in
def new(request: HttpRequest) -> HttpResponse:
    """The gate comes first: the requisition is made together with the answers about the goal."""
    actor = person(request)
    if actor.has_role(Role.MANAGER) and not actor.has_role(Role.CLIENT):
        return redirect("intake:behalf")
    services.check_can_start(actor)
    if request.method == "POST":
        return _start(request, actor)
    draft = blank_draft()
    place = place_of(draft, section_of(draft, GATE_SECTION), None)
    typed = take_typed(request)
    unsaved = typed_answers(typed, place.section.questions, draft) if typed else None
    context = {
        "place": place,
        "slots": slots_of(draft, place, unsaved=unsaved),
        "triple": TRIPLES[GATE_SECTION],
    }
    return render(request, "intake/new.html", context)


def _start(request: HttpRequest, actor: User) -> HttpResponse:
    goal = section_for(GATE_SECTION)
    assert goal is not None
    if not read_posted(request.POST, goal.questions, blank_draft()).changes:
        messages.error(request, _("First state the goal: it decides what we ask."))
        return redirect("intake:new")
    draft = services.requisition_start(actor=actor)
    posted = read_posted(request.POST, goal.questions, draft)
    services.page_save(draft=draft, posted=posted, section=goal, finished="yes", actor=actor)
    after = draft_of(draft.revision)
    if after.evaluated.gate.advised:
        return redirect("intake:gate", draft.requisition.pk)
    place = place_of(after, goal, None)
    unanswered = any(q.key in after.evaluated.missing for q in place.page.questions)
    if unanswered:
        messages.info(request, _("First state the goal: it decides what we ask."))
        return HttpResponseRedirect(section_url(draft.requisition.pk, goal))
    return HttpResponseRedirect(next_url(after, place))


@require_GET
@with_draft
def hub(request: HttpRequest, draft: Draft) -> HttpResponse:
    done, needed = finished_count(draft)
    guests = links_of(draft.revision)
    asked = last_words(guests)
    context = {
        "draft": draft,
        "stamp": draft_stamp(draft),
        "rows": [replace(row, asked=asked.get(row.key, "")) for row in task_rows(draft)],
        "done": done,
        "needed": needed,
        "unknown_count": len(draft.evaluated.unknown),
        "questions": with_asking(draft, client_questions(draft, influence_of_draft(draft)))[:3],
        "guests": guests,
        "asked": engineer_questions(draft),
        "before": _letter_before(draft),
        "kept_days": max(settings.DRAFTS_KEPT_DAYS, 0),
    }
    return render(request, "intake/hub.html", context)


def _letter_before(draft: Draft) -> Revision | None:
    """The letter that counts until this draft is sent; None for a first one."""
    leading = leading_revision(draft.requisition)
    return None if leading.is_draft else leading
