"""The list of requisitions, the task list and the first page."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.intake.landing import example_drawing
from apps.intake.listing import GROUP_NAMES
from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.factories import make_client, make_draft, make_in_state
from tests.intake.pages import answer_all, finish_all, section_url, stored, url
from tests.questionnaire.answers import REFERENCE


def page(client, address) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_a_client_sees_the_requisitions_of_the_company_and_no_others(browser, owner):
    make_in_state(State.IN_REVIEW, owner)
    colleague = make_client(company=owner.company, full_name="Igor")
    make_draft(colleague)
    make_in_state(State.IN_REVIEW, make_client(full_name="Чужой Человек"))
    html = page(browser, reverse("intake:list"))
    assert html.count('class="r-name"') == 2
    assert "Igor" in html
    assert "Чужой" not in html


def test_a_draft_is_named_by_its_answers_and_leads_to_its_sections(browser, draft):
    browser.post(section_url(draft, "method"), {"method": "qlora"})
    html = page(browser, reverse("intake:list"))
    assert "QLoRA" in html
    assert f'href="{url("hub", draft)}"' in html


def test_the_order_is_that_of_the_dates_shown(browser, owner):
    """Of every kind of row: a draft, each state, an approved one with a draft or a withdrawn letter
    after it, a deleted draft. What is shown last was touched first."""
    make_draft(owner)
    for state in STANDING:
        make_in_state(state, owner)
    with_draft, with_withdrawn = (make_in_state(State.APPROVED, owner) for _ in range(2))
    for approved in (with_draft, with_withdrawn):
        browser.post(url("open-next", approved))
    following = with_withdrawn.requisition.revisions.filter(state=State.DRAFT)
    sent = {"state": State.WITHDRAWN, "answers_text": "{}", "answers_sha256": "0" * 64}
    assert following.update(**sent) == 1
    browser.post(url("delete-draft", make_draft(owner)))
    moments = [timezone.now() - timedelta(hours=step) for step in range(60)]
    random.Random(7).shuffle(moments)
    for revision in Revision.objects.all():
        Revision.objects.filter(pk=revision.pk).update(state_since=moments.pop())
    for group in ("", "waiting", "deleted"):
        rows = browser.get(reverse("intake:list"), {"group": group}).context["rows"]
        shown = [row.since for row in rows]
        assert shown == sorted(shown, reverse=True)
        assert shown


def test_an_empty_list_says_what_to_do(browser, db):
    assert "No requisitions yet" in page(browser, reverse("intake:list"))


def test_the_list_needs_the_same_queries_for_one_and_for_twenty(
    browser, owner, draft, django_assert_num_queries
):
    with CaptureQueriesContext(connection) as few:
        page(browser, reverse("intake:list"))
    for _ in range(10):
        make_in_state(State.IN_REVIEW, owner)
        make_draft(owner)
    with django_assert_num_queries(len(few)):
        page(browser, reverse("intake:list"))


def grouped(browser, **query: str) -> list[str]:
    """Numbers of the requisitions that the list shows; of drafts, their titles."""
    response = browser.get(reverse("intake:list"), query)
    assert response.status_code == 200
    return [row.number or row.title for row in response.context["rows"]]


STANDING = {
    State.CHANGES_REQUESTED: "waiting",
    State.ESTIMATING: "work",
    State.IN_REVIEW: "work",
    State.IN_APPROVAL: "work",
    State.APPROVED: "approved",
    State.REJECTED: "closed",
    State.REDIRECTED: "closed",
    State.WITHDRAWN: "closed",
    State.SUPERSEDED: "closed",
}


@pytest.mark.parametrize(("state", "group"), STANDING.items())
def test_every_state_has_its_filter(browser, owner, state, group):
    number = make_in_state(state, owner).requisition.display_number
    for name in ("", *GROUP_NAMES):
        expected = [number] if name in {"", group} else []
        assert grouped(browser, group=name) == expected, name
    filters = browser.get(reverse("intake:list")).context["filters"]
    assert [f.count for f in filters] == [1, 1]


def test_a_draft_waits_and_a_deleted_one_leaves_the_list(browser, draft):
    assert len(grouped(browser)) == len(grouped(browser, group="waiting")) == 1
    browser.post(url("delete-draft", draft))
    assert grouped(browser) == []
    assert len(grouped(browser, group="deleted")) == 1
    html = page(browser, reverse("intake:list"))
    assert "Deleted drafts 1" in html


def test_a_deleted_draft_comes_back_as_it_was(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch"})
    browser.post(url("delete-draft", draft))
    html = page(browser, url("status", draft))
    assert "The draft is deleted" in html
    assert "Bring the draft back" in html
    assert browser.post(url("open-next", draft))["Location"] == url("hub", draft)
    draft.refresh_from_db()
    assert (draft.state, draft.letter) == (State.DRAFT, "A")
    assert stored(draft)["purpose"] == "scratch"
    assert draft.requisition.revisions.count() == 1


def test_what_was_sent_is_not_deleted(browser, owner):
    sent = make_in_state(State.IN_REVIEW, owner)
    assert browser.post(url("delete-draft", sent)).status_code == 409
    sent.refresh_from_db()
    assert sent.state == State.IN_REVIEW


def test_a_draft_of_the_next_letter_is_deleted_alone(browser, owner):
    approved = make_in_state(State.APPROVED, owner)
    browser.post(url("open-next", approved))
    assert "Delete the draft" in page(browser, url("hub", approved))
    browser.post(url("delete-draft", approved))
    html = page(browser, url("status", approved))
    assert "The assessment is ready" in html
    assert "Bring the draft of revision B back" in html
    browser.post(url("open-next", approved))
    letters = approved.requisition.revisions.order_by("index")
    assert [(r.letter, r.state) for r in letters] == [("A", State.APPROVED), ("B", State.DRAFT)]


def test_withdrawing_takes_the_draft_of_the_next_letter_along(browser, owner):
    asked = make_in_state(State.CHANGES_REQUESTED, owner)
    browser.post(url("open-next", asked))
    browser.post(url("withdraw", asked))
    states = [r.state for r in asked.requisition.revisions.order_by("index")]
    assert states == [State.WITHDRAWN, State.WITHDRAWN]
    assert "The requisition is withdrawn" in page(browser, url("status", asked))


@pytest.mark.parametrize("words", ["ёлка", "ЕЛКА", "Ёлка qlora", "адаптеры", "adapters"])
def test_search_reads_cyrillic_in_any_case_and_both_languages(browser, owner, draft, words):
    owner.company.name = "Ёлка"
    owner.company.save()
    make_draft(owner)
    browser.post(section_url(draft, "method"), {"strategy": "finetune", "method": "qlora"})
    found = grouped(browser, q=words)
    assert len(found) == 1
    assert found[0].startswith("QLoRA")
    assert grouped(browser, q="нет такого") == []


def test_the_title_is_in_the_readers_language(owner, draft, browser):
    browser.post(section_url(draft, "method"), {"strategy": "finetune", "method": "lora"})
    russian = Client(headers={"accept-language": "ru"})
    russian.force_login(owner)
    assert grouped(russian) == ["Адаптеры LoRA"]
    assert grouped(browser) == ["LoRA adapters"]


def test_the_list_comes_by_pages(browser, owner):
    for _ in range(27):
        make_draft(owner)
    first, second = grouped(browser), grouped(browser, page="2")
    assert (len(first), len(second)) == (25, 2)
    assert "Page 1 of 2" in page(browser, reverse("intake:list"))


def test_the_task_list_says_how_far_each_section_is(browser, draft):
    changes = {"micro_batch": RawAnswer("8k"), "use": RawAnswer("")}
    answer_all(draft, {**REFERENCE, **changes})
    finish_all(draft)
    html = page(browser, url("hub", draft))
    assert "Needs correction" in html
    assert "Done" in html
    assert "Has open questions" in html
    assert "9 of 10 sections are finished" in html
    assert ": Llama-3.1-8B" in html


def test_a_finished_section_with_a_gap_is_still_in_progress(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "finished": "yes"})
    html = page(browser, url("hub", draft))
    assert "0 of 10 sections are finished" in html
    assert "In progress" in html


def test_the_check_waits_until_every_section_was_opened(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    html = page(browser, url("hub", draft))
    assert "First fill in “Task”" in html
    assert f'href="{url("check", draft)}"' not in html
    answer_all(draft)
    assert f'href="{url("check", draft)}"' in page(browser, url("hub", draft))


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_first_page_shows_an_example_that_the_engine_computed(language, db):
    html = page(Client(headers={"accept-language": language}), reverse("home"))
    assert "QLoRA" in html
    assert "<svg" in html
    assert reverse("accounts:sign-in") in html


def test_the_example_shows_that_the_method_matters_before_the_card():
    drawing = example_drawing("en")
    assert "does not fit" in drawing.wide
    assert drawing.wide != drawing.narrow
