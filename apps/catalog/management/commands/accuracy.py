"""`manage.py accuracy`: the engine against published, measured runs."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.catalog.accuracy import QUANTITIES, Accuracy, comparisons, table
from apps.catalog.one_run import Predicted, predicted_by_one_run

_HEAD = ("n", "median", "p90", "bias", "inside", "± width")


class Command(BaseCommand):
    help = "Compare the engine with every published run it ships, per kind of run and per source."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--one-run",
            action="store_true",
            help="what one measured run of a source says of its others",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["one_run"]:
            for line in _one_run_lines():
                self.stdout.write(line)
            return
        found, withheld = comparisons(), comparisons(software_known=False)
        for quantity in QUANTITIES:
            mine, apart = ([c for c in of if c.quantity == quantity] for of in (found, withheld))
            self._write(f"{quantity}, by kind", table(mine, by="kind"))
            self._write(f"{quantity}, by source", table(mine, by="source"))
            self._write(f"{quantity}, by source, software withheld", table(apart, by="source"))
        self.stdout.write(
            "\nThe engine was fitted to these runs. On software it has never seen expect more:"
            " its ranges there are wider and say so."
        )

    def _write(self, title: str, rows: Sequence[Accuracy]) -> None:
        self.stdout.write(f"\n{title}")
        for line in _lines(rows):
            self.stdout.write(line)


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


def _one_run_lines() -> Iterator[str]:
    """Without and with one measured run of the same source."""
    yield "Other runs of a source, predicted without -> with one measured run of it"
    for known, words in ((True, "software known"), (False, "software withheld")):
        yield f"\n{words}"
        yield f"{'':14}{'pairs':>8}{'median':>18}{'p90':>18}{'inside':>18}{'± width':>18}"
        for row in predicted_by_one_run(software_known=known):
            yield _one_run_line(row)


def _one_run_line(row: Predicted) -> str:
    shares = (
        (row.median_without, row.median_with),
        (row.p90_without, row.p90_with),
        (row.inside_without, row.inside_with),
        (row.half_width_without, row.half_width_with),
    )
    name = f"{row.quantity}, {'near' if row.near else 'all'}"
    cells = (f"{without:.1%} -> {with_run:.1%}" for without, with_run in shares)
    return f"{name:14}{row.pairs:8}" + "".join(f"{cell:>18}" for cell in cells)
