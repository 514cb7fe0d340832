"""Sending to approval and deciding: what was on the screen, by somebody else, once."""

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.documents.models import Document
from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import Decision, Revision
from apps.requisitions.services import annotation_add
from apps.requisitions.workflow import State
from apps.review import services
from tests.factories import make_client, make_user
from tests.review.samples import (
    draft_sha256,
    make_approver,
    make_engineer,
    make_estimating,
    make_in_approval,
    make_in_review,
    print_documents,
)

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def approver(client):
    person = make_approver()
    client.force_login(person)
    return person


def url(revision: Revision, name: str = "approval") -> str:
    return reverse(f"review:{name}", args=[revision.pk])


def fresh(revision: Revision) -> Revision:
    return Revision.objects.get(pk=revision.pk)


def decide(client, revision: Revision, decision: str = "approve", **fields: object):
    data = {
        "decision": decision,
        "expected_version": revision.version,
        "document_sha256": draft_sha256(revision),
        "comment": "",
    }
    return client.post(url(revision, "decide"), data | fields, headers=ENGLISH)


# sending ----------------------------------------------------------------------------------------


def test_sending_has_both_drafts_made(client):
    engineer = make_engineer()
    client.force_login(engineer)
    revision = make_in_review(engineer)
    data = {"expected_version": revision.version, "comment": "Готово"}
    response = client.post(url(revision, "send"), data)
    assert response.url == url(revision, "document")
    assert fresh(revision).state == State.IN_APPROVAL
    drafts = Document.objects.filter(revision=revision, kind="draft")
    assert {d.language for d in drafts} == {"ru", "en"}


def test_sending_twice_is_sending_once(client):
    engineer = make_engineer()
    client.force_login(engineer)
    revision = make_in_review(engineer)
    data = {"expected_version": revision.version}
    assert [client.post(url(revision, "send"), data).status_code for _ in range(2)] == [302, 302]
    assert Decision.objects.count() == 1
    assert Document.objects.count() == 2


def test_an_old_page_is_no_second_click(client, approver):
    """The same step from the same page, but something has happened in between."""
    engineer = make_engineer()
    revision = make_in_approval(engineer)
    before = revision.version - 1
    annotation_add(revision=revision, actor=approver, text="Постойте.", visibility="internal")
    client.force_login(engineer)
    response = client.post(url(revision, "send"), {"expected_version": before})
    assert response.status_code == 409


def test_a_blocking_check_stops_sending(client):
    engineer = make_engineer()
    client.force_login(engineer)
    revision = make_in_review(engineer, failed=("memory",))
    response = client.post(
        url(revision, "send"), {"expected_version": revision.version}, headers=ENGLISH
    )
    assert response.status_code == 400
    assert "Not calculated: Memory." in response.content.decode()
    assert fresh(revision).state == State.IN_REVIEW
    assert not Document.objects.exists()


def test_only_the_engineer_who_has_it_sends_it():
    revision = make_in_review(make_engineer())
    with pytest.raises(DomainError, match="has the requisition"):
        services.approval_request(
            revision=revision,
            actor=make_engineer(),
            comment="",
            expected_version=revision.version,
        )
    assert fresh(revision).state == State.IN_REVIEW


def test_what_nobody_took_is_not_sent():
    engineer = make_engineer()
    revision = make_in_review()
    with pytest.raises(DomainError, match="Nobody has taken"):
        services.approval_request(
            revision=revision, actor=engineer, comment="", expected_version=revision.version
        )


# the approver's pages ---------------------------------------------------------------------------


def test_the_list_shows_what_waits_and_what_is_ones_own(client):
    person = make_user(Role.ENGINEER, Role.APPROVER)
    mine = make_in_approval(person)
    other = make_in_approval(make_engineer())
    make_in_review(make_engineer())
    client.force_login(person)
    page = client.get(reverse("review:approvals"), headers=ENGLISH).content.decode()
    assert url(mine) in page
    assert url(other) in page
    assert page.count("somebody else approves") == 1
    assert "2 requisitions wait" in page


