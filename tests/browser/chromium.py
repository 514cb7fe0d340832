"""Headless Chromium on the running product."""

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.browser.product import Product

_FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
PATIENCE_MS = 60_000  # of a busy machine
# Chromium reports a page answered with an error as an error of its console.
_EXPECTED = ("409 (Conflict)", "422 (Unprocessable")


@dataclass
class Window:
    """One window of one person; `complaints` is what the browser's console said against us."""

    page: Page
    base: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        self.page.goto(self.base + path)

    def sign_in(self, email: str, password: str) -> None:
        self.open("/accounts/sign-in/")
        self.page.fill("input[name=username]", email)
        self.page.fill("input[name=password]", password)
        with self.page.expect_navigation():  # to go on at once would break the signing in off
            self.page.click("main button[type=submit]")

    def scrolls_sideways(self) -> bool:
        width: bool = self.page.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
        return width


def installed() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextlib.contextmanager
def chromium_contexts(**options: Any) -> Iterator[BrowserContext]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed(), args=_FLAGS)
        expect.set_options(timeout=PATIENCE_MS)
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        yield context
        browser.close()


def window(context: BrowserContext, product: Product) -> Window:
    opened = Window(context.new_page(), product.url)

    def heard(message: Any) -> None:
        if message.type == "error" and not any(e in message.text for e in _EXPECTED):
            opened.complaints.append(message.text)

    opened.page.on("console", heard)
    opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    return opened
