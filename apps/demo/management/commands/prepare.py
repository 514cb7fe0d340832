"""`manage.py prepare`: everything between the code and the first page. Safe to repeat."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor

from apps.demo.people import demo_people_create
from apps.demo.staging import stories_queue
from apps.jobs.broker import ensure_folders


class Command(BaseCommand):
    help = "Migrate, load the catalog, collect static files; embedded, make demo people."

    def handle(self, *args: Any, **options: Any) -> None:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
            self.stdout.write("The database is up to date.")
        call_command("catalog_sync", stdout=self.stdout)
        call_command("collectstatic", interactive=False, verbosity=0)
        ensure_folders()
        if settings.EMBEDDED and demo_people_create():
            self.stdout.write("Demo people are ready; their sign-ins are in sign-ins.txt.")
            if settings.DEMO_STORIES:
                self.stdout.write(f"{stories_queue()} demo requests are being played.")
