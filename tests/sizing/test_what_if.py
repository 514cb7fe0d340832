"""A variant with other values: it starts from the estimate's own figures and moves for one reason."""

import json
from functools import cache

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import assemble
from apps.sizing.changes import changes_between
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.measured import MeasuredRun, measured_catalog
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from apps.sizing.what_if import changed, conclusions, differences, document_of, footing_of

CATALOG = fixture_catalog()
RECIPE = {
    "framework": "trl",
    "precision": "bf16-mixed",
    "optimizer": "adamw",
    "sequence_length": 8192,
    "micro_batch": 2,
    "grad_accumulation": 4,
    "activation_checkpointing": "full",
    "epochs": 2,
}
TASK = {
    "method": "full",
    "strategy": "finetune",
    "model": {"name": "Llama-3.1-8B"},
    "recipe": RECIPE,
    "data": {"tokens": 3e8},
    "cycle": {"target_hours": 72},
    "site": {"kw_usable": 5, "feeds": 2, "cooling": "containment", "rack_units": 20},
}
GREEDY = {**TASK, "recipe": {**RECIPE, "activation_checkpointing": "none", "micro_batch": 16}}


def result_of(document, runs=(), acquisition="buy"):
    return _result(json.dumps(document), runs, acquisition)


@cache
def _result(text, runs, acquisition):
    task = parse_task(json.loads(text))
    catalog = measured_catalog(CATALOG, task, runs)
    platforms = candidate_platforms(task, catalog)
    said = estimate_all(task, catalog, platforms)
    return assemble(task, catalog, platforms, said, {"explore": False, "acquisition": acquisition})


def footing(document=TASK, key="V2"):
    variants = {v["key"]: v for v in result_of(document)["variants"]}
    return footing_of(parse_task(document), variants[key])


@pytest.fixture(scope="module")
def base():
    return footing()


@pytest.fixture(scope="module")
def was(base):
    return document_of(base, CATALOG, (), {})


def block(footing):
    (variant,) = document_of(footing, CATALOG, (), {})["variants"]
    return variant


def peak(footing):
    return block(footing)["memory"]["device_gib"]["typical"]


def step(footing):
    return block(footing)["time"]["step_s"]


@pytest.mark.parametrize("document", [TASK, GREEDY])
@pytest.mark.parametrize("wish", ["buy", "rent"])
def test_without_a_change_every_variant_comes_to_its_own_figures(document, wish):
    result = result_of(document, (), wish)
    assert len(result["variants"]) > 1
    for variant in result["variants"]:
        footing = footing_of(parse_task(document), variant)
        tried = document_of(footing, CATALOG, (), {"acquisition": wish})
        assert not changes_between({"variants": [variant]}, tried)["variants"]
        assert tried["variants"][0]["rack"] == variant["rack"]


def test_a_variant_that_saves_is_tried_with_its_savings():
    variants = {v["key"]: v for v in result_of(GREEDY)["variants"]}
    saving = next(v for v in variants.values() if v["savings"])
    recipe = footing_of(parse_task(GREEDY), saving).task.recipe
    assert (recipe.micro_batch, recipe.activation_checkpointing) == (1, "full")


def test_measured_runs_are_followed_as_the_estimate_follows_them():
    run = MeasuredRun(
        accelerator="H100-SXM5-80", gpus=8, data_parallel="fsdp", step_s=9.0, counted=True
    )
    (variant, *_rest) = result_of(TASK, (run,))["variants"]
    found = document_of(footing_of(parse_task(TASK), variant), CATALOG, (run,), {})
    assert not changes_between({"variants": [variant]}, found)["variants"]


def test_length_and_batch_change_the_need_and_leave_the_parameters(base, was):
    # MEM-09: the model is the same, its activations are not.
    (before,) = was["variants"]
    longer = block(changed(base, {"recipe.sequence_length": 16384}, CATALOG))
    parts = before["memory"]["components_gib"], longer["memory"]["components_gib"]
    assert parts[0]["weights"] == pytest.approx(parts[1]["weights"])
    assert parts[1]["activations"] > 1.5 * parts[0]["activations"]


