"""Signing in and out, and the language of the footer."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import views as auth_views
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from apps.accounts import services, throttle
from apps.accounts.forms import SignInForm
from apps.accounts.models import User
from apps.accounts.views.common import home_of, speak, too_many
from apps.core import views as core


class SignInView(auth_views.LoginView):
    """Django's own sign-in, slowed down after ten wrong passwords in a quarter of an hour."""

    form_class = SignInForm
    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        email = request.POST.get("username", "")[:254]
        self.throttle_key = throttle.SIGN_IN.key(email, throttle.client_address(request))
        if throttle.is_blocked(throttle.SIGN_IN, self.throttle_key):
            return too_many(request, "passwords")
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        throttle.record(self.throttle_key)
        return super().form_invalid(form)

    def form_valid(self, form: Any) -> HttpResponse:
        throttle.clear(self.throttle_key)
        response, person = super().form_valid(form), form.get_user()
        if person.language_chosen:
            return speak(self.request, response, person.language)
        services.language_seen(person=person, language=get_language() or "")
        return response

    def get_default_redirect_url(self) -> str:
        assert isinstance(self.request.user, User)
        return home_of(self.request.user)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"sign_up_open": settings.SIGN_UP_OPEN}


class SignOutView(auth_views.LogoutView):
    http_method_names = ["post", "options"]


def set_language(request: HttpRequest) -> HttpResponse:
    """The footer's switch; a signed-in person's letters follow it."""
    response = core.set_language(request)
    chosen = response.cookies.get(settings.LANGUAGE_COOKIE_NAME)
    if chosen is not None and isinstance(request.user, User):
        services.language_set(person=request.user, language=chosen.value)
    return response
