"""`manage.py accuracy`: the engine against published, measured runs."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand

from apps.catalog.accuracy import QUANTITIES, Accuracy, comparisons, table

_HEAD = ("n", "median", "p90", "bias", "inside", "± width")


class Command(BaseCommand):
    help = "Compare the engine with every published run it ships, per kind of run and per source."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        found = comparisons()
        for quantity in QUANTITIES:
            mine = [c for c in found if c.quantity == quantity]
            for by in ("kind", "source"):
                self.stdout.write(f"\n{quantity}, by {by}")
                for line in _lines(table(mine, by=by)):
                    self.stdout.write(line)
        self.stdout.write(
            "\nThe engine was fitted to these runs. On software it has never seen expect more:"
            " its ranges there are wider and say so."
        )


def _lines(rows: Sequence[Accuracy]) -> Iterator[str]:
    width = max(len(row.name) for row in rows)
    yield " " * width + "".join(f"{word:>9}" for word in _HEAD)
    for row in rows:
        shares = (
            row.median_error_ratio,
            row.p90_error_ratio,
            row.bias_ratio,
            row.inside_ratio,
            row.half_width_ratio,
        )
        yield f"{row.name:{width}}{row.count:9}" + "".join(f"{share:9.1%}" for share in shares)
