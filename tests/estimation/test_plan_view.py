"""The plan in words: rows, what the rejected lack, how the variants stand; older results too."""

from functools import cache

import pytest
from django.utils import translation

from apps.catalog.answers import answer
from apps.catalog.summary import summary_lines
from apps.estimation.magnitude import as_shown
from apps.estimation.presenters import plan_of
from tests.sizing.test_planner import FULL, SCRATCH


@cache
def full():
    return answer(FULL)


def view_of(document, language="en"):
    with translation.override(language):
        return plan_of(as_shown(document))


def test_a_row_says_what_it_is_what_it_takes_and_why_it_is_there():
    found = view_of(full())
    first = found.rows[0]
    assert first.number == 1
    assert first.hardware.startswith("2× NVIDIA")
    assert "or" in first.server
    assert first.power.endswith("kW")
    assert first.hours["high"] <= 72 == found.target_hours
    assert first.why.startswith("The smallest that meets the deadline of 72")
    assert "V1" in first.marks
    assert found.top_hours > 72
    assert str(len(found.rows)) in found.conclusion


@pytest.mark.parametrize(
    ("language", "said"), [("ru", "не хватает"), ("en", "are missing by the high end")]
)
def test_a_rejected_one_says_what_it_lacks_with_the_number(language, said):
    rejected = view_of(full(), language).rejected
    assert any(said in lack for row in rejected for lack in row.lacks)
    assert all(row.lacks for row in rejected)


def test_a_variant_that_is_no_row_says_how_it_stands():
    standings = view_of(full()).standings
    assert standings == (
        "V3 does not pass: A feed gives 5\u00a0kW, up to 10.2\u00a0kW are needed.",
    )


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        ("alike", "cannot be told apart"),
        ("ample", "leaves enough of the card free"),
        ("faster", "faster by more than its range"),
        ("roomier", "leaves more of the card free"),
        ("better", "larger, faster, and leaves"),
        ("left-out", "the row nearest to it is 2"),
    ],
)
def test_every_way_to_stand_beside_a_row_has_its_words(relation, said):
    plan = {**full()["plan"], "variants": {"V3": {"relation": relation, "row": 1, "lacks": []}}}
    (line,) = view_of({**full(), "plan": plan}).standings
    assert said in line


def test_how_much_was_looked_at_adds_up():
    counts = full()["plan"]["considered"]
    left = sum(counts[k] for k in ("by_states", "by_memory", "by_time", "by_site", "worse"))
    assert left <= counts["ways"]
    assert counts["ways"] - left >= len(full()["plan"]["front"])
    assert str(counts["ways"]) in view_of(full()).considered


def test_an_order_of_magnitude_is_not_said_to_the_last_digit():
    document = answer(SCRATCH)
    assert document["status"] == "magnitude"
    for row in view_of(document).rows:
        for end in row.hours.values():
            assert float(f"{end:.1e}") == pytest.approx(end)


def test_an_older_result_has_no_plan_and_a_placed_task_a_reason():
    assert view_of({k: v for k, v in full().items() if k != "plan"}) is None
    placed = answer({**FULL, "placement": {"accelerator": "H100-SXM5-80", "gpus": 8}})
    found = view_of(placed)
    assert (found.conclusion, found.rows) == ("", ())
    assert found.reason == "Not worked out: the hardware is named."


def test_the_command_line_shows_it_and_a_batch_does_without():
    lines = list(summary_lines(full()))
    assert any(line.startswith("plan: ") for line in lines)
    assert any("= V1" in line for line in lines)
    assert any(line.startswith("  not ") for line in lines)
    batch = answer(FULL, whole=False)
    assert batch["plan"] is None
    assert batch["reasons"]["plan"]["key"] == "plan.reason.not-asked"


def test_what_makes_a_row_is_said_only_where_there_is_one():
    nothing = {**full(), "plan": {**full()["plan"], "front": []}}
    assert view_of(full()).rule
    assert view_of(nothing).rule == ""
