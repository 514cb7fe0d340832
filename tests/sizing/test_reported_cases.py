"""Reported server choices (`reported_cases.json`): would the engine have warned, and run what ran?

A report that leaves out what decides gets an answer that asks for it: never a confident wrong one.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from apps.catalog.answers import answer
from apps.sizing.errors import TaskError
from tests.sizing.engine import CATALOG

CASES = json.loads(Path(__file__).with_name("reported_cases.json").read_text(encoding="utf-8"))[
    "cases"
]
# What a report's outcome allows the verdict to be.
ALLOWED = {
    "warned": {"risk", "does-not-fit"},
    "does-not-fit": {"does-not-fit"},
    "runs": {"fits", "tight", "risk"},
}
CHECKS = [(case, check) for case in CASES for check in case["checks"]]


@lru_cache(maxsize=100)
def answered(document: str) -> dict[str, Any]:
    return answer(json.loads(document), whole=False)


def result_of(case: dict[str, Any], number: int) -> dict[str, Any]:
    return answered(json.dumps(case["tasks"][number]))


def figure(result: dict[str, Any], path: list[str]) -> dict[str, float]:
    for key in path:
        result = result[key]
    return result


def _memory(case, check):
    result = result_of(case, check["of"])
    assert result["memory"]["verdict"] in ALLOWED[check["memory"]]


def _inside(case, check):
    *path, measured = check["inside"]
    said = figure(result_of(case, check["of"]), path)
    assert said["low"] <= measured <= said["high"], said


def _over(case, check):
    *path, present = check["over"]
    assert figure(result_of(case, check["of"]), path)["typical"] > present


def _compare(case, check, word):
    part, name, other, factor = check[word]
    mine = figure(result_of(case, check["of"]), [part, name])["typical"]
    theirs = figure(result_of(case, other), [part, name])["typical"]
    return mine, factor * theirs


def _more(case, check):
    mine, theirs = _compare(case, check, "more")
    assert mine > theirs


def _less(case, check):
    mine, theirs = _compare(case, check, "less")
    assert mine < theirs


def _status(case, check):
    assert result_of(case, check["of"])["status"] == check["status"]


def _asks(case, check):
    asked = [question["field"] for question in result_of(case, check["of"])["open_questions"]]
    assert check["asks"] in asked


def _bound_by(case, check):
    assert result_of(case, check["of"])["time"]["bound_by"] == check["bound_by"]


def _not_counted(case, check):
    told = [message["key"] for message in result_of(case, check["of"])["not_counted"]]
    assert check["not_counted"] in told


def _error(case, check):
    with pytest.raises(TaskError) as caught:
        result_of(case, check["of"])
    assert caught.value.field == check["error"]


RULES = {
    "memory": _memory, "inside": _inside, "over": _over, "more": _more, "less": _less,
    "status": _status, "asks": _asks, "bound_by": _bound_by, "not_counted": _not_counted,
    "error": _error,
}  # fmt: skip


@pytest.mark.parametrize(
    ("case", "check"), CHECKS, ids=[f"{case['id']}-{check}" for case, check in CHECKS]
)
def test_a_reported_choice_gets_a_verdict_that_agrees(case, check):
    rules = check.keys() - {"of"}
    assert rules
    for word in rules:
        RULES[word](case, check)


def test_every_case_names_its_source_and_is_checked():
    for case in CASES:
        assert "#" in case["source"]
        used = {check["of"] for check in case["checks"]}
        used |= {check[w][2] for check in case["checks"] for w in ("more", "less") if w in check}
        assert used == set(range(len(case["tasks"])))


def test_cards_of_the_reports_are_in_the_catalog_or_refused_by_name():
    cards = {t["placement"]["accelerator"] for c in CASES for t in c["tasks"] if "placement" in t}
    assert cards - CATALOG.accelerators.keys() == {"Ascend-910B", "Titan-RTX"}
