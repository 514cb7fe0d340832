"""Drafts: nothing typed is lost, and nothing sent changes."""

import json

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.http import Http404

from apps.accounts.models import Role
from apps.core import blobs
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.requisitions import selectors, services
from apps.requisitions.models import Answer, OpenQuestion, Revision
from apps.requisitions.services import Change
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import State
from tests.factories import (
    ANSWERS,
    make_client,
    make_company,
    make_draft,
    make_in_state,
    make_submitted,
    make_user,
)

pytestmark = pytest.mark.django_db


def save(draft, *changes, actor=None):
    return services.answers_save(
        revision=draft, changes=changes, actor=actor or draft.requisition.owner
    )


def test_anything_typed_is_kept_as_typed():
    draft = make_draft()
    texts = ["", "  много  ", "<b>жирно</b>", "-5", "1" * 1_000_000, "🤖 \u202e reversed"]
    for number, text in enumerate(texts):
        save(draft, Change(key=f"q{number}", value=text))
    stored = selectors.raw_answers(draft)
    assert [stored[f"q{n}"]["value"] for n in range(len(texts))] == texts


def test_saving_the_same_again_changes_nothing():
    draft = make_draft()
    change = Change(key="model", value="Llama-3.1-8B")
    assert save(draft, change).versions == {"model": 1}
    assert save(draft, change).versions == {"model": 1}


def test_two_tabs_that_changed_one_field_get_both_values_and_the_others_are_saved():
    draft = make_draft()
    colleague = make_client(company=draft.requisition.company)
    save(draft, Change(key="hours", value="72"))
    save(draft, Change(key="hours", value="96", base_version=1), actor=colleague)
    outcome = save(
        draft, Change(key="hours", value="48", base_version=1), Change(key="model", value="Qwen")
    )
    assert outcome.versions == {"model": 1}
    [clash] = outcome.clashes
    assert (clash.mine.value, clash.stored_value, clash.stored_version) == ("48", "96", 2)
    assert clash.stored_by == str(colleague)
    assert selectors.raw_answers(draft)["hours"]["value"] == "96"
    again = save(draft, Change(key="hours", value="48", base_version=2))
    assert again.versions == {"hours": 3}


def test_a_first_save_over_somebody_elses_first_save_is_a_clash():
    draft = make_draft()
    save(draft, Change(key="hours", value="72"))
    assert save(draft, Change(key="hours", value="96")).clashes


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.APPROVER, Role.MANAGER, Role.ADMINISTRATOR])
def test_only_the_clients_people_type_into_a_draft(role):
    draft = make_draft()
    with pytest.raises(NotAllowed):
        save(draft, Change(key="hours", value="72"), actor=make_user(role))
    with pytest.raises(NotAllowed):
        save(draft, Change(key="hours", value="72"), actor=make_client())
    assert not Answer.objects.exists()


def test_a_sent_revision_cannot_be_typed_into():
    with pytest.raises(Conflict):
        save(make_submitted(), Change(key="hours", value="72"))


def test_a_second_submit_is_a_conflict_and_makes_nothing():
    revision = make_submitted()
    same = Revision.objects.get(pk=revision.pk)
    with pytest.raises(Conflict, match="already"):
        services.revision_submit(
            revision=same, actor=revision.requisition.owner, effective=ANSWERS, title="t"
        )
    assert OpenQuestion.objects.count() == 1


def test_the_snapshot_is_canonical_hashed_and_immutable():
    revision = make_submitted()
    document = json.loads(revision.answers_text)
    assert document["schema"] == "podbor.answers/1"
    assert document["answers"] == ANSWERS
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        Revision.objects.filter(pk=revision.pk).update(answers_text="{}")


def test_what_the_client_does_not_know_becomes_an_open_question():
    revision = make_submitted()
    [question] = selectors.open_questions_of(revision)
    assert (question.key, question.owner_name, question.due_text) == (
        "lora_rank",
        "Анна",
        "4 декабря",
    )


def test_a_requisition_has_one_draft_at_a_time():
    draft = make_draft()
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(requisition=draft.requisition, index=2)


def test_asked_changes_open_the_next_letter_with_the_answers_and_sending_it_closes_the_old_one():
    owner = make_client()
    draft = make_draft(owner)
    save(draft, Change(key="hidden", value="kept"), Change(key="hours", value="72"))
    services.revision_submit(revision=draft, actor=owner, effective=ANSWERS, title="t")
    Revision.objects.filter(pk=draft.pk).update(state=State.IN_REVIEW)
    draft.refresh_from_db()
    engineer = make_user(Role.ENGINEER)
    following = services.changes_request(
        revision=draft, actor=engineer, asks=[Ask("Сколько эпох?", "epochs")]
    )
    assert (following.letter, following.state) == ("B", State.DRAFT)
    assert {k: a["value"] for k, a in selectors.raw_answers(following).items()} == {
        "hidden": "kept",
        "hours": "72",
    }
    services.revision_submit(revision=following, actor=owner, effective=ANSWERS, title="t")
    draft.refresh_from_db()
    assert draft.state == State.SUPERSEDED
    assert following.requisition.display_number == "ЗС-0001"


