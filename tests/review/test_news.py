"""What the workspace says first: what stands in the way, what moved since, what changed."""

import html

import pytest
from django.urls import reverse
from django.utils import translation

from apps.catalog.services import catalog_sync
from apps.estimation.models import VariantRemark
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from apps.review import services
from apps.review.dossier import dossier_of
from apps.review.editing import line_write
from apps.review.presenters import news
from tests.helpers import run_jobs
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


def page(client, revision) -> str:
    url = reverse("review:workspace", args=[revision.pk])
    return client.get(url, headers={"accept-language": "en"}).content.decode()


def other_catalog(monkeypatch, revision) -> None:
    """The catalog in force says another memory of the recommended card than the calculation's."""
    slug = dossier_of(revision).recommended.block["accelerator"]
    known = news.present_contents()
    document = dict(known.document)
    document["accelerators"] = [
        row
        if row["slug"] != slug
        else row
        | {
            "facts": [
                fact | {"value": fact["value"] + 1} if fact["key"] == "memory_gb" else fact
                for fact in row["facts"]
            ]
        }
        for row in document["accelerators"]
    ]
    other = type(known)(sha256="f" * 64, document=document)
    monkeypatch.setattr(news, "present_sha256", lambda: other.sha256)
    monkeypatch.setattr(news, "present_contents", lambda: other)


def test_nothing_is_said_while_the_catalog_says_the_same(client, engineer):
    catalog_sync()
    revision = make_in_review(engineer)
    assert news.fact_news(engineer, dossier_of(revision)) is None
    assert "Facts of the catalog have changed" not in page(client, revision)


def test_a_changed_fact_is_named_with_the_way_to_recalculate(client, engineer, monkeypatch):
    revision = make_in_review(engineer)
    other_catalog(monkeypatch, revision)
    found = news.fact_news(engineer, dossier_of(revision))
    assert len(found.changes) == 1
    assert found.changes[0].was != found.changes[0].now
    shown = page(client, revision)
    assert "Facts of the catalog have changed since the calculation" in shown
    assert found.changes[0].name in shown
    assert found.may_recalculate


def test_an_approved_revision_gets_a_note_and_keeps_its_figures(client, engineer, monkeypatch):
    revision = make_in_review(engineer)
    other_catalog(monkeypatch, revision)
    Revision.objects.filter(pk=revision.pk).update(
        state=State.APPROVED, approved_at=revision.submitted_at
    )
    revision.refresh_from_db()
    found = news.fact_news(engineer, dossier_of(revision))
    assert (found.approved, found.may_recalculate) == (True, False)
    assert "the approved figures stay as they are" in page(client, revision)


def test_what_a_value_changed_stands_on_the_page_and_stays(client, engineer):
    revision = make_in_review(engineer)
    assert news.last_change(dossier_of(revision)) is None
    services.override_apply(
        revision=revision,
        actor=engineer,
        field="recipe.micro_batch",
        value=16,
        reason="Проверка.",
        expected_version=revision.version,
    )
    run_jobs()
    found = news.last_change(dossier_of(revision))
    assert found.by == str(engineer)
    with translation.override("en"):
        said = news.last_change(dossier_of(revision)).conclusions
    assert said
    for _look in range(2):
        shown = html.unescape(page(client, revision))
        assert all(line in shown for line in said[:5])


def test_another_choice_is_said_first(client, engineer):
    revision = make_in_review(engineer)
    other = next(v for v in dossier_of(revision).variants if not v.recommended)
    line_write(
        revision=revision,
        actor=engineer,
        variant=other.block,
        kind=VariantRemark.Kind.PICK,
        text="Стойка готова.",
        expected_version=revision.version,
    )
    assert "Стойка готова." in page(client, revision)


def test_the_obstacles_stand_first_with_their_links(client, engineer):
    shown = page(client, make_in_review())
    assert "in the way of the approval" in shown
    assert shown.index("Nobody has taken the requisition.") < shown.index('id="h-answers"')
