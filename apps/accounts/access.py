"""Who may open a screen at all: sign-in first, then one of some roles."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.core.errors import NotAllowed

View: TypeAlias = Callable[..., HttpResponse]


def for_roles(*roles: Role) -> Callable[[View], View]:
    """Sign-in first; then one of `roles`, or 403."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not person(request).has_role(*roles):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return login_required(guarded)

    return decorate


def for_company_people(view: View) -> View:
    """Sign-in first; then the people of a client's company, or 403 that says why."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = person(request)
        if not user.has_role(Role.CLIENT) or user.company is None:
            raise NotAllowed(
                _("This page is for the people of a client's company, and you belong to none.")
            )
        return view(request, *args, **kwargs)

    return login_required(guarded)


def person(request: HttpRequest) -> User:
    """The signed-in person of a request that was let through above or by `login_required`."""
    assert isinstance(request.user, User)
    return request.user
