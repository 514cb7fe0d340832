"""A mail is part of the step that causes it, is sent once, and carries nothing but ids."""

import logging
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest import mock

import pytest
from django.core import mail as django_mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from apps.jobs import services as jobs
from apps.jobs import tasks
from apps.jobs.models import Job, JobState
from apps.jobs.services import PATIENCE
from apps.mail.handlers import send
from apps.mail.models import Mail
from apps.mail.selectors import failed_mails, waiting_mails
from apps.mail.services import mail_queue, mail_retry, mails_purge
from tests.helpers import claim, run_jobs
from tests.mail.conftest import GONE

pytestmark = pytest.mark.django_db


def queue(**overrides) -> Mail:
    values = {
        "key": "hello:1",
        "to": "anna@test.example",
        "language": "en",
        "template": "hello",
        "params": {"person": 1},
    }
    return mail_queue(**values | overrides)


def run_to_the_end(mail: Mail) -> Job:
    """Every attempt that the job has, and all its patience with what is away."""
    for _attempt in range(3 + len(PATIENCE)):
        Job.objects.filter(pk=mail.job_id, state=JobState.READY).update(run_after=timezone.now())
        tasks.run(str(mail.job_id))
    return Job.objects.get(pk=mail.job_id)


@contextmanager
def refusing(problem: Exception) -> Iterator[None]:
    """The mail server answers everything with an error."""
    with mock.patch.object(EmailBackend, "send_messages", side_effect=problem):
        yield


def test_a_mail_is_sent_by_the_worker_and_marked():
    mail = queue()
    assert django_mail.outbox == []
    run_jobs()
    mail.refresh_from_db()
    assert mail.sent_at is not None
    assert Job.objects.get().state == JobState.DONE
    (sent,) = django_mail.outbox
    assert sent.to == ["anna@test.example"]
    assert sent.message()["Message-ID"] == f"<{mail.pk}@localhost>"
    assert sent.message()["Auto-Submitted"] == "auto-generated"
    assert "Hello, Anna!" in sent.body
    assert "http://testserver/r/1/?a=1&b=2" in sent.body  # plain text: nothing is escaped


def test_the_same_key_twice_is_one_mail():
    assert queue().pk == queue(to="other@test.example").pk
    assert run_jobs() == 1
    assert len(django_mail.outbox) == 1


def test_a_step_that_is_rolled_back_sends_nothing():
    with transaction.atomic():
        queue()
        transaction.set_rollback(True)
    assert not Mail.objects.exists()
    assert run_jobs() == 0


def test_the_hint_to_the_worker_goes_out_on_commit_only(
    monkeypatch, django_capture_on_commit_callbacks
):
    poked: list[object] = []
    monkeypatch.setattr("apps.jobs.broker.hint", poked.append)
    with django_capture_on_commit_callbacks(execute=True):
        mail = queue()
        assert poked == []
    assert poked == [mail.job_id]


def test_each_person_reads_their_own_language():
    queue(language="ru")
    queue(language="en", key="hello:2")
    queue(language="xx", key="hello:3")  # unknown: that of the product
    run_jobs()
    assert [m.subject for m in django_mail.outbox] == ["Назад: Anna", "Back: Anna", "Назад: Anna"]


def test_a_name_cannot_add_a_header_or_a_line():
    queue(params={"person": 2})
    run_jobs()
    message = django_mail.outbox[0].message()
    assert message["Bcc"] is None
    assert message["To"] == "anna@test.example"
    assert "\n" not in django_mail.outbox[0].subject
    assert not set("\r\x00\u2028\u202e") & set(django_mail.outbox[0].body)
    assert "Anna Bcc: everybody@evil.example gnihsihp" in django_mail.outbox[0].body


@pytest.mark.parametrize("address", ["a@b.example\nBcc: c@d.example", "nobody", "a@b@c", ""])
def test_what_is_not_an_address_is_given_up_at_once(address):
    job = run_to_the_end(queue(to=address))
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert django_mail.outbox == []


def killed(self: jobs.Claim) -> None:
    raise KeyboardInterrupt


