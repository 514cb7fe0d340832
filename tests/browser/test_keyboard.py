"""The client's way without a mouse: from signing in to a request that is sent, and what lies beside.

Pages with every kind of question are answered one by one. The rest is answered by «I do not know
the rest of this section», which is walked to over all that stands before it.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from config.launcher.play import Script
from tests.browser.chromium import window
from tests.browser.keyboard import Keyboard
from tests.browser.product import Product
from tests.browser.steps import (
    IN_BROWSER,
    MOST_PAGES,
    SLOW_MS,
    UNKNOWN,
    asked_on,
    calm,
    desk,
    script_of,
)

pytestmark = [*IN_BROWSER, pytest.mark.one_stack]
ANSWERED = re.compile(r"/requisitions/new/|/s/(task|method|model|purchase)/")
WORDS = "LoRA для Llama 3 8B, 200 ГБ картинок и текстов, аренда на месяц"
SETTINGS = "base_model: meta-llama/Llama-3.1-8B\nadapter: lora\nlearning_rate: 1e-4\n"


@pytest.fixture(scope="module")
def keys(product: Product) -> Iterator[Keyboard]:
    """Signed in by keys alone. Pages scroll at once, so that a stop is looked at where it stays."""
    with desk(reduced_motion="reduce") as context:
        opened = window(context, product)
        opened.open("/")
        keys, page = Keyboard(opened.page), opened.page
        keys.press("Tab")
        assert keys.is_on(page.locator("a.skip"))
        keys.follow(page.locator("header a[href*='sign-in']"))
        email, password = product.people()["client"]
        keys.write(page.locator("input[name=username]"), email)
        keys.write(page.locator("input[name=password]"), password)
        with keys.leaving():
            keys.press("Enter")
        yield keys
        assert opened.complaints == []


def answer(keys: Keyboard, key: str, script: Script) -> None:
    page, value = keys.page, script.answers.get(key, UNKNOWN)
    if page.locator(f"main [type=radio][name='{key}'][value='{value}']").count():
        keys.choose(key, value)
    elif value == UNKNOWN:
        keys.tick(page.locator(f"main [name='{key}-unknown']"))
        keys.write(page.locator(f"main [name='{key}-who']"), script.unknown["who"])
    else:
        keys.write(page.locator(f"main [name='{key}']"), value)
        calm(page)


def answer_page(keys: Keyboard, script: Script) -> None:
    """Every question of the page and what comes up because of the answers, from above to below."""
    answered: set[str] = set()
    while left := [key for key in asked_on(keys.page) if key not in answered]:
        if keys.page.locator(f"main [name='{left[0]}'], main [name='{left[0]}-unknown']").count():
            answer(keys, left[0], script)
        answered.add(left[0])


def leave_page(keys: Keyboard, script: Script) -> None:
    page = keys.page
    if not asked_on(page):  # the files, which this request does without
        keys.follow(page.locator("main button[name=then]"))
        return
    if ANSWERED.search(page.url):
        answer_page(keys, script)
    elif "page=" not in page.url:
        keys.follow(page.locator("main button[value=unknown-rest]"))
    if page.locator("[name=finished]").count():
        keys.choose("finished", "yes")
    keys.follow(page.locator("main .actions button.btn-primary"))


def test_a_request_is_filled_in_and_sent(keys):
    page, script = keys.page, script_of("from-scratch.json")
    keys.follow(page.locator("main a[href$='/requisitions/new/']"))
    for _ in range(MOST_PAGES):
        if "/check/" in page.url:
            break
        leave_page(keys, script)
    keys.tab_to(page.locator("main a[href='#send']"))
    keys.press("Enter")  # past every open question and answer
    keys.follow(page.locator("form[action$='/submit/'] button[type=submit]"))
    expect(page.locator(".stamp").first).to_contain_text(re.compile(r"ЗС-\d{4}"), timeout=SLOW_MS)
    assert keys.wrong == []


@pytest.fixture(scope="module")
def draft(keys: Keyboard) -> str:
    """The address of a draft that begins with words, taken by keys."""
    page = keys.page
    page.goto(re.sub(r"(//[^/]+)/.*", r"\1/requisitions/new/", page.url))
    keys.follow(page.locator("main a[href$='/written/']"))
    keys.write(page.locator("#text"), WORDS)
    keys.follow(page.locator("main .actions button.btn-primary"))
    first = page.locator("main [name=take]").first
    keys.tab_to(first)
    ticked = first.is_checked()
    keys.press("Space")
    assert first.is_checked() is not ticked
    keys.press("Space")
    keys.follow(page.locator("main .actions button.btn-primary"))
    assert keys.wrong == []
    return re.sub(r"(/r/[^/]+/).*", r"\1", page.url)


def test_a_model_is_picked_and_what_is_folded_opens(keys, draft):
    page = keys.page
    page.goto(draft + "s/model/")
    name = page.locator("#q-model_name")
    with page.expect_response(re.compile(r"Llama(\+|%20)8B")):
        keys.write(name, "Llama 8B")
    keys.press("Tab")  # to leave the field asks once more, and saves
    calm(page)
    keys.tab_to(name, key="Shift+Tab")
    pick = page.locator("main button[name=pick]")
    expect(pick.first).to_be_visible(timeout=SLOW_MS)
    chosen = pick.first.get_attribute("value")
    keys.follow(pick.first)
    assert name.input_value() == chosen
    folded = page.locator("main details.why").first
    keys.tab_to(folded.locator("summary"))
    keys.press("Enter")
    expect(folded).to_have_attribute("open", "")
    keys.press("Space")
    expect(folded).not_to_have_attribute("open", "")
    back = page.locator("main a.back")
    keys.tab_to(back, key="Shift+Tab")
    assert keys.wrong == []


def test_settings_are_pasted_looked_at_and_taken(keys, draft):
    page = keys.page
    page.goto(draft + "s/files/")
    keys.tab_to(page.locator("#file"))  # what it opens is the browser's own
    keys.write(page.locator("#text"), SETTINGS)
    keys.follow(page.locator("form[action$='/settings/'] button"))
    assert "/fill" in page.url
    keys.follow(page.locator("main .actions button.btn-primary"))
    assert keys.wrong == []


def test_a_link_is_made_and_the_footers_switches_turn(keys, draft):
    page = keys.page
    page.goto(draft)
    keys.follow(page.locator("main a[href$='/guests/']"))
    keys.tab_to(page.locator("main select[name=section]"))
    keys.press("ArrowDown")
    keys.follow(page.locator("main button[name=take-link]"))
    keys.tab_to(page.locator("#given-link"))
    keys.tab_to(page.locator("[data-copy='#given-link']"))
    for theme in ("dark", "system"):
        keys.follow(page.locator(f"footer button[name=theme][value={theme}]"))
        assert page.locator(f"footer button[value={theme}]").get_attribute("aria-pressed") == "true"
    assert keys.wrong == []
