"""The questionnaire in a real browser: saves by itself, brings up questions, keeps both answers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.chromium import Window, chromium_contexts, installed, window
from tests.browser.product import Product

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
]
SHOWN_MS = 30_000


WIDTHS = [1280, pytest.param(320, marks=pytest.mark.one_stack)]


@pytest.fixture(params=WIDTHS, ids=["wide", "phone"], scope="module")
def context(request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    size = {"width": request.param, "height": 900}
    with chromium_contexts(viewport=size, locale="ru-RU") as opened:
        yield opened


@pytest.fixture
def client(context: BrowserContext, product: Product) -> Iterator[Window]:
    opened = window(context, product)
    opened.sign_in(*product.people()["client"])
    yield opened
    assert opened.complaints == []
    context.clear_cookies()
    opened.page.close()


@pytest.fixture
def draft(client: Window) -> str:
    """The path of a new requisition whose goal is stated."""
    client.open("/requisitions/new/")
    client.page.check("input[name=purpose][value=scratch]")
    client.page.check("input[name=weights_change][value=yes]")
    with client.page.expect_navigation():
        client.page.click("main button[type=submit]")
    return "/r/" + client.page.url.split("/r/")[1].split("/")[0] + "/"


def test_an_answer_is_saved_when_the_field_is_left_and_shown_back(client, draft):
    client.open(draft + "s/recipe/?page=batch")
    client.page.fill("#q-sequence_length", "8 192")
    client.page.keyboard.press("Tab")
    expect(client.page.locator("#saved")).to_contain_text("Сохранено", timeout=SHOWN_MS)
    expect(client.page.locator("#q-sequence_length-echo")).to_contain_text("токена")
    client.page.reload()
    assert client.page.input_value("#q-sequence_length") == "8 192"
    assert not client.scrolls_sideways()


def test_an_answer_brings_up_its_questions_at_once(client, draft):
    client.open(draft + "s/method/")
    client.page.check("input[name=strategy][value=finetune]")
    expect(client.page.locator("#slot-method")).to_be_visible(timeout=SHOWN_MS)
    client.page.check("input[name=method][value=freeze]")
    expect(client.page.locator("#q-trainable_params")).to_be_visible(timeout=SHOWN_MS)
    client.page.check("input[name=method][value=lora]")
    expect(client.page.locator("#q-trainable_params")).to_have_count(0, timeout=SHOWN_MS)


def test_enter_in_a_field_saves_and_takes_no_offer(client, draft):
    client.open(draft + "s/model/")
    client.page.fill("#q-model_name", "Llama-3.1-8B")
    client.page.check("input[name=model_source][value=published]")
    client.page.focus("#q-params")
    with client.page.expect_navigation():
        client.page.keyboard.press("Enter")
    client.open(draft + "s/model/")
    assert client.page.input_value("#q-params") == ""


def test_an_error_takes_the_focus_and_leads_to_its_field(client, draft):
    client.open(draft + "s/recipe/?page=batch")
    client.page.fill("#q-sequence_length", "8k")
    client.page.click("main button.btn-primary")
    expect(client.page).to_have_title("Ошибка: Сколько данных в одном шаге? · Рецепт · Подбор")
    expect(client.page.locator("[role=alert]:focus")).to_be_visible(timeout=SHOWN_MS)
    client.page.click(".err-sum a")
    expect(client.page.locator("#q-sequence_length")).to_be_focused(timeout=SHOWN_MS)
    assert client.page.input_value("#q-sequence_length") == "8k"
    assert not client.scrolls_sideways()


def test_two_windows_get_both_answers_to_choose_from(client, draft, context, product):
    other = window(context, product)
    for opened in (client, other):
        opened.open(draft + "s/task/?page=task")
    other.page.fill("#q-business_task", "ответ из другого окна")
    other.page.keyboard.press("Tab")
    expect(other.page.locator("#saved")).to_contain_text("Сохранено", timeout=SHOWN_MS)
    client.page.fill("#q-business_task", "мой ответ")
    client.page.keyboard.press("Tab")
    expect(client.page.locator("#clashes")).to_contain_text("Бизнес-задача", timeout=SHOWN_MS)
    client.page.click("main button.btn-primary")
    expect(client.page.locator(".conflict")).to_contain_text("ответ из другого окна")
    assert not client.scrolls_sideways()
    client.page.check("input[value=mine]")
    with client.page.expect_navigation():
        client.page.click("main button[type=submit]")
    other.page.reload()
    assert other.page.input_value("#q-business_task") == "мой ответ"
    other.page.close()


def test_what_is_typed_after_the_session_has_ended_comes_back(client, draft, context, product):
    client.open(draft + "s/task/?page=task")
    context.clear_cookies(name="sessionid")
    client.page.fill("#q-business_task", "набрано после конца сеанса")
    client.page.keyboard.press("Tab")
    expect(client.page.locator("#saved")).to_contain_text("Сеанс закончился", timeout=SHOWN_MS)
    client.page.click("main button.btn-primary")
    email, password = product.people()["client"]
    client.page.fill("input[name=username]", email)
    client.page.fill("input[name=password]", password)
    client.page.click("main button[type=submit]")
    expect(client.page.locator("#q-business_task")).to_have_value("набрано после конца сеанса")


def test_what_is_understood_of_a_number_moves_nothing_on_the_page(client, draft):
    """Between press and release of the mouse the answer about the last field comes in."""
    client.open(draft + "s/data/")
    below = client.page.locator("#slot-data_kind")
    before = below.bounding_box()
    client.page.fill("#q-dataset_bytes", "46 ГБ")
    expect(client.page.locator("#q-dataset_bytes-echo")).to_contain_text("ГиБ", timeout=SHOWN_MS)
    assert below.bounding_box() == before
