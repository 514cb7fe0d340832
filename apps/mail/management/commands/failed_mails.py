"""`manage.py failed_mails`: what could not be sent, and sending it again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.mail.selectors import failed_mails
from apps.mail.services import mail_retry


class Command(BaseCommand):
    help = "List the mails that could not be sent, with the reason; --retry starts them afresh."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--retry", action="store_true", help="start them afresh")

    def handle(self, *args: Any, **options: Any) -> None:
        mails = list(failed_mails())
        for mail in mails:
            when = mail.created_at.isoformat(timespec="seconds")
            self.stdout.write(f"{when}\t{mail.template}\t{mail.to}\t{mail.job.last_error}")
        if options["retry"]:
            started_count = sum(mail_retry(mail) for mail in mails)
            self.stdout.write(f"{started_count} started afresh")
