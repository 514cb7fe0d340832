"""The bell in the bar of every page."""

from functools import cache
from typing import Any

from django.http import HttpRequest

from apps.accounts.models import User
from apps.notices.selectors import UNREAD_SHOWN_MAX, unread_count


def bell(request: HttpRequest) -> dict[str, Any]:
    """How much is unread: asked when a template shows it, and once."""

    @cache
    def unread() -> int:
        user = getattr(request, "user", None)
        return unread_count(user) if isinstance(user, User) else 0

    return {"unread_count": unread, "unread_shown_max": UNREAD_SHOWN_MAX}
