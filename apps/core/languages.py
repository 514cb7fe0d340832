"""Which language a request is answered in."""

import re

from django.conf import settings
from django.http import HttpRequest


def language_of(request: HttpRequest) -> str:
    """The cookie decides, then the browser; Russian when neither says anything."""
    supported = dict(settings.LANGUAGES)
    cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    if cookie in supported:
        return cookie
    wanted = request.headers.get("Accept-Language", "")
    for code in re.findall(r"[a-zA-Z]{2,3}(?:-[a-zA-Z]+)?", wanted):
        short = str(code).split("-")[0].lower()
        if short in supported:
            return short
    return str(settings.LANGUAGE_CODE)
