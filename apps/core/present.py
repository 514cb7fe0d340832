"""What the thing that somebody changed meanwhile is like now. Apps above know; settings say who."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """`text` is one sentence; `href` is the page that shows it fresh."""

    text: str
    href: str


Teller = Callable[[Any, Mapping[str, Any], str], Present | None]
_NOTHING: Final[Mapping[str, Any]] = {}


def present_state(request: HttpRequest) -> Present | None:
    """The state of what the address names, as far as this person may see it; else nothing."""
    match, user = request.resolver_match, getattr(request, "user", None)
    if match is None or user is None or not user.is_authenticated:
        return None
    tell: Teller = import_string(settings.PRESENT_STATE)
    return tell(user, match.kwargs or _NOTHING, match.view_name)
