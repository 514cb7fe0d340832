"""`manage.py check_invariants`: do all promises about stored data hold?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.documents.invariants import CHECKS, problems


class Command(BaseCommand):
    help = "Check every promise about stored data. Exit 1 and a line for each that is broken."

    def handle(self, *args: Any, **options: Any) -> None:
        broken = problems()
        if broken:
            raise CommandError("\n".join(broken))
        self.stdout.write(f"{len(CHECKS)} promises hold")
