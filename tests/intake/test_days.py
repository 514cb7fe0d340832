"""Days are those of the server's zone: half an hour before midnight in Moscow, and half after."""

from datetime import UTC, datetime
from unittest import mock

import pytest
from django.test import Client
from django.utils import timezone

from apps.intake.guest_forms import GuestForm
from apps.intake.selectors import draft_of
from tests.factories import make_client, make_draft
from tests.intake.pages import answer_all, url

pytestmark = pytest.mark.django_db
BEFORE_MIDNIGHT = datetime(2026, 12, 1, 20, 30, tzinfo=UTC)  # 23:30 of the first in Moscow
AFTER_MIDNIGHT = datetime(2026, 12, 1, 21, 30, tzinfo=UTC)  # 00:30 of the second


def test_an_open_question_is_late_from_the_next_day_on():
    draft = make_draft(make_client(language="en"))
    answer_all(draft)
    key = draft_of(draft).evaluated.unknown[-1]
    draft.answers.filter(key=key).update(when="1.12.2026", who="Ольга")
    for moment, late in ((BEFORE_MIDNIGHT, False), (AFTER_MIDNIGHT, True)):
        with mock.patch.object(timezone, "now", return_value=moment):
            browser = Client(headers={"accept-language": "en"})
            browser.force_login(draft.requisition.owner)
            html = browser.get(url("check", draft)).content.decode()
        assert ("overdue" in html) is late, moment


@pytest.mark.parametrize(("moment", "fits"), [(BEFORE_MIDNIGHT, True), (AFTER_MIDNIGHT, False)])
def test_a_colleague_may_be_asked_until_today_as_the_calendar_on_the_wall_says(moment, fits):
    with mock.patch.object(timezone, "now", return_value=moment):
        form = GuestForm({"due": "01.12.2026"}, sections=[])
        assert ("due" not in form.errors) is fits
