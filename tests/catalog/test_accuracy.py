"""The engine beside published, measured runs."""

from io import StringIO

import pytest
from django.core.management import call_command

from apps.catalog.accuracy import Comparison, accuracy_of, comparisons, table
from apps.sizing.ranges import Range


def compared(typical: float, measured: float = 10.0, kind: str = "full, 1 GPU") -> Comparison:
    return Comparison(
        run="X-1",
        quantity="memory",
        kind=kind,
        source="a paper",
        said=Range(typical * 0.9, typical, typical * 1.1),
        measured=measured,
    )


def test_errors_are_summed_up_by_hand():
    found = accuracy_of("all", [compared(10.5), compared(9.0), compared(14.0)])
    assert found.median_error_ratio == pytest.approx(0.10)
    assert found.p90_error_ratio == pytest.approx(0.40)
    assert found.bias_ratio == pytest.approx(0.05)
    assert found.inside_ratio == pytest.approx(1 / 3)
    assert found.half_width_ratio == pytest.approx(0.10)


def test_a_perfect_engine_has_no_error():
    found = accuracy_of("all", [compared(10.0)])
    assert (found.median_error_ratio, found.bias_ratio, found.inside_ratio) == (0, 0, 1)


def test_a_table_has_all_first_and_then_each_group():
    rows = table(
        [compared(10, kind="b"), compared(10, kind="a"), compared(11, kind="b")], by="kind"
    )
    assert [(row.name, row.count) for row in rows] == [("all", 3), ("a", 1), ("b", 2)]


def test_the_promise_about_the_shipped_runs_holds():
    found = comparisons()
    memory = accuracy_of("all", [c for c in found if c.quantity == "memory"])
    step = accuracy_of("all", [c for c in found if c.quantity == "step time"])
    assert memory.count > 200
    assert step.count > 390
    assert memory.median_error_ratio <= 0.02
    assert memory.p90_error_ratio <= 0.10
    assert step.median_error_ratio <= 0.07
    assert min(memory.inside_ratio, step.inside_ratio) >= 0.83


def test_the_command_prints_every_kind_and_source():
    out = StringIO()
    call_command("accuracy", stdout=out)
    text = out.getvalue()
    for part in ("memory, by kind", "step time, by source", "qlora, 1 node", "torchtitan"):
        assert part in text
    assert "memory, by source, software withheld" in text


def test_software_that_is_withheld_widens_the_ranges_and_they_still_hold():
    known, withheld = (
        [c for c in comparisons(software_known=told) if c.quantity == "memory"]
        for told in (True, False)
    )
    here, there = accuracy_of("all", known), accuracy_of("all", withheld)
    assert there.half_width_ratio > 1.5 * here.half_width_ratio
    assert there.inside_ratio >= 0.9
