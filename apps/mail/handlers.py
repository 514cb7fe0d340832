"""What the workers do for a mail."""

import logging

from apps.jobs.models import Job
from apps.jobs.services import Claim
from apps.mail.models import Mail
from apps.mail.services import mail_send

logger = logging.getLogger(__name__)


def send(job: Job, held: Claim) -> None:
    mail_send(Mail.objects.get(pk=job.payload["mail"]), held)


def send_failed(job: Job, error: str) -> None:
    """Nobody waits for a mail, so the log is told; `manage.py failed_mails` lists and repeats."""
    logger.error("mail %s (%s) was given up: %s", job.payload["mail"], job.kind, error)
