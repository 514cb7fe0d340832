"""A browser without a screen: cookies, redirects, forms, files, waiting. Standard library only."""

import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from http.cookiejar import CookieJar
from urllib.parse import urlencode

from config.launcher.page import Form, Page, read_page

TIMEOUT_S = 30.0
POLL_S = 0.3


class Unexpected(Exception):
    """The product answered otherwise than the step needs. The message says what was seen."""


class Browser:
    """One person's browser: its own cookies, one language."""

    def __init__(self, base_url: str, *, accept_language: str = "ru") -> None:
        self.base_url = base_url
        self.accept_language = accept_language
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
        )

    def get(self, address: str, headers: Mapping[str, str] | None = None) -> Page:
        """Open an address (absolute, or a path of the product). Raises Unexpected on an error."""
        return self._send(urllib.request.Request(self._absolute(address), headers=headers or {}))

    def submit(
        self,
        form: Form,
        answers: Mapping[str, str | list[str]] | None = None,
        *,
        button: str = "",
        value: str | None = None,
        files: Mapping[str, tuple[str, bytes]] | None = None,
    ) -> Page:
        """Send a form: its own values, `answers` in their place, the named button pressed.

        `files` are field -> (name, content); with them, or with file fields, it goes multipart.
        """
        pairs = form.filled(dict(answers or {}))
        action = form.action
        if button:
            pressed = pressed_button(form, button, value)
            pairs.append(pressed[:2])
            action = pressed[2] or action
        if form.method == "get":
            return self.get(f"{action.partition('?')[0]}?{urlencode(pairs)}")
        if form.files or files:
            body, content_type = multipart(pairs, files or {})
        else:
            body, content_type = urlencode(pairs).encode(), "application/x-www-form-urlencoded"
        request = urllib.request.Request(action, data=body, method="POST")
        request.add_header("Content-Type", content_type)
        request.add_header("Origin", self.base_url)
        return self._send(request)

    def wait_for(
        self, address: str, holds: Callable[[Page], bool], *, what: str, timeout_s: float
    ) -> Page:
        """Load a page again and again until `holds`. Raises Unexpected with its text when late."""
        deadline = time.monotonic() + timeout_s
        while True:
            page = self.get(address)
            if holds(page):
                return page
            if time.monotonic() > deadline:
                raise Unexpected(
                    f"{what}: not within {timeout_s:.0f} s; the page says: {page.text[:600]}"
                )
            time.sleep(POLL_S)

    def _absolute(self, address: str) -> str:
        return address if "://" in address else self.base_url + address

    def _send(self, request: urllib.request.Request) -> Page:
        request.add_header("Accept-Language", self.accept_language)
        request.add_header("Referer", request.full_url)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                headers = {name.lower(): value for name, value in answer.headers.items()}
                return read_page(answer.url, answer.status, headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                headers = {name.lower(): value for name, value in error.headers.items()}
                page = read_page(request.full_url, error.code, headers, error.read())
            seen = page.text[:600] or page.body[:200].decode(errors="replace")
            verb = request.get_method()
            raise Unexpected(f"{verb} {request.full_url} -> {error.code}: {seen}") from error
        except OSError as error:
            raise Unexpected(f"{request.get_method()} {request.full_url}: {error}") from error


def pressed_button(form: Form, name: str, value: str | None) -> tuple[str, str, str]:
    """The button of that name (and value, when several share the name)."""
    for button in form.buttons:
        if button[0] == name and value in (None, button[1]):
            return button
    raise LookupError(f"the form has no button {name!r} {value or ''}; it has {form.buttons}")


def multipart(
    pairs: list[tuple[str, str]], files: Mapping[str, tuple[str, bytes]]
) -> tuple[bytes, str]:
    """A multipart/form-data body and its content type."""
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in pairs:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        parts.append(head.encode() + value.encode() + b"\r\n")
    for name, (filename, content) in files.items():
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"'
            "\r\nContent-Type: application/octet-stream\r\n\r\n"
        )
        parts.append(head.encode() + content + b"\r\n")
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"
