"""`manage.py catalog_sync`: bring the catalog's tables level with the shipped fixtures."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.catalog.services import catalog_sync


class Command(BaseCommand):
    help = "Bring the catalog's tables level with the shipped fixtures. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        changes = catalog_sync()
        if changes is None:
            self.stdout.write("The catalog is up to date.")
            return
        self.stdout.write(
            f"Catalog: {changes.added} items added, {changes.changed} changed, "
            f"{changes.retired} retired."
        )
