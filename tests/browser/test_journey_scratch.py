"""J5: a 70B model from scratch of which little is known: orders of magnitude, and what to ask first."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page

from tests.browser.steps import (
    IN_BROWSER,
    approver_approves,
    client_sends,
    desk,
    engineer_at,
    manager_downloads,
    press,
    script_of,
    signed_in,
    tab,
)

pytestmark = [*IN_BROWSER, pytest.mark.one_stack]  # one whole journey runs on both: test_journey
NUMBER = r"\d[\d\s]*(?:,\d+)?"
RANGE = re.compile(rf"({NUMBER}) – ({NUMBER}) – ({NUMBER}) (?:ГиБ|ГБ|ч|кВт|с|ядер|токенов)")
INFLUENCE = re.compile(r"сдвигает результат до ([\d\s]+)\s%")
SEVERAL_NODES = re.compile(r"\b([2-9]|\d{2,}) узл(?:а|ов)\b")
# The class of a model's size suggests this many GPUs; that is no estimate.
COUNT_OF_THE_CLASS = re.compile(r"\b2\s?[–-]\s?8 (?:GPU|карт)")
SEPARATE = ("Сеть между узлами", "Общее хранилище")


def plain(text: str) -> str:
    return " ".join(text.split())


def significant(figure: str) -> int:
    """Digits that a figure claims: 24 732 claims five, 20 000 one, 0,05 one."""
    digits = re.sub(r"\D", "", figure).lstrip("0")
    whole = "," not in figure
    return len(digits.rstrip("0") if whole else digits)


def too_precise(text: str) -> list[str]:
    """Figures of ranges that claim more than the two digits of an order of magnitude."""
    figures = [figure for found in RANGE.findall(text) for figure in found]
    assert len(figures) > 10, "hardly a range in all of it"
    return [figure for figure in figures if significant(figure) > 2]


def test_what_counts_as_precise():
    ranges = "20 – 40 – 80 ГиБ " * 7
    assert too_precise(f"{ranges} 10 000 – 20 000 – 90 000 ч, 0,53 – 1,1 – 2,4 ГБ") == []
    assert too_precise(f"{ranges} 10 100 – 24 732 – 90 000 ч") == ["10 100", "24 732"]


def workspace_is_honest(page: Page) -> None:
    words = plain(page.locator("main").text_content() or "")  # with what stands folded
    assert "Данных мало: числа показывают только порядок величин" in words
    assert "Уверенность D" in words
    assert too_precise(words) == []
    assert not COUNT_OF_THE_CLASS.search(words)
    ranked = [int(share.replace(" ", "")) for share in INFLUENCE.findall(words)]
    assert len(ranked) > 5
    assert all(first >= second for first, second in pairwise(ranked))
    assert "Мария Кольцова, после выбора архитектуры" in words


def variants_name_what_is_not_counted(page: Page) -> None:
    words = plain(tab(page, "variants/").inner_text("main"))
    assert "Покупать рано" in words
    assert SEVERAL_NODES.search(words)
    apart = words.partition("Отдельные работы, здесь не рассчитаны")[2]
    for work in SEPARATE:
        assert work in apart
    assert too_precise(words) == []
    assert not COUNT_OF_THE_CLASS.search(words)


def test_little_known_gives_orders_of_magnitude_and_ranked_questions(product, tmp_path):
    with desk() as context:
        number = client_sends(context, product, script_of("from-scratch.json"))
        with signed_in(context, product, "client") as client:
            press(client.page, client.page.get_by_role("link", name=number))
            assert "Порядок величин" in client.page.inner_text("main")
        with engineer_at(context, product, number) as page:
            workspace_is_honest(tab(page, ""))
            variants_name_what_is_not_counted(page)
        approver_approves(context, product, number)
        text = manager_downloads(context, product, number, tmp_path)
    assert "порядок величин" in text.lower()
    assert SEVERAL_NODES.search(text)
    for work in SEPARATE:
        assert work in text
    assert too_precise(text) == []
    assert not COUNT_OF_THE_CLASS.search(text)
    assert re.search(r"В1\b", text)
