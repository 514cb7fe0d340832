"""Calculating without an account, and the table of errors: by keyboard, wide and narrow, in both
languages, with nothing that axe objects to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.chromium import Window, chromium_contexts, window
from tests.browser.product import Product
from tests.browser.steps import IN_BROWSER, accessible

pytestmark = [*IN_BROWSER, pytest.mark.one_stack]
MOST_TABS = 60
SETTINGS = "model_name_or_path: Qwen/Qwen2.5-7B\nper_device_train_batch_size: 2\ncutoff_len: 2048"
REPORT = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB"
WORDS = {"ru": "На каких ускорителях поместится", "en": "On which accelerators will"}


@pytest.fixture(params=[1280, 360], ids=["wide", "phone"], scope="module")
def context(request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    size = {"width": request.param, "height": 900}
    with chromium_contexts(viewport=size, locale="ru-RU") as opened:
        yield opened


@pytest.fixture
def visitor(context: BrowserContext, product: Product) -> Iterator[Window]:
    opened = window(context, product)
    yield opened
    assert opened.complaints == []
    context.clear_cookies()
    opened.page.close()


def fits(visitor: Window) -> None:
    """Nothing scrolls sideways, and nothing sticks out of the sheet that it stands on."""
    accessible(visitor.page)
    assert not visitor.scrolls_sideways()
    wide: list[str] = visitor.page.locator("main .sheet").evaluate_all(
        "all => all.filter(s => s.scrollWidth > s.clientWidth + 1).map(s => s.outerHTML)"
    )
    assert wide == []


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Reach an element by the Tab key alone, as whoever has no mouse does."""
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            shown = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert shown != "none", f"{selector}: where the focus is cannot be seen"
            return
    raise AssertionError(f"{key} does not lead to {selector}")


def switched(page: Page, language: str) -> None:
    # From the end: the footer is the last of the page.
    tab_to(page, f"footer button[name=language][value={language}]", key="Shift+Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_a_visitor_calculates_by_keyboard_and_reads_it_in_both_languages(visitor: Window) -> None:
    page = visitor.page
    visitor.open("/try/")
    expect(page.locator("h1")).to_contain_text(WORDS["ru"])
    fits(visitor)
    tab_to(page, "[name=model_name]")
    page.keyboard.type("8B")
    tab_to(page, "[name=sequence_length]")
    page.keyboard.type("2048")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("main table").first).to_be_visible()
    assert "sequence_length=2048" in page.url
    fits(visitor)
    switched(page, "en")
    expect(page.locator("h1")).to_contain_text(WORDS["en"])
    assert "sequence_length=2048" in page.url
    expect(page.locator("main table").first).to_be_visible()
    fits(visitor)


def test_what_was_pasted_stays_when_the_language_is_switched(visitor: Window) -> None:
    page = visitor.page
    visitor.open("/try/")
    for name, text in (("settings", SETTINGS), ("report", REPORT)):
        tab_to(page, f"details:has([name={name}]) > summary")
        page.keyboard.press("Enter")
        tab_to(page, f"[name={name}]")
        page.keyboard.insert_text(text)
    with page.expect_navigation():
        page.locator("main form button.btn-primary").first.press("Enter")
    fits(visitor)
    for language in ("en", "ru"):
        switched(page, language)
        expect(page.locator("h1")).to_contain_text(WORDS[language])
        assert page.input_value("[name=settings]") == SETTINGS
        assert page.input_value("[name=report]") == REPORT
        expect(page.locator("main table").first).to_be_visible()


def test_the_errors_of_the_estimates_are_read_in_both_languages(visitor: Window) -> None:
    page = visitor.page
    visitor.open("/accuracy/")
    fits(visitor)
    switched(page, "en")
    expect(page.locator("h1")).to_contain_text("How exact the estimates are")
    fits(visitor)
    scrolled = page.locator("main .scroll")
    assert all(
        scrolled.nth(index).get_attribute("tabindex") == "0" for index in range(scrolled.count())
    )
