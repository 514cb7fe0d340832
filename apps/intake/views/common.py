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
from apps.intake.selectors import Draft, client_revision_for, draft_of
from apps.questionnaire.summary import headline
from apps.requisitions.models import Revision

DraftView: TypeAlias = Callable[..., HttpResponse]


def with_draft(view: DraftView) -> Callable[..., HttpResponse]:
    """Give the view the open draft. Once it is sent, pages lead to its status; saving is a 409."""

    @wraps(view)
    def guarded(request: HttpRequest, requisition_id: UUID, **kwargs: Any) -> HttpResponse:
        revision = client_revision_for(person(request), requisition_id)
        if revision.is_draft:
            return view(request, draft_of(revision), **kwargs)
        if request.method == "POST":
            raise Conflict(_("This revision was sent already; its answers cannot change any more."))
        return redirect("intake:status", requisition_id)

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
        {"label": _("State"), "value": revision.get_state_display(), "kind": ""},
    ]


def draft_stamp(draft: Draft) -> list[dict[str, str]]:
    return stamp_of(draft.revision, headline(draft.evaluated))
