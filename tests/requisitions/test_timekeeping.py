"""The sweeper's part of the clock: warnings once a due moment, and what lies idle is freed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.notices.models import Notice
from apps.requisitions.models import Clock, Revision
from apps.requisitions.timekeeping import keep_time
from apps.requisitions.workflow import State
from tests.factories import make_in_state, make_user

pytestmark = pytest.mark.django_db


def in_review(days: int, state: State = State.IN_REVIEW) -> Revision:
    """Taken and sent so many days ago, and untouched since."""
    revision = make_in_state(state)
    engineer, then = make_user(Role.ENGINEER), timezone.now() - timedelta(days=days)
    Clock.objects.filter(pk=revision.clock_id).update(started_at=then)
    Revision.objects.filter(pk=revision.pk).update(engineer=engineer, state_since=then)
    return Revision.objects.get(pk=revision.pk)


def events_of(revision: Revision, role: Role) -> list[str]:
    rows = Notice.objects.filter(user__grants__role=role, subject__endswith=str(revision.pk))
    return sorted(rows.values_list("event", flat=True))


def test_late_is_told_once_to_engineer_approver_and_manager(settings):
    settings.RETURN_AFTER_WORKING_HOURS = 0
    make_user(Role.APPROVER), make_user(Role.MANAGER)
    revision = in_review(30)
    keep_time()
    keep_time()
    for role in (Role.ENGINEER, Role.APPROVER, Role.MANAGER):
        assert events_of(revision, role).count("time-over") == 1


def test_in_time_is_not_told():
    revision = in_review(0)
    keep_time()
    assert "time-over" not in events_of(revision, Role.ENGINEER)
    assert "time-nearly-over" not in events_of(revision, Role.ENGINEER)


def test_what_lies_idle_goes_back_and_its_engineer_is_told():
    revision = in_review(30)
    assert keep_time() == 1
    assert keep_time() == 0
    assert Revision.objects.get(pk=revision.pk).engineer is None
    assert AuditEvent.objects.filter(action="requisition.auto-return").count() == 1
    assert "auto-returned" in events_of(revision, Role.ENGINEER)


@pytest.mark.parametrize("state", [State.IN_APPROVAL, State.CHANGES_REQUESTED])
def test_what_waits_for_somebody_else_stays(state):
    revision = in_review(30, state)
    assert keep_time() == 0
    assert Revision.objects.get(pk=revision.pk).engineer == revision.engineer


def test_nothing_goes_back_when_the_setting_says_never(settings):
    settings.RETURN_AFTER_WORKING_HOURS = 0
    in_review(30)
    assert keep_time() == 0
