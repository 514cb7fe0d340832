"""What is asked and assumed beside a result: by the estimates, of the recommended recipe."""

import json

import pytest

from tests.sizing.test_assemble import LORA, estimated, outcome


def influences(found):
    return {q["field"]: q["influence"] for q in found["open_questions"]}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"method": "full"},
        {"model": {"name": "sdxl", "kind": "diffusion", "params_billion": 2.6}},
        {"model": {"name": "yolo", "kind": "vision", "params_billion": 0.057}, "method": "full"},
    ],
)
@pytest.mark.parametrize(
    "field", ["precision", "optimizer", "framework", "activation_checkpointing"]
)
def test_an_unknown_moves_a_result_by_what_the_estimators_say(changes, field):
    recipe = {k: v for k, v in LORA["recipe"].items() if k != field}
    placement = {"accelerator": "A100-SXM4-80", "gpus": 1}
    task = {**LORA, "recipe": recipe, "placement": placement, **changes}
    _, _, outputs = estimated(json.dumps(task))
    said = [
        question["influence"]
        for output in outputs.values()
        for question in output["open_questions"]
        if question["field"] == f"recipe.{field}"
    ]
    assert said
    assert influences(outcome(task))[f"recipe.{field}"] == min(1.0, max(said))


def test_the_optimizer_of_adapters_is_no_critical_question():
    recipe = {k: v for k, v in LORA["recipe"].items() if k != "optimizer"}
    found = outcome({**LORA, "recipe": recipe})
    assert influences(found)["recipe.optimizer"] < 0.05
    assert "recipe.optimizer" not in found["critical_questions"]


def test_without_an_estimate_an_unknown_is_taken_to_move_it_far():
    recipe = {k: v for k, v in LORA["recipe"].items() if k != "optimizer"}
    found = outcome({**LORA, "recipe": recipe}, memory=None, time=None)
    assert "recipe.optimizer" in found["critical_questions"]


def test_assumptions_are_those_of_the_recommended_recipe():
    """What a saving has settled is not assumed to be otherwise."""
    recipe = {k: v for k, v in LORA["recipe"].items() if k != "activation_checkpointing"}
    huge = {**LORA, "method": "full", "model": {"name": "Llama-3.1-70B"}}
    task = {**huge, "recipe": {**recipe, "sequence_length": 65_536, "micro_batch": 8}}
    found = outcome(task)
    best = next(v for v in found["variants"] if v["recommended"])
    assert "variant.saving.activation-checkpointing" in [s["key"] for s in best["savings"]]
    assumed = {a["params"].get("field") for a in found["assumptions"]}
    assert "recipe.activation_checkpointing" not in assumed
    plain = outcome({**LORA, "recipe": recipe})
    chosen = next(v for v in plain["variants"] if v["recommended"])
    assert not chosen["savings"]
    assert "recipe.activation_checkpointing" in {
        a["params"].get("field") for a in plain["assumptions"]
    }


@pytest.mark.parametrize(
    ("accelerator", "gaps"),
    [("A100-SXM4-80", []), ("B300", ["card-of-family"]), ("L40S", ["card-untimed"])],
)
def test_measured_is_said_of_the_recommended_card_only(accelerator, gaps):
    found = outcome({**LORA, "placement": {"accelerator": accelerator, "gpus": 1}})
    said = found["evidence"]
    assert [gap["key"] for gap in said["gaps"]] == [f"evidence.gap.{gap}" for gap in gaps]
    assert said["validated"] is not bool(gaps)