def test_recomputing_takes_less_memory_and_more_time_and_back(base):
    # MEM-12, both directions, on the same layout.
    kept = {"placement.data_parallel": "fsdp"}
    full = changed(base, {**kept, "recipe.activation_checkpointing": "full"}, CATALOG)
    none = changed(base, {**kept, "recipe.activation_checkpointing": "none"}, CATALOG)
    assert peak(full) < peak(none)
    assert step(full)["low"] > step(none)["low"]
    assert step(full)["high"] > step(none)["high"]
    back = changed(none, {**kept, "recipe.activation_checkpointing": "full"}, CATALOG)
    assert peak(back) == pytest.approx(peak(full))


def test_qlora_brings_its_quantisation_and_says_so(base):
    trial = changed(base, {"method": "qlora"}, CATALOG)
    assert peak(trial) < peak(base)
    assert differences(base, trial, {"method": "qlora"}) == {
        "method": "qlora",
        "recipe.quantization": "nf4",
    }


def test_a_method_drops_what_was_stated_of_the_other_ones_parameters():
    lora = {**TASK, "method": "lora", "recipe": {**RECIPE, "trainable_params_million": 40}}
    base = footing(lora, "V1")
    found = differences(base, changed(base, {"method": "full"}, CATALOG), {"method": "full"})
    assert found["recipe.trainable_params_million"] is None


def test_a_global_batch_alone_is_reached_by_accumulation(base):
    values = {"recipe.global_batch": 64}
    case = changed(base, values, CATALOG).case(CATALOG)
    assert case.micro_batch == 2
    assert case.micro_batch * case.accumulation * case.layout.data == 64


def test_other_hardware_is_named_whole(base):
    values = {"placement.gpus": 2 * base.platform.gpus}
    trial = changed(base, values, CATALOG)
    assert trial.platform.accelerator == base.platform.accelerator
    found = differences(base, trial, values)
    assert found["placement.accelerator"] == base.platform.accelerator
    assert found["placement.gpus"] == 2 * base.platform.gpus
    assert "placement.data_parallel" in found


def test_a_bridge_between_two_cards_is_named_with_them(base):
    # A task that names its cards alone has none: it is bought apart.
    values = {"placement.accelerator": "H200-NVL-141", "placement.gpus": 2}
    found = differences(base, changed(base, values, CATALOG), values)
    assert found["placement.intra_node_link"] == "nvlink-bridge"


@pytest.mark.parametrize(
    "values",
    [
        {"placement.gpus": 8},
        {"placement.gpus": 2},
        {"placement.accelerator": "L40S"},
        {"placement.accelerator": "H100-SXM5-80", "placement.gpus": 16, "method": "qlora"},
    ],
)
def test_a_task_with_the_differences_in_it_comes_to_the_trial(base, values):
    trial = changed(base, values, CATALOG)
    document = {**TASK, "recipe": dict(RECIPE), "placement": {}}
    for path, value in differences(base, trial, values).items():
        part, _dot, name = path.rpartition(".")
        (document[part] if part else document)[name] = value
    (given,) = result_of(document)["variants"]
    found = changes_between({"variants": [{**given, "key": "V2"}]}, {"variants": [block(trial)]})
    assert not found["variants"]


def test_gpus_that_do_not_spread_evenly_are_refused_at_their_field(base):
    with pytest.raises(TaskError) as refused:
        changed(base, {"placement.accelerator": "H100-SXM5-80", "placement.gpus": 17}, CATALOG)
    assert refused.value.field == "placement.gpus"


def test_a_length_below_the_average_is_refused():
    base = footing({**TASK, "recipe": {**RECIPE, "average_length": 4000}})
    with pytest.raises(TaskError) as refused:
        changed(base, {"recipe.sequence_length": 2048}, CATALOG)
    assert refused.value.field == "recipe.average_length"


def test_the_conclusions_are_said_of_the_hardware_of_the_trial(base, was):
    small = changed(base, {"placement.accelerator": "L40S"}, CATALOG)
    found = conclusions(was, document_of(small, CATALOG, (), {}))
    closed = next(message for message in found if message.key == "change.memory-closed")
    assert closed.params["accelerator"] == "L40S"


def test_nothing_changed_is_said_too(base, was):
    assert [message.key for message in conclusions(was, was)] == ["change.none"]


def test_of_a_rented_node_whether_to_buy_is_not_concluded():
    base = footing(TASK, "V0")
    small = changed(base, {"placement.accelerator": "L40S"}, CATALOG)
    old, new = (document_of(one, CATALOG, (), {}) for one in (base, small))
    keys = {message.key for message in conclusions(old, new)}
    assert "change.memory-closed" in keys
    assert not keys & {"change.verdict", "change.readiness"}
