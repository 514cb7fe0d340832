"""Pages of questions: shown, saved as typed, saved by themselves while one types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.core import formatting
from apps.intake import services
from apps.intake.access import SAVED_HEADER, person, signed_in, take_typed
from apps.intake.clashes import clash_rows
from apps.intake.fields import fields_of, problems_of, slots_of, typed_echo
from apps.intake.gate import gate_stops
from apps.intake.marking import (
    MARKED,
    rest_mark,
    rest_mark_open,
    still_marked,
)
from apps.intake.navigation import (
    TO_CHECK,
    Place,
    autosave_url,
    has_new_questions,
    home_url,
    next_url,
    page_url,
    place_of,
    previous_url,
    read_keys,
    section_of,
    with_keys,
)
from apps.intake.opened import opened_fields, opened_url
from apps.intake.posted import Posted, Typed, read_posted, typed_answers
from apps.intake.preview import preview_of
from apps.intake.selectors import Draft
from apps.intake.views.common import with_draft
from apps.questionnaire.experts import EXPERTS
from apps.questionnaire.sections import QUESTIONS, Section
from apps.questionnaire.triples import TRIPLES
from apps.requisitions.announcements import announce_draft_kept
from apps.requisitions.authors import Author
from apps.requisitions.services import SaveOutcome


@require_http_methods(["GET", "POST"])
@with_draft
def section(request: HttpRequest, draft: Draft, *, section_key: str) -> HttpResponse:
    """One page of a section. `?page=` names it, `?return=check` comes back to the check page."""
    chosen = section_of(draft, section_key)
    if not chosen.pages:
        return redirect(f"intake:{chosen.key}", draft.requisition.pk)
    return answer_page(request, draft, chosen)


def answer_page(request: HttpRequest, draft: Draft, chosen: Section) -> HttpResponse:
    """The page, or the page saved, for whoever the draft is read for."""
    if request.method == "POST":
        return _save(request, draft, chosen)
    place = place_of(draft, chosen, request.GET.get("page"))
    typed = take_typed(request)
    if typed is None:
        return _show(request, draft, place)
    unsaved = typed_answers(typed, chosen.questions, draft)
    return _show(request, draft, place, unsaved=unsaved, restored=True)


@require_POST
@with_draft
def autosave(request: HttpRequest, draft: Draft, *, section_key: str) -> HttpResponse:
    """Save a page that is still being filled in; htmx puts the pieces of the answer in place."""
    return save_alone(request, draft, section_of(draft, section_key))


def save_alone(request: HttpRequest, draft: Draft, chosen: Section) -> HttpResponse:
    """What a page still being filled in has sent, stored for whoever the draft is read for."""
    posted = read_posted(request.POST, chosen.questions, draft)
    outcome = services.page_save(
        draft=draft, posted=posted, section=chosen, finished="", actor=_author(request, draft)
    )
    after = draft.again()
    place = place_of(after, chosen, request.GET.get("page"))
    asked_now = {q.key for q in place.page.questions}
    settled = asked_now.intersection(posted.asked).difference(c.key for c in outcome.clashes)
    new = [q for q in place.page.questions if q.key not in posted.asked]
    context = {
        "at": formatting.clock(timezone.now()),
        "fields": fields_of(after, [q for q in place.page.questions if q.key in settled]),
        "appeared": fields_of(after, new, swapped=True),
        "gone": [key for key in posted.asked if key not in asked_now],
        "clashes": clash_rows(outcome.clashes),
        "too_long": bool(posted.unsaved),
        **_preview(after),
    }
    whole = not outcome.clashes and not posted.unsaved
    headers = {SAVED_HEADER: "all" if whole else "part"}
    page = render_to_string("intake/partials/autosaved.html", context, request)
    return HttpResponse(page, headers=headers)


@require_GET
@signed_in
def echo(request: HttpRequest, key: str) -> HttpResponse:
    """What is understood of a text that is being typed. Stores nothing."""
    question = QUESTIONS.get(key)
    if question is None:
        raise Http404
    context = typed_echo(question, request.GET.get(key, ""))
    return render(request, "partials/question_echo.html", context)


def _author(request: HttpRequest, draft: Draft) -> Author:
    return draft.guest or person(request)


def _preview(draft: Draft) -> dict[str, Any]:
    """What comes out so far; a guest sees no results."""
    return {} if draft.guest else {"preview": preview_of(draft), "with_preview": True}


def _save(request: HttpRequest, draft: Draft, chosen: Section) -> HttpResponse:
    actor = _author(request, draft)
    posted = read_posted(request.POST, chosen.questions, draft)
    outcome = services.page_save(
        draft=draft,
        posted=posted,
        section=chosen,
        finished="" if draft.guest else request.POST.get("finished", ""),
        actor=actor,
    )
    after = draft.again()
    place = place_of(after, chosen, request.GET.get("page"))
    if outcome.clashes:
        return _clash(request, after, place, outcome)
    if posted.unsaved:
        return _show(request, after, place, unsaved=posted.unsaved, status=422)
    if "take" in request.POST:
        services.offer_take(draft=after, key=request.POST["take"], actor=actor)
    elif "pick" in request.POST:
        services.model_pick(draft=after, name=request.POST["pick"], actor=actor)
    elif request.POST.get("action") == "unknown-rest":
        keys = [q.key for q in chosen.questions]
        marked = rest_mark(draft=after, keys=keys, actor=actor)
        return HttpResponseRedirect(with_keys(_here(request, after, place), MARKED, marked))
    elif request.POST.get("action") == "undo-rest":
        rest_mark_open(draft=after, keys=request.POST.getlist("marked"), actor=actor)
    return HttpResponseRedirect(_after_save(request, after, place, posted))


def _here(request: HttpRequest, draft: Draft, place: Place) -> str:
    return page_url(draft, place.section, place.page.key, back=request.GET.get("return", ""))


def _after_save(request: HttpRequest, draft: Draft, place: Place, posted: Posted) -> str:
    """Where to go: the same page while it has something new to say, else on."""
    action, back = request.POST.get("action"), request.GET.get("return", "")
    here = _here(request, draft, place)
    if action == "exit":
        if draft.guest is None:
            announce_draft_kept(revision=draft.revision, actor=person(request))
        return home_url(draft)
    if not {"take", "pick"}.isdisjoint(request.POST) or action == "undo-rest":
        return here
    if _switched(request):
        return here
    if "asked" in request.POST and has_new_questions(place, posted.asked):
        return here
    wrong = _wrong_keys(draft, place)
    if wrong and not wrong <= set(request.POST.getlist("seen-error")):
        return here
    if gate_stops(draft, place.section):
        return reverse("intake:gate", args=[draft.requisition.pk])
    if back == TO_CHECK and draft.guest is None:
        check = reverse("intake:check", args=[draft.requisition.pk])
        return opened_url(draft, request.POST) or check
    return next_url(draft, place)


def _switched(request: HttpRequest) -> bool:
    """The footer's switch of language or appearance brought the form along."""
    return "language" in request.POST or "theme" in request.POST


