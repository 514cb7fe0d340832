"""The list of requisitions, the task list and the first page."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.intake.landing import example_drawing
from apps.questionnaire.answers import RawAnswer
from apps.requisitions.workflow import State
from tests.factories import make_client, make_draft, make_in_state
from tests.intake.pages import answer_all, finish_all, section_url, url
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


def test_an_empty_list_says_what_to_do(browser, db):
    assert "No requisitions yet" in page(browser, reverse("intake:list"))


def test_the_list_needs_the_same_queries_for_one_and_for_twenty(
    browser, owner, django_assert_max_num_queries
):
    for _ in range(20):
        make_in_state(State.IN_REVIEW, owner)
    with django_assert_max_num_queries(12):
        page(browser, reverse("intake:list"))


def test_the_task_list_says_how_far_each_section_is(browser, draft):
    changes = {"micro_batch": RawAnswer("8k"), "use": RawAnswer("")}
    answer_all(draft, {**REFERENCE, **changes})
    finish_all(draft)
    html = page(browser, url("hub", draft))
    assert "Needs correction" in html
    assert "Done" in html
    assert "Open questions: 1" in html
    assert "9 of 10 sections are finished" in html
    assert "Model: Llama-3.1-8B" in html


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