def test_changes_are_not_asked_for_without_a_question():
    revision = make_in_state(State.IN_REVIEW)
    with pytest.raises(DomainError, match="at least one question"):
        services.changes_request(
            revision=revision, actor=make_user(Role.ENGINEER), asks=[Ask("  ")]
        )
    revision.refresh_from_db()
    assert revision.state == State.IN_REVIEW


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\тз.docx", "тз.docx"),
        ("report\u202egpj.exe", "reportgpj.exe"),
        ("\x00\n", "file"),
        ("я" * 500, "я" * 200),
    ],
)
def test_a_hostile_file_name_is_only_ever_text(name, kept):
    draft = make_draft()
    attachment = services.attachment_add(
        requisition=draft.requisition,
        revision=draft,
        name=name,
        content=b"x",
        actor=draft.requisition.owner,
    )
    assert attachment.name == kept
    assert blobs.read(attachment.sha256) == b"x"


@pytest.mark.parametrize("content", [b"", b"x" * (10 * 2**20 + 1)])
def test_an_empty_or_huge_file_is_refused_with_the_limit(content):
    draft = make_draft()
    with pytest.raises(DomainError):
        services.attachment_add(
            requisition=draft.requisition,
            revision=draft,
            name="a",
            content=content,
            actor=draft.requisition.owner,
        )


def test_a_damaged_blob_is_never_served():
    sha256 = blobs.write(b"whole")
    blobs.path_of(sha256).write_bytes(b"half")
    with pytest.raises(blobs.BlobDamaged):
        blobs.read(sha256)
    with pytest.raises(ValueError, match="not a sha256"):
        blobs.path_of("../../../etc/passwd")


def test_who_sees_which_revision():
    company = make_company()
    owner, colleague, stranger = (
        make_client(company=company),
        make_client(company=company),
        make_client(),
    )
    draft, sent = make_draft(owner), make_submitted(owner)
    staff = [make_user(role) for role in (Role.ENGINEER, Role.APPROVER, Role.MANAGER)]
    for person in (owner, colleague):
        assert selectors.revision_get_for(person, draft.pk) == draft
        assert selectors.revision_get_for(person, sent.pk) == sent
    for person in staff:
        assert selectors.revision_get_for(person, sent.pk) == sent
    hidden = [(stranger, sent), (make_user(Role.ADMINISTRATOR), sent)]
    for person, revision in [*hidden, (stranger, draft), *((p, draft) for p in staff)]:
        with pytest.raises(Http404):
            selectors.revision_get_for(person, revision.pk)


def test_a_file_of_a_draft_is_the_clients_alone_until_it_is_sent():
    owner, engineer = make_client(), make_user(Role.ENGINEER)
    draft = make_draft(owner)
    call = {"requisition": draft.requisition, "revision": draft, "actor": owner, "content": b"x"}
    sent = services.attachment_add(name="sent.txt", **call)
    services.revision_submit(revision=draft, actor=owner, effective=ANSWERS, title="t")
    assert selectors.attachment_get_for(engineer, sent.pk) == sent
    Revision.objects.filter(pk=draft.pk).update(state=State.CHANGES_REQUESTED)
    draft.refresh_from_db()
    following = services.revision_open_next(revision=draft, actor=owner)
    fresh = services.attachment_add(name="fresh.txt", **call | {"revision": following})
    assert selectors.attachment_get_for(owner, fresh.pk) == fresh
    with pytest.raises(Http404):
        selectors.attachment_get_for(engineer, fresh.pk)
    assert selectors.attachment_get_for(engineer, sent.pk) == sent


def test_a_client_reads_remarks_for_the_client_only():
    revision = make_in_state(State.IN_REVIEW)
    engineer = make_user(Role.ENGINEER)
    for visibility in ("internal", "client"):
        services.annotation_add(
            revision=revision, actor=engineer, text=f"{visibility} remark", visibility=visibility
        )
    client = revision.requisition.owner
    assert [a.text for a in selectors.annotations_for(client, revision)] == ["client remark"]
    assert selectors.annotations_for(engineer, revision).count() == 2


def test_only_one_engineer_takes_a_requisition():
    revision = make_in_state(State.IN_REVIEW)
    first, second = make_user(Role.ENGINEER), make_user(Role.ENGINEER)
    services.revision_take(revision=revision, actor=first)
    with pytest.raises(Conflict):
        services.revision_take(revision=Revision.objects.get(pk=revision.pk), actor=second)
    services.revision_give_back(revision=revision, actor=first)
    services.revision_take(revision=revision, actor=second)
    assert Revision.objects.get(pk=revision.pk).engineer == second


def test_an_override_needs_a_reason_and_a_new_one_replaces_the_old():
    revision = make_in_state(State.IN_REVIEW)
    engineer = make_user(Role.ENGINEER)
    call = {"revision": revision, "actor": engineer, "field": "recipe.lora_rank"}
    with pytest.raises(DomainError):
        services.override_set(**call, value=16, reason=" ")
    services.override_set(**call, value=16, reason="usual")
    services.override_set(**call, value=32, reason="asked")
    assert selectors.active_overrides(revision) == {"recipe.lora_rank": 32}
    assert services.override_remove(**call) is True
    assert selectors.active_overrides(revision) == {}
    assert services.override_remove(**call) is False
