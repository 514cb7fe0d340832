"""What people of each role do on the pages, as steps that journeys are made of."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Error, Locator, Page, expect
from pypdf import PdfReader

from config.launcher.play import Script
from tests.browser.chromium import Window, chromium_contexts, installed, window
from tests.browser.product import ROOT, Product
from tests.browser.stacks import on_servers

IN_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
]
SLOW_MS = 240_000  # of a busy machine; an idle one takes seconds
UNKNOWN = "?"
MOST_PAGES = 60
# A save begins 200 ms after the change. The page's own clock is asked, as a busy machine lets a
# page sleep; quiet is what stays so, because a save that waited begins when another one is over.
QUIET = """async () => {
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    await pause(210);
    for (let quiet = 0; quiet < 3; quiet += 1) {
        if (document.querySelector(".htmx-request")) quiet = 0;
        await pause(10);
    }
}"""
DEMO = ROOT / "fixtures" / "demo"


@contextmanager
def desk(**options: Any) -> Iterator[BrowserContext]:
    """One machine where people sign in one after another."""
    with chromium_contexts(
        viewport={"width": 1280, "height": 900}, locale="ru-RU", **options
    ) as opened:
        yield opened


@contextmanager
def signed_in(context: BrowserContext, product: Product, role: str) -> Iterator[Window]:
    opened = window(context, product)
    opened.sign_in(*product.people()[role])
    yield opened
    assert opened.complaints == []
    opened.page.close()
    context.clear_cookies()


def accessible(page: Page) -> None:
    """No violation that axe can see. The pages are the same on every stack: seen on one.

    For what only a running product shows, such as finished estimates: tests/pages has the rest.
    """
    if on_servers():
        return
    try:
        results = Axe().run(page)
    except Error:  # pages that wait for news load themselves again, also under an examination
        page.wait_for_load_state()
        results = Axe().run(page)
    assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"


def script_of(name: str) -> Script:
    """A client's answers from the demo data."""
    return Script(**json.loads((DEMO / name).read_text(encoding="utf-8")))


def next_answers(story: str) -> Mapping[str, str]:
    """What the client of a demo story answers in the next revision."""
    stories = json.loads((DEMO / "stories.json").read_text(encoding="utf-8"))
    steps = next(row["steps"] for row in stories if row["key"] == story)
    given: Mapping[str, str] = next(step["answers"] for step in steps if "answers" in step)
    return given


def calm(page: Page) -> None:
    """Wait until what was answered is saved and its questions have come or gone."""
    page.evaluate(QUIET)


def press(page: Page, button: Locator) -> None:
    """Press what leads to another page and wait for that: else the next step finds the old one."""
    with page.expect_navigation(timeout=SLOW_MS):
        button.first.click()


def choose(page: Page, choice: Locator) -> None:
    """Choose one of several, as questions depend on such answers, and see what comes of it."""
    choice.first.check()
    calm(page)


def answer(page: Page, key: str, script: Script) -> None:
    """Give one answer the way a person does; «не знаю», and who will find out, where there is none."""
    value = script.answers.get(key, UNKNOWN)
    choice = page.locator(f"main [type=radio][name='{key}'][value='{value}']")
    if choice.count():
        choose(page, choice)
    elif value == UNKNOWN:
        unknown = page.locator(f"main [name='{key}-unknown']")
        if unknown.count():
            unknown.check()
    if value == UNKNOWN:
        for detail, words in script.unknown.items():
            field = page.locator(f"main [name='{key}-{detail}']")
            if field.count():
                field.fill(words)
    elif page.locator(f"main select[name='{key}']").count():
        page.locator(f"main select[name='{key}']").select_option(value)
    elif not choice.count():
        page.locator(f"main [name='{key}']").first.fill(value)


def asked_on(page: Page) -> list[str]:
    keys: list[str] = page.locator("main input[name='asked']").evaluate_all(
        "all => all.map(i => i.value)"
    )
    return keys


def answer_page(page: Page, script: Script) -> int:
    """Answer what the page asks, and what comes up because of the answers."""
    answered: set[str] = set()
    while open_now := [key for key in asked_on(page) if key not in answered]:
        for key in open_now:
            if page.locator(f"main [name='{key}'], main [name='{key}-unknown']").count():
                answer(page, key, script)
        answered |= set(open_now)
        page.keyboard.press("Tab")
        calm(page)
    return len(answered)


