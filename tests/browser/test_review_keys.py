"""An engineer reviews by single keys: they move the focus, and stay silent where somebody writes."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Window
from tests.browser.product import Product, wait_until
from tests.browser.steps import IN_BROWSER, desk, signed_in

pytestmark = [*IN_BROWSER, pytest.mark.one_stack]
RUNNING = "SELECT count(*) FROM requisitions_revision WHERE state = 'estimating'"
FOCUSED = "document.activeElement.id"


@pytest.fixture(scope="module")
def opened(product: Product) -> Iterator[Window]:
    """The workspace of a requisition that the engineer has taken."""
    number = product.send_request()
    wait_until(lambda: product.rows(RUNNING) == [(0,)], what="estimates", timeout_s=240)
    with desk(reduced_motion="reduce") as context, signed_in(context, product, "engineer") as seen:
        seen.open("/q/")
        with seen.page.expect_navigation():
            seen.page.locator("main a", has_text=number).first.click()
        with seen.page.expect_navigation():
            seen.page.locator("#checks form[action$='/take/'] button").click()
        yield seen


@pytest.fixture
def page(opened: Window) -> Iterator[Page]:
    path = opened.page.url.partition("?")[0].partition("#")[0]
    opened.page.goto(path)
    opened.page.evaluate("localStorage.clear()")
    yield opened.page
    opened.page.goto(path)


def focus_of(page: Page) -> str:
    found: str = page.evaluate(FOCUSED)
    return found


def test_keys_step_through_answers_and_figures_and_the_focus_goes_along(page):
    page.keyboard.press("j")
    first = focus_of(page)
    assert first.startswith("a-")
    page.keyboard.press("j")
    second = focus_of(page)
    assert second.startswith("a-")
    assert second != first
    page.keyboard.press("k")
    assert focus_of(page) == first
    page.keyboard.press("g")
    page.keyboard.press("e")
    figure = focus_of(page)
    assert figure.startswith("f-")
    page.keyboard.press("o")
    expect(page.locator(f"#{figure} > details")).to_have_attribute("open", "")
    page.keyboard.press("j")
    assert focus_of(page).startswith("f-")


def test_on_a_cyrillic_layout_the_place_of_the_key_counts(page):
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'о', code: 'KeyJ', bubbles: true}))"
    )
    assert focus_of(page).startswith("a-")


def test_a_value_is_set_beside_the_focused_answer_and_a_comment_is_about_it(page):
    page.locator("[data-stop]:has([data-key=a])").first.focus()
    with page.expect_navigation():
        page.keyboard.press("a")
    assert page.locator("#set-value").count() == 1
    page.locator("[data-stop]:has([data-key=c])").first.focus()
    with page.expect_navigation():
        page.keyboard.press("c")
    assert page.locator("#remark-target").input_value() != ""


def test_who_writes_is_left_alone(page):
    field = page.locator("#remark-text")
    field.focus()
    page.keyboard.type("jk?go")
    assert field.input_value() == "jk?go"
    assert focus_of(page) == "remark-text"


def test_the_list_opens_by_a_key_and_by_the_mouse_and_turns_the_keys_off(page):
    listed = page.locator("[data-keys]")
    page.keyboard.press("?")
    expect(listed).to_have_attribute("open", "")
    page.keyboard.press("?")
    expect(listed).not_to_have_attribute("open", "")
    listed.locator("summary").click()
    listed.locator("[data-step=forth]").click()
    assert focus_of(page).startswith("a-")
    listed.locator("[data-keys-switch]").uncheck()
    page.reload()
    page.keyboard.press("j")
    assert focus_of(page) == ""
    page.locator("[data-keys] summary").click()
    page.locator("[data-keys-switch]").check()
    page.keyboard.press("j")
    assert focus_of(page) != "keys-on"


def test_a_part_that_is_swapped_keeps_the_focus_and_the_keys(page):
    figure = page.locator("#estimates [data-stop]").first
    figure.focus()
    held = focus_of(page)
    page.evaluate(
        "() => htmx.ajax('GET', location.pathname + 'runs/?state=in_review',"
        " {target: '#estimates', swap: 'outerHTML'})"
    )
    expect(page.locator("#estimates.htmx-settling, #estimates.htmx-swapping")).to_have_count(0)
    assert focus_of(page) == held
    page.keyboard.press("j")
    assert focus_of(page) not in ("", held)


def test_two_keys_lead_to_another_page(page):
    with page.expect_navigation():
        page.keyboard.press("g")
        page.keyboard.press("v")
    assert "/variants/" in page.url
    with page.expect_navigation():
        page.keyboard.press("g")
        page.keyboard.press("r")
    assert page.locator(".ws").count() == 1
