"""Answer task documents from the fixture catalog: no database, no queue.

Documents come from outside: sizes are limited, YAML is read without tags and with few aliases,
and a document that cannot be answered gets an error document, never a traceback.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from typing import Any, Final

import yaml

from apps.catalog.evidence import with_comparison
from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import SCHEMA, assemble
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task

logger = logging.getLogger(__name__)

MOST_CHARACTERS: Final = 1_000_000
_MOST_ALIASES: Final = 50


def answer(document: object, *, whole: bool = True) -> dict[str, Any]:
    """The result document of one task document: on its placement, or across the catalog.

    Not `whole`: a task with a placement goes without what is worked out beside its figures
    (methods, what makes it fit, limits).

    Raises:
        TaskError: the task holds an impossible value.
    """
    catalog = fixture_catalog()
    task = parse_task(document)
    platforms = candidate_platforms(task, catalog)
    context = {"explore": True} if whole else {}
    result = assemble(task, catalog, platforms, estimate_all(task, catalog, platforms), context)
    if whole:
        result = with_comparison(result, task, platforms, catalog)
    return {**result, "id": _id_of(document)}


def answer_text(text: str) -> dict[str, Any]:
    """The result (or error) document of a task written in JSON or YAML."""
    document: object = None
    try:
        document = read_document(text)
        return answer(document)
    except TaskError as error:
        return _error_document(document, error)


def answer_lines(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """One document a line, in order. A line that is at fault does not stop the others."""
    for line in lines:
        document: object = None
        try:
            document = _read_json(line)
            result = answer(document, whole=False)
        except TaskError as error:
            result = _error_document(document, error)
        except Exception:  # the promise of a batch: whatever one line does, the rest goes on
            logger.exception("a line of the batch could not be answered")
            fault = TaskError("internal-error", "this task could not be answered")
            result = _error_document(document, fault)
        yield result


def read_document(text: str) -> object:
    """A document in JSON or YAML.

    Raises:
        TaskError: it is neither, or too large.
    """
    _check_size(text)
    if text.lstrip().startswith(("{", "[")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass  # flow-style YAML looks alike
    try:
        return yaml.load(text, Loader=_PlainLoader)  # noqa: S506 - derives from SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        message = f"the document is neither JSON nor plain YAML: {_first_line(problem)}"
        raise TaskError("bad-document", message) from problem


def _read_json(line: str) -> object:
    _check_size(line)
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as problem:
        message = f"the line is not JSON: {_first_line(problem)}"
        raise TaskError("bad-json", message) from problem


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise TaskError("too-large", f"a task has at most {MOST_CHARACTERS} characters")


def _first_line(problem: Exception) -> str:
    return str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__


def _error_document(document: object, error: TaskError) -> dict[str, Any]:
    """The error with the task's own id where one can be read."""
    return {"schema": SCHEMA, "id": _id_of(document), "error": error.as_dict()}


def _id_of(document: object) -> str | int | None:
    """The task's own id as it was written, where it is one."""
    task_id = document.get("id") if isinstance(document, dict) else None
    readable = isinstance(task_id, str | int) and not isinstance(task_id, bool)
    return task_id if readable else None


class _PlainLoader(yaml.SafeLoader):
    """Safe YAML with few aliases: a small file must not unfold into a huge one."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._aliases = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            self._aliases += 1
            if self._aliases > _MOST_ALIASES:
                raise yaml.YAMLError(f"more than {_MOST_ALIASES} aliases")
        return super().compose_node(parent, index)
