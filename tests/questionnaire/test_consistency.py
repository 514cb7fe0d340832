"""Answers that hardly go together are said so, and stop nothing."""

import pytest

from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.checks import ModelFacts
from tests.questionnaire.answers import REFERENCE

FULL = {"method": "full", "disk_bytes": "400 ГБ", "save_kind": "full"}
BATCH = {"micro_batch": "4", "grad_accumulation": "8"}
RUN = {"epochs": "3", "samples": "100 000", "global_batch": "64", "packing": "no"}


def warned(**changes):
    raw = {**REFERENCE, **{k: RawAnswer(v) for k, v in changes.items()}}
    evaluated = evaluate(raw)
    assert not evaluated.errors, evaluated.errors
    return {p.key: str(p.message) for p in evaluated.warnings}


@pytest.mark.parametrize(
    ("changes", "key", "said"),
    [
        ({**BATCH, "global_batch": "16"}, "global_batch", "One GPU alone"),
        ({**BATCH, "global_batch": "100"}, "global_batch", "no whole number of GPUs"),
        ({**RUN, "steps": "500"}, "steps", "4,688"),
        ({"offload": "optimizer"}, "offload", "small"),
        ({"data_kind": "images"}, "data_kind", "learn from other data"),
        ({"tokens": "1 млн"}, "tokens", "for one token"),
        (
            {"strategy": "from-scratch", "tokens": "4 млрд"},
            "tokens",
            "fewer tokens than parameters",
        ),
        ({**FULL, "saves_kept": "5"}, "saves_kept", "the disk has"),
        ({"target_time": "60 дней"}, "target_time", "longer than the rent"),
        ({"parallel_runs": "8", "experiments": "3"}, "parallel_runs", "than there will be"),
        ({"precision": "fp8-mixed", "acquisition": "buy"}, "precision", "recent GPUs"),
        (
            {"power_known_as": "breaker", "volts": "400", "phases": "1", "amps": "16"},
            "volts",
            "two phases",
        ),
    ],
)
def test_two_answers_that_hardly_go_together(changes, key, said):
    assert said in warned(**changes)[key]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({**BATCH, "global_batch": "64"}, "global_batch"),
        ({**RUN, "steps": "4 700"}, "steps"),
        ({"method": "full", "offload": "optimizer"}, "offload"),
        ({"tokens": "50 млрд"}, "tokens"),
        ({**FULL, "saves_kept": "1"}, "saves_kept"),
        ({"target_time": "20 дней"}, "target_time"),
        ({"parallel_runs": "2", "experiments": "3"}, "parallel_runs"),
        ({"precision": "fp8-mixed", "acquisition": "rent"}, "precision"),
        ({"power_known_as": "breaker", "volts": "400", "phases": "3", "amps": "16"}, "volts"),
    ],
)
def test_what_goes_together_is_left_alone(changes, key):
    assert key not in warned(**changes)


def test_a_rank_as_wide_as_the_model_saves_nothing():
    facts = ModelFacts("Llama-3.1-8B", "decoder", 8.03e9, hidden=4096)
    for rank, doubted in (("4096", True), ("64", False)):
        raw = {**REFERENCE, "lora_rank": RawAnswer(rank)}
        evaluated = evaluate(raw, published=lambda name: facts)
        said = {p.key: str(p.message) for p in evaluated.warnings}
        assert ("save nothing" in said.get("lora_rank", "")) == doubted
