"""The audit trail shows every later change of itself."""

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from apps.audit.models import AuditEvent, AuditHead
from apps.audit.selectors import chain_problems, events_for
from apps.audit.services import record
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def events() -> list[AuditEvent]:
    person = make_user()
    return [
        record(actor=person, action="requisition.attach", subject=person, n=n) for n in range(4)
    ]


def unlock_table() -> None:
    """What somebody with rights on the database could do."""
    on_table = "" if connection.vendor == "sqlite" else " ON audit_auditevent"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER audit_auditevent_frozen{on_table}")
        if connection.vendor != "sqlite":
            cursor.execute("DROP TRIGGER audit_auditevent_kept ON audit_auditevent")


def test_an_untouched_chain_is_whole(events):
    assert chain_problems() == []
    call_command("verify_audit")


def test_an_event_cannot_be_changed_or_deleted_through_the_model(events):
    with pytest.raises(TypeError, match="never changed"):
        events[0].save()
    with pytest.raises(TypeError, match="never deleted"):
        events[0].delete()


def test_the_database_itself_refuses_to_change_an_event(events):
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        AuditEvent.objects.update(actor_name="nobody")


@pytest.mark.parametrize(
    "column",
    ["at_text", "actor_name", "action", "subject", "payload_text", "previous_hash", "hash"],
)
def test_any_changed_column_is_noticed(events, column):
    unlock_table()
    AuditEvent.objects.filter(pk=events[1].pk).update(**{column: "x"})
    assert chain_problems()
    with pytest.raises(CommandError, match="event"):
        call_command("verify_audit")


def test_a_missing_event_in_the_middle_is_noticed(events):
    unlock_table()
    AuditEvent.objects.filter(pk=events[1].pk).delete()
    assert any("missing" in problem for problem in chain_problems())


def test_a_cut_end_is_noticed_by_the_head(events):
    unlock_table()
    AuditEvent.objects.filter(pk=events[-1].pk).delete()
    assert chain_problems() == ["the chain ends at event 3, its head says 4"]


def test_an_unlisted_action_is_refused_and_leaves_no_trace():
    person = make_user()
    with pytest.raises(KeyError, match=r"list 'requisition\.eat'"):
        record(actor=person, action="requisition.eat", subject=person)
    assert AuditEvent.objects.count() == 0


def test_events_of_a_row_are_found_oldest_first(events):
    person = events[0].actor
    other = make_user()
    record(actor=other, action="requisition.attach", subject=other)
    assert [e.seq for e in events_for(person)] == [1, 2, 3, 4]
    assert AuditHead.objects.get().seq == 5
