"""What the doctor sees in the database."""

import pytest
from django.utils import timezone

from apps.jobs.models import Job, JobState
from apps.mail.models import Mail
from config.launcher.inside_doctor import MAIL_LOOKED_BACK, mail


def make_mail(key: str, state: JobState) -> Mail:
    job = Job.objects.create(kind="mail:notice", key=key, run_after=timezone.now(), state=state)
    return Mail.objects.create(key=key, job=job, to="a@b.example", language="en", template="notice")


@pytest.mark.django_db
def test_a_mail_that_was_given_up_is_a_problem_for_a_week() -> None:
    make_mail("waiting", JobState.READY)
    assert mail().ok
    failed = make_mail("failed", JobState.FAILED)
    finding = mail()
    assert not finding.ok
    assert "1" in finding.detail
    assert finding.remedy == "./podbor manage failed_mails"
    Mail.objects.filter(pk=failed.pk).update(created_at=timezone.now() - 2 * MAIL_LOOKED_BACK)
    assert mail().ok
