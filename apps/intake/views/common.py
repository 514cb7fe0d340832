"""What the screens share: the draft they work on, the title block."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.core.errors import Conflict
from apps.intake.access import person, signed_in
from apps.intake.progress import state_name
from apps.intake.selectors import Draft, client_revision_for, draft_of
from apps.questionnaire.summary import headline
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed

DraftView: TypeAlias = Callable[..., HttpResponse]


def with_draft(view: DraftView) -> Callable[..., HttpResponse]:
    """Give the view the open draft. Once it is sent, pages lead to its status; saving is a 409.

    A draft that a manager has handed over to the client is only read by that manager, on the
    check page.
    """

    @wraps(view)
    def guarded(request: HttpRequest, requisition_id: UUID, **kwargs: Any) -> HttpResponse:
        actor = person(request)
        revision = client_revision_for(actor, requisition_id)
        if not revision.is_draft:
            return _elsewhere(request, "intake:status", requisition_id)
        if policy.may(actor, Deed.EDIT_ANSWERS, revision):
            return view(request, draft_of(revision), **kwargs)
        return _elsewhere(request, "intake:check", requisition_id)

    return signed_in(guarded)


def _elsewhere(request: HttpRequest, page: str, requisition_id: UUID) -> HttpResponse:
    """Reading goes on where the requisition stands now; what was sent came too late."""
    if request.method != "POST":
        return redirect(page, requisition_id)
    if page == "intake:check":
        raise Conflict(_("The client is checking these answers now. Take the draft back first."))
    raise Conflict(_("This revision was sent already; its answers cannot change any more."))


def with_readable_draft(view: DraftView) -> Callable[..., HttpResponse]:
    """As `with_draft`, also for the manager who waits for the client."""

    @wraps(view)
    def guarded(request: HttpRequest, requisition_id: UUID, **kwargs: Any) -> HttpResponse:
        revision = client_revision_for(person(request), requisition_id)
        if revision.is_draft:
            return view(request, draft_of(revision), **kwargs)
        return _elsewhere(request, "intake:status", requisition_id)

    return signed_in(guarded)


def to_hub(draft: Draft) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("intake:hub", args=[draft.requisition.pk]))


def stamp_of(revision: Revision, title: str) -> list[dict[str, str]]:
    """The cells of the title block: number, revision, task, state."""
    number = revision.requisition.display_number
    return [
        {
            "label": _("Requisition"),
            "value": number or (_("not sent yet") if revision.is_draft else _("no number")),
            "kind": "no" if number else "",
        },
        {"label": _("Revision"), "value": revision.letter, "kind": "rev"},
        {"label": _("Task"), "value": title, "kind": "wide"},
        {"label": _("State"), "value": state_name(revision), "kind": ""},
    ]


def draft_stamp(draft: Draft) -> list[dict[str, str]]:
    return stamp_of(draft.revision, headline(draft.evaluated))
