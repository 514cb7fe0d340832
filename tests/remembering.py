"""What the engine says of an input, worked out once a process for all tests that ask the same.

A calculation takes most of a second, and tests of pages, letters and rights only need one to be
there. Tests of the estimates themselves (tests/estimation, tests/sizing) work out everything anew.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from apps.estimation import services
from apps.estimation.models import Calculation

FOLDERS = ("demo", "documents", "intake", "journeys", "leaks", "notices", "requisitions", "review")
_known: dict[tuple[Any, ...], dict[str, Any]] = {}
_run, _build = services.estimate_run, services.assessment_build


def estimate_run(calculation: Calculation, estimator: str) -> dict[str, Any]:
    key = (calculation.input_text, calculation.catalog_sha256, estimator)
    return _once(key, lambda: _run(calculation, estimator))


def assessment_build(calculation: Calculation) -> dict[str, Any]:
    rows = calculation.results.order_by("estimator").values_list(
        "estimator", "failed", "output_text"
    )
    key = (calculation.input_text, calculation.catalog_sha256, *rows)
    return _once(key, lambda: _build(calculation))


def _once(key: tuple[Any, ...], work_out: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    if key not in _known:
        _known[key] = work_out()
    return deepcopy(_known[key])
