"""The client's own runs: what is understood of them, what is refused, what they change."""

from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.measured import MeasuredRun, measured_catalog, own_runs, runs_from
from apps.sizing.task import Placement
from tests.sizing.test_transfer import A100, H100, TASK, with_recipe


def run(**figures) -> MeasuredRun:
    return MeasuredRun(accelerator=A100, gpus=1, **figures)


def estimates(catalog, card=A100, gpus=1, task=TASK):
    kind = "none" if gpus == 1 else "ddp"
    place = Placement(accelerator=card, gpus=gpus, data_parallel=kind)
    return estimate_memory(task, catalog, place), estimate_time(task, catalog, place)


def said(figure: str) -> float:
    memory, time = estimates(fixture_catalog())
    return (time.step_s if figure == "step_s" else getattr(memory, figure)).typical


def standings(*runs: MeasuredRun) -> list[tuple[str, str, bool]]:
    found = own_runs(TASK, runs, fixture_catalog())
    return [(f.figure, f.standing, f.used) for own in found for f in own.findings]


def width(found) -> float:
    return found.high / found.low


def test_what_agrees_changes_no_centre_and_narrows():
    figures = {name: said(name) for name in ("allocated_gib", "step_s")}
    catalog = measured_catalog(fixture_catalog(), TASK, [run(**figures)])
    own = catalog.measured.runs
    assert [f.standing for f in own[0].findings] == ["inside", "inside"]
    before, after = estimates(fixture_catalog()), estimates(catalog)
    assert after[0].device_gib.typical == pytest.approx(before[0].device_gib.typical)
    assert after[1].step_s.typical == pytest.approx(before[1].step_s.typical)
    assert width(after[0].device_gib) < width(before[0].device_gib)
    assert width(after[1].step_s) < width(before[1].step_s)


def test_parts_still_sum_to_the_peak_and_figures_keep_their_order():
    peak = said("allocated_gib") * 0.93
    catalog = measured_catalog(fixture_catalog(), TASK, [run(allocated_gib=peak)])
    memory, _time = estimates(catalog)
    assert sum(memory.components_gib.values()) == pytest.approx(memory.allocated_gib.typical)
    assert memory.allocated_gib.typical < memory.reserved_gib.typical < memory.device_gib.typical
    assert memory.allocated_gib.typical == pytest.approx(peak, rel=0.01)


def test_everything_about_time_follows_the_measured_step():
    task = replace(TASK, recipe=replace(TASK.recipe, steps=1000, grad_accumulation=1))
    step_s = estimates(fixture_catalog(), task=task)[1].step_s.typical * 1.1
    catalog = measured_catalog(fixture_catalog(), task, [run(step_s=step_s)])
    before, after = estimates(fixture_catalog(), task=task)[1], estimates(catalog, task=task)[1]
    ratio = after.step_s.typical / before.step_s.typical
    assert ratio > 1.05
    assert before.mfu / after.mfu == pytest.approx(ratio)
    assert after.cycle.hours.typical > before.cycle.hours.typical
    assert after.bound_by == before.bound_by


def test_another_card_takes_the_memory_and_little_of_the_step():
    figures = {name: said(name) * 1.1 for name in ("allocated_gib", "step_s")}
    catalog = measured_catalog(fixture_catalog(), TASK, [run(**figures)])
    for card, gpus in ((H100, 1), (A100, 8), (H100, 8)):
        before, after = estimates(fixture_catalog(), card, gpus), estimates(catalog, card, gpus)
        assert after[0].device_gib.typical > before[0].device_gib.typical * 1.04
        assert after[1].step_s.typical < before[1].step_s.typical * 1.09


def test_a_contradiction_leaves_the_range_wide():
    step_s = said("step_s") * 3
    catalog = measured_catalog(fixture_catalog(), TASK, [run(step_s=step_s)])
    own = catalog.measured.runs
    assert own[0].findings[0].standing == "contradicts"
    before, after = estimates(fixture_catalog())[1].step_s, estimates(catalog)[1].step_s
    assert after.typical == before.typical
    assert after.low == before.low
    assert after.high > before.high * 2


@pytest.mark.parametrize(
    "figures",
    [
        {"allocated_gib": 90.0},  # more than the card has
        {"allocated_gib": 9.0},  # the weights alone are 15 GiB
        {"step_s": 0.01},  # faster than the card's peak
        {"tokens_per_s_per_gpu": 1e6},
        {"step_s": 5.0, "data_wait_ratio": 1.0},
    ],
)
def test_what_cannot_be_changes_nothing(figures):
    catalog = measured_catalog(fixture_catalog(), TASK, [run(**figures)])
    assert [f.standing for f in catalog.measured.runs[0].findings] == ["impossible"]
    assert catalog.measured.anchors == ()
    assert estimates(catalog) == estimates(fixture_catalog())


