"""The same thing told at the same instant by several workers."""

import pytest
from django.core import mail as outbox

from apps.mail.models import Mail
from apps.mail.services import mail_queue
from apps.notices.models import Notice
from apps.notices.services import announce
from tests.factories import make_client
from tests.helpers import run_jobs
from tests.requisitions.test_races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_eight_workers_tell_a_person_once():
    anna = make_client()

    def tell() -> None:
        announce(
            event="approved",
            recipients=[anna],
            actor=None,
            subject=anna,
            params={"number": "ЗС-0042", "letter": "A"},
            path="/notices/",
            by_mail=True,
        )

    assert at_once(*[tell] * 8) == [None] * 8
    assert Notice.objects.count() == Mail.objects.count() == run_jobs() == 1
    assert len(outbox.outbox) == 1


def test_eight_workers_queue_one_mail_by_one_key():
    anna = make_client()
    tell = {"to": anna.email, "language": "ru", "template": "notice", "params": {"notice": 1}}
    mails = at_once(*[lambda: mail_queue(key="the same", **tell)] * 8)
    assert len({mail.pk for mail in mails}) == Mail.objects.count() == 1
