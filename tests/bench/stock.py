"""Fills the catalog of a running product up to thousands of SKUs like those it has.

Run inside the product's environment: `python tests/bench/stock.py COUNT`.
"""

import itertools
import os
import sys
from collections.abc import Iterator

import django
from django.db import connection, transaction

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
django.setup()

from apps.catalog.models import HARDWARE, Fact, Item  # noqa: E402 (after django.setup)
from apps.catalog.services import hold_head, publish  # noqa: E402


def copies(count: int) -> Iterator[tuple[Item, list[Fact]]]:
    """Items of the shipped kinds in turn, each with a serial in its name and all its facts."""
    shipped = list(Item.objects.filter(kind__in=HARDWARE).prefetch_related("facts"))
    for number, item in zip(range(count), itertools.cycle(shipped)):
        facts = list(item.facts.all())
        copy = Item(
            kind=item.kind,
            slug=f"{item.slug}-{number}",
            vendor=item.vendor,
            name=f"{item.name} {number}",
            family=item.family,
            form_factor=item.form_factor,
            position=1000 + number,
        )
        yield copy, facts


@transaction.atomic
def fill(count: int) -> None:
    head = hold_head()
    made = list(copies(count - Item.objects.filter(kind__in=HARDWARE).count()))
    Item.objects.bulk_create([item for item, _facts in made])
    rows = []
    for item, facts in made:
        for fact in facts:
            values = {
                field.attname: getattr(fact, field.attname)
                for field in Fact._meta.concrete_fields
                if not field.primary_key
            }
            rows.append(Fact(**values | {"item_id": item.pk}))
    Fact.objects.bulk_create(rows, batch_size=500)
    publish(head)


if __name__ == "__main__":
    fill(int(sys.argv[1]))
    if connection.vendor == "postgresql":  # as autovacuum does by itself, a minute later
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