def test_the_most_exact_figure_of_memory_is_used():
    figures = {name: said(name) for name in ("allocated_gib", "reserved_gib", "device_gib")}
    assert standings(run(**figures)) == [
        ("allocated_gib", "inside", True),
        ("reserved_gib", "inside", False),
        ("device_gib", "inside", False),
    ]
    bound = run(**figures, at_least=("allocated_gib",))
    assert [used for _, _, used in standings(bound)] == [False, True, False]


def test_a_rate_of_tokens_is_a_step_and_waiting_for_data_is_taken_off():
    step_s = said("step_s")
    rate = 2 * 2048 / step_s
    (by_rate,) = own_runs(TASK, [run(tokens_per_s_per_gpu=rate)], fixture_catalog())
    assert by_rate.findings[0].measured == pytest.approx(step_s)
    waiting = run(step_s=step_s / 0.8, data_wait_ratio=0.2)
    (found,) = own_runs(TASK, [waiting], fixture_catalog())
    assert found.findings[0].measured == pytest.approx(step_s)


def test_two_batches_tell_what_grows_from_what_stays():
    points = {}
    for micro in (1, 4):
        memory, _time = estimates(fixture_catalog(), task=with_recipe(micro_batch=micro))
        points[micro] = memory.allocated_gib.typical
    growth = (points[4] - points[1]) / 3
    rest = points[1] - growth
    runs = [run(micro_batch=m, allocated_gib=rest * 1.02 + growth * m * 1.2) for m in (1, 4)]
    catalog = measured_catalog(fixture_catalog(), TASK, runs)
    own = catalog.measured.runs
    assert own[0].live == pytest.approx(1.2)
    assert own[0].states == pytest.approx(1.02)
    larger = with_recipe(micro_batch=8)
    before = estimates(fixture_catalog(), task=larger)[0].allocated_gib.typical
    after = estimates(catalog, task=larger)[0].allocated_gib.typical
    assert after > before * 1.03


def test_what_is_held_between_steps_tells_the_parts_of_one_run_apart():
    memory, _time = estimates(fixture_catalog())
    rest = memory.components_gib["weights"] + memory.components_gib["optimizer"]
    passing = memory.allocated_gib.typical - rest
    peak = rest * 1.02 + passing * 1.1
    catalog = measured_catalog(
        fixture_catalog(), TASK, [run(allocated_gib=peak, rest_gib=rest * 1.02)]
    )
    own = catalog.measured.runs[0]
    assert (own.states, own.live) == (pytest.approx(1.02), pytest.approx(1.1))
    larger = with_recipe(micro_batch=8)
    before = estimates(fixture_catalog(), task=larger)[0].allocated_gib.typical
    assert estimates(catalog, task=larger)[0].allocated_gib.typical > before * 1.04


def test_more_between_steps_than_at_the_peak_is_told():
    found = own_runs(TASK, [run(allocated_gib=20.0, rest_gib=25.0)], fixture_catalog())
    assert found[0].parts_contradict


def test_two_batches_that_cannot_both_be_are_told():
    runs = [run(micro_batch=1, allocated_gib=24.0), run(micro_batch=4, allocated_gib=20.0)]
    found = own_runs(TASK, runs, fixture_catalog())
    assert all(own.parts_contradict and own.live is None for own in found)


def test_a_run_that_is_set_aside_is_shown_and_changes_nothing():
    aside = run(allocated_gib=said("allocated_gib") * 1.01, counted=False)
    catalog = measured_catalog(fixture_catalog(), TASK, [aside])
    own = catalog.measured.runs
    assert catalog.measured.anchors == ()
    assert own[0].findings[0].standing == "inside"
    assert not own[0].findings[0].used


def test_an_unknown_card_or_model_is_no_error():
    unknown = replace(run(step_s=1.0), accelerator="no-such-card")
    assert own_runs(TASK, [unknown], fixture_catalog())[0].case is None
    nothing = replace(TASK, model=replace(TASK.model, name=None))
    assert own_runs(nothing, [run(step_s=1.0)], fixture_catalog())[0].case is None


def test_runs_survive_as_json_and_nonsense_is_no_figure():
    whole = run(allocated_gib=20.5, at_least=("allocated_gib",), step_s=1.5, source="run.log")
    assert runs_from([whole.as_dict()]) == (whole,)
    bad = {"accelerator": A100, "allocated_gib": -1, "step_s": float("nan"), "device_gib": "x"}
    assert runs_from([bad, {"other": 1}]) == ()
