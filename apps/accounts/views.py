"""Signing in and out."""

from typing import Any

from django.contrib.auth import views as auth_views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.accounts import throttle
from apps.accounts.forms import SignInForm
from apps.accounts.models import Role, User


class SignInView(auth_views.LoginView):
    """Django's own sign-in, slowed down after ten wrong passwords in a quarter of an hour."""

    form_class = SignInForm
    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        email = request.POST.get("username", "")[:254]
        self.throttle_key = throttle.SIGN_IN.key(email, throttle.client_address(request))
        if throttle.is_blocked(throttle.SIGN_IN, self.throttle_key):
            return render(request, "accounts/too_many.html", status=429)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        throttle.record(self.throttle_key)
        return super().form_invalid(form)

    def form_valid(self, form: Any) -> HttpResponse:
        throttle.clear(self.throttle_key)
        return super().form_valid(form)

    def get_default_redirect_url(self) -> str:
        assert isinstance(self.request.user, User)
        return home_of(self.request.user)


class SignOutView(auth_views.LogoutView):
    http_method_names = ["post", "options"]


def home_of(user: User) -> str:
    """The page where this person's work starts."""
    if user.has_role(Role.ENGINEER):
        return reverse("review:queue")
    if user.has_role(Role.APPROVER):
        return reverse("review:approvals")
    if user.has_role(Role.MANAGER):
        return reverse("review:board")
    if user.has_role(Role.ADMINISTRATOR):
        return reverse("catalog:list")
    return reverse("intake:list")
