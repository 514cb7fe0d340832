"""`manage.py verify_audit`: is the audit trail whole?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.audit.models import AuditEvent
from apps.audit.selectors import chain_problems


class Command(BaseCommand):
    help = "Check the audit trail from its first event to its head. Exit 1 when it is broken."

    def handle(self, *args: Any, **options: Any) -> None:
        problems = chain_problems()
        if problems:
            raise CommandError("\n".join(problems))
        self.stdout.write(f"{AuditEvent.objects.count()} events, the chain is whole")
