"""The engineer's workspace: answers beside estimates beside remarks, and the other pages."""

import pytest
from django.urls import reverse

from apps.accounts.models import Role
from apps.core.canonical import canonical_json
from apps.estimation.models import Assessment, Calculation
from apps.estimation.selectors import latest_assessment, result_of
from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import Annotation, Revision
from apps.requisitions.services import annotation_add
from tests.factories import make_user
from tests.helpers import run_jobs
from tests.review.samples import (
    finish_calculation,
    make_approver,
    make_engineer,
    make_estimating,
    make_in_approval,
    make_in_review,
)

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


def url(revision: Revision, name: str = "workspace") -> str:
    return reverse(f"review:{name}", args=[revision.pk])


def page_of(client, revision: Revision, name: str = "workspace", **query: str) -> str:
    return client.get(url(revision, name), query, headers=ENGLISH).content.decode()


@pytest.mark.one_stack
def test_shows_answers_estimates_and_remarks_side_by_side(client, engineer):
    revision = make_in_review(engineer)
    page = page_of(client, revision)
    for words in ("Llama-3.1-8B", "Memory of one GPU", "Remarks", "Before approval", "recommended"):
        assert words in page, words


@pytest.mark.one_stack
def test_an_unknown_has_its_balloon_and_its_person(client, engineer):
    page = page_of(client, make_in_review(engineer))
    assert "Анна, 4 декабря" in page
    assert ">Q1<" in page


@pytest.mark.one_stack
def test_every_figure_says_how_it_was_computed(client, engineer):
    page = page_of(client, make_in_review(engineer))
    assert page.count("How it was computed") == 6
    for part in ("Weights", "Gradients", "Optimizer", "Activations", "Buffers"):
        assert part in page


@pytest.mark.one_stack
def test_every_part_shows_its_formulas_and_where_their_numbers_are_from(client, engineer):
    page = page_of(client, make_in_review(engineer))
    assert page.count("What stands in the formulas, and where it comes from") == 6
    memory = page[page.index("Memory by parts") :]
    assert "W = P × b<sub>w</sub> ÷ S" in memory
    assert "M<sub>peak</sub> = max(M<sub>fwd</sub>; M<sub>bwd</sub>; M<sub>step</sub>)" in memory
    assert "stated by the client" in memory
    assert "The formulas are not shown" not in page


@pytest.mark.one_stack
def test_figures_of_another_engine_are_shown_without_formulas(client, engineer):
    revision = make_in_review(engineer)
    assessment = latest_assessment(revision)
    document = result_of(assessment)
    for variant in document["variants"]:
        variant["time"]["step_s"]["typical"] *= 1.01
    Assessment.objects.filter(pk=assessment.pk).update(result_text=canonical_json(document))
    page = page_of(client, revision)
    assert "The formulas are not shown" in page
    assert "What stands in the formulas" not in page


@pytest.mark.one_stack
def test_parts_of_memory_keep_their_order(client, engineer):
    page = page_of(client, make_in_review(engineer))
    table = page[page.index("Memory by parts") :]
    places = [table.index(f">{part}<") for part in ("Weights", "Gradients", "Optimizer")]
    assert places == sorted(places)


@pytest.mark.one_stack
def test_another_variant_can_be_looked_at(client, engineer):
    revision = make_in_review(engineer)
    assert "Estimate for V0" in page_of(client, revision, variant="V0")
    assert "Estimate for V0" not in page_of(client, revision)


@pytest.mark.one_stack
def test_a_failed_estimator_shows_its_reason(client, engineer):
    page = page_of(client, make_in_review(engineer, failed=("storage",)))
    assert "storage broke" in page
    assert "not calculated" in page
    assert "Memory of one GPU" in page  # one failure hides nothing else


def test_while_it_runs_the_page_asks_again_and_offers_a_link(client, engineer):
    page = page_of(client, make_estimating())
    assert 'hx-trigger="every 2s"' in page
    assert "Refresh" in page
    assert "waits for its turn" in page


def test_when_it_is_done_nobody_asks_any_more(client, engineer):
    assert 'hx-trigger="every 2s"' not in page_of(client, make_in_review(engineer))


def test_the_part_that_is_asked_for_again_refreshes_the_page_when_the_state_changed(
    client, engineer
):
    revision = make_estimating()
    part = client.get(url(revision, "runs"), {"state": "estimating"})
    assert "HX-Refresh" not in part
    assert "hx-swap-oob" not in part.content.decode()
    finish_calculation(revision.calculations.get())
    part = client.get(url(revision, "runs"), {"state": "estimating"})
    assert part["HX-Refresh"] == "true"
    assert "<html" not in part.content.decode()


def test_recalculating_starts_one_calculation_however_often_it_is_clicked(client, engineer):
    revision = make_in_review(engineer)
    client.post(url(revision, "recalculate"))
    client.post(url(revision, "recalculate"))
    assert revision.calculations.count() == 2
    assert revision.calculations.last().state == Calculation.State.RUNNING