def test_number_of_queries_of_the_list_does_not_grow(client, approver, django_assert_num_queries):
    make_in_approval(make_engineer())
    with django_assert_num_queries(11) as captured:
        client.get(reverse("review:approvals"))
    for _ in range(2):
        make_in_approval(make_engineer())
    with django_assert_num_queries(len(captured)):
        client.get(reverse("review:approvals"))


def test_the_page_shows_document_hash_checks_and_summary(client, approver):
    revision = make_in_approval(make_engineer())
    page = client.get(url(revision), headers=ENGLISH).content.decode()
    for words in ("ready for a decision", "Decisions", "What the client gets", "Mind this"):
        assert words in page, words
    assert page.count(f"sha256 {draft_sha256(revision, 'ru')}") == 1
    assert f'name="document_sha256" value="{draft_sha256(revision, "en")}"' in page
    assert f'name="expected_version" value="{revision.version}"' in page


def test_while_the_draft_is_made_the_page_waits_for_it(client, approver):
    engineer = make_engineer()
    revision = make_in_review(engineer)
    services.approval_request(
        revision=revision, actor=engineer, comment="", expected_version=revision.version
    )
    page = client.get(url(revision), headers=ENGLISH).content.decode()
    assert "The draft is being made" in page
    assert 'hx-trigger="every 2s"' in page
    assert "disabled" in page
    print_documents(revision)
    assert client.get(url(revision, "approval-drafts"))["HX-Refresh"] == "true"


def test_facts_that_changed_ask_for_a_new_draft(client, approver):
    revision = make_in_approval(make_engineer())
    annotation_add(
        revision=revision, actor=approver, text="Клиент увидит это.", visibility="client"
    )
    page = client.get(url(revision), headers=ENGLISH).content.decode()
    assert "Have it made again first" in page
    client.post(url(revision, "print-draft"), {"approval": ""})
    print_documents(revision)
    page = client.get(url(revision), headers=ENGLISH).content.decode()
    assert "Have it made again first" not in page


def test_own_work_is_refused_before_the_click_and_after_it(client):
    person = make_user(Role.ENGINEER, Role.APPROVER)
    revision = make_in_approval(person)
    client.force_login(person)
    page = client.get(url(revision), headers=ENGLISH).content.decode()
    assert "somebody else must approve it" in page
    assert "disabled" in page
    assert decide(client, revision).status_code == 403
    assert fresh(revision).state == State.IN_APPROVAL


# deciding ---------------------------------------------------------------------------------------


def test_approving_has_the_final_documents_made(client, approver):
    revision = make_in_approval(make_engineer())
    response = decide(client, revision, comment="Согласна")
    assert response.url == url(revision)
    assert fresh(revision).state == State.APPROVED
    decision = revision.decisions.get(kind=Decision.Kind.APPROVE)
    assert (decision.by, decision.document_sha256) == (approver, draft_sha256(revision))
    assert Document.objects.filter(revision=revision, kind="final").count() == 2


def test_the_second_click_of_the_same_person_is_no_conflict(client, approver):
    revision = make_in_approval(make_engineer())
    assert decide(client, revision).status_code == 302
    assert decide(client, revision).status_code == 302
    assert Decision.objects.filter(kind=Decision.Kind.APPROVE).count() == 1
    assert Document.objects.filter(revision=revision, kind="final").count() == 2


def test_of_two_approvers_the_second_gets_a_conflict(client, approver):
    revision = make_in_approval(make_engineer())
    services.revision_approve(
        revision=fresh(revision),
        actor=make_approver(),
        comment="",
        document_sha256=draft_sha256(revision),
        expected_version=revision.version,
    )
    assert decide(client, revision).status_code == 409
    assert decide(client, revision, "reject", comment="Нет", refusal="other").status_code == 409
    assert fresh(revision).state == State.APPROVED


def test_another_document_than_the_one_on_the_screen_is_a_conflict(client, approver):
    revision = make_in_approval(make_engineer())
    assert decide(client, revision, document_sha256="0" * 64).status_code == 409
    assert decide(client, revision, document_sha256="").status_code == 409
    assert fresh(revision).state == State.IN_APPROVAL


