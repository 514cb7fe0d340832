"""Nothing typed is lost: a slow or failing network, a closed tab, a late answer, an ended session."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.chromium import Window, window
from tests.browser.product import Product
from tests.browser.steps import IN_BROWSER, desk

pytestmark = IN_BROWSER
SHOWN_MS = 30_000
NETWORK = ("net::ERR", "Failed to load resource", "htmx:", "Response Status Error")
TASK = "s/task/?page=task"
FIELD = "#q-business_task"


@pytest.fixture(scope="module")
def client(product: Product) -> Iterator[Window]:
    with desk() as context:
        opened = window(context, product)
        opened.sign_in(*product.people()["client"])
        yield opened
        assert [c for c in opened.complaints if not any(n in c for n in NETWORK)] == []


@pytest.fixture
def context(client: Window) -> BrowserContext:
    return client.page.context


@pytest.fixture
def page(client: Window) -> Iterator[Page]:
    """The page of a new draft with one long text."""
    client.open("/requisitions/new/")
    client.page.check("input[name=purpose][value=scratch]")
    client.page.check("input[name=weights_change][value=yes]")
    with client.page.expect_navigation():
        client.page.click("main button[type=submit]")
    client.open("/r/" + client.page.url.split("/r/")[1].split("/")[0] + "/" + TASK)
    yield client.page
    client.page.unroute_all()
    client.page.context.set_offline(False)


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_contain_text("Сохранено", timeout=SHOWN_MS)


def kept(page: Page, text: str) -> None:
    """The server has it: a window that knows nothing of this one shows it."""
    other = page.context.new_page()
    other.goto(page.url)
    deadline = time.monotonic() + SHOWN_MS / 1000
    while other.locator(FIELD).input_value() != text and time.monotonic() < deadline:
        other.wait_for_timeout(200)  # a save that nobody waits for may be under way
        other.reload()
    assert other.locator(FIELD).input_value() == text
    other.close()


def test_text_is_saved_when_the_typing_pauses_though_the_field_is_not_left(page):
    page.focus(FIELD)
    page.keyboard.type("пишу и думаю", delay=20)
    saved(page)
    assert page.evaluate("document.activeElement.id") == FIELD[1:]
    kept(page, "пишу и думаю")


def test_a_link_pressed_in_the_middle_of_a_word_saves_it_first(page):
    page.fill(FIELD, "не успел")
    with page.expect_navigation():
        page.click("a.back")
    page.go_back()
    expect(page.locator(FIELD)).to_have_value("не успел")


def test_a_network_that_fails_is_shown_and_retried_and_nothing_is_lost(page):
    page.context.set_offline(True)
    page.fill(FIELD, "в поезде")
    page.keyboard.press("Tab")
    expect(page.locator("#saved")).to_contain_text("Не сохранено", timeout=SHOWN_MS)
    page.locator("main .actions button.btn-primary").scroll_into_view_if_needed()
    expect(page.locator("#saved")).to_be_in_viewport()
    page.fill(FIELD, "в поезде, дальше")
    page.context.set_offline(False)
    saved(page)
    expect(page.locator(".saved-not")).to_have_count(0)
    kept(page, "в поезде, дальше")


def test_a_server_that_is_away_is_asked_again(page):
    page.route("**/save/**", lambda route: route.fulfill(status=502))
    page.fill(FIELD, "пока обновляли")
    page.keyboard.press("Tab")
    expect(page.locator("#saved")).to_contain_text("Не сохранено", timeout=SHOWN_MS)
    page.unroute_all()
    saved(page)
    kept(page, "пока обновляли")


def test_a_page_sent_into_a_dead_network_comes_back_with_what_was_typed(page):
    page.route("**/s/task/**", lambda route: route.abort("internetdisconnected"))
    page.fill(FIELD, "нажал в тоннеле")
    page.click("main button.btn-primary")
    page.wait_for_url("chrome-error://**")
    page.unroute_all()
    page.go_back()  # the page of the error took the place of ours
    page.click("main button.btn-primary")
    expect(page.locator(FIELD)).to_have_value("нажал в тоннеле")
    saved(page)
    kept(page, "нажал в тоннеле")


def test_leaving_warns_only_while_something_is_not_saved(page):
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.fill(FIELD, "сохранённое")
    page.keyboard.press("Tab")
    saved(page)
    page.reload()
    assert asked == []
    page.route("**/save/**", lambda route: route.abort())
    page.fill(FIELD, "несохранённое")
    page.reload()
    assert asked == ["beforeunload"]
    expect(page.locator(FIELD)).to_have_value("несохранённое")
    page.remove_listener("dialog", answer)


def test_an_older_save_that_lands_after_a_newer_one_overwrites_nothing(page):
    late: list[Route] = []
    page.route("**/save/**", lambda route: late.append(route))  # noqa: PLW0108 - asks its arguments
    page.fill(FIELD, "старое")
    page.keyboard.press("Tab")
    for _ in range(SHOWN_MS // 20):
        if late:
            break
        page.wait_for_timeout(20)
    assert len(late) == 1
    older = late[0].request
    with page.expect_navigation():
        page.fill(FIELD, "новое")
        page.click("main button.btn-primary")
    headers = {k: v for k, v in older.headers.items() if k != "content-length"}
    answer = page.request.post(older.url, data=older.post_data_buffer, headers=headers)
    assert answer.headers["x-saved"] == "part"
    page.go_back()
    expect(page.locator(FIELD)).to_have_value("новое")


def test_a_save_whose_answer_was_lost_is_no_clash_with_oneself(page):
    def arrive_and_lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/save/**", arrive_and_lose_the_answer)
    page.fill(FIELD, "дошло, но молча")
    page.keyboard.press("Tab")
    expect(page.locator("#saved")).to_contain_text("Не сохранено", timeout=SHOWN_MS)
    page.unroute_all()
    page.fill(FIELD, "дошло, но молча; и дальше")
    page.keyboard.press("Tab")
    saved(page)
    expect(page.locator("#clashes")).to_be_empty()
    kept(page, "дошло, но молча; и дальше")


def test_a_phone_that_puts_the_page_away_saves_it(page):
    """Nothing warns and nothing waits when another application comes to the front."""
    page.fill(FIELD, "позвонили")
    with page.expect_request("**/save/**") as beacon:
        page.evaluate(
            """() => {
                Object.defineProperty(document, "visibilityState", {value: "hidden"});
                document.dispatchEvent(new Event("visibilitychange"));
            }"""
        )
    assert beacon.value.resource_type == "ping"
    kept(page, "позвонили")


def test_signing_in_anew_in_another_tab_lets_this_one_save_on(page, product):
    page.context.clear_cookies(name="sessionid")
    other = window(page.context, product)
    other.sign_in(*product.people()["client"])
    other.page.close()
    page.fill(FIELD, "после второго входа")
    page.keyboard.press("Tab")
    saved(page)
    kept(page, "после второго входа")


def test_saving_is_read_out_at_most_every_ten_seconds(page):
    page.evaluate(
        """() => {
            window.heard = [];
            new MutationObserver(() => window.heard.push(performance.now()))
                .observe(document.getElementById("saved-said"), {childList: true});
        }"""
    )
    for text in ("раз", "раз два", "раз два три"):
        page.fill(FIELD, text)
        with page.expect_response(re.compile("/save/")):
            page.keyboard.press("Tab")
    page.wait_for_timeout(500)
    assert len(page.evaluate("window.heard")) == 1
    assert page.locator("#saved-said").get_attribute("role") == "status"
    assert page.locator("#saved[aria-live]").count() == 0
