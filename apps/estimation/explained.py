"""The explanation of one task document, from the fixture catalog: no database, no queue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.catalog.answers import read_document
from apps.catalog.releases import fixture_contents
from apps.estimation.presenters.derivation import DerivationView, derivation_of
from apps.estimation.presenters.derivation_text import derivation_lines
from apps.estimation.presenters.formula_sources import SourceBook
from apps.sizing.assemble import assemble
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.explain.explanation import explain
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """An explanation with the result it is of."""

    explanation: Mapping[str, Any]
    result: Mapping[str, Any]

    def lines(self) -> Iterator[str]:
        """For a terminal, in the active language."""
        return derivation_lines(self.view())

    def view(self) -> DerivationView:
        """In the active language; whatever the document states counts as the client's."""
        return derivation_of(
            self.explanation,
            rows=SourceBook.of(fixture_contents(), self.explanation),
            blocks=self.result,
            stated={},
            rough=self.result["status"] == "magnitude",
        )


def explained(text: str) -> Explained:
    """Explain a task written in JSON or YAML.

    Raises:
        TaskError: it cannot be read, or has no placement whose figures could be explained.
    """
    task, catalog = parse_task(read_document(text)), fixture_contents().catalog
    if task.placement is None or task.placement.accelerator is None:
        message = "only a task with a placement has figures to explain: say on which accelerator"
        raise TaskError("missing-placement", message, "placement")
    platforms = candidate_platforms(task, catalog)
    result = assemble(task, catalog, platforms, estimate_all(task, catalog, platforms), {})
    explanation = explain(task, catalog, platforms[0])
    return Explained(explanation=explanation.as_dict(), result=result)
