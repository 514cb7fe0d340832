"""Trying other values: live beside the record, in the address, taken with a reason or not at all."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from apps.audit.models import AuditEvent
from apps.core.errors import Conflict, NotAllowed
from apps.estimation.selectors import latest_assessment, latest_calculation, result_of, task_of
from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import Override
from apps.review import services, what_if
from tests.helpers import run_jobs
from tests.review.samples import (
    make_approver,
    make_engineer,
    make_estimating,
    make_in_approval,
    make_in_review,
    make_manager,
)

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
LIVE = {**ENGLISH, "HX-Request": "true", "HX-Target": "what-if-result"}


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


@pytest.fixture
def revision(engineer):
    return make_in_review(engineer)


def address(revision, query=""):
    return reverse("review:what-if", args=[revision.pk]) + query


def page(client, revision, query="", headers=ENGLISH):
    return client.get(address(revision, query), headers=headers)


def take(client, revision, **fields):
    data = {"expected_version": revision.version, "reason": "Так решил инженер."}
    url = reverse("review:what-if-take", args=[revision.pk])
    return client.post(url, data | fields, headers=ENGLISH)


def row(response, label):
    return next(row for row in response.context["trial"].rows if row.label == label)


@pytest.mark.one_stack
def test_unchanged_it_shows_the_figures_of_the_record(client, revision):
    response = page(client, revision)
    recorded = next(
        v for v in result_of(latest_assessment(revision))["variants"] if v["recommended"]
    )
    memory = row(response, "Memory of one GPU")
    assert memory.was.value == memory.now.value == recorded["memory"]["device_gib"]
    assert not response.context["trial"].changed
    assert response.context["take"] is None


@pytest.mark.one_stack
def test_the_method_comes_first(client, revision):
    fields = [f.name for _title, group in page(client, revision).context["groups"] for f in group]
    assert fields[0] == "method"
    assert fields == list(what_if.FIELDS)


@pytest.mark.parametrize(
    ("query", "label", "more"),
    [
        ("?sequence_length=16384", "Memory of one GPU", True),
        ("?micro_batch=1", "Memory of one GPU", False),
        ("?activation_checkpointing=none", "Memory of one GPU", True),
        ("?activation_checkpointing=none", "Time of a step", False),
        ("?gpus=16", "Rack", True),
    ],
)
@pytest.mark.one_stack
def test_a_change_moves_its_figure_and_both_stand_on_one_scale(
    client, revision, query, label, more
):
    found = row(page(client, revision, query), label)
    was, now = found.was.value, found.now.value
    assert (now["typical"] > was["typical"]) is more
    assert found.top >= max(was["high"], now["high"])


def test_trying_touches_nothing(client, revision):
    events = AuditEvent.objects.count()
    page(client, revision, "?method=qlora&gpus=16")
    page(client, revision, "?method=lora", LIVE)
    assert AuditEvent.objects.count() == events
    assert not Override.objects.exists()
    assert revision.calculations.count() == 1


@pytest.mark.one_stack
def test_htmx_gets_the_moving_parts_and_the_address_of_the_trial(client, revision):
    # The form sends every field; the address keeps the difference.
    query = "?method=full&sequence_length=8192&micro_batch=4&gpus=&accelerator="
    response = page(client, revision, query, LIVE)
    text = response.content.decode()
    assert "<html" not in text
    assert response["HX-Push-Url"] == address(revision, "?micro_batch=4")
    assert 'id="what-if-said" hx-swap-oob="innerHTML"' in text
    assert {"HX-Request", "HX-Target"} <= {v.strip() for v in response["Vary"].split(",")}


@pytest.mark.one_stack
def test_without_scripts_the_form_leads_to_the_same_short_address(client, revision):
    response = page(client, revision, "?method=full&micro_batch=4&optimizer=")
    assert response.status_code == 302
    assert response.url == address(revision, "?micro_batch=4")
    assert page(client, revision, "?micro_batch=4").status_code == 200


@pytest.mark.one_stack
def test_going_back_gets_the_whole_page(client, revision):
    headers = {**ENGLISH, "HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in page(client, revision, "?micro_batch=4", headers).content.decode()


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?sequence_length=abc&micro_batch=4", "sequence_length"),
        ("?gpus=-3&micro_batch=4", "gpus"),
        ("?precision=wonderful&micro_batch=4", "precision"),
        ("?accelerator=nothing&micro_batch=4", "accelerator"),
    ],
)
@pytest.mark.one_stack
def test_what_cannot_be_read_is_said_beside_its_field_and_kept(client, revision, query, field):
    response = page(client, revision, query)
    fields = {f.name: f for _title, group in response.context["groups"] for f in group}
    assert fields[field].error
    assert fields[field].value == parse_qs(query[1:])[field][0]
    assert fields["micro_batch"].changed
    assert response.context["trial"].changed
    assert response.context["trial"].said.startswith("Not counted")


@pytest.mark.one_stack
def test_values_that_contradict_each_other_are_named(client, revision):
    response = page(client, revision, "?accelerator=H100-SXM5-80&gpus=17")
    assert "GPUs" in response.context["trial"].said
    assert response.context["take"] is None


@pytest.mark.one_stack
def test_a_broken_engine_is_told_calmly(client, revision, monkeypatch, caplog):
    def broken(*_args):
        raise ZeroDivisionError("in a formula")

    assert page(client, revision).status_code == 200  # the record is read before it breaks
    monkeypatch.setattr(what_if, "changed", broken)
    response = page(client, revision, "?micro_batch=4")
    assert response.status_code == 200
    assert "could not be computed" in response.context["trial"].said
    assert 'value="4"' in response.content.decode()
    assert "cannot be tried" in caplog.text


@pytest.mark.one_stack
def test_one_field_is_reset_by_a_link_and_all_by_another(client, revision):
    response = page(client, revision, "?micro_batch=8&gpus=8")
    fields = {f.name: f for _title, group in response.context["groups"] for f in group}
    assert fields["micro_batch"].reset == "gpus=8"
    assert response.context["clear"] == ""
    assert fields["micro_batch"].half == "micro_batch=4&gpus=8"
    assert fields["gpus"].half == "micro_batch=8"  # four is what the record has


@pytest.mark.one_stack
def test_ready_trials_make_sense_for_the_task(client, engineer, revision):
    def labels(of):
        return {one.label for one in page(client, of).context["ready"]}

    assert {"QLoRA", "LoRA", "No recomputation", "Twice the GPUs"} < labels(revision)
    assert "Recompute all activations" not in labels(revision)
    scratch = make_in_review(
        engineer,
        strategy=RawAnswer("from-scratch"),
        micro_batch=RawAnswer("1"),
        activation_checkpointing=RawAnswer("none"),
    )
    found = labels(scratch)
    assert not found & {"QLoRA", "LoRA", "Half the micro-batch, the same global batch"}


@pytest.mark.one_stack
def test_a_ready_trial_leads_to_its_effect(client, revision):
    (half,) = (one for one in page(client, revision).context["ready"] if "Half" in one.label)
    assert parse_qs(half.query) == {"micro_batch": ["1"], "grad_accumulation": ["16"]}
    response = page(client, revision, f"?{half.query}")
    assert next(one for one in response.context["ready"] if one.current).label == half.label
    batch = next(w for w in response.context["trial"].words if w.label == "Batch of a step")
    assert batch.was == batch.now


@pytest.mark.one_stack
def test_another_variant_is_tried_by_its_key(client, revision):
    links = page(client, revision).context["variant_links"]
    other = next(link for link in links if not link["current"])
    response = page(client, revision, f"?{other['query']}")
    assert response.context["variant"] == other["key"]


def test_without_an_estimate_there_is_nothing_to_try(client, engineer):
    response = page(client, make_estimating())
    assert response.status_code == 200
    assert "There is no estimate yet" in response.content.decode()


def test_taken_recipe_values_are_the_engineers_with_one_reason(client, revision):
    response = take(
        client, revision, micro_batch="1", method="qlora", take=["micro_batch", "method"]
    )
    assert response.url == reverse("review:workspace", args=[revision.pk])
    values = {o.field: o.value for o in Override.objects.all()}
    assert values == {"method": "qlora", "recipe.quantization": "nf4", "recipe.micro_batch": 1}
    assert set(Override.objects.values_list("reason", flat=True)) == {"Так решил инженер."}
    assert revision.calculations.count() == 2
    assert task_of(latest_calculation(revision))["recipe"]["quantization"] == "nf4"


def test_only_the_chosen_differences_are_taken(client, revision):
    take(client, revision, micro_batch="1", method="qlora", take=["micro_batch"])
    assert [o.field for o in Override.objects.all()] == ["recipe.micro_batch"]


def test_taken_hardware_comes_to_the_figures_of_the_trial(client, revision):
    tried = row(page(client, revision, "?gpus=8"), "Memory of one GPU").now.value
    assert "the other variants fall away" in page(client, revision, "?gpus=8").content.decode()
    take(client, revision, gpus="8", take=["hardware"])
    run_jobs()
    (variant,) = result_of(latest_assessment(revision))["variants"]
    assert variant["gpus"] == 8
    assert variant["memory"]["device_gib"] == pytest.approx(tried)


def test_the_clients_own_value_takes_the_engineers_back(client, revision):
    take(client, revision, micro_batch="1", take=["micro_batch"])
    run_jobs()
    revision.refresh_from_db()
    take(client, revision, micro_batch="2", take=["micro_batch"])
    assert not Override.objects.filter(removed_at__isnull=True).exists()
    assert task_of(latest_calculation(revision))["recipe"]["micro_batch"] == 2


def test_without_a_reason_or_a_choice_nothing_is_taken_and_nothing_lost(client, revision):
    for fields in ({"reason": "", "take": ["micro_batch"]}, {"take": []}):
        response = take(client, revision, micro_batch="1", **fields)
        assert response.status_code == 422
        assert 'name="micro_batch" value="1"' in response.content.decode()
    assert "Так решил инженер." in response.content.decode()
    assert not Override.objects.exists()


def test_a_second_click_is_one_value_and_one_calculation(client, revision):
    for _click in range(2):
        assert take(client, revision, micro_batch="1", take=["micro_batch"]).status_code == 302
    assert Override.objects.count() == 1
    assert revision.calculations.count() == 2


def test_what_changed_meanwhile_is_a_conflict(revision, engineer):
    with pytest.raises(Conflict):
        services.trial_take(
            revision=revision,
            actor=engineer,
            values={"recipe.micro_batch": 1},
            reason="Так.",
            expected_version=revision.version - 1,
        )
    assert not Override.objects.exists()


@pytest.mark.parametrize("make", [make_approver, make_manager])
def test_other_readers_try_and_do_not_take(client, revision, make):
    reader = make()
    client.force_login(reader)
    response = page(client, revision, "?micro_batch=1")
    assert response.context["trial"].changed
    assert response.context["take"].why_not
    assert 'name="reason"' not in response.content.decode()
    assert take(client, revision, micro_batch="1", take=["micro_batch"]).status_code == 403
    with pytest.raises(NotAllowed):
        services.trial_take(
            revision=revision,
            actor=reader,
            values={"recipe.micro_batch": 1},
            reason="Так.",
            expected_version=revision.version,
        )


def test_out_of_review_it_says_that_nothing_is_taken(client, engineer):
    revision = make_in_approval(engineer)
    response = page(client, revision, "?micro_batch=1")
    assert "while the revision is in review" in response.context["take"].why_not
    assert take(client, revision, micro_batch="1", take=["micro_batch"]).status_code == 403
    assert not Override.objects.exists()


def test_what_falls_away_with_the_method_is_said_to_be_no_ones_to_take(client, engineer):
    revision = make_in_review(
        engineer, method=RawAnswer("freeze"), trainable_params=RawAnswer("40 млн")
    )
    response = page(client, revision, "?method=full")
    (method,) = (one for one in response.context["take"].rows if one.key == "method")
    assert "cannot be taken" in method.lost


@pytest.mark.one_stack
def test_every_link_of_the_page_is_an_address_of_a_trial(client, revision):
    text = page(client, revision, "?micro_batch=4").content.decode()
    queries = {urlsplit(href).query for href in re.findall(r'href="(\?[^"]*)"', text)}
    assert len(queries) > 5
    for query in queries:
        shown = client.get(address(revision, "?" + query.replace("&amp;", "&")), headers=ENGLISH)
        assert shown.status_code == 200, query
