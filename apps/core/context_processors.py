"""What every page knows: the sections, the theme, the languages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from apps.core.navigation import NavItem, sections_for

THEMES = (("system", _("As the system")), ("light", _("Light")), ("dark", _("Dark")))


def _sections(request: HttpRequest) -> list[NavItem]:
    user = getattr(request, "user", None)
    if user is None:
        return []
    return sections_for(user.roles if user.is_authenticated else (), request.path)


def page(request: HttpRequest) -> dict[str, Any]:
    """Everything here is lazy or a cookie: an error page must not need the database."""
    cookie = request.COOKIES.get("theme", "")
    return {
        "nav_items": SimpleLazyObject(lambda: _sections(request)),
        "theme": cookie if cookie in ("light", "dark") else "system",
        "themes": THEMES,
        "languages": settings.LANGUAGES,
        "contact_email": settings.CONTACT_EMAIL,
    }
