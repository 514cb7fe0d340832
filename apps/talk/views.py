"""Writing comments: POST only, each one call of a service; then back to where it was written."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.access import person
from apps.accounts.models import Role
from apps.core.errors import DomainError
from apps.requisitions import services
from apps.requisitions.announcements import page_of
from apps.requisitions.models import Annotation, Revision
from apps.requisitions.selectors import annotation_get_for, revision_get_for
from apps.talk.forms import CommentForm, WordsForm

APPROVAL: Final = "approval"


def _accepted(form: forms.Form) -> dict[str, Any]:
    """What was sent, or the first complaint as an error page."""
    if form.is_valid():
        return form.cleaned_data
    raise DomainError(str(next(iter(form.errors.values()))[0]))


def _back(request: HttpRequest, revision: Revision, thread_id: UUID) -> HttpResponse:
    user = person(request)
    page = page_of(user, revision)
    if request.POST.get("back") == APPROVAL and user.has_role(Role.APPROVER):
        page = reverse("review:approval", args=[revision.pk])
    return redirect(f"{page}#thread-{thread_id}")


def _of(request: HttpRequest, comment_id: UUID) -> Annotation:
    return annotation_get_for(person(request), comment_id)


def _own(request: HttpRequest, comment_id: UUID) -> Annotation:
    """Another's comment is not there to be mended."""
    comment = _of(request, comment_id)
    if comment.author_id != person(request).pk:
        raise Http404
    return comment


@require_POST
@login_required
def add(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Open a thread."""
    revision = revision_get_for(person(request), revision_id)
    data = _accepted(CommentForm(request.POST))
    comment = services.annotation_add(revision=revision, actor=person(request), **data)
    return _back(request, revision, comment.pk)


@require_POST
@login_required
def reply(request: HttpRequest, comment_id: UUID) -> HttpResponse:
    parent = _of(request, comment_id)
    services.annotation_add(
        revision=parent.revision,
        actor=person(request),
        text=_accepted(WordsForm(request.POST))["text"],
        visibility=parent.visibility,
        parent=parent,
    )
    return _back(request, parent.revision, parent.thread_id)


@require_POST
@login_required
def change(request: HttpRequest, comment_id: UUID) -> HttpResponse:
    comment = _own(request, comment_id)
    text = _accepted(WordsForm(request.POST))["text"]
    services.comment_change(comment=comment, actor=person(request), text=text)
    return _back(request, comment.revision, comment.thread_id)


@require_POST
@login_required
def remove(request: HttpRequest, comment_id: UUID) -> HttpResponse:
    comment = _own(request, comment_id)
    services.comment_remove(comment=comment, actor=person(request))
    messages.success(request, _("The comment is taken back. You may bring it back where it was."))
    return _back(request, comment.revision, comment.thread_id)


@require_POST
@login_required
def restore(request: HttpRequest, comment_id: UUID) -> HttpResponse:
    comment = _own(request, comment_id)
    services.comment_restore(comment=comment, actor=person(request))
    return _back(request, comment.revision, comment.thread_id)


@require_POST
@login_required
def resolve(request: HttpRequest, comment_id: UUID) -> HttpResponse:
    return _settle(request, comment_id, resolved=True)


@require_POST
@login_required
def reopen(request: HttpRequest, comment_id: UUID) -> HttpResponse:
    return _settle(request, comment_id, resolved=False)


def _settle(request: HttpRequest, comment_id: UUID, *, resolved: bool) -> HttpResponse:
    thread = _of(request, comment_id)
    services.thread_settle(thread=thread, actor=person(request), resolved=resolved)
    return _back(request, thread.revision, thread.thread_id)
