"""J2: all weights of Llama-3.1-8B on the own site: first the rack says no, then it opens.
J11: whoever asks about the first letter is told that the second took its place.

Revision A has 5 kW on one feed: eight H100 or H200 are too much for it. Revision B has 12 kW on
each of two feeds and a door that carries the heat off.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from config.launcher.play import Script
from tests.browser.product import Product
from tests.browser.steps import (
    IN_BROWSER,
    accessible,
    approver_approves,
    calm,
    choose,
    client_sends,
    desk,
    downloaded,
    engineer_at,
    go_on,
    next_answers,
    press,
    script_of,
    send_checked,
    signed_in,
    tab,
    wait_for,
)

pytestmark = [*IN_BROWSER, pytest.mark.one_stack]  # one whole journey runs on both: test_journey
CODE = re.compile(r"\b[0-9A-Z]{4}(?:- ?[0-9A-Z]{4}){3}\b")
EIGHT = re.compile(r"8× NVIDIA ")
HOPPER = re.compile(r"8× NVIDIA H[12]00")
NOW_RECOMMENDED = re.compile(
    r"Теперь рекомендуется V2: 8× NVIDIA H100[^.]+\. Раньше рекомендовался V1: 4×"
)
OPENED = re.compile(
    r"Стойка больше не блокирует 8× NVIDIA H[12]00[^:]+: доступно 12 кВт вместо 5 кВт"
)


def plain(text: str) -> str:
    return " ".join(text.split())


def columns(page: Page) -> dict[str, dict[str, str]]:
    """The table of variants: heading of a column with eight GPUs -> row -> text."""
    page = tab(page, "variants/")
    table = page.locator("table.matrix").first
    heads = [plain(text) for text in table.locator("thead th").all_inner_texts()]
    found: dict[str, dict[str, str]] = {head: {} for head in heads if EIGHT.search(head)}
    for row in table.locator("tbody tr").all():
        cells = [plain(text) for text in row.locator("th, td").all_inner_texts()]
        # Its own words: a link to the comments about the row stands beside them.
        cells[0] = plain(row.evaluate("row => row.cells[0].firstChild?.textContent ?? ''"))
        for head, cell in zip(reversed(heads), reversed(cells), strict=False):
            if head in found:
                found[head][cells[0]] = cell
    return found


def rack_blocks_eight(page: Page) -> None:
    """Each variant of eight says how much is missing and what would lift it; the one of four fits."""
    found = columns(page)
    assert len(found) == 2, found
    assert any(HOPPER.search(head) for head in found)
    for head, cells in found.items():
        assert "один ввод 5 кВт" in cells["Стойка"], head
        assert not cells["Стойка"].startswith(("помещается", "впритык")), cells["Стойка"]
        assert re.search(r"Вводу не хватает [\d,]+ кВт; нужен ввод [\d,]+ кВт", cells["Риски"])
        assert re.search(r"Нужен ввод на [\d,]+ кВт", cells["Что снимет препятствие"])
        assert "при двух вводах, A и B, таким должен быть каждый" in cells["Что снимет препятствие"]
    assert "Стойка" in plain(page.inner_text("main"))


def rack_takes_eight(page: Page) -> None:
    """Eight H100 or H200 stand on 12 kW; what draws more is still told what it lacks."""
    found = {head: cells for head, cells in columns(page).items() if HOPPER.search(head)}
    assert found
    for head, cells in found.items():
        assert cells["Стойка"].startswith(("помещается", "впритык")), f"{head}: {cells['Стойка']}"
        assert "один ввод 12 кВт" in cells["Стойка"]
        assert cells["Что снимет препятствие"] == "снимать нечего"


def client_opens_the_next(context: BrowserContext, product: Product, number: str) -> None:
    """Change three answers about the rack in a draft of B and send it."""
    script = Script(answers=next_answers("full-finetune"), unknown={})
    with signed_in(context, product, "client") as client:
        page = client.page
        press(page, page.get_by_role("link", name=number))
        press(page, page.locator("form[action$='/revisions/'] button[type=submit]"))
        press(page, page.locator("main a[href$='/s/site/']"))
        while "/s/site/" in page.url:
            change_answers(page, script)
            go_on(page)
        page.goto(re.sub(r"/s/.*|/check/.*", "/check/", page.url))
        send_checked(page)
        expect(page.locator(".stamp").first).to_contain_text("B")


def change_answers(page: Page, script: Script) -> None:
    """Answer only what changes: the rest of the page stays as it was."""
    for key, value in script.answers.items():
        choice = page.locator(f"main [type=radio][name='{key}'][value='{value}']")
        if choice.count():
            choose(page, choice)
        elif page.locator(f"main [name='{key}']").count():
            page.locator(f"main [name='{key}']").first.fill(value)
    page.keyboard.press("Tab")
    calm(page)


def client_reads_both(
    context: BrowserContext, product: Product, number: str, folder: Path
) -> tuple[str, str]:
    """The conclusions in words on the page; the texts of B's PDF and of A's, which is replaced."""
    with signed_in(context, product, "client") as client:
        page = client.page
        press(page, page.get_by_role("link", name=number))
        replaced = page.locator("main a[href*='/documents/']", has_text=f"{number}-A-заменено")
        wait_for(page, replaced)
        accessible(page)
        later = page.locator("main a[href*='/documents/']", has_text=f"{number}-B.pdf").first
        texts = downloaded(page, later, folder), downloaded(page, replaced.first, folder)
        page.goto(re.sub(r"/status/.*", "/changes/A/B/", page.url))
        words = plain(page.inner_text("main"))
        assert NOW_RECOMMENDED.search(words)
        assert OPENED.search(words)
        accessible(page)
    return texts


def anybody_is_told_of_the_later(context: BrowserContext, product: Product, paper: str) -> None:
    """Typed off the cover of A by somebody who is signed in nowhere."""
    code = CODE.search(paper)
    assert code, paper[:600]
    page = context.new_page()
    page.goto(f"{product.url}/verify/")
    page.fill("#code", code[0].replace(" ", ""))
    press(page, page.locator("form:has(#code) button[type=submit]"))
    expect(page.locator("#finding")).to_contain_text("ред. A")
    expect(page.locator("#finding")).to_contain_text("редакция B")
    page.close()


def test_a_rack_that_is_too_weak_is_named_and_a_stronger_one_opens_it(product, tmp_path):
    with desk() as context:
        number = client_sends(context, product, script_of("full-finetune.json"))
        with engineer_at(context, product, number) as page:
            rack_blocks_eight(page)
        approver_approves(context, product, number)
        client_opens_the_next(context, product, number)
        with engineer_at(context, product, number) as page:
            rack_takes_eight(page)
            changes = plain(tab(page, "changes/").inner_text("main"))
            assert NOW_RECOMMENDED.search(changes)
            assert OPENED.search(changes)
        approver_approves(context, product, number)
        later, replaced = client_reads_both(context, product, number, tmp_path)
        anybody_is_told_of_the_later(context, product, replaced)
    assert NOW_RECOMMENDED.search(later)
    assert OPENED.search(later)
    assert "РЕДАКЦИЯ B" in later
    assert re.search(r"[Зз]аменена? редакцией B", replaced), replaced[:600]
    assert "РЕДАКЦИЯ A" in replaced