def test_a_document_of_facts_that_changed_is_a_conflict(client, approver):
    revision = make_in_approval(make_engineer())
    old = draft_sha256(revision)
    annotation_add(revision=revision, actor=approver, text="Новое слово.", visibility="client")
    response = decide(client, fresh(revision), document_sha256=old)
    assert response.status_code == 409
    assert fresh(revision).state == State.IN_APPROVAL


def test_a_stale_version_is_a_conflict(client, approver):
    revision = make_in_approval(make_engineer())
    response = decide(client, revision, expected_version=revision.version - 1)
    assert response.status_code == 409


@pytest.mark.parametrize(
    ("decision", "state"), [("return", State.IN_REVIEW), ("reject", State.REJECTED)]
)
def test_returning_and_rejecting_need_words(client, approver, decision, state):
    revision = make_in_approval(make_engineer())
    response = decide(client, revision, decision, comment=" ", refusal="no-data")
    assert response.status_code == 422
    assert "Say why" in response.content.decode()
    assert fresh(revision).state == State.IN_APPROVAL
    words = {"comment": "Нет класса PDU", "refusal": "no-data"}
    assert decide(client, revision, decision, **words).status_code == 302
    assert fresh(revision).state == state
    assert revision.decisions.last().comment == "Нет класса PDU"


def test_only_an_approver_decides():
    revision = make_in_approval(make_engineer())
    for person in (make_engineer(), make_user(Role.MANAGER), make_client()):
        with pytest.raises(NotAllowed):
            services.revision_approve(
                revision=revision,
                actor=person,
                comment="",
                document_sha256=draft_sha256(revision),
                expected_version=revision.version,
            )
    assert fresh(revision).state == State.IN_APPROVAL


def test_without_final_documents_nothing_is_approved(monkeypatch):
    revision = make_in_approval(make_engineer())

    def broken(**kwargs: object) -> None:
        raise Conflict("no document")

    monkeypatch.setattr(services.documents, "final_documents_create", broken)
    with pytest.raises(Conflict):
        services.revision_approve(
            revision=revision,
            actor=make_approver(),
            comment="",
            document_sha256=draft_sha256(revision),
            expected_version=revision.version,
        )
    assert fresh(revision).state == State.IN_APPROVAL
    assert not Decision.objects.filter(kind=Decision.Kind.APPROVE).exists()


def test_an_approved_revision_supersedes_the_earlier_one():
    engineer, approver, owner = make_engineer(), make_approver(), make_client()
    first = make_in_approval(engineer, owner)
    Revision.objects.filter(pk=first.pk).update(state=State.APPROVED, approved_at=timezone.now())
    second = make_in_approval(engineer, owner)
    Revision.objects.filter(pk=second.pk).update(
        requisition=first.requisition, index=2, previous=first
    )
    second = Revision.objects.get(pk=second.pk)
    services.drafts_print(revision=second, actor=approver)
    print_documents(second)
    digest = Document.objects.filter(revision=second, language="ru").order_by("created_at").last()
    services.revision_approve(
        revision=second,
        actor=approver,
        comment="",
        document_sha256=digest.sha256,
        expected_version=second.version,
    )
    assert fresh(first).state == State.SUPERSEDED
    assert fresh(second).state == State.APPROVED


def test_after_the_decision_the_page_shows_the_final_documents(client, approver):
    revision = make_in_approval(make_engineer())
    decide(client, revision)
    page = client.get(url(revision), headers=ENGLISH).content.decode()
    assert "The final document is being made" in page
    assert 'name="decision"' not in page
    print_documents(revision)
    page = client.get(url(revision), headers=ENGLISH).content.decode()
    assert "/documents/" in page


def test_what_is_still_calculated_is_not_decided(client, approver):
    revision = make_estimating(lora_rank=RawAnswer("16"))
    page = client.get(url(revision), headers=ENGLISH)
    assert page.status_code == 200
    assert 'name="decision"' not in page.content.decode()
