"""Reminders and old drafts: each stage once, and nothing lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.notices.models import Notice
from apps.notices.services import mail_choose
from apps.requisitions.models import Answer, Revision
from apps.requisitions.reminding import remind
from apps.requisitions.services import revision_open_next
from apps.requisitions.workflow import State
from tests.factories import make_client, make_draft, make_in_state
from tests.helpers import run_jobs

pytestmark = pytest.mark.django_db


def age(revision: Revision, days: int) -> None:
    then = timezone.now() - timedelta(days=days)
    Revision.objects.filter(pk=revision.pk).update(state_since=then, created_at=then)
    Answer.objects.filter(revision=revision).update(updated_at=then)


def told(revision: Revision) -> list[str]:
    owner = revision.requisition.owner
    return list(Notice.objects.filter(user=owner).values_list("event", flat=True))


def test_a_client_who_does_not_answer_is_reminded_once_of_each_stage():
    revision = make_in_state(State.CHANGES_REQUESTED)
    remind()
    assert "no-answer" not in told(revision)
    for days, times in ((8, 1), (8, 1), (60, 2)):
        age(revision, days)
        remind()
        remind()
        assert told(revision).count("no-answer") == times


def test_an_old_draft_is_announced_then_put_away_and_comes_back(settings):
    settings.DRAFTS_KEPT_DAYS = 90
    draft = make_draft()
    age(draft, 85)
    assert remind() == 0
    assert told(draft) == ["draft-expiring"]
    age(draft, 91)
    assert remind() == 1
    assert remind() == 0
    draft.refresh_from_db()
    assert draft.state == State.WITHDRAWN
    restored = revision_open_next(revision=draft, actor=draft.requisition.owner)
    assert restored.pk == draft.pk
    assert restored.is_draft
    assert remind() == 0


def test_without_a_time_drafts_stay(settings):
    settings.DRAFTS_KEPT_DAYS = 0
    draft = make_draft()
    age(draft, 4000)
    assert remind() == 0


def test_what_a_person_switched_off_comes_as_a_notice_only():
    owner = make_client()
    mail_choose(user=owner, off=["reminders", "receipt", "nonsense"], quiet=True)
    assert owner.mail_choice.off == ["reminders"]
    draft = make_draft(owner)
    age(draft, 85)
    remind()
    assert told(draft) == ["draft-expiring"]
    assert run_jobs("mail") == 0
