"""One request through a real browser, from the first page to the PDF in the manager's hands."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect
from pypdf import PdfReader

from config.launcher.layout import Checkout
from config.launcher.play import Script, demo_script
from tests.browser.chromium import Window, chromium_contexts, installed, window
from tests.browser.product import ROOT, Product

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
]
SLOW_MS = 60_000
NOTICE = "Не является коммерческим предложением"
UNKNOWN = "?"


@pytest.fixture
def context() -> Iterator[BrowserContext]:
    with chromium_contexts(viewport={"width": 1280, "height": 900}, locale="ru-RU") as opened:
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
    """No violation of WCAG that axe can see, and no scrolling sideways."""
    results = Axe().run(page)
    assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"


def answer(page: Page, key: str, script: Script) -> None:
    """Give one answer the way a person does; «не знаю», and who will find out, where there is none."""
    value = script.answers.get(key, UNKNOWN)
    choice = page.locator(f"main [type=radio][name='{key}'][value='{value}']")
    if choice.count():
        choice.first.check()
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


def answer_page(page: Page, script: Script) -> int:
    """Answer what the page asks, and what comes up because of the answers."""
    answered: set[str] = set()
    while True:
        asked = page.locator("main input[name='asked']").evaluate_all(
            "all => all.map(i => i.value)"
        )
        open_now = [key for key in asked if key not in answered]
        if not open_now:
            return len(answered)
        for key in open_now:
            if page.locator(f"main [name='{key}'], main [name='{key}-unknown']").count():
                answer(page, key, script)
        answered |= set(open_now)
        page.keyboard.press("Tab")
        page.wait_for_timeout(400)  # a field is saved 200 ms after it is left
        page.wait_for_load_state("networkidle")


def fill_in(page: Page, script: Script) -> int:
    """Answer page after page until the check; return the number of questions."""
    asked_count = 0
    for _ in range(60):
        if "/check/" in page.url:
            return asked_count
        asked_count += answer_page(page, script)
        finished = page.locator("main [name='finished'][value='yes']")
        if finished.count():
            finished.check()
        accessible(page)
        if page.locator("main input[name='asked']").count():
            page.locator("main .actions button.btn-primary").first.click()
        else:  # the attachments, which this request does without
            page.goto(page.url.split("/s/")[0] + "/check/")
        page.wait_for_load_state()
    raise AssertionError(f"the questionnaire does not end: {page.url}")


def client_sends(context: BrowserContext, product: Product) -> str:
    script = demo_script(Checkout(root=ROOT))
    with signed_in(context, product, "client") as client:
        page = client.page
        accessible(page)
        client.open("/requisitions/new/")
        assert fill_in(page, script) > 40
        accessible(page)
        page.locator("form[action$='/submit/'] button[type=submit]").first.click()
        number = re.search(r"ЗС-\d{4}", page.inner_text("main"))
        assert number is not None
        expect(page.locator("main")).to_contain_text("проверк", timeout=SLOW_MS)
        accessible(page)
        assert not re.search(r"SYS-|H100|H200|L40S", page.inner_text("main"))
    return number.group()


def engineer_reviews(context: BrowserContext, product: Product, number: str) -> None:
    with signed_in(context, product, "engineer") as engineer:
        page = engineer.page
        accessible(page)
        page.get_by_role("link", name=number).first.click()
        page.locator("form[action$='/take/'] button").first.click()
        accessible(page)
        note = page.locator("form[action$='/annotate/']").first
        note.locator("textarea").fill("Секрет: внутренняя пометка")
        note.locator("button[type=submit]").first.click()
        expect(page.locator("main")).to_contain_text("Секрет: внутренняя пометка")
        for tab in ("variants/", "document/", "journal/"):
            workspace = re.sub(r"(/q/[^/]+/).*", r"\1", page.url)
            page.goto(workspace + tab)
            accessible(page)
        page.goto(workspace)
        send = page.locator("form[action$='/send/']")
        send.locator("button[type=submit]").first.click()
        expect(page.locator(".stamp").first).to_contain_text("На утверждении")


def approver_approves(context: BrowserContext, product: Product, number: str) -> None:
    with signed_in(context, product, "approver") as approver:
        page = approver.page
        accessible(page)
        page.get_by_role("link", name=number).first.click()
        approve = page.locator("button[name=decision][value=approve]")
        expect(approve).to_be_visible(timeout=SLOW_MS)
        expect(page.locator("[name=document_sha256]")).not_to_have_value("", timeout=SLOW_MS)
        accessible(page)
        approve.click()
        expect(page.locator(".stamp").first).to_contain_text("Утверждена", timeout=SLOW_MS)
        accessible(page)


def manager_downloads(context: BrowserContext, product: Product, number: str, folder: Path) -> str:
    with signed_in(context, product, "manager") as manager:
        page = manager.page
        row = page.locator("tr", has_text=number)
        link = row.locator("a[href*='/documents/']").first
        for _ in range(60):
            if link.count():
                break
            page.wait_for_timeout(1000)
            page.reload()
        accessible(page)
        with page.expect_download() as download:
            link.click()
        path = folder / "assessment.pdf"
        download.value.save_as(path)
    reader = PdfReader(BytesIO(path.read_bytes()))
    return " ".join(" ".join(p.extract_text() for p in reader.pages).split())


def test_a_request_travels_from_the_questionnaire_to_the_managers_pdf(context, product, tmp_path):
    number = client_sends(context, product)
    engineer_reviews(context, product, number)
    approver_approves(context, product, number)
    text = manager_downloads(context, product, number, tmp_path)
    for part in (number, NOTICE, "SYS-821GE-TNHR", "SYS-521GE-TNRT", "требует подтверждения"):
        assert part in text
    assert "Секрет" not in text
