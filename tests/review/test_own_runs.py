"""The client's own measured run on the engineer's pages: shown first, counted, set aside by words."""

import json
from dataclasses import replace

import pytest
from django.urls import reverse

from apps.estimation.selectors import latest_calculation
from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import Revision
from apps.review import services
from tests.documents import samples as documents
from tests.documents.test_page import html, words
from tests.factories import make_client
from tests.review.samples import (
    finish_calculation,
    make_approver,
    make_engineer,
    make_in_review,
)

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
MEASURED = {
    "measured_run": RawAnswer("yes"),
    "measured_origin": RawAnswer("pilot"),
    "measured_card": RawAnswer("H100 SXM5 80GB"),
    "measured_gpus": RawAnswer("8"),
    "measured_layout": RawAnswer("fsdp"),
    "measured_allocated": RawAnswer("38 GiB"),
    "measured_step_s": RawAnswer("9", provenance="file", note="run.log"),
}
FIELD = "measured.counted"


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


def page(client, name: str, revision: Revision, query: str = "") -> str:
    address = reverse(f"review:{name}", args=[revision.pk]) + query
    return client.get(address, headers=ENGLISH).content.decode()


def context_of_last(revision: Revision) -> list[dict[str, object]]:
    calculation = latest_calculation(revision)
    assert calculation is not None
    return json.loads(calculation.input_text)["context"]["measured"]


def test_the_workspace_shows_the_run_with_its_source(client, engineer):
    revision = make_in_review(engineer, **MEASURED)
    html = page(client, "workspace", revision)
    assert "Measured by the client" in html
    assert "A pilot" in html
    assert "8× NVIDIA H100 SXM5 80GB" in html
    assert "run.log" in html
    assert "A measurement" in html  # among the assumptions of memory and time
    assert "Measured by the client" in page(client, "variants", revision)


def test_an_engineer_sets_the_runs_aside_with_a_reason(client, engineer):
    revision = make_in_review(engineer, **MEASURED)
    assert context_of_last(revision)[0]["counted"]
    form = page(client, "workspace", revision, f"?set={FIELD}")
    assert "Measured runs are counted" in form
    data = {"expected_version": revision.version, "field": FIELD, "value": "no", "reason": "Old."}
    client.post(reverse("review:override", args=[revision.pk]), data)
    calculation = latest_calculation(revision)
    assert not context_of_last(revision)[0]["counted"]
    assert "measured" not in json.loads(calculation.input_text)["task"]
    finish_calculation(calculation)
    html = page(client, "workspace", revision)
    assert "Set aside by the engineer" in html
    assert "Old." in html


def test_taking_the_word_back_counts_the_runs_again(engineer):
    revision = make_in_review(engineer, **MEASURED)
    values = {"field": FIELD, "value": False, "reason": "Old."}
    services.override_apply(
        revision=revision, actor=engineer, expected_version=revision.version, **values
    )
    revision.refresh_from_db()
    services.override_undo(
        revision=revision, actor=engineer, field=FIELD, expected_version=revision.version
    )
    assert context_of_last(revision)[0]["counted"]


def test_an_approver_reads_and_does_not_set_aside(client, engineer):
    revision = make_in_review(engineer, **MEASURED)
    client.force_login(make_approver())
    html = page(client, "workspace", revision)
    assert "Measured by the client" in html
    assert f"?set={FIELD}" not in html
    data = {"expected_version": revision.version, "field": FIELD, "value": "no", "reason": "x"}
    address = reverse("review:override", args=[revision.pk])
    assert client.post(address, data).status_code == 403
    client.force_login(make_client())
    assert client.post(address, data).status_code in (403, 404)


def test_the_document_shows_the_run_first(client, engineer):
    revision = make_in_review(engineer, **MEASURED)
    measured = json.loads(latest_calculation(revision).assessment.result_text)["evidence"]
    plain = documents.full()
    evidence = plain.result["evidence"] | {"own": measured["own"]}
    shown = words(html(replace(plain, result=plain.result | {"evidence": evidence})))
    assert shown.index("Measured by the client") < shown.index("Nearest measured runs")
    assert "8× NVIDIA H100 SXM5 80GB" in shown
    assert "Measured by the client" not in words(html(plain))
