"""The client's answer to the engineer's values: one press each, kept, told and printed."""

import pytest
from django.urls import reverse

from apps.audit.models import AuditEvent
from apps.core.errors import DomainError, NotAllowed
from apps.documents.collect import snapshot_of
from apps.documents.sheets.grounds import grounds_of
from apps.documents.sheets.reading import Reading
from apps.documents.snapshot import Snapshot
from apps.notices.models import Notice
from apps.requisitions.models import OverrideReply, Revision
from apps.requisitions.services import override_set, value_reply
from apps.requisitions.workflow import State
from apps.review.checks import checks_of
from apps.review.dossier import dossier_of
from tests.factories import make_client
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db
REASON = "На SYS-521GE-TNRT с H200 NVL быстрее не станет."


@pytest.fixture
def owner(client):
    person = make_client()
    client.force_login(person)
    return person


@pytest.fixture
def revision(owner):
    return make_in_review(make_engineer(), owner)


def value_of(revision, field="recipe.micro_batch", value=1, reason=REASON, *, shown=False):
    return override_set(
        revision=revision,
        actor=revision.engineer,
        field=field,
        value=value,
        reason=reason,
        reason_shown=shown,
    )


def page(client, revision) -> str:
    url = reverse("intake:status", args=[revision.requisition_id])
    return client.get(url, headers={"accept-language": "en"}).content.decode()


def send(client, override, **fields):
    revision = override.revision
    url = reverse("intake:value-reply", args=[revision.requisition_id, override.pk])
    return client.post(url, fields)


def states(revision) -> dict[str, str]:
    return {c.key: c.state for c in checks_of(dossier_of(revision), revision.engineer)}


def correction(revision):
    reading = Reading(snapshot=Snapshot.read(snapshot_of(revision).text()), kind="draft")
    return grounds_of(reading).corrections[0]


def test_one_press_accepts_and_the_engineer_is_told(client, revision, owner):
    override = value_of(revision)
    assert send(client, override, answer="accept").status_code == 302
    reply = OverrideReply.objects.get()
    assert (reply.accepted, reply.by) == (True, owner)
    assert AuditEvent.objects.filter(action="review.value-accept").count() == 1
    assert Notice.objects.filter(user=revision.engineer, event="value-accepted").count() == 1
    assert "accepted by the client" in page(client, revision)
    assert "declined" not in states(revision)
    assert not correction(revision).declined
    send(client, override, answer="accept")
    assert OverrideReply.objects.count() == 1


def test_a_decline_with_words_is_a_warning_until_the_value_changes(client, revision):
    override = value_of(revision)
    before = Revision.objects.get(pk=revision.pk).version
    send(client, override, answer="decline", words="Мы мерили: 2 быстрее.")
    assert Revision.objects.get(pk=revision.pk).version == before + 1
    assert states(revision)["declined"] == "tight"
    row = correction(revision)
    assert row.declined
    assert "Мы мерили: 2 быстрее." in row.answer
    client.force_login(revision.engineer)
    workspace = client.get(reverse("review:workspace", args=[revision.pk])).content.decode()
    assert "Мы мерили: 2 быстрее." in workspace
    value_of(revision, value=2)
    assert "declined" not in states(revision)


def test_the_last_answer_counts(client, revision):
    override = value_of(revision)
    send(client, override, answer="decline", words="Нет.")
    send(client, override, answer="accept", words="лишнее")
    reply = OverrideReply.objects.last()
    assert (reply.accepted, reply.words) == (True, "")
    assert "declined" not in states(revision)


def test_a_price_in_the_words_stays_out_of_the_document(client, revision):
    send(client, value_of(revision), answer="decline", words="Это лишние 3 млн руб.")
    assert "млн" not in correction(revision).answer


def test_before_the_approval_no_hardware_is_shown(client, revision):
    value_of(revision)
    placed = value_of(revision, "placement.accelerator", "h200-nvl-141gb")
    shown = page(client, revision)
    assert "The engineer calculates with other values" in shown
    assert REASON not in shown
    assert "H200" not in shown.upper()
    assert send(client, placed, answer="accept").status_code == 404


def test_the_engineer_lets_the_client_read_a_reason_at_once(client, revision):
    value_of(revision, reason="Длинные примеры, память кончится.", shown=True)
    value_of(revision, "recipe.sequence_length", 4096, reason="Так мерили.")
    shown = page(client, revision)
    assert "Длинные примеры, память кончится." in shown
    assert "Так мерили." not in shown


def test_a_reason_that_is_shown_does_not_show_the_hardware_of_a_value(client, revision):
    value_of(revision, "placement.accelerator", "h200-nvl-141gb", shown=True)
    assert REASON not in page(client, revision)


def test_a_reason_that_is_read_at_once_names_no_price(revision):
    for text in ("Дешевле на 3 млн руб.", "Saves $100"):
        with pytest.raises(DomainError):
            value_of(revision, reason=text, shown=True)
    assert not revision.overrides.exists()


def test_after_the_approval_reason_and_hardware_are_shown_and_answered(client, revision):
    placed = value_of(revision, "placement.accelerator", "h200-nvl-141gb")
    Revision.objects.filter(pk=revision.pk).update(
        state=State.APPROVED, approved_at=revision.submitted_at
    )
    assert REASON in page(client, revision)
    assert send(client, placed, answer="accept").status_code == 302


def test_while_the_approver_reads_it_nothing_changes(client, revision, owner):
    override = value_of(revision)
    Revision.objects.filter(pk=revision.pk).update(state=State.IN_APPROVAL)
    assert send(client, override, answer="accept").status_code == 403
    assert 'value="decline"' not in page(client, revision)
    assert not OverrideReply.objects.exists()


def test_only_the_clients_people_answer(client, revision):
    override = value_of(revision)
    for stranger in (make_client(), revision.engineer):
        with pytest.raises(NotAllowed):
            value_reply(revision=revision, override_id=override.pk, actor=stranger, accepted=True)
        client.force_login(stranger)
        assert send(client, override, answer="accept").status_code in (403, 404)
    assert not OverrideReply.objects.exists()


def test_a_value_that_was_taken_back_is_not_answered(client, revision):
    override = value_of(revision)
    value_of(revision, value=4)
    assert send(client, override, answer="accept").status_code == 404


def test_without_an_answer_the_facts_of_a_document_are_what_they_were(revision):
    value_of(revision)
    assert '"reply"' not in snapshot_of(revision).text()
