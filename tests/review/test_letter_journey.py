"""A rack with 5 kW, then 12 kW: two letters of one requisition, from the client's hands to both PDFs."""

import json

import pytest
from django.urls import reverse

from apps.catalog.facts import fixture_catalog
from apps.documents.invariants import problems
from apps.documents.models import Document
from apps.intake.posted import change_of
from apps.intake.selectors import draft_of
from apps.intake.services import requisition_send, rest_mark_unknown
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions import services as requisitions
from apps.requisitions.models import Revision
from apps.requisitions.selectors import raw_answers
from apps.requisitions.workflow import State
from apps.review import services
from tests.factories import make_client
from tests.helpers import run_jobs
from tests.review.samples import ANSWERS, draft_sha256, make_approver, make_engineer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_press")]
ENGLISH = {"accept-language": "en"}
KNOWN = {"packing": RawAnswer("yes"), "samples": RawAnswer("400 000")}


def fresh(revision):
    return Revision.objects.select_related("requisition").get(pk=revision.pk)


def save(draft, owner, answers):
    stored = raw_answers(draft)
    versions = {key: stored.get(key, {}).get("version", 0) for key in answers}
    changes = [change_of(key, answer, versions[key]) for key, answer in answers.items()]
    assert not requisitions.answers_save(revision=draft, changes=changes, actor=owner).clashes


def send(draft, owner):
    revision = requisition_send(draft=draft_of(draft), seen_digest="", actor=owner)
    run_jobs()
    assert fresh(revision).state == State.IN_REVIEW
    return fresh(revision)


def approve(revision, engineer, approver, *, printed=True):
    if revision.engineer_id is None:
        requisitions.revision_take(revision=revision, actor=engineer)
    services.approval_request(
        revision=fresh(revision),
        actor=engineer,
        comment="",
        expected_version=fresh(revision).version,
    )
    run_jobs()
    services.revision_approve(
        revision=fresh(revision),
        actor=approver,
        comment="",
        document_sha256=draft_sha256(revision),
        expected_version=fresh(revision).version,
    )
    if printed:
        run_jobs()
    return fresh(revision)


def set_value(revision, engineer, field, value):
    services.override_apply(
        revision=fresh(revision),
        actor=engineer,
        field=field,
        value=value,
        reason=f"Мерили {field}.",
        expected_version=fresh(revision).version,
    )
    run_jobs()


@pytest.fixture
def people():
    return make_client(), make_engineer(), make_approver()


@pytest.fixture
def first(people):
    """The first letter, approved: the rack gives 5 kW."""
    owner, engineer, approver = people
    draft = requisitions.requisition_create(company=owner.company, owner=owner, actor=owner)
    save(draft, owner, ANSWERS | KNOWN)
    rest_mark_unknown(draft=draft_of(draft), keys=QUESTIONS, actor=owner)
    revision = send(draft, owner)
    requisitions.revision_take(revision=revision, actor=engineer)
    set_value(revision, engineer, "recipe.grad_accumulation", 16)
    set_value(revision, engineer, "recipe.epochs", 2)
    requisitions.annotation_add(
        revision=fresh(revision), actor=engineer, text="Проверьте вводы.", visibility="client"
    )
    return approve(fresh(revision), engineer, approver)


@pytest.fixture
def second(people, first):
    """The next letter, calculated: 12 kW, and one epoch instead of three."""
    owner, _engineer, _approver = people
    draft = requisitions.revision_open_next(revision=first, actor=owner)
    save(draft, owner, {"kw_usable": RawAnswer("12 кВт"), "epochs": RawAnswer("1")})
    return send(draft, owner)


def page(client, person, name, *args, **query):
    client.force_login(person)
    response = client.get(reverse(name, args=args), query, headers=ENGLISH)
    assert response.status_code == 200
    return response.content.decode()


def names_hardware(html):
    catalog = fixture_catalog()
    names = [a.name for a in catalog.accelerators.values()] + list(catalog.servers)
    return [name for name in names if name in html]


