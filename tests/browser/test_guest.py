"""J14: a colleague without an account answers one section on a phone 320 px wide, without
JavaScript, and the client sees it.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from tests.browser.chromium import Window, chromium_contexts, window
from tests.browser.product import Product
from tests.browser.steps import IN_BROWSER, accessible

pytestmark = [*IN_BROWSER, pytest.mark.one_stack]

PHONE: ViewportSize = {"width": 320, "height": 640}
NAME = "Пётр Стойкин"


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    with chromium_contexts(viewport={"width": 1280, "height": 900}, locale="ru-RU") as opened:
        yield opened


@pytest.fixture
def client(context: BrowserContext, product: Product) -> Iterator[Window]:
    opened = window(context, product)
    opened.sign_in(*product.people()["client"])
    yield opened
    assert opened.complaints == []
    opened.page.close()


@pytest.fixture
def phone(context: BrowserContext, product: Product) -> Iterator[Window]:
    """Another machine, in which nobody is signed in."""
    assert context.browser is not None
    other = context.browser.new_context(
        viewport=PHONE, locale="ru-RU", has_touch=True, java_script_enabled=False
    )
    opened = window(other, product)
    yield opened
    assert opened.complaints == []
    other.close()


def press(page: Page, button: str) -> None:
    with page.expect_navigation():
        page.click(button)


def link_for(client: Window) -> tuple[str, str]:
    """(path of a new requisition, link to its rack section)."""
    page = client.page
    client.open("/requisitions/new/")
    page.check("input[name=purpose][value=scratch]")
    page.check("input[name=weights_change][value=yes]")
    press(page, "main form button.btn-primary")
    requisition = "/r/" + page.url.split("/r/")[1].split("/")[0] + "/"
    client.open(requisition + "guests/?section=site")
    page.fill("input[name=name]", NAME)
    press(page, "button[name=take-link]")
    accessible(page)
    return requisition, page.input_value("#given-link")


def readable(guest: Window) -> None:
    assert not guest.scrolls_sideways()


def test_a_guest_answers_on_a_phone_and_the_client_sees_who_said_what(
    client: Window, phone: Window
) -> None:
    requisition, link = link_for(client)
    page = phone.page
    page.goto(link)
    expect(page.locator("h1")).to_have_text("Вас просят ответить на один раздел")
    readable(phone)
    press(page, "button[name=begin]")
    readable(phone)
    page.fill("#q-kw_usable", "12")
    for _page in ("power", "room"):
        press(page, "button.btn-primary[value=continue]")
    expect(page.locator("h1")).to_have_text("Проверьте ответы")
    readable(phone)
    page.check("#verdict-lacking")
    page.fill("#note", "Схему питания пришлю в пятницу")
    press(page, "main form button.btn-primary")
    expect(page.locator("main .note")).to_contain_text("Спасибо")
    client.open(requisition)
    expect(client.page.locator("#guests-h").locator("xpath=../..")).to_contain_text(
        "данных не хватает"
    )
    accessible(client.page)
    client.open(requisition + "guests/")
    expect(client.page.locator("main article")).to_contain_text("Схему питания пришлю в пятницу")
    press(client.page, "main article button.btn-danger-line")
    page.goto(link)
    expect(page.locator("h1")).to_have_text("Эта ссылка не действует")
    phone.complaints.clear()  # the browser's word for a page that is gone
