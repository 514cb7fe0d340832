"""The heading of the drawing of the cycle is its conclusion."""

import pytest

from apps.estimation.presenters.cycle import cycle_conclusion
from tests.sizing.test_assemble import LORA, outcome


@pytest.fixture(scope="module")
def result():
    return outcome(LORA, {"explore": False})


def typical_hours(result):
    rows = [v for v in result["variants"] if v["time"]["cycle"]["hours"]]
    return {v["gpus"]: v["time"]["cycle"]["hours"]["typical"] for v in rows}


def test_the_fewest_gpus_that_keep_the_time_are_named(result):
    hours = typical_hours(result)
    fewest = min(hours)
    said = cycle_conclusion(result, hours[fewest] * 1.01)
    assert "is typically kept from" in said
    assert f"from {fewest}\N{NO-BREAK SPACE}GPU" in said


def test_a_time_that_nothing_keeps_is_told(result):
    least = min(typical_hours(result).values())
    assert "No number of GPUs" in cycle_conclusion(result, least / 1000)


def test_without_a_time_the_two_ends_stand_beside_each_other(result):
    said = cycle_conclusion(result, None)
    assert said.count(" take ") == 2


def test_nothing_timed_says_nothing():
    assert cycle_conclusion({}, 72) == ""
