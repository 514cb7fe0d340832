"""The programme of runs: a series, planned cycles, what speed costs."""

from itertools import pairwise

import pytest

from apps.sizing.programme import CYCLE_RESERVE_RATIO, HOURS_PER_MONTH, series_rows
from apps.sizing.ranges import Range
from tests.sizing.test_assemble import LORA, outcome

RUN = Range(8, 10, 12)


def programme(document=None, **context):
    return outcome(document or LORA, {"explore": False, **context})["programme"]


def keys(block):
    return [message["key"] for message in block["messages"]]


def test_the_total_is_the_sum_of_the_rows_in_gpu_hours():
    block = programme(experiments=8)
    for end in ("low", "typical", "high"):
        total = sum(row["gpu_hours"][end] for row in block["rows"])
        assert block["total_gpu_hours"][end] == pytest.approx(total)
        assert block["total_hours"][end] == pytest.approx(total / block["gpus"])


def test_more_experiments_take_more_and_unknown_ones_are_more_than_one():
    def series(count):
        return series_rows(RUN, 4, count)[0]["gpu_hours"].typical

    assert series(8) == pytest.approx(2 * series(4))
    assert series(None) > series(1)
    assert "programme.experiments-assumed" in keys(programme())
    assert "programme.experiments-assumed" not in keys(programme(experiments=8))


def test_two_runs_at_once_take_twice_the_gpus_and_half_the_calendar():
    one = programme(experiments=8)
    two = programme({**LORA, "cycle": {**LORA["cycle"], "parallel_runs": 2}}, experiments=8)
    assert two["gpus_at_once"] == 2 * two["gpus"]
    ratio = one["total_hours"]["typical"] / two["total_hours"]["typical"]
    assert ratio == pytest.approx(2 * two["gpus"] / one["gpus"])
    assert "programme.parallel" in keys(two)
    assert "programme.parallel" not in keys(one)


@pytest.mark.parametrize(("factor", "word"), [(0.5, "over"), (0.99, "within"), (10, "within")])
def test_the_series_is_held_against_the_limit_and_the_rent(factor, word):
    plain = programme(experiments=8)
    end = "typical" if word == "over" else "high"
    limit = plain["total_gpu_hours"][end] * factor * (1.02 if word == "within" else 1)
    assert f"programme.cap-{word}" in keys(programme(experiments=8, cap_gpu_hours=limit))
    rent = plain["total_hours"][end] * factor * (1.02 if word == "within" else 1)
    assert f"programme.rent-{word}" in keys(programme(experiments=8, rent_hours=rent))


def test_a_series_without_an_end_is_told():
    assert "programme.no-stop" in keys(programme())
    assert "programme.no-stop" not in keys(programme(stop_stated=True))


def test_the_heaviest_cycle_has_its_reserve():
    continual = {**LORA, "strategy": "continual"}
    whole = programme(continual, cycle_every_hours=336)["cycle"]
    part = programme(continual, cycle_every_hours=336, cycle_share_ratio=0.35)["cycle"]
    assert part["hours"]["typical"] == pytest.approx(0.35 * whole["hours"]["typical"])
    run = programme()["rows"][1]["hours"]["typical"]
    assert whole["hours"]["typical"] == pytest.approx(run * (1 + CYCLE_RESERVE_RATIO))
    assert whole["verdict"] == "fits"
    tight = programme(continual, cycle_every_hours=run * 0.9)["cycle"]
    assert tight["verdict"] == "does-not-fit"
    assert programme()["cycle"] is None


def test_half_the_time_never_costs_less():
    rows = programme()["speed"]
    assert [row["target_hours"] for row in rows] == [
        pytest.approx(rows[0]["target_hours"] * part) for part in (1, 0.5, 0.25)
    ]
    met = [row for row in rows if row["platform"]]
    assert len(met) >= 2
    for slow, fast in pairwise(met):
        assert (fast["nodes"], fast["gpus"]) >= (slow["nodes"], slow["gpus"])
        assert fast["load_kw"]["typical"] >= slow["load_kw"]["typical"]
        assert fast["read_gb_per_s"] >= slow["read_gb_per_s"]


def test_a_run_that_takes_months_is_told_to_who_cannot_wait():
    long = {**LORA, "data": {**LORA["data"], "tokens": 5e12, "samples": None}}
    assert programme(long)["rows"][1]["hours"]["high"] > HOURS_PER_MONTH
    assert "programme.months" in keys(programme(long, months_acceptable=False))
    assert "programme.months" not in keys(programme(long, months_acceptable=True))


def test_operations_of_a_run_are_those_of_its_tokens():
    """Six per parameter and token where all weights are trained, and attention on top."""
    full = {**LORA, "method": "full"}
    block = programme(full)
    tokens = LORA["data"]["tokens"] * LORA["recipe"]["epochs"]
    assert block["run_flop"] == pytest.approx(6 * 8.03e9 * tokens, rel=0.15)


def test_a_run_is_priced_by_the_clients_own_rates_and_the_runs_of_a_quarter():
    known = programme({**LORA, "cycle": {**LORA["cycle"], "runs_per_quarter": 6}})
    said = next(m for m in known["messages"] if m["key"] == "programme.run-cost")
    final = next(row for row in known["rows"] if row["kind"] == "final")
    ends = (said["params"]["least_gpu_hours"], said["params"]["most_gpu_hours"])
    assert ends == pytest.approx((final["gpu_hours"]["low"], final["gpu_hours"]["high"]))
    assert said["params"]["runs_count"] == 6
    open_one = programme({**LORA, "cycle": {**LORA["cycle"], "runs_per_quarter": None}})
    assert "programme.run-cost-open" in keys(open_one)
    assert "programme.run-cost" not in keys(open_one)


def test_idle_hours_follow_the_load():
    block = programme(busy_ratio=0.4)
    assert block["idle_gpu_hours_per_month"] == pytest.approx(0.6 * HOURS_PER_MONTH * block["gpus"])


def test_without_the_length_of_a_run_there_is_no_programme():
    data = {k: v for k, v in LORA["data"].items() if k not in ("tokens", "samples")}
    recipe = {k: v for k, v in LORA["recipe"].items() if k != "steps"}
    assert (
        outcome({**LORA, "data": data, "recipe": recipe}, {"explore": False})["programme"] is None
    )