def go_on(page: Page) -> None:
    """Say that the section is finished, where it asks, and press «continue»."""
    finished = page.locator("main [name='finished'][value='yes']")
    if finished.count():
        finished.check()
    press(page, page.locator("main .actions button.btn-primary"))


def fill_in(page: Page, script: Script) -> int:
    """Answer page after page until the check; return the number of questions."""
    asked_count = 0
    for _ in range(MOST_PAGES):
        if "/check/" in page.url:
            return asked_count
        asked_count += answer_page(page, script)
        if asked_on(page):
            go_on(page)
        else:  # the attachments, which these requests do without
            page.goto(page.url.split("/s/")[0] + "/check/")
    raise AssertionError(f"the questionnaire does not end: {page.url}")


def send_checked(page: Page) -> None:
    """From the check page, and until every estimate is there."""
    press(page, page.locator("form[action$='/submit/'] button[type=submit]"))
    expect(page.locator(".stamp").first).to_contain_text("На проверке", timeout=SLOW_MS)


def client_sends(context: BrowserContext, product: Product, script: Script) -> str:
    """Fill in a request and send it; return its number. Its page names no hardware."""
    with signed_in(context, product, "client") as client:
        page = client.page
        client.open("/requisitions/new/")
        assert fill_in(page, script) > 40
        send_checked(page)
        number = re.search(r"ЗС-\d{4}", page.inner_text("main"))
        assert number is not None
        accessible(page)
        assert not re.search(r"SYS-\d{3}[A-Z]{2}-TNRT|H100|H200|L40S|B200", page.inner_text("main"))
    return number.group()


@contextmanager
def engineer_at(context: BrowserContext, product: Product, number: str) -> Iterator[Page]:
    """The engineer takes the request from the queue; afterwards sends it to approval."""
    with signed_in(context, product, "engineer") as engineer:
        page = engineer.page
        press(page, page.get_by_role("link", name=number))
        press(page, page.locator("form[action$='/take/'] button"))
        workspace = re.sub(r"(/q/[^/]+/).*", r"\1", page.url)
        yield page
        page.goto(workspace)
        press(page, page.locator("form[action$='/send/'] button[type=submit]"))
        expect(page.locator(".stamp").first).to_contain_text("На утверждении")


def tab(page: Page, name: str) -> Page:
    """Open a tab of the workspace that stands open: "variants/", "changes/", "" for the first."""
    page.goto(re.sub(r"(/q/[^/]+/).*", r"\1", page.url) + name)
    accessible(page)
    return page


def approver_approves(context: BrowserContext, product: Product, number: str) -> None:
    with signed_in(context, product, "approver") as approver:
        page = approver.page
        press(page, page.get_by_role("link", name=number))
        approve = page.locator("button[name=decision][value=approve]")
        expect(approve).to_be_visible(timeout=SLOW_MS)
        expect(page.locator("[name=document_sha256]")).not_to_have_value("", timeout=SLOW_MS)
        accessible(page)
        press(page, approve)
        expect(page.locator(".stamp").first).to_contain_text("Утверждена", timeout=SLOW_MS)
        accessible(page)


def wait_for(page: Page, wanted: Locator) -> None:
    """Load the page again until it has the wanted part."""
    deadline = time.monotonic() + SLOW_MS / 1000
    while time.monotonic() < deadline:
        if wanted.count():
            return
        page.wait_for_timeout(500)
        page.reload()
    raise AssertionError(f"{page.url}: nothing like {wanted}")


def downloaded(page: Page, link: Locator, folder: Path) -> str:
    """The text of a PDF, got by a click."""
    with page.expect_download() as download:
        link.click()
    path = folder / "document.pdf"
    download.value.save_as(path)
    reader = PdfReader(BytesIO(path.read_bytes()))
    return " ".join(" ".join(p.extract_text() for p in reader.pages).split())


def manager_downloads(context: BrowserContext, product: Product, number: str, folder: Path) -> str:
    with signed_in(context, product, "manager") as manager:
        links = manager.page.locator("tr", has_text=number).locator("a[href*='/documents/']")
        wait_for(manager.page, links.nth(1))  # Russian stands first once both are printed
        accessible(manager.page)
        return downloaded(manager.page, links.first, folder)
