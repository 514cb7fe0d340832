"""The fifteen acceptance points of the questionnaire.

Points that a browser shows are tested here or named below with the test that covers them:

1  whole journey without JavaScript   test_the_whole_journey_without_javascript
2  conflict of two tabs               test_questionnaire.py::test_two_windows_get_both_answers_to_choose_from
3  session ended in the middle        test_questionnaire.py::test_what_is_typed_after_the_session_has_ended_comes_back
4  a scanner opens the link first     intake/test_guest_links.py, accounts/test_invitations.py
5  a branch that flips                test_a_branch_that_flips_keeps_its_answer_out_of_sight
6  an invalid draft is saved          test_questionnaire.py::test_an_error_takes_the_focus_and_leads_to_its_field
7  an upload survives an error        test_a_file_stays_when_the_next_page_has_an_error
8  axe and the keyboard              pages/test_every_page.py, browser/test_keyboard.py
9  320 px                             pages/test_every_page.py
10 print                              pages/test_every_page.py
11 one estimator fails                intake/test_status.py::test_a_failed_estimate_does_not_stop_the_page
12 title and focus on an error        test_questionnaire.py::test_an_error_takes_the_focus_and_leads_to_its_field
13 a deep link comes back             test_a_link_of_the_check_page_comes_back_to_it
14 what a new revision changed       test_journey_rack.py: its pages of changes and its document
15 a mail has the link and the date  intake/test_guest_links.py, requisitions/test_announcements.py
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Window, window
from tests.browser.product import Product
from tests.browser.steps import IN_BROWSER, desk, go_on, wait_for

pytestmark = IN_BROWSER
SHOWN_MS = 8000


@pytest.fixture(scope="module")
def client(product: Product) -> Iterator[Window]:
    with desk() as context:
        opened = window(context, product)
        opened.sign_in(*product.people()["client"])
        yield opened
        assert opened.complaints == []


@pytest.fixture(scope="module")
def draft(client: Window) -> str:
    """The path of one draft that the tests of this file share."""
    client.open("/requisitions/new/")
    client.page.check("input[name=purpose][value=domain]")
    client.page.check("input[name=weights_change][value=yes]")
    with client.page.expect_navigation():
        client.page.click("main button[type=submit]")
    return "/r/" + client.page.url.split("/r/")[1].split("/")[0] + "/"


def test_the_whole_journey_without_javascript(product):
    """The questionnaire is filled in and sent by its forms alone; then pages as plain as that."""
    number = product.send_request()
    with desk(java_script_enabled=False) as context:
        plain = window(context, product)
        plain.sign_in(*product.people()["client"])
        page = plain.page
        with page.expect_navigation():
            page.get_by_role("link", name=number).first.click()
        wait_for(page, page.locator(".stamp", has_text="На проверке"))
        plain.open("/requisitions/new/")
        page.check("input[name=purpose][value=domain]")
        page.check("input[name=weights_change][value=yes]")
        with page.expect_navigation():
            page.click("main button[type=submit]")
        plain.open("/r/" + page.url.split("/r/")[1].split("/")[0] + "/s/method/")
        assert page.locator("[name=trainable_params]").count() == 0
        page.check("input[name=strategy][value=finetune]")
        page.check("input[name=method][value=freeze]")
        go_on(page)
        assert page.is_checked("input[name=method][value=freeze]")
        expect(page.locator("[name=trainable_params]")).to_be_visible()


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.id || document.activeElement.name")
    return found


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until the element has the focus, which must be seen and not covered."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if focused(page) == wanted:
            break
    assert focused(page) == wanted
    assert page.evaluate(
        """() => {
            const e = document.activeElement, box = e.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            const ring = getComputedStyle(e).outlineStyle !== "none";
            return ring && (e === top || e.contains(top) || top?.contains(e));
        }"""
    ), f"the focus on {wanted} is not seen"


def test_a_page_is_answered_by_keyboard_alone(client, draft):
    page = client.page
    client.open(draft + "s/method/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the skip link
    tab_to(page, "q-strategy-1")
    page.keyboard.press("Space")
    expect(page.locator("#slot-method")).to_be_visible(timeout=SHOWN_MS)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.is_checked("#q-strategy-1")
    client.open(draft + "s/recipe/?page=batch")
    tab_to(page, "q-sequence_length")
    page.keyboard.type("4096")
    tab_to(page, "q-sequence_length-unknown")
    with page.expect_navigation():
        page.keyboard.press("Enter")  # in a form it presses «save and continue»
    assert "page=batch" in page.url or "/s/" in page.url
    client.open(draft + "s/recipe/?page=batch")
    assert page.input_value("#q-sequence_length") == "4096"


def test_a_branch_that_flips_keeps_its_answer_out_of_sight(client, draft):
    page = client.page
    client.open(draft + "s/method/")
    page.check("input[name=strategy][value=finetune]")
    page.check("input[name=method][value=freeze]")
    page.fill("#q-trainable_params", "120 млн")
    page.check("input[name=method][value=full]")
    expect(page.locator("#q-trainable_params")).to_have_count(0, timeout=SHOWN_MS)
    client.open(draft + "check/")
    assert "120" not in page.locator("main").inner_text()
    client.open(draft + "s/method/")
    page.check("input[name=method][value=freeze]")
    expect(page.locator("#q-trainable_params")).to_have_value("120 млн", timeout=SHOWN_MS)


def test_a_link_of_the_check_page_comes_back_to_it(client, draft):
    page = client.page
    client.open(draft + "check/")
    with page.expect_navigation():
        page.locator("main .sum a[href*='return=check']").first.click()
    assert "return=check" in page.url
    with page.expect_navigation():
        page.click("main .actions button.btn-primary")
    assert page.url.endswith("/check/")


def test_a_file_stays_when_the_next_page_has_an_error(client, draft):
    page = client.page
    client.open(draft + "s/files/")
    page.set_input_files(
        "main input[type=file]", {"name": "план.txt", "mimeType": "", "buffer": b"1"}
    )
    with page.expect_navigation():
        page.locator("form[action$='/attachments/'] button:not([name])").click()
    client.open(draft + "s/recipe/?page=batch")
    page.fill("#q-micro_batch", "много")
    with page.expect_navigation():
        page.click("main .actions button.btn-primary")
    expect(page).to_have_title("Ошибка: Сколько данных в одном шаге? · Рецепт · Подбор")
    client.open(draft + "s/files/")
    expect(page.locator("main")).to_contain_text("план.txt")
