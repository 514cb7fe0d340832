"""Tasks with holes: whatever is missing, the engine answers, asks and never raises."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.sizing.estimators.training import (
    interconnect_estimator,
    memory_estimator,
    time_estimator,
)
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from tests.sizing.engine import CATALOG

ESTIMATORS = (memory_estimator, interconnect_estimator, time_estimator)

COMPLETE: dict[str, Any] = {
    "strategy": "finetune",
    "method": "lora",
    "model": {
        "name": "our own model", "kind": "decoder", "params_billion": 8.0, "layers": 32,
        "hidden": 4096, "heads": 32, "kv_heads": 8, "head_dim": 128, "ffn": 14336, "vocab": 128256,
        "gated_ffn": True, "tied_embeddings": False,
    },
    "recipe": {
        "stage": "sft", "framework": "hf-trainer", "precision": "bf16-mixed", "optimizer": "adamw",
        "optimizer_step": "fused", "sequence_length": 4096, "average_length": 900.0,
        "packing": False, "micro_batch": 2, "grad_accumulation": 4, "global_batch": 64,
        "activation_checkpointing": "full", "attention": "flash", "lora_rank": 16,
        "lora_targets": "all-linear", "lora_dropout": 0.0, "fused_kernels": True,
        "fused_cross_entropy": True, "compile": False, "epochs": 2, "steps": 500,
        "save_every_steps": 100, "saves_kept": 2, "quantization": "none", "offload": "none",
    },
    "data": {"samples": 50_000, "tokens": 4e7, "bytes": 2e8, "kind": "text", "location": "local"},
    "cycle": {"target_hours": 24, "scope": "run", "runs_per_quarter": 4},
    "placement": {
        "accelerator": "H100-SXM5-80", "gpus": 8, "nodes": 1, "data_parallel": "fsdp",
        "shard_degree": 8, "tensor_parallel": 1, "intra_node_link": "nvswitch",
    },
}  # fmt: skip
PATHS = [
    (part, name) for part, fields in COMPLETE.items() if isinstance(fields, dict) for name in fields
]


def answers(document: dict[str, Any]) -> list[dict[str, Any]]:
    task = parse_task(document)
    platforms = candidate_platforms(task, CATALOG)[:3]
    return [estimate(task, CATALOG, platforms) for estimate in ESTIMATORS]


@settings(max_examples=150, deadline=None)
@given(st.sets(st.sampled_from(PATHS)), st.booleans(), st.booleans())
def test_any_subset_of_fields_gets_an_answer(missing, without_method, without_strategy):
    document = copy.deepcopy(COMPLETE)
    for part, name in missing:
        del document[part][name]
    if without_method:
        del document["method"]
    if without_strategy:
        del document["strategy"]
    sized = document["model"].keys() & {"params_billion", "layers", "hidden"}
    for output in answers(document):
        assert output["status"] == ("insufficient" if not sized else output["status"])
        assert bool(sized) or not output["platforms"]
        assert json.loads(json.dumps(output)) == output


@pytest.mark.parametrize(
    ("document", "status"),
    [
        ({}, "insufficient"),
        ({"model": {"kind": "decoder"}}, "insufficient"),
        ({"strategy": "from-scratch", "model": {"params_billion": 7}}, "magnitude"),
        ({"model": {"kind": "vision", "params_billion": 0.03}}, "magnitude"),
        ({"model": {"name": "llama-3-8b"}}, "ok"),
        ({"model": {"layers": 12, "hidden": 768}}, "ok"),
        ({"model": {"name": "resnet50"}}, "ok"),
        ({"model": {"name": "sdxl"}}, "ok"),
        ({"model": {"name": "t5-base"}}, "ok"),
        ({"model": {"name": "deepseek-v3"}}, "ok"),
    ],
)
def test_the_status_says_how_much_is_known(document, status):
    placed = {**document, "placement": {"accelerator": "H200-SXM-141", "gpus": 8}}
    for output in answers(placed):
        assert output["status"] == status


def test_without_a_size_the_missing_fields_are_named():
    memory = answers({"placement": {"accelerator": "L40S"}})[0]
    assert memory["missing"] == [
        "model.name",
        "model.params_billion",
        "model.layers",
        "model.hidden",
    ]
    assert [q["field"] for q in memory["open_questions"]] == memory["missing"]
    assert memory["platforms"] == {}


def test_every_hole_that_matters_becomes_a_question_with_its_influence():
    memory, _, time = answers(
        {
            "model": {"name": "llama-3-8b"},
            "strategy": "finetune",
            "placement": {"accelerator": "A100-SXM4-80", "gpus": 8},
        }
    )
    asked = {q["field"]: q["influence"] for q in memory["open_questions"]}
    for field in ("method", "recipe.sequence_length", "recipe.activation_checkpointing"):
        assert asked[field] > 0.02
    influences = [q["influence"] for q in memory["open_questions"]]
    assert influences == sorted(influences, reverse=True)
    assert "recipe.packing" in {q["field"] for q in time["open_questions"]}


def test_a_complete_task_leaves_nothing_to_ask():
    for output in answers(COMPLETE):
        assert output["open_questions"] == []


def test_a_network_nobody_named_is_asked_about():
    document = {
        "model": {"name": "llama-3-70b"},
        "placement": {"accelerator": "H100-SXM5-80", "gpus": 16, "nodes": 2},
    }
    interconnect = answers(document)[1]
    assert "placement.inter_node_link" in {q["field"] for q in interconnect["open_questions"]}


def test_measured_software_is_validated_and_names_its_nearest_runs():
    document = copy.deepcopy(COMPLETE)
    document["model"] = {"name": "llama-3-8b"}
    document["placement"]["accelerator"] = "A100-SXM4-80"
    evidence = answers(document)[0]["evidence"]
    assert evidence["validated"] is True
    assert evidence["gaps"] == []
    assert len(evidence["nearest"]) == 3
    assert {"FMSACC"} == {run["id"].split("-")[0] for run in evidence["nearest"]}


def test_what_nobody_measured_is_said():
    document = copy.deepcopy(COMPLETE)
    document["recipe"]["optimizer"] = "adamw-8bit"
    document["placement"] |= {"accelerator": "RTX-4090", "gpus": 2, "shard_degree": 2}
    evidence = answers(document)[0]["evidence"]
    assert evidence["validated"] is False
    reasons = {gap["key"] for gap in evidence["gaps"]}
    assert {"evidence.gap.card", "evidence.gap.optimizer", "evidence.gap.pcie-exchange"} <= reasons
