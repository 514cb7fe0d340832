"""What is asked and why: on every section's page, and for everybody before anything is filled in."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.core.searching import folded
from apps.intake.course import MEANINGS, stages
from apps.questionnaire.glossary import TERMS
from apps.questionnaire.sections import SECTIONS
from apps.questionnaire.triples import TRIPLES
from apps.requisitions.workflow import EDGES, State
from tests.intake.pages import section_url, stored

pytestmark = pytest.mark.one_stack

PARTS = ("collect", "why", "becomes")
WITH_PAGES = [section for section in SECTIONS if section.pages]


def test_every_section_with_questions_is_explained_in_three_parts():
    assert list(TRIPLES) == [section.key for section in WITH_PAGES]
    texts = [str(getattr(triple, part)) for triple in TRIPLES.values() for part in PARTS]
    assert len(set(texts)) == len(texts)
    assert all(len(text) > 20 for text in texts)


@pytest.mark.parametrize("section", WITH_PAGES, ids=lambda section: section.key)
def test_the_first_page_of_a_section_shows_the_three_parts(browser, draft, section):
    html = browser.get(section_url(draft, section.key)).content.decode()
    triple = re.search(r'<dl class="triple">(.*?)</dl>', html, re.DOTALL)
    assert triple is not None
    assert triple.group(1).count("<dt>") == 3


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_list_to_prepare_is_open_to_everybody(language, db):
    html = Client(headers={"accept-language": language}).get(reverse("intake:prepare"))
    text = html.content.decode()
    assert text.count('<dl class="triple">') == len(WITH_PAGES)
    assert len(re.findall(r"<h1[ >]", text)) == 1


def test_the_four_differences_from_inference_lead_to_their_sections(db):
    home = Client().get(reverse("home")).content.decode()
    anchors = re.findall(rf'href="{reverse("intake:prepare")}#(\w+)"', home)
    assert len(anchors) == len(set(anchors)) == 4
    page = Client().get(reverse("intake:prepare")).content.decode()
    assert all(f'id="{anchor}"' in page for anchor in anchors)


def test_a_steady_behaviour_suggests_adapters_and_fills_nothing_in(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "behaviour", "weights_change": "yes"})
    address = section_url(draft, "method")
    assert "adapters are the first method to test" in browser.get(address).content.decode()
    assert "method" not in stored(draft)
    browser.post(address, {"take": "method"})
    assert stored(draft)["method"] == "lora"


def test_another_goal_suggests_no_method(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "domain", "weights_change": "yes"})
    html = browser.get(section_url(draft, "method")).content.decode()
    assert "adapters are the first method" not in html


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_words_are_open_to_everybody_and_sorted(language, db):
    page = Client(headers={"accept-language": language}).get(reverse("intake:glossary"))
    html = page.content.decode()
    names = re.findall(r'<dt id="[\w-]+">(.*?)</dt>', html)
    assert len(names) == len(TERMS)
    assert names == sorted(names, key=folded)
    assert (
        f'href="{reverse("intake:glossary")}"'
        in Client().get(reverse("intake:prepare")).content.decode()
    )


def test_the_words_of_a_question_stand_under_it(browser, draft):
    html = browser.get(section_url(draft, "method")).content.decode()
    assert "Words here: LoRA; QLoRA; Gradient" in html
    assert "Small added matrices" in html


def test_the_first_page_says_who_reads_and_how_long_a_draft_is_kept(db):
    html = Client(headers={"accept-language": "en"}).get(reverse("home")).content.decode()
    assert "A draft is kept until you delete it" in html
    assert "read by the engineer" in html


def test_the_page_of_the_course_says_exactly_what_the_table_says():
    assert set(MEANINGS) == set(State)
    told = {stage.code: {(w.action, w.target) for w in stage.ways} for stage in stages()}
    table: dict[str, set[tuple[str, str]]] = {state.value: set() for state in State}
    for edge in EDGES:
        table[edge.source].add((str(edge.action.label), str(edge.target.label)))
    assert told == table
    assert {s.code for s in stages() if s.final} == {s.code for s in stages() if not s.ways}


def test_anybody_reads_how_a_requisition_goes():
    html = Client(headers={"accept-language": "en"}).get(reverse("intake:course")).content.decode()
    for stage in stages():
        assert f'id="{stage.code}"' in html
    assert "by itself" in html
