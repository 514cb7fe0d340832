"""A person's notices: the list, opening one, having read all."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.models import User
from apps.core.paging import page_of
from apps.notices import services
from apps.notices.models import Notice
from apps.notices.selectors import (
    mail_choice_of,
    notice_get_for,
    notices_for,
    topics_for,
    unread_count,
)
from apps.notices.wording import TOPICS, Words, words_of


@dataclass(frozen=True, slots=True)
class NoticeRow:
    id: UUID
    words: Words
    at: datetime
    unread: bool


class UntilForm(forms.Form):
    """Up to which moment the page showed notices."""

    until = forms.DateTimeField(input_formats=["%Y-%m-%dT%H:%M:%S.%f%z"])


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "login_required lets nobody else through"
    return request.user


def _row(notice: Notice) -> NoticeRow:
    words = words_of(notice.event, notice.params)
    return NoticeRow(id=notice.pk, words=words, at=notice.created_at, unread=notice.read_at is None)


@require_GET
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """Newest first. Nothing is marked as read by being listed."""
    user = _person(request)
    page = page_of(request, notices_for(user))
    context: dict[str, Any] = {
        "page": page,
        "rows": [_row(notice) for notice in page],
        "unread": unread_count(user),
        "until": timezone.now().isoformat(timespec="microseconds"),
    }
    return render(request, "notices/list.html", context)


class MailForm(forms.Form):
    """Which mails a person wants: a box for every topic that may be switched off."""

    on = forms.MultipleChoiceField(choices=list(TOPICS.items()), required=False)
    quiet = forms.BooleanField(required=False)


@require_http_methods(["GET", "POST"])
@login_required
def mails(request: HttpRequest) -> HttpResponse:
    """Which mails the person gets; what nobody can do without is said and has no box."""
    user = _person(request)
    offered = topics_for(user)
    if request.method == "POST":
        form = MailForm(request.POST)
        on = form.cleaned_data["on"] if form.is_valid() else list(TOPICS)
        off = [topic for topic in offered if topic not in on]
        services.mail_choose(user=user, off=off, quiet="quiet" in request.POST)
        messages.success(request, _("Saved."))
        return redirect("notices:mails")
    without, quiet = mail_choice_of(user)
    topics = [(topic, label, topic not in without) for topic, label in offered.items()]
    context: dict[str, Any] = {"topics": topics, "quiet": quiet}
    return render(request, "notices/mails.html", context)


@require_POST
@login_required
def notice_open(request: HttpRequest, notice_id: UUID) -> HttpResponse:
    """Mark one as read and go where it leads."""
    notice = notice_get_for(_person(request), notice_id)
    services.notice_read(notice)
    return redirect(notice.path)


@require_POST
@login_required
def read_all(request: HttpRequest) -> HttpResponse:
    form = UntilForm(request.POST)
    until = form.cleaned_data["until"] if form.is_valid() else timezone.now()
    if services.notices_read(user=_person(request), until=until):
        messages.success(request, _("All notices are marked as read."))
    return redirect("notices:list")
