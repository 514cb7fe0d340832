"""`manage.py failed_mails`: what could not be sent, and sending it again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.mail.models import Mail
from apps.mail.selectors import failed_mails, waiting_mails
from apps.mail.services import mail_hurry, mail_retry


class Command(BaseCommand):
    help = (
        "List the mails that could not be sent, and those that wait for the mail server, with the "
        "reason; --retry starts them afresh."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--retry", action="store_true", help="start them afresh")

    def handle(self, *args: Any, **options: Any) -> None:
        failed, waiting = list(failed_mails()), list(waiting_mails())
        for mail in failed:
            self._line(mail)
        for mail in waiting:
            self._line(mail, f"waits until {mail.job.run_after.isoformat(timespec='seconds')}")
        if options["retry"]:
            started_count = sum(map(mail_retry, failed)) + sum(map(mail_hurry, waiting))
            self.stdout.write(f"{started_count} started afresh")

    def _line(self, mail: Mail, *more: str) -> None:
        when = mail.created_at.isoformat(timespec="seconds")
        self.stdout.write("\t".join((when, mail.template, mail.to, mail.job.last_error, *more)))
