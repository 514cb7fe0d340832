"""Reading the outbox."""

from django.db import models

from apps.jobs.models import JobState
from apps.mail.models import Mail


def failed_mails() -> models.QuerySet[Mail]:
    """Mails that nobody will send any more unless they are started again, newest first."""
    failed = Mail.objects.filter(job__state=JobState.FAILED, sent_at__isnull=True)
    return failed.select_related("job").order_by("-created_at")


def waiting_mails() -> models.QuerySet[Mail]:
    """Mails that wait for a mail server that was away, the next to be tried first."""
    waiting = Mail.objects.filter(job__state=JobState.READY, job__postponed__gt=0)
    return waiting.select_related("job").order_by("job__run_after")
