"""J1: one request through a real browser, from the first page to the PDF in the manager's hands."""

from playwright.sync_api import expect

from config.launcher.layout import Checkout
from config.launcher.play import demo_script
from tests.browser.product import ROOT
from tests.browser.steps import (
    IN_BROWSER,
    approver_approves,
    client_sends,
    desk,
    engineer_at,
    manager_downloads,
    press,
    tab,
)

pytestmark = IN_BROWSER
NOTICE = "Не является коммерческим предложением"


def test_a_request_travels_from_the_questionnaire_to_the_managers_pdf(product, tmp_path):
    script = demo_script(Checkout(root=ROOT))
    with desk() as context:
        number = client_sends(context, product, script)
        with engineer_at(context, product, number) as page:
            note = page.locator("#comment-form")
            note.locator("textarea").fill("Секрет: внутренняя пометка")
            press(page, note.locator("button[type=submit]"))
            expect(page.locator("main")).to_contain_text("Секрет: внутренняя пометка")
            for name in ("", "variants/", "document/", "journal/"):
                tab(page, name)
        approver_approves(context, product, number)
        text = manager_downloads(context, product, number, tmp_path)
    for part in (number, NOTICE, "SYS-821GE-TNHR", "SYS-521GE-TNRT", "требует подтверждения"):
        assert part in text
    assert "Секрет" not in text
