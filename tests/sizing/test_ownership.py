"""Own or rent: hours only, each from a figure that is there."""

import json

import pytest

from apps.sizing.ownership import HOURS_PER_YEAR, PERIODS_HOURS
from apps.sizing.ranges import Range
from tests.sizing.test_assemble import LORA, outcome

UNDECIDED = {"acquisition": "undecided"}
REGULAR = {**LORA, "cycle": {**LORA["cycle"], "runs_per_quarter": 6}}


def block(document=None, **context):
    return outcome(document or REGULAR, {**UNDECIDED, **context})["own_or_rent"]


@pytest.mark.parametrize("wish", ["rent", "buy", "hybrid", None])
def test_who_has_decided_is_not_asked_again(wish):
    assert outcome(REGULAR, {"acquisition": wish})["own_or_rent"] is None


def test_periods_make_a_year():
    assert PERIODS_HOURS["month"] * 12 == pytest.approx(HOURS_PER_YEAR)
    assert PERIODS_HOURS["quarter"] * 4 == pytest.approx(HOURS_PER_YEAR)


def test_use_is_hours_of_a_run_by_gpus_by_runs():
    result = outcome(REGULAR, UNDECIDED)
    row = result["own_or_rent"]["rows"][0]
    variant = next(v for v in result["variants"] if v["platform"] == row["platform"])
    hours = variant["time"]["cycle"]["hours"]
    for end in ("low", "typical", "high"):
        run = hours[end] * variant["gpus"]
        assert row["run_gpu_hours"][end] == pytest.approx(run)
        assert row["used_gpu_hours"]["quarter"][end] == pytest.approx(6 * run)
        assert row["used_gpu_hours"]["year"][end] == pytest.approx(24 * run)
        ratio = 24 * run / (HOURS_PER_YEAR * variant["gpus"])
        assert row["utilisation_ratio"][end] == pytest.approx(ratio)


def test_an_epoch_of_several_is_not_a_run():
    result = outcome({**REGULAR, "cycle": {**REGULAR["cycle"], "scope": "epoch"}}, UNDECIDED)
    row = result["own_or_rent"]["rows"][0]
    variant = next(v for v in result["variants"] if v["platform"] == row["platform"])
    cycle = variant["time"]["cycle"]
    assert cycle["scope"] == "epoch"
    whole = LORA["recipe"]["epochs"] * cycle["hours"]["typical"] * variant["gpus"]
    assert row["run_gpu_hours"]["typical"] == pytest.approx(whole)


def test_the_horizon_is_counted_in_its_own_years():
    row = block()["rows"][0]
    years = Range(1, 1.5, 2)
    for end in ("low", "typical", "high"):
        owned = getattr(years, end) * HOURS_PER_YEAR * row["gpus"]
        assert row["owned_gpu_hours"]["horizon"][end] == pytest.approx(owned)


def test_one_project_has_no_horizon_and_says_so():
    found = block({**REGULAR, "horizon": {"use": "one-off"}})
    assert found["horizon"] is None
    assert "horizon" not in found["rows"][0]["used_gpu_hours"]
    assert "own.one-off" in [m["key"] for m in found["messages"]]


def test_what_is_not_known_is_named_and_nothing_is_made_up():
    document = {**LORA, "data": {"kind": "text"}, "horizon": {}}
    found = block(document)
    assert found["missing"] == ["data.tokens", "cycle.runs_per_quarter", "horizon.use"]
    for row in found["rows"]:
        assert row["run_gpu_hours"] is None
        assert row["used_gpu_hours"] is None
        assert row["utilisation_ratio"] is None


def test_runs_that_do_not_fit_into_the_time_are_said():
    cycle = {**REGULAR["cycle"], "runs_per_quarter": 5000}
    keys = [m["key"] for m in block({**REGULAR, "cycle": cycle})["messages"]]
    assert "own.too-small" in keys
    assert "own.idle" not in keys


def test_every_platform_stands_once():
    platforms = [row["platform"] for row in block()["rows"]]
    assert len(set(platforms)) == len(platforms)


def test_the_trigger_and_the_formula_are_always_there():
    for document in (REGULAR, {**LORA, "data": {"kind": "text"}}):
        found = block(document, busy_ratio=0.4)
        assert found["trigger"]["key"] == "own.trigger"
        keys = [m["key"] for m in found["messages"]]
        assert keys[0] == "own.formula"
        assert "own.expected-use" in keys
        assert json.dumps(found, allow_nan=False)
