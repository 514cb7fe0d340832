"""What a person sets about themselves."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts import links, services, throttle
from apps.accounts.access import person
from apps.accounts.errors import LinkSpent
from apps.accounts.forms import ChangePasswordForm, EmailChangeForm, ProfileForm
from apps.accounts.models import EmailChange
from apps.accounts.views.common import (
    LETTER_TO,
    letters_folder,
    link_page,
    speak,
    too_many,
)


@require_http_methods(["GET", "POST"])
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    user = person(request)
    now = {"full_name": user.full_name, "language": user.language}
    form = ProfileForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        services.profile_save(person=user, **form.cleaned_data)
        with translation.override(user.language):
            messages.success(request, _("Your profile is saved."))
        return speak(request, redirect("accounts:profile"), user.language)
    return render(request, "accounts/profile.html", {"form": form})


class PasswordView(auth_views.PasswordChangeView):
    """Django's own page: this session goes on, every other one ends."""

    form_class = ChangePasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("accounts:profile")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(
            self.request, _("The password is changed. Your other sessions have ended.")
        )
        return response


@require_POST
@login_required
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    services.sessions_end(person=person(request))
    logout(request)
    messages.success(request, _("You are signed out on every device."))
    return redirect("home")


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@login_required
def email(request: HttpRequest) -> HttpResponse:
    user = person(request)
    form = EmailChangeForm(request.POST or None, person=user)
    if request.method == "POST" and form.is_valid():
        if not throttle.may_send_letter(user.pk):
            return too_many(request, "letters")
        services.email_change_ask(person=user, email=form.cleaned_data["email"])
        request.session[LETTER_TO] = form.cleaned_data["email"]
        return redirect("accounts:email-sent")
    return render(request, "accounts/email.html", {"form": form})


@require_http_methods(["GET"])
@login_required
def email_sent(request: HttpRequest) -> HttpResponse:
    said = {"letter_to": request.session.get(LETTER_TO, ""), "letters_folder": letters_folder()}
    return render(request, "accounts/email_sent.html", said)


@never_cache
@require_http_methods(["GET", "POST"])
@login_required
def email_confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Opening the link does nothing; the person confirms in their own session."""
    change = links.row_of(EmailChange, token)
    if change is None or change.user_id != person(request).pk:
        return link_page(request, "broken", status=404)
    if change.done_at:
        return link_page(request, "changed", status=200)
    if request.method == "POST":
        try:
            services.email_change_confirm(change=change)
        except LinkSpent:
            return link_page(request, "old-change", status=410)
        messages.success(request, _("The address is changed. Sign in with the new one."))
        return redirect("accounts:profile")
    if not change.is_open:
        return link_page(request, "old-change", status=410)
    return render(request, "accounts/email_confirm.html", {"change": change})