def test_a_worker_killed_between_sending_and_noting_doubles_the_mail_under_one_id(monkeypatch):
    """Better twice than never: a mail server has no transactions."""
    mail = queue()
    with monkeypatch.context() as patched:
        patched.setattr(jobs.Claim, "finish", killed)
        with pytest.raises(KeyboardInterrupt):
            send(mail.job, claim(mail.job))
    mail.refresh_from_db()
    assert mail.sent_at is None
    Job.objects.filter(pk=mail.job_id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert tasks.run(str(mail.job_id))
    mail.refresh_from_db()
    assert mail.sent_at is not None
    assert len(django_mail.outbox) == 2
    assert len({m.message()["Message-ID"] for m in django_mail.outbox}) == 1


def test_a_worker_that_lost_its_lease_does_not_mark_the_mail():
    mail = queue()
    lost = claim(mail.job)
    Job.objects.filter(pk=mail.job_id).update(token="somebody else's")
    with pytest.raises(jobs.LostClaim):
        send(mail.job, lost)
    mail.refresh_from_db()
    assert mail.sent_at is None


def test_a_busy_server_is_tried_again():
    mail = queue()
    with refusing(ConnectionRefusedError(111, "refused")):
        assert tasks.run(str(mail.job_id))
    assert Job.objects.get().state == JobState.READY
    run_to_the_end(mail)
    assert len(django_mail.outbox) == 1


def test_an_address_that_the_server_refuses_for_good_is_not_tried_again():
    answer = (550, b"no <anna@test.example>")
    with refusing(smtplib.SMTPRecipientsRefused({"anna@test.example": answer})):
        job = run_to_the_end(queue())
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.last_error == "the address was refused: 550 no <(the address)>"


PROBLEMS = [
    smtplib.SMTPRecipientsRefused({"anna@test.example": (451, b"later, anna@test.example")}),
    smtplib.SMTPAuthenticationError(535, b"no such Anna@Test.Example"),
    smtplib.SMTPServerDisconnected("anna@test.example hung up"),
    TimeoutError("timed out"),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: type(p).__name__)
def test_a_failed_mail_is_told_without_its_address(caplog, problem):
    with caplog.at_level(logging.INFO), refusing(problem):
        job = run_to_the_end(queue())
    assert (job.state, job.postponed) == (JobState.FAILED, len(PATIENCE))
    assert "was given up" in caplog.text
    assert "anna@test.example" not in (caplog.text + job.last_error).lower()


def test_a_mail_outlives_a_server_that_is_away_for_hours():
    """The pauses grow, no attempt is used up, and when the server is back the mail goes."""
    mail = queue()
    pauses = []
    with refusing(ConnectionRefusedError(111, "refused")):
        for _hour in range(len(PATIENCE) - 1):
            Job.objects.filter(pk=mail.job_id).update(run_after=timezone.now())
            assert tasks.run(str(mail.job_id))
            job = Job.objects.get(pk=mail.job_id)
            assert (job.state, job.attempts) == (JobState.READY, 0)
            pauses.append(job.run_after - timezone.now())
    assert pauses == sorted(pauses)
    assert timedelta(hours=8) < sum(pauses, timedelta()) < timedelta(days=1)
    assert timedelta(hours=22) < sum(PATIENCE, timedelta()) <= timedelta(days=1)
    run_to_the_end(mail)
    assert len(django_mail.outbox) == 1


def test_mails_that_wait_are_listed_and_sent_at_once(capsys):
    mail = queue()
    with refusing(OSError("no route")):
        tasks.run(str(mail.job_id))
    assert list(failed_mails()) == []
    call_command("failed_mails", "--retry")
    said = capsys.readouterr().out
    assert "no route\twaits until" in said
    assert "1 started afresh" in said
    assert run_jobs() == 1
    assert len(django_mail.outbox) == 1
    assert list(waiting_mails()) == []


def test_a_crash_on_the_way_still_has_three_attempts_only():
    mail = queue()
    with mock.patch("apps.mail.services.message_of", side_effect=RuntimeError("a bug")):
        job = run_to_the_end(mail)
    assert (job.state, job.attempts, job.postponed) == (JobState.FAILED, 3, 0)


@override_settings(MAIL_KEPT_DAYS=30)
def test_old_mails_go_with_their_jobs_and_what_waits_stays():
    ends = {"sent": JobState.DONE, "given up": JobState.FAILED, "waiting": JobState.READY}
    long_ago = timezone.now() - timedelta(days=31)
    for old in (True, False):
        for name, state in ends.items():
            mail = queue(key=f"{name} {old}")
            at = long_ago if old else timezone.now()
            over = None if state == JobState.READY else at
            Job.objects.filter(pk=mail.job_id).update(state=state, finished_at=over)
            Mail.objects.filter(pk=mail.pk).update(created_at=at)
    assert mails_purge() == 2
    left = set(Mail.objects.values_list("key", flat=True))
    assert left == {"waiting True", "sent False", "given up False", "waiting False"}
    assert Job.objects.count() == 4
    assert mails_purge() == 0


def test_a_person_who_is_gone_gets_nothing():
    job = run_to_the_end(queue(params={"person": GONE}))
    assert (job.state, job.last_error) == (JobState.FAILED, "the person is gone")
    assert django_mail.outbox == []


def test_failed_mails_are_listed_and_started_afresh(capsys):
    mail = queue()
    with refusing(OSError("no route")):
        run_to_the_end(mail)
    queue(key="hello:2")
    assert list(failed_mails()) == [mail]
    call_command("failed_mails")
    assert (
        "\thello\tanna@test.example\tDeliveryFailed: OSError: no route" in capsys.readouterr().out
    )
    call_command("failed_mails", "--retry")
    assert "1 started afresh" in capsys.readouterr().out
    assert run_jobs() == 2
    assert mail_retry(mail) is False
    assert len(django_mail.outbox) == 2


def test_a_template_without_words_is_noticed_when_the_mail_is_queued():
    with pytest.raises(KeyError, match="MAIL_CONTEXTS"):
        queue(template="nothing")


@pytest.mark.parametrize("value", ["x" * 65, {"a": 1}, ["a"], None, 1.5])
def test_a_row_takes_ids_only(value):
    with pytest.raises(TypeError, match="not an id"):
        queue(params={"person": value})
