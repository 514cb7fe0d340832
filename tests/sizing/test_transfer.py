"""What a measured run says of another estimate: nothing new when it agrees, never too much."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.cases import Case, resolve_case
from apps.sizing.ranges import Range
from apps.sizing.task import Placement, Task
from apps.sizing.task_reader import parse_task
from apps.sizing.transfer import Anchor, Deviation, Transfer, correlation, moved

TASK = parse_task(
    {
        "method": "lora",
        "model": {"name": "meta-llama/Meta-Llama-3.1-8B"},
        "recipe": {
            "framework": "trl",
            "sequence_length": 2048,
            "micro_batch": 2,
            "activation_checkpointing": "full",
        },
    }
)
PRIOR = Range(80.0, 100.0, 120.0)
A100, H100 = "A100-SXM4-80", "H100-SXM5-80"
ratios = st.floats(0.5, 2.0)
correlations = st.floats(0.0, 1.0)
quantities = st.sampled_from(["memory", "step"])


def case(task: Task = TASK, card: str = A100, gpus: int = 1, kind: str = "none") -> Case:
    place = Placement(accelerator=card, gpus=gpus, data_parallel=kind)
    found = resolve_case(task, place, fixture_catalog())
    assert found is not None
    return found


def with_recipe(**changes) -> Task:
    return replace(TASK, recipe=replace(TASK.recipe, **changes))


@given(rho=correlations, quantity=quantities)
@settings(max_examples=25)
def test_a_measurement_equal_to_the_estimate_moves_nothing(rho, quantity):
    found = moved(PRIOR, Deviation.between(100.0, PRIOR), rho, quantity)
    assert found.range.typical == PRIOR.typical
    assert found.factor == 1
    assert PRIOR.low <= found.range.low
    assert found.range.high <= PRIOR.high


def test_the_same_run_narrows_to_what_repeated_runs_differ_by():
    found = moved(PRIOR, Deviation.between(100.0, PRIOR), 0.97, "memory").range
    assert found.low == pytest.approx(94.4, abs=0.2)  # sqrt(1 - 0.97²) of ln(100/80), and 2 %
    assert found.high == pytest.approx(105.0, abs=0.2)


def test_the_centre_moves_by_the_correlation_in_logarithms():
    found = moved(PRIOR, Deviation.between(110.0, PRIOR), 0.5, "step")
    assert found.factor == pytest.approx(math.sqrt(1.1))


def test_an_estimate_that_is_surer_than_the_measured_one_moves_less():
    sure = Range(95.0, 100.0, 105.0)
    found = moved(sure, Deviation.between(115.0, PRIOR), 1.0, "step")
    expected = math.log(1.15) * math.log(1.05) / math.log(1.2)
    assert math.log(found.factor) == pytest.approx(expected)


@given(ratio=ratios, rho=correlations, quantity=quantities)
@settings(max_examples=50)
def test_the_range_stays_inside_the_union_of_both(ratio, rho, quantity):
    found = moved(PRIOR, Deviation.between(100 * ratio, PRIOR), rho, quantity).range
    assert found.low >= min(PRIOR.low, PRIOR.low * ratio) * (1 - 1e-9)
    assert found.high <= max(PRIOR.high, PRIOR.high * ratio) * (1 + 1e-9)


@given(ratio=ratios, one=correlations, other=correlations, quantity=quantities)
@settings(max_examples=50)
def test_the_closer_the_narrower(ratio, one, other, quantity):
    deviation = Deviation.between(100 * ratio, PRIOR)
    near, far = (
        moved(PRIOR, deviation, rho, quantity).range for rho in (max(one, other), min(one, other))
    )
    if not deviation.contradicts:
        assert near.high / near.low <= far.high / far.low * (1 + 1e-9)


def test_outside_the_range_the_measurement_narrows_less_and_far_out_it_widens():
    widths = []
    for measured in (110.0, 130.0, 143.0, 150.0):
        found = moved(PRIOR, Deviation.between(measured, PRIOR), 0.95, "step")
        widths.append(math.log(found.range.high / found.range.low))
    assert widths == sorted(widths)
    assert found.range.typical == PRIOR.typical
    assert found.range.low == PRIOR.low
    assert found.range.high > 150  # both may be right


def test_a_lower_bound_under_the_estimate_says_nothing_and_above_it_only_raises():
    silent = moved(PRIOR, Deviation.between(90.0, PRIOR, at_least=True), 0.97, "memory")
    assert silent.range == PRIOR
    raised = moved(PRIOR, Deviation.between(115.0, PRIOR, at_least=True), 0.97, "memory").range
    assert raised.typical > PRIOR.typical
    assert raised.high / raised.low == pytest.approx(PRIOR.high / PRIOR.low)


@pytest.mark.parametrize("quantity", ["memory", "step"])
def test_the_correlation_falls_with_each_difference(quantity):
    own = case()
    same = correlation(quantity, own, case())
    assert same >= 0.9
    batch = correlation(quantity, own, case(with_recipe(micro_batch=8)))
    count = correlation(quantity, case(gpus=4, kind="ddp"), case(gpus=8, kind="ddp"))
    assert batch < same
    assert count < same
    other = with_recipe(activation_checkpointing="none", micro_batch=8)
    assert correlation(quantity, own, case(other, H100, 8, "fsdp")) == 0  # says nothing


def test_another_card_takes_most_of_the_step_and_hardly_any_of_the_memory():
    own, other = case(), case(card=H100)
    assert correlation("memory", own, other) > 0.9
    assert correlation("step", own, other) < 0.5


def test_known_parts_hold_for_another_batch():
    own, larger = case(), case(with_recipe(micro_batch=8))
    assert correlation("memory", own, larger, parts_known=True) > correlation("memory", own, larger)


def test_the_nearest_run_counts():
    def anchor(of: Case, ratio: float) -> Anchor:
        return Anchor(case=of, step=Deviation.between(100 * ratio, PRIOR))

    transfer = Transfer(anchors=(anchor(case(card=H100), 0.9), anchor(case(), 1.1)))
    assert transfer.step(case(), PRIOR).factor > 1
    assert transfer.step(case(card=H100), PRIOR).factor < 1
    assert transfer.memory(case(), [PRIOR], {})[0].range == PRIOR  # nobody measured it