def test_figures_of_the_earlier_calculation_are_marked(client, engineer):
    revision = make_in_review(engineer)
    client.post(url(revision, "recalculate"))
    assert "of the earlier calculation" in page_of(client, revision)
    run_jobs()
    assert "of the earlier calculation" not in page_of(client, revision)


def test_at_the_end_of_a_calculation_the_obstacles_follow(client, engineer):
    revision = make_in_review(engineer)
    client.post(url(revision, "recalculate"))
    run_jobs()
    part = client.get(url(revision, "runs"), {"state": "in_review"}, headers=ENGLISH)
    words = part.content.decode()
    assert "HX-Refresh" not in part  # what is being typed elsewhere on the page stays
    assert 'hx-swap-oob="true"' in words
    assert "still running" not in words


def test_a_remark_is_internal_unless_said_otherwise(client, engineer):
    revision = make_in_review(engineer)
    data = {"text": "Откуда 0,50?", "visibility": "internal", "target": "estimate:time"}
    response = client.post(reverse("talk:add", args=[revision.pk]), data)
    assert response.status_code == 302
    remark = revision.annotations.get()
    assert (remark.visibility, remark.author, remark.target) == (
        Annotation.Visibility.INTERNAL,
        engineer,
        "estimate:time",
    )
    page = page_of(client, revision)
    assert "Откуда 0,50?" in page
    assert "<b>internal</b>" in page


def test_the_same_remark_sent_twice_is_one(client, engineer):
    revision = make_in_review(engineer)
    data = {"text": "Один раз", "visibility": "client", "target": ""}
    client.post(reverse("talk:add", args=[revision.pk]), data)
    client.post(reverse("talk:add", args=[revision.pk]), data)
    assert revision.annotations.count() == 1


@pytest.mark.one_stack
def test_an_empty_remark_says_what_to_do(client, engineer):
    revision = make_in_review(engineer)
    response = client.post(
        reverse("talk:add", args=[revision.pk]),
        {"text": " ", "visibility": "client"},
        headers=ENGLISH,
    )
    assert response.status_code == 400
    assert "Write the remark first." in response.content.decode()


@pytest.mark.one_stack
def test_what_people_write_is_never_markup(client, engineer):
    revision = make_in_review(engineer, business_task=RawAnswer("<script>alert(1)</script> " * 5))
    annotation_add(revision=revision, actor=engineer, text="<img src=x>", visibility="client")
    page = page_of(client, revision)
    assert "<script>alert" not in page
    assert "<img src=x>" not in page


def test_an_approver_reads_and_remarks_but_does_not_set_values(client):
    revision = make_in_approval(make_engineer())
    client.force_login(make_approver())
    page = page_of(client, revision)
    assert "New comment" in page
    assert "set my value" not in page
    assert "To the approval" in page


def test_a_manager_only_reads(client):
    revision = make_in_review(make_engineer())
    client.force_login(make_user(Role.MANAGER))
    page = page_of(client, revision)
    for button in ('value="internal"', "set my value", "Recalculate", "Send to approval"):
        assert button not in page, button


def test_another_engineers_work_says_whose_it_is(client, engineer):
    other = make_engineer()
    page = page_of(client, make_in_review(other))
    assert f"{other} is working on it" in page


@pytest.mark.one_stack
def test_variants_stand_side_by_side(client, engineer):
    page = page_of(client, make_in_review(engineer), "variants")
    for words in ("V0", "V1", "requires confirmation", "When to choose it", "Layout", "FSDP over"):
        assert words in page, words


@pytest.mark.one_stack
def test_variants_say_when_there_is_nothing_yet(client, engineer):
    assert "There are no variants yet" in page_of(client, make_estimating(), "variants")


def test_the_journal_tells_what_happened_in_words(client, engineer):
    revision = make_in_review(engineer)
    client.post(url(revision, "send"), {"expected_version": revision.version, "comment": "Готово"})
    page = page_of(client, revision, "journal")
    for words in ("sent it for assessment", "sent it to approval", "took it for review", "Готово"):
        assert words in page, words


def test_the_document_page_follows_the_drafts(client, engineer):
    revision = make_in_review(engineer)
    assert "No documents yet." in page_of(client, revision, "document")
    client.post(url(revision, "print-draft"))
    page = page_of(client, revision, "document")
    assert page.count("being made") >= 2
    assert 'hx-trigger="every 2s"' in page


def test_number_of_queries_of_the_workspace_is_known(client, engineer, django_assert_num_queries):
    revision = make_in_review(engineer)
    for number in range(4):
        annotation_add(
            revision=revision, actor=engineer, text=f"Замечание {number}", visibility="internal"
        )
    with django_assert_num_queries(36):
        client.get(url(revision))


@pytest.mark.one_stack
def test_what_else_there_is_stands_under_the_variants(client, engineer):
    page = page_of(client, make_in_review(engineer), "variants")
    for words in ("What else there is", "why it is here", "The nearest of the rejected"):
        assert words in page, words
