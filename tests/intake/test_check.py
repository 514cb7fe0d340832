"""The check page: what the open questions move, who finds out, one press and back, what comes first."""

import re

import pytest
from django.utils import timezone

from apps.catalog.card_names import accelerator_names
from apps.core import formatting
from apps.intake.influence import influence_of_draft
from apps.intake.selectors import draft_of
from apps.questionnaire.answers import RawAnswer
from apps.worktime.selectors import due_after
from apps.worktime.sizes import SizeClass
from tests.factories import make_client
from tests.intake.pages import answer_all, section_url, url
from tests.questionnaire.answers import REFERENCE

UNKNOWN = RawAnswer(unknown=True)


def page(browser, address):
    response = browser.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def half(draft):
    """A client who does not know the length, the batch, the rank and the feed."""
    gaps = ("sequence_length", "micro_batch", "lora_rank", "kw_usable")
    answer_all(draft, {**REFERENCE, **dict.fromkeys(gaps, UNKNOWN)})
    return draft


def open_block(html):
    return html[html.index('id="open"') : html.index("What happens next")]


def test_the_question_that_moves_most_comes_first_with_its_figures(browser, half):
    html = open_block(page(browser, url("check", half)))
    keys = re.findall(r'name="key" value="(\w+)"', html)
    assert keys.index("sequence_length") == 0
    assert keys.index("micro_batch") < keys.index("lora_rank")
    first = re.search(r'<span class="sub">(.*?)</span>', html, re.DOTALL)
    assert first is not None
    assert "512" in first[1]
    assert "memory of one GPU" in first[1]
    assert "GiB" in first[1]


def test_of_many_questions_the_weaker_ones_are_folded(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    browser.post(url("check", draft))
    html = open_block(page(browser, url("check", draft)))
    shown, folded = re.split(r"\d+ more questions", html)
    keys = [re.findall(r'name="key" value="(\w+)"', part) for part in (shown, folded)]
    assert len(keys[0]) == 10
    assert len(set(keys[0] + keys[1])) == len(influence_of_draft(draft_of(draft)).questions)


def test_the_drawing_and_its_table_say_the_same(browser, half):
    html = page(browser, url("check", half))
    view = influence_of_draft(draft_of(half)).view
    assert view is not None
    assert "moves the result most" in html
    drawn = [row for row in view.rows if row.memory]
    assert drawn
    for row in drawn:
        assert row.label in view.memory.wide
        assert row.memory in html
    assert [row["head"] for row in view.table] == [row.label for row in view.rows]


def test_nothing_names_an_accelerator_before_approval(browser, half):
    html = page(browser, url("check", half))
    assert not [name for name in accelerator_names() if name in html]


def test_nothing_is_promised_while_the_model_has_no_size(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    browser.post(section_url(draft, "method"), {"strategy": "?", "finished": "no"})
    html = page(browser, url("check", draft))
    assert "once the model has a size" in html
    assert influence_of_draft(draft_of(draft)).view is None


def test_who_finds_out_is_said_on_the_check_page(browser, half):
    html = page(browser, url("check", half))
    found = re.search(r'name="lora_rank-version" value="(\d+)"', html)
    sent = {
        "action": "owner",
        "key": "lora_rank",
        "lora_rank-unknown": "1",
        "lora_rank-who": "Ilya",
        "lora_rank-when": "Friday",
        "lora_rank-version": found[1],
    }
    assert browser.post(url("check", half), sent).status_code == 302
    stored = half.answers.get(key="lora_rank")
    assert (stored.unknown, stored.who, stored.when) == (True, "Ilya", "Friday")
    assert "Ilya will find out, by Friday" in page(browser, url("check", half))
    late = browser.post(url("check", half), sent | {"lora_rank-who": "Olga"}, follow=True)
    assert "has changed this answer meanwhile" in late.content.decode()
    assert half.answers.get(key="lora_rank").who == "Ilya"


def test_a_stranger_says_nothing_about_it(client, half):
    client.force_login(make_client(email="other@onega.example"))
    sent = {"action": "owner", "key": "lora_rank", "lora_rank-who": "Eve"}
    assert client.post(url("check", half), sent).status_code == 404
    assert half.answers.get(key="lora_rank").who != "Eve"


def test_one_press_marks_all_and_one_press_takes_it_back(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    marked = browser.post(url("check", draft), follow=True)
    left = {"business_task", "contact_name", "contact_email"}  # needed, so never unknown
    assert set(draft_of(draft).evaluated.missing) <= left
    keys = re.findall(r'name="marked" value="(\w+)"', marked.content.decode())
    assert len(keys) > 20
    # Of one something was said since: it stays marked.
    draft.answers.filter(key=keys[0]).update(who="Ilya")
    browser.post(url("check", draft), {"action": "undo-rest", "marked": keys})
    assert set(keys[1:]) <= set(draft_of(draft).evaluated.missing)
    assert draft_of(draft).raw[keys[0]].unknown


def test_one_press_in_a_section_and_back(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    sent = {"asked": ["dataset_bytes"], "dataset_bytes": "200 GB", "action": "unknown-rest"}
    shown = browser.post(section_url(draft, "data", page="volume"), sent, follow=True)
    keys = re.findall(r'name="marked" value="(\w+)"', shown.content.decode())
    assert keys
    assert "dataset_bytes" not in keys
    back = {"action": "undo-rest", "marked": keys}
    browser.post(section_url(draft, "data", page="volume"), back)
    assert set(keys) <= set(draft_of(draft).evaluated.missing)
    assert draft_of(draft).evaluated.effective["dataset_bytes"] == 200e9


def test_a_correction_asks_what_it_opened_before_it_goes_back(browser, draft):
    whole = {k: v for k, v in REFERENCE.items() if not k.startswith("lora_")}
    answer_all(draft, {**whole, "method": RawAnswer("full")})
    assert not draft_of(draft).evaluated.missing
    address = section_url(draft, "method", page="method", **{"return": "check"})
    html = page(browser, address)
    gaps = re.search(r'name="gaps" value="([^"]*)"', html)
    there = browser.post(address, {"method": "lora", "gaps": gaps[1], "action": "continue"})
    assert "/s/recipe/?page=adapters&return=check&opened=" in there["Location"]
    answered = {"lora_rank": "16", "lora_targets": "all-linear", "gaps": "", "opened": "lora_rank"}
    missing = [k for k in draft_of(draft).evaluated.missing if k not in answered]
    answered |= {f"{key}-unknown": "1" for key in missing}
    rest = browser.post(there["Location"], answered | {"gaps": ".".join(missing)})
    assert rest["Location"] == url("check", draft)


def test_it_says_by_when_before_and_after_sending(browser, draft):
    answer_all(draft)
    said = formatting.day(due_after(SizeClass.USUAL, timezone.now()))
    assert f"usually there by {said}" in page(browser, url("check", draft))
    browser.post(url("submit", draft))
    assert "Usually the assessment is there by" in page(browser, url("status", draft))
