"""A new password through a letter: Django's own views, with our letters."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from apps.accounts import throttle
from apps.accounts.forms import NewPasswordForm, ResetForm
from apps.accounts.models import User
from apps.accounts.views.common import LETTER_TO, sent_page, too_many


class ResetView(auth_views.PasswordResetView):
    form_class = ResetForm
    template_name = "accounts/reset.html"
    success_url = reverse_lazy("accounts:reset-sent")

    def form_valid(self, form: Any) -> HttpResponse:
        email = form.cleaned_data["email"]
        if not throttle.may_ask_for_letter(self.request, email):
            return too_many(self.request, "letters")
        self.request.session[LETTER_TO] = email
        return super().form_valid(form)


@require_GET
def reset_sent(request: HttpRequest) -> HttpResponse:
    return sent_page(request, "accounts/reset_sent.html")


class ResetConfirmView(auth_views.PasswordResetConfirmView):
    """Opening the link does nothing; a link works once, for a day."""

    form_class = NewPasswordForm
    template_name = "accounts/reset_confirm.html"
    success_url = reverse_lazy("accounts:sign-in")

    def get_user(self, uidb64: str) -> User | None:
        person = super().get_user(uidb64)
        return person if isinstance(person, User) and person.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("The new password is set. Sign in with it."))
        return response

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        if not self.validlink:
            more["status"] = 410
        return super().render_to_response(context, **more)
