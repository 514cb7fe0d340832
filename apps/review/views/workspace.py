"""The pages of one revision in review: the workspace, its variants, documents and journal."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from apps.accounts.models import User
from apps.audit.selectors import events_for
from apps.documents.selectors import document_runs, documents_for, print_choices
from apps.requisitions import policy
from apps.requisitions.clock_words import clock_sheet
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import attachments_of
from apps.requisitions.senders import sender_words_of
from apps.requisitions.services.presence import presence_note
from apps.requisitions.workflow import UNDER_WAY, State
from apps.review.access import READERS, for_roles, person
from apps.review.checks import checks_of, split
from apps.review.dossier import Dossier, dossier_of
from apps.review.fields import field_groups
from apps.review.forms import OverrideForm
from apps.review.presenters.actions import actions_of
from apps.review.presenters.answers import answer_sheet
from apps.review.presenters.changes import (
    changes_of,
    next_letter,
    recheck_rows,
    staff_letters,
)
from apps.review.presenters.documents import document_rows
from apps.review.presenters.estimates import estimate_panel, variants_page
from apps.review.presenters.heading import stamp_cells, tabs
from apps.review.presenters.journal import comments_of, journal_rows
from apps.review.presenters.news import choice_words, fact_news, last_change
from apps.review.presenters.override_form import override_form
from apps.review.presenters.questions import open_question_rows
from apps.review.selectors import final_documents, staff_revision_get_for
from apps.talk.presenters import document_sections, talk_marks, talk_panel


@require_GET
@for_roles(*READERS)
def workspace(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = staff_revision_get_for(person(request), revision_id)
    path = request.GET.get("set", "")
    context = workspace_context(
        person(request),
        revision,
        path=path,
        shown=request.GET.get("variant", ""),
        about=request.GET.get("about", ""),
    )
    others = presence_note(revision=revision, user=person(request))
    context["others_here"] = ", ".join(str(other) for other in others)
    return render(request, "review/workspace.html", context)


def workspace_context(
    user: User,
    revision: Revision,
    *,
    path: str = "",
    shown: str = "",
    about: str = "",
    sent: OverrideForm | None = None,
) -> dict[str, Any]:
    """Everything the workspace shows; `path` is the field whose form is open, `sent` what failed,
    `about` what a comment is begun about."""
    prefetch_related_objects([revision.requisition], "revisions")
    dossier = dossier_of(revision)
    may_override = policy.may(user, Deed.OVERRIDE, revision)
    sheet = answer_sheet(dossier)
    panel = estimate_panel(user, dossier, shown)
    form = override_form(dossier, path, sent) if path and may_override else None
    in_rows = {row.field for group in sheet.groups for row in group.rows if row.field}
    in_rows |= {view.field for view in sheet.others}
    return {
        **heading_of(revision, dossier, "review:workspace"),
        "sheet": sheet,
        "files": attachments_of(revision.requisition),
        "may_override": may_override,
        "form": form,
        "form_is_other": form is not None and form.field not in in_rows,
        "field_groups": field_groups() if may_override else [],
        "panel": panel,
        "talk": talk_panel(user, revision, about=about),
        "questions": open_question_rows(dossier.questions, panel.influence),
        "may_ask": policy.may(user, Deed.ASK, revision),
        "changes": changes_of(revision),
        "rechecks": recheck_rows(revision),
        "next_letter": next_letter(revision),
        "letters": staff_letters(user, revision),
        **_next_steps(user, dossier),
    }


def _next_steps(user: User, dossier: Dossier) -> dict[str, Any]:
    """What moved, what is missing before approval, and what may be done now; of what has ended, its
    documents."""
    revision = dossier.revision
    moved = {
        "facts": fact_news(user, dossier),
        "last": last_change(dossier),
        "choice": choice_words(dossier),
    }
    if State(revision.state) not in UNDER_WAY:
        return moved | {
            "ended": True,
            "finals": document_rows(document_runs(final_documents(revision))),
        }
    stops, notices, done = split(checks_of(dossier, user))
    return moved | {
        "before": [*stops, *notices],
        "stop_count": len(stops),
        "notice_count": len(notices),
        "done_count": len(done),
        "actions": actions_of(user, dossier.revision, len(stops)),
    }


def heading_of(revision: Revision, dossier: Dossier, page: str) -> dict[str, Any]:
    return {
        "revision": revision,
        "stamp": stamp_cells(revision),
        "sender": sender_words_of(revision),
        "tabs": tabs(revision, page, len(dossier.variants)),
    }


@require_GET
@for_roles(*READERS)
def runs(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """The estimates of a revision, asked for again and again while they run."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    dossier = dossier_of(revision)
    panel = estimate_panel(user, dossier, request.GET.get("variant", ""))
    context = {"revision": revision, "panel": panel, "talk": talk_panel(user, revision)}
    context |= _next_steps(user, dossier)
    response = render(request, "review/partials/runs.html", context)
    if request.GET.get("state") != revision.state:
        # What may be done has changed with the state: the rest of the page has to follow.
        response["HX-Refresh"] = "true"
    return response


@require_GET
@for_roles(*READERS)
def variants(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    dossier = dossier_of(revision)
    context = heading_of(revision, dossier, "review:variants") | variants_page(user, dossier)
    context["talk"] = talk_marks(user, revision)
    return render(request, "review/variants.html", context)


@require_GET
@for_roles(*READERS)
def document(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    rows = document_rows(document_runs(documents_for(user, revision)))
    context = heading_of(revision, dossier_of(revision), "review:document") | {
        "rows": rows,
        "waiting": any(row.waiting for row in rows),
        "choices": print_choices(user, revision),
        "may_print": may_print(user, revision),
        "talk": talk_marks(user, revision),
        "sections": document_sections(),
    }
    return render(request, "review/document.html", context)


def may_print(user: User, revision: Revision) -> bool:
    """A draft is printed while the revision is in review or with the approver."""
    return policy.may(user, Deed.PRINT_DRAFT, revision)


@require_GET
@for_roles(*READERS)
def document_list(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """The documents alone, asked for again while they are being made."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    rows = document_rows(document_runs(documents_for(user, revision)))
    context = {
        "revision": revision,
        "rows": rows,
        "waiting": any(row.waiting for row in rows),
        "choices": print_choices(user, revision),
    }
    return render(request, "review/partials/documents.html", context)


@require_GET
@for_roles(*READERS)
def journal(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = staff_revision_get_for(person(request), revision_id)
    comments = comments_of(revision.decisions.all())
    context = heading_of(revision, dossier_of(revision), "review:journal") | {
        "rows": journal_rows(events_for(revision), comments),
        "clock": clock_sheet(revision, timezone.now()),
    }
    return render(request, "review/journal.html", context)