def _wrong_keys(draft: Draft, place: Place) -> set[str]:
    here = {q.key for q in place.page.questions}
    return {p.key for p in draft.evaluated.errors if p.key in here}


def _show(
    request: HttpRequest,
    draft: Draft,
    place: Place,
    *,
    unsaved: Mapping[str, Typed] | None = None,
    restored: bool = False,
    status: int = 200,
) -> HttpResponse:
    slots = slots_of(draft, place, unsaved=unsaved)
    context = {
        "draft": draft,
        "place": place,
        "triple": TRIPLES.get(place.section.key),
        "slots": slots,
        "problems": problems_of(slots),
        "finished": place.section.key in draft.revision.finished_sections,
        "restored": restored,
        "guest": draft.guest,
        "expert": EXPERTS.get(place.section.key, ""),
        "marked": still_marked(draft, read_keys(request.GET.get(MARKED, ""))),
        "opened": opened_fields(draft, request.GET) if request.GET.get("return") else {},
        **_preview(draft),
        "kept_form": "section-form",
        **_addresses(draft, place, request.GET.get("return", "")),
    }
    return render(request, "intake/section.html", context, status=status)


def _addresses(draft: Draft, place: Place, back: str) -> dict[str, Any]:
    """Where the page's links and its form lead."""
    return {
        "pages": [(p, page_url(draft, place.section, p.key)) for p in place.pages],
        "back_url": previous_url(draft, place, back),
        "here": page_url(draft, place.section, place.page.key, back=back),
        "autosave_url": autosave_url(draft, place),
        "returning": back == TO_CHECK,
    }


def _clash(request: HttpRequest, draft: Draft, place: Place, outcome: SaveOutcome) -> HttpResponse:
    context = {
        "draft": draft,
        "guest": draft.guest,
        "place": place,
        "clashes": clash_rows(outcome.clashes),
        "here": request.get_full_path(),
        "action": request.POST.get("action", "continue"),
    }
    return render(request, "intake/conflict.html", context, status=409)
