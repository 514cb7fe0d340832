"""`manage.py size`: what a training task needs, from the command line.

    manage.py size [FILE|-] [--format text|json]    one task, JSON or YAML
    manage.py size FILE --explain [--language ru]   every figure with its formula; a placed task
    manage.py size --batch < tasks.jsonl            a line in, a line out, in order

Needs no database.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.module_loading import import_string

from apps.catalog.answers import answer_lines, answer_text
from apps.catalog.summary import summary_lines
from apps.estimation.magnitude import as_shown
from apps.sizing.errors import TaskError

# Found when asked for: the words of all formulas take half a second that a batch need not wait.
_EXPLAINED: Final = "apps.estimation.explained.explained"
_SENTENCE: Final = "apps.estimation.texts.sentence"

# Results are trees: looking for loops in a thousand of them takes as long as sizing twenty.
_ONE_LINE: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False)


class Command(BaseCommand):
    help = "Size a training task: on its placement when it has one, else across the catalog."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="a task, JSON or YAML; - is stdin")
        parser.add_argument("--format", choices=("text", "json"), default="text")
        parser.add_argument(
            "--explain", action="store_true", help="how the figures of a placed task came about"
        )
        parser.add_argument(
            "--language", choices=("en", "ru"), help="of what --explain prints; English otherwise"
        )
        parser.add_argument("--batch", action="store_true", help="JSON lines in, JSON lines out")

    def handle(self, *args: Any, **options: Any) -> None:
        explained = options["explain"] and options["format"] == "text" and not options["batch"]
        if options["language"] and not explained:
            raise CommandError("--language is for the text of --explain; all else is in English")
        if options["batch"]:
            self._batch()
            return
        text = _read(options["file"])
        if options["explain"]:
            self._explain(text, options["format"], options["language"] or "en")
            return
        result = answer_text(text)
        if options["format"] == "json":
            self.stdout.write(json.dumps(result, ensure_ascii=False, indent=2))
        elif "error" not in result:
            self.stdout.write("\n".join([*summary_lines(as_shown(result)), *_reasons(result)]))
        if "error" in result:
            error = result["error"]
            where = f"{error['field']}: " if error["field"] else ""
            raise CommandError(f"{where}{error['message']} [{error['code']}]")

    def _explain(self, text: str, form: str, language: str) -> None:
        try:
            found = import_string(_EXPLAINED)(text)
        except TaskError as error:
            where = f"{error.field}: " if error.field else ""
            raise CommandError(f"{where}{error.message} [{error.code}]") from error
        if form == "json":
            self.stdout.write(json.dumps(found.explanation, ensure_ascii=False, indent=2))
            return
        with translation.override(language):
            self.stdout.write("\n".join(found.lines()))

    def _batch(self) -> None:
        for result in answer_lines(sys.stdin):
            self.stdout.write(_ONE_LINE.encode(result))


def _reasons(result: Mapping[str, Any]) -> list[str]:
    """Why there are no figures, each reason once."""
    if result["status"] != "insufficient":
        return []
    sentence = import_string(_SENTENCE)
    with translation.override("en"):
        said = [sentence(reason) for reason in result["reasons"].values()]
    return [f"why: {text}" for text in dict.fromkeys(said)]


def _read(name: str) -> str:
    """The text of a file, or of standard input."""
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise CommandError(f"{name} cannot be read: {problem}") from problem
