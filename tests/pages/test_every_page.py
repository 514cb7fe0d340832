"""Every page and state in a browser: WCAG as axe sees it, both themes, a narrow phone, paper."""

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import connection
from playwright.sync_api import Page

from tests.browser.chromium import installed
from tests.browser.product import ROOT
from tests.browser.steps import desk
from tests.pages.serving import served
from tests.pages.visits import Visit, every_visit

pytestmark = [
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
    pytest.mark.skipif(connection.vendor == "postgresql", reason="pages look alike on both"),
]
THEMES = ("light", "dark")
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 320, "height": 700}
# The rules of WCAG 2.2 A and AA. Nobody reads what passed; our files name no media to load first.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
    "preload": False,
}
# Pages that are not in the list: each with the test that visits it.
ELSEWHERE = {
    "400.html": "tests/core/test_pages.py",
    "500.html": "tests/core/test_pages.py",
    "accounts/reset_confirm.html": "tests/accounts/test_reset.py",
    "accounts/too_many.html": "tests/accounts/test_sign_in.py",
    "documents/printing.html": "tests/documents/test_access.py",
    "intake/guest_shut.html": "tests/intake/test_guest_links.py",
    "intake/guest_too_many.html": "tests/intake/test_guest_links.py",
    "tryout/requisition.html": "tests/tryout/test_requisition.py",
    "tryout/too_many.html": "tests/tryout/test_try.py",
}

SIDEWAYS = """() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  const held = (e) => e.closest(".scroll, pre, .tabs, nav, .jump");
  return [...document.querySelectorAll("body *")]
    .filter((e) => e.getBoundingClientRect().right > wide + 1 && !held(e))
    .slice(0, 3).map((e) => `${e.tagName}.${e.className}`.slice(0, 60));
}"""
ON_PAPER = """() => {
  const shown = (e) => e.checkVisibility({contentVisibilityAuto: true});
  const found = [];
  for (const e of document.querySelectorAll(".bar, .foot, main button, main .back")) {
    if (shown(e)) found.push(`printed: ${e.className}`);
  }
  for (const e of document.querySelectorAll("main details:not(form details) > *:not(summary)")) {
    const folded = shown(e.parentElement) && e.textContent.trim() && !shown(e);
    if (folded && getComputedStyle(e).display !== "none") found.push("folded on paper");
  }
  if (!shown(document.querySelector("h1"))) found.push("no heading on paper");
  return [...new Set(found)];
}"""


def looked_at(page: Page, address: str, theme: str) -> Iterator[str]:
    """What is wrong with a page."""
    page.emulate_media(media="screen", color_scheme=theme, reduced_motion="reduce")
    page.set_viewport_size(WIDE)
    page.goto(address)
    yield from (
        f"{broken['id']}: {broken['nodes'][0]['html'][:120]}"
        for broken in Axe().run(page, options=RULES).response["violations"]
    )
    page.set_viewport_size(PHONE)
    yield from (f"wider than a phone: {part}" for part in page.evaluate(SIDEWAYS))
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size(WIDE)
    yield from page.evaluate(ON_PAPER)


@pytest.mark.django_db
def test_every_page_and_state_is_accessible_narrow_and_printable():
    """Every template of a page is among them: to make them all takes too long for two tests."""
    visits = every_visit()
    assert not_visited(visits) == set()
    wrong: list[str] = []
    with desk() as context, served(visits) as addresses:
        page = context.new_page()
        page.on("console", complained(wrong))
        # Neighbours in the list are of a kind: each theme sees every kind.
        for (address, visit), theme in zip(addresses.items(), cycle(THEMES)):
            wrong += [f"{visit.name}: {problem}" for problem in looked_at(page, address, theme)]
    assert wrong == []


def complained(wrong: list[str]) -> Callable[..., None]:
    """Note what the page's own policy forbids it."""

    def note(message: object) -> None:
        text = getattr(message, "text", "")
        if "Content Security Policy" in text:
            wrong.append(text[:200])

    return note


def not_visited(visits: list[Visit]) -> set[str]:
    templates = ROOT / "templates"
    pages = {str(p.relative_to(templates)) for p in templates.rglob("*.html")}
    pages = {p for p in pages if "partials/" not in p and not p.startswith("pdf/")}
    visited = frozenset[str]().union(*(v.templates for v in visits))
    return pages - visited - ELSEWHERE.keys()
