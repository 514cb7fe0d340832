"""What a visitor calculated before signing in: kept in the session, offered once they are in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.tryout.recipe import Typed, typed_of

_KEY: Final = "tried"
LONGEST_TEXT: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The fields, and the texts that were pasted beside them: settings, a report of memory."""

    typed: Typed
    settings: str = ""
    report: str = ""


def kept_of(body: QueryDict) -> Kept:
    """A posted form. A longer text is cut: nobody's settings are as long."""
    return Kept(
        typed=typed_of(body),
        settings=_text(body, "settings"),
        report=_text(body, "report"),
    )


def _text(body: QueryDict, name: str) -> str:
    return body.get(name, "").replace("\0", "").strip()[:LONGEST_TEXT]


def keep(request: HttpRequest, kept: Kept) -> None:
    pairs = [*kept.typed.pairs(), ("settings", kept.settings), ("report", kept.report)]
    request.session[_KEY] = urlencode(pairs)


def take(request: HttpRequest) -> Kept | None:
    """What is kept; it stays until `forget`."""
    text = request.session.get(_KEY)
    return kept_of(QueryDict(text)) if isinstance(text, str) else None


def forget(request: HttpRequest) -> None:
    request.session.pop(_KEY, None)


@receiver(user_logged_in, dispatch_uid="tryout")
def remind(request: HttpRequest | None, user: User, **_signal: Any) -> None:
    """Whoever signs in or up by another way than our page finds the way back to it."""
    if request is None or not user.has_role(Role.CLIENT) or _KEY not in request.session:
        return
    href = reverse("tryout:requisition")
    if request.POST.get("next") == href:
        return
    text = format_html(
        '{} <a href="{}">{}</a>',
        _("What you calculated before signing in is kept."),
        href,
        _("Make it a requisition"),
    )
    messages.info(request, text)
