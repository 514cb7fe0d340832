"""Who may open these screens at all: staff, by role. What they may do there is `policy`'s."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import Role, User

View: TypeAlias = Callable[..., HttpResponse]

READERS = (Role.ENGINEER, Role.APPROVER, Role.MANAGER)


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


def person(request: HttpRequest) -> User:
    """The signed-in person of a request that `for_roles` or `login_required` let through."""
    assert isinstance(request.user, User)
    return request.user
