"""Checking all answers before they are sent, and sending them."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from apps.core.errors import Conflict
from apps.intake import services
from apps.intake.access import person, signed_in
from apps.intake.asking import with_asking
from apps.intake.influence import DraftInfluence, influence_of_draft
from apps.intake.marking import (
    MARKED,
    owner_save,
    rest_mark,
    rest_mark_open,
    still_marked,
)
from apps.intake.navigation import question_url, read_keys, with_keys
from apps.intake.posted import read_answer, version_of
from apps.intake.questions import QuestionRow, client_questions, engineer_questions
from apps.intake.review_rows import check_sections, hands
from apps.intake.selectors import Draft, client_revision_for, draft_of
from apps.intake.tasklist import gate_is_open
from apps.intake.views.common import draft_stamp, to_hub, with_readable_draft
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.questionnaire.sentences import Text
from apps.requisitions import policy
from apps.requisitions.clock_facts import size_class
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import attachments_of, raw_answers
from apps.worktime.selectors import due_after

_FIRST_SHOWN: Final = 10  # open questions; the others are folded


@require_http_methods(["GET", "POST"])
@with_readable_draft
def check(request: HttpRequest, draft: Draft) -> HttpResponse:
    if not gate_is_open(draft):
        messages.info(request, _("First state the goal: it decides what we ask."))
        return to_hub(draft)
    actor = person(request)
    editable = policy.may(actor, Deed.EDIT_ANSWERS, draft.revision)
    if request.method == "POST" and editable:
        return _posted(request, draft)
    hand_over = {
        "may_ask": policy.may(actor, Deed.ASK_CONFIRMATION, draft.revision),
        "may_take_back": policy.may(actor, Deed.TAKE_BACK, draft.revision),
    }
    marked = still_marked(draft, read_keys(request.GET.get(MARKED, ""))) if editable else []
    context = _context(draft, editable=editable) | hand_over | {"marked": marked}
    return render(request, "intake/check.html", context)


def _posted(request: HttpRequest, draft: Draft) -> HttpResponse:
    action = request.POST.get("action")
    if action == "owner":
        return _save_owner(request, draft)
    if action == "undo-rest":
        keys = request.POST.getlist("marked")
        count = rest_mark_open(draft=draft, keys=keys, actor=person(request))
        messages.success(request, _("Taken back: %(count)s.") % {"count": count})
        return redirect("intake:check", draft.requisition.pk)
    return _mark_rest(request, draft)


def _save_owner(request: HttpRequest, draft: Draft) -> HttpResponse:
    key = request.POST.get("key", "")
    question = QUESTIONS.get(key)
    if question is None:
        raise Http404
    typed = read_answer(request.POST, question)
    version = version_of(request.POST, key, draft)
    outcome = owner_save(
        draft=draft,
        key=key,
        who=typed.who,
        when=typed.when,
        version=version,
        actor=person(request),
    )
    if outcome.clashes:
        messages.error(request, _("Somebody has changed this answer meanwhile. Look at it again."))
    return HttpResponseRedirect(f"{reverse('intake:check', args=[draft.requisition.pk])}#open")


def _mark_rest(request: HttpRequest, draft: Draft) -> HttpResponse:
    """One press for everything that nobody has answered."""
    marked = rest_mark(draft=draft, keys=QUESTIONS, actor=person(request))
    url = reverse("intake:check", args=[draft.requisition.pk])
    return HttpResponseRedirect(with_keys(url, MARKED, marked))


def _context(draft: Draft, *, editable: bool) -> dict[str, Any]:
    evaluated = draft.evaluated
    required = [k for k in evaluated.missing if not QUESTIONS[k].accepts_unknown]
    unanswered = [k for k in evaluated.missing if QUESTIONS[k].accepts_unknown]
    stops = [*(p.key for p in evaluated.errors), *required]
    influence = influence_of_draft(draft)
    return {
        "draft": draft,
        "stamp": draft_stamp(draft),
        "editable": editable,
        "sections": check_sections(draft, influence.questions, editable=editable),
        "influence": influence.view,
        **_open(draft, influence, editable=editable),
        "asked": _linked(engineer_questions(draft), editable=editable),
        "files": attachments_of(draft.requisition),
        "expected": due_after(size_class(raw_answers(draft.revision)), timezone.now()),
        "most": "" if draft.revision.prepared_by_id else hands(draft).most,
        "problems": _problems(draft, stops),
        "warnings": [
            {
                "title": QUESTIONS[p.key].name,
                "text": p.message,
                "note": draft.raw[p.key].note if p.key in draft.raw else "",
                "href": question_url(draft, p.key),
            }
            for p in evaluated.warnings
        ],
        "unanswered": _by_section(draft, unanswered),
        "unanswered_count": len(unanswered),
    }


def _open(draft: Draft, influence: DraftInfluence, *, editable: bool) -> dict[str, Any]:
    """Open questions; of many only those that matter most are unfolded."""
    rows = _linked(with_asking(draft, client_questions(draft, influence)), editable=editable)
    return {
        "questions": rows[:_FIRST_SHOWN],
        "more": rows[_FIRST_SHOWN:],
        "open_count": len(rows),
    }


def _linked(rows: list[QuestionRow], *, editable: bool) -> list[QuestionRow]:
    """Who only reads is not led to the form."""
    return (
        rows if editable else [replace(row, href="", link="", key="", asking=None) for row in rows]
    )


def _by_section(draft: Draft, keys: list[str]) -> list[tuple[Text, list[tuple[Text, str]]]]:
    """(section, [(question, address)]) in the order of the questionnaire."""
    return [
        (section.name, [(QUESTIONS[key].name, question_url(draft, key)) for key in group])
        for section, group in groupby(keys, key=SECTION_OF.__getitem__)
    ]


def _problems(draft: Draft, keys: list[str]) -> list[dict[str, str]]:
    """What has to be mended, each with the way to it."""
    messages_of = {p.key: str(p.message) for p in draft.evaluated.blockers}
    return [
        {
            "name": str(QUESTIONS[key].name),
            "message": messages_of[key],
            "href": question_url(draft, key),
        }
        for key in dict.fromkeys(keys)
    ]


@require_POST
@signed_in
def submit(request: HttpRequest, requisition_id: Any) -> HttpResponse:
    """Send for an estimate. A second press, or a second tab, lands on the same status page."""
    actor = person(request)
    revision = client_revision_for(actor, requisition_id)
    if not revision.is_draft:
        return redirect("intake:status", requisition_id)
    seen = request.POST.get("seen", "")[:64]
    try:
        services.requisition_send(draft=draft_of(revision), seen_digest=seen, actor=actor)
    except (services.NotReady, Conflict) as problem:
        revision.refresh_from_db()
        if revision.is_draft:
            messages.error(request, problem.message)
            return HttpResponseRedirect(reverse("intake:check", args=[requisition_id]))
    return redirect("intake:status", requisition_id)
