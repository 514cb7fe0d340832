"""`manage.py import_config FILE... [--format text|json]`: what training configurations state.

A list with one object a file. A file that cannot be read is an object with an error; the rest goes
on. Needs no database.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.importer import read_config
from apps.configs.limits import MAX_BYTES
from apps.configs.report import report_lines


class Command(BaseCommand):
    help = "Read training configurations: which fields of a task they state, and which are missing."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", help="configuration files; - is standard input")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        results = [_read(name) for name in options["files"]]
        if options["format"] == "json":
            self.stdout.write(json.dumps(results, ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n\n".join("\n".join(report_lines(r)) for r in results))


def _read(name: str) -> dict[str, Any]:
    try:
        return {"path": name, **read_config(name, _content(name)).as_dict()}
    except ConfigError as problem:
        return {"path": name, "error": {"code": problem.code, "message": problem.message}}


def _content(name: str) -> bytes:
    """At most one byte more than a file may have: enough to see that it is too large."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError):
        raise ConfigError("unreadable", _("The file cannot be opened.")) from None
