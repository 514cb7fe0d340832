"""After sending: where the requisition is, and what its client may do now."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import User
from apps.core import formatting
from apps.documents.conclusion import Conclusion, conclusion_of
from apps.documents.models import Document
from apps.documents.selectors import DocumentRun, document_runs, documents_for, print_choices
from apps.intake import progress, services
from apps.intake.access import person, signed_in
from apps.intake.hardware import hardware_named
from apps.intake.letters import client_letters
from apps.intake.outcome import outcome_of, own_comparison
from apps.intake.questions import engineer_questions
from apps.intake.review_rows import check_sections
from apps.intake.selectors import client_requisition_for, client_revision_for, draft_of
from apps.intake.values import may_answer, value_rows
from apps.intake.views.common import stamp_of
from apps.pilots.standing import stop_of, stop_text, stop_title
from apps.questionnaire.summary import headline
from apps.questionnaire.ways import PLACES
from apps.requisitions import policy
from apps.requisitions import services as requisitions
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import (
    current_revision,
    leading_revision,
    letter_get,
)
from apps.requisitions.senders import sender_words_of
from apps.requisitions.workflow import Action, State
from apps.talk.presenters import talk_panel

# Afterwards the document says it better than a first guide, or there is nothing to guide.
_UNDER_WAY: Final = frozenset({State.ESTIMATING, State.IN_REVIEW, State.IN_APPROVAL})


@require_GET
@signed_in
def status(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    actor = person(request)
    requisition = client_requisition_for(actor, requisition_id)
    newest, leading = current_revision(requisition), leading_revision(requisition)
    shown = leading
    if shown.is_draft:
        return redirect("intake:hub", requisition_id)
    letter = request.GET.get("letter")
    if letter:
        shown = letter_get(requisition, letter)
        if shown.never_sent:
            raise Http404
    context = _context(actor, shown) | {
        "talk": talk_panel(actor, shown, about=request.GET.get("about", "")),
        "draft_open": newest.is_draft,
        "newest": newest,
        "leading": leading,
        "may_restore": policy.can(actor, Action.RESTORE, newest),
        "may_open_next": policy.may(actor, Deed.OPEN_NEXT_REVISION, newest),
        "letters": client_letters(actor, shown),
    }
    return render(request, "intake/status.html", context)


def _context(actor: User, revision: Revision) -> dict[str, Any]:
    read = draft_of(revision)
    documents = _own_language_first(document_runs(documents_for(actor, revision)))
    under_way = State(revision.state) in _UNDER_WAY
    return {
        "stamp": stamp_of(revision, headline(read.evaluated)),
        "heading": progress.heading(revision),
        "next_step": progress.next_step(revision),
        "sender": sender_words_of(revision),
        "words": progress.last_words(revision),
        "outcome": outcome_of(read),
        "steps": progress.steps_of(revision),
        "bands": progress.rough_bands(revision) if under_way else [],
        "asked": engineer_questions(read),
        "hardware": hardware_named(revision),
        "own": own_comparison(actor, revision),
        "places": PLACES,
        "values": value_rows(actor, revision),
        "may_answer": may_answer(actor, revision),
        "sections": check_sections(read, editable=False),
        "sentence": read.sentence,
        "documents": documents,
        "choices": print_choices(actor, revision),
        "conclusion": _conclusion(revision, documents),
        "making": any(run.state in ("queued", "running") for run in documents),
        "may_withdraw": policy.can(actor, Action.WITHDRAW, revision),
        **_runs(revision),
    }


def _own_language_first(documents: list[DocumentRun]) -> list[DocumentRun]:
    """The document in the language of the page comes first; the order is kept otherwise."""
    language = get_language()
    return sorted(documents, key=lambda run: run.document.language != language)


def _conclusion(revision: Revision, documents: list[DocumentRun]) -> Conclusion | None:
    """What the approved assessment comes to, before anybody opens the file; a pilot without a gain
    that came after it has the last word."""
    if revision.state != State.APPROVED:
        return None
    stop = stop_of(revision)
    if stop:
        return Conclusion(title=stop_title(stop), readiness=stop_text(stop))
    finals = (run.document for run in documents if run.document.kind == Document.Kind.FINAL)
    return next((conclusion_of(final) for final in finals), None)


def _runs(revision: Revision) -> dict[str, Any]:
    runs = progress.runs_for_client(revision) if State(revision.state) in _UNDER_WAY else []
    return {
        "revision": revision,
        "runs": runs,
        "done": sum(run["state"] in ("done", "failed", "lacking") for run in runs),
        "running": revision.state == State.ESTIMATING,
        "at": formatting.clock(timezone.now()),
    }


@require_GET
@signed_in
def runs(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    """The estimators' states for htmx; when they have all ended, the whole page comes anew."""
    revision = leading_revision(client_requisition_for(person(request), requisition_id))
    response = render(request, "intake/partials/estimates.html", _runs(revision))
    if revision.state != State.ESTIMATING:
        response["HX-Refresh"] = "true"
    return response


@require_POST
@signed_in
def withdraw(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    actor = person(request)
    revision = leading_revision(client_requisition_for(actor, requisition_id))
    services.requisition_withdraw(
        revision=revision, comment=request.POST.get("comment", ""), actor=actor
    )
    return redirect("intake:status", requisition_id)


@require_POST
@signed_in
def delete_draft(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    """Give up the draft; the page that follows brings it back with one press."""
    actor = person(request)
    draft = client_revision_for(actor, requisition_id)
    services.draft_delete(revision=draft, actor=actor)
    messages.success(request, _("The draft is deleted. Nothing is lost: you may bring it back."))
    return redirect("intake:status", requisition_id)


@require_POST
@signed_in
def open_next(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    """The next letter, with a copy of the answers; the one that is open already if there is."""
    actor = person(request)
    revision = client_revision_for(actor, requisition_id)
    requisitions.revision_open_next(revision=revision, actor=actor)
    return redirect("intake:hub", requisition_id)