def test_the_rack_opens_and_everybody_reads_why(client, people, first, second):
    owner, engineer, approver = people
    assert (first.state, second.letter) == (State.APPROVED, "B")

    # what the engineer set stands where the client's answer does
    carried = {o.field: o.value for o in second.overrides.all()}
    assert carried == {"recipe.grad_accumulation": 16}
    given = json.loads(second.calculations.get().input_text)["task"]
    assert given["recipe"]["grad_accumulation"] == 16
    assert given["recipe"]["epochs"] == 1
    workspace = page(client, engineer, "review:workspace", second.pk).replace("\xa0", " ")
    assert "What changed since revision A" in workspace
    assert "any more: 12 kW are available instead of 5 kW" in workspace
    assert "Check again" in workspace
    assert reverse("review:workspace", args=[first.pk]) + "#remarks" in workspace

    # before the approval the client reads the answers and no hardware
    changes = ("intake:changes", first.requisition_id, "A", "B")
    before = page(client, owner, *changes)
    assert "12 kW" in before.replace("\xa0", " ")
    assert names_hardware(before) == []
    assert "once both revisions are approved" in before

    # the value that fell away stops the approval until the engineer has looked at it
    requisitions.revision_take(revision=fresh(second), actor=engineer)
    with pytest.raises(services.DomainError, match="earlier value"):
        approve(fresh(second), engineer, approver)
    client.force_login(engineer)
    drop = {"field": "recipe.epochs"}
    for _click in range(2):
        assert client.post(reverse("review:recheck", args=[second.pk]), drop).status_code == 302
    approved = approve(fresh(second), engineer, approver)

    assert (fresh(first).state, approved.state) == (State.SUPERSEDED, State.APPROVED)
    after = page(client, owner, *changes)
    assert names_hardware(after)
    assert "12 kW are available instead of 5 kW" in after.replace("\xa0", " ")
    assert problems() == []


def test_the_old_link_leads_to_the_copy_that_says_it_is_replaced(client, people, first, second):
    owner, engineer, approver = people
    final = Document.objects.get(revision=first, kind="final", language="ru")
    link = reverse("documents:download", args=[final.pk])
    client.force_login(owner)
    assert client.get(link).status_code == 200
    requisitions.revision_take(revision=second, actor=engineer)
    services.value_drop(revision=second, actor=engineer, field="recipe.epochs")
    approve(fresh(second), engineer, approver, printed=False)

    waiting = client.get(link, headers=ENGLISH)
    assert waiting.status_code == 202
    assert "The copy is being made" in waiting.content.decode()
    run_jobs()
    copy = Document.objects.get(revision=first, kind="superseded", language="ru")
    stamped = reverse("documents:download", args=[copy.pk])
    for address in (link, f"{link}?original"):
        assert client.get(address)["Location"] == stamped
    assert client.get(stamped).status_code == 200
    client.force_login(engineer)
    assert client.get(link)["Location"] == stamped
    assert client.get(f"{link}?original").status_code == 200
    assert f"{link}?original" in page(client, engineer, "review:document", first.pk)
    for query in ({}, {"letter": "A"}):
        status = page(client, owner, "intake:status", first.requisition_id, **query)
        assert stamped in status
        assert link not in status
        assert "What changed since rev. A" in status
        assert "by rev. B" in status


def test_the_first_letter_stays_readable_with_its_remarks(client, people, first, second):
    owner, engineer, _approver = people
    old = page(client, owner, "intake:status", first.requisition_id, letter="A")
    assert "Проверьте вводы." in old
    assert "Проверьте вводы." in page(client, engineer, "review:workspace", first.pk)
    client.force_login(owner)
    for nobody in ("C", "АА", "-1", ""):
        response = client.get(
            reverse("intake:status", args=[first.requisition_id]), {"letter": nobody}
        )
        assert response.status_code == (200 if not nobody else 404)
