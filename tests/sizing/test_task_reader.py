"""Reading a task document: unknowns pass, impossible values are named."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sizing.errors import TaskError
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task
from apps.sizing.vocabulary import PARTS, TOP, Flag, Names, Number, Text, Words


def error_of(document: object) -> TaskError:
    with pytest.raises(TaskError) as caught:
        parse_task(document)
    return caught.value


def placed(path: str, value: object) -> dict[str, Any]:
    part, _, name = path.rpartition(".")
    return {part: {name: value}} if part else {name: value}


def test_an_empty_document_is_a_task_of_unknowns():
    assert parse_task({}) == Task()


def test_null_means_unknown_everywhere():
    document: dict[str, Any] = dict.fromkeys(TOP)
    document.update({part: dict.fromkeys(fields) for part, fields in PARTS.items()})
    assert parse_task(document) == Task()
    assert parse_task(dict.fromkeys(PARTS)) == Task()


def test_a_placement_that_says_nothing_is_none():
    assert parse_task({"placement": {}}).placement is None
    assert parse_task({"placement": {"gpus": 8}}).placement is not None


def test_fields_the_schema_does_not_have_are_ignored():
    assert parse_task({"colour": "red", "model": {"mascot": 7}, "recipe": {"x": {}}}) == Task()


def test_another_schema_is_refused():
    assert error_of({"schema": "podbor.task/2"}).code == "bad-schema"
    assert parse_task({"schema": "podbor.task/1"}) == Task()


@pytest.mark.parametrize("document", [[], "text", 7, None, True])
def test_what_is_not_an_object_is_not_a_task(document):
    assert error_of(document).code == "bad-document"


@pytest.mark.parametrize("part", sorted(PARTS))
@pytest.mark.parametrize("value", [[], "text", 7, True])
def test_a_part_that_is_not_an_object_is_named(part, value):
    error = error_of({part: value})
    assert (error.code, error.field) == ("wrong-type", part)


IMPOSSIBLE = [
    ("model.params_billion", -1),
    ("model.params_billion", 0),
    ("model.params_billion", math.nan),
    ("model.params_billion", math.inf),
    ("model.params_billion", -math.inf),
    ("model.params_billion", "7"),
    ("model.params_billion", True),
    ("model.params_billion", [7]),
    ("model.params_billion", 7_000_000_000),
    ("model.layers", 0),
    ("model.layers", 2.5),
    ("model.layers", 10**400),
    ("model.layers", -(10**400)),
    ("model.gated_ffn", 1),
    ("model.gated_ffn", "yes"),
    ("model.name", 7),
    ("model.name", "x" * 201),
    ("recipe.micro_batch", 0),
    ("recipe.micro_batch", -2),
    ("recipe.precision", "bf17"),
    ("recipe.precision", 16),
    ("recipe.optimizer", "magic"),
    ("recipe.quantization", "int3"),
    ("recipe.activation_checkpointing", True),
    ("recipe.lora_targets", 5),
    ("recipe.lora_targets", ["q_proj", 5]),
    ("recipe.lora_targets", ["x" * 500]),
    ("recipe.lora_dropout", 1.5),
    ("recipe.epochs", -3),
    ("data.bytes", -1),
    ("data.files", 1.5),
    ("data.kind", "sound"),
    ("cycle.target_hours", 0),
    ("cycle.hard", "no"),
    ("horizon.growth", 0),
    ("site.phases", 4),
    ("site.kw_usable", -10),
    ("placement.gpus", 0),
    ("placement.gpus", 3.5),
    ("placement.data_parallel", "zero9"),
    ("strategy", "guess"),
    ("method", "prompt"),
    ("id", 7.5),
    ("id", True),
]


@pytest.mark.parametrize(("path", "value"), IMPOSSIBLE)
def test_an_impossible_value_is_an_error_naming_its_field(path, value):
    error = error_of(placed(path, value))
    assert error.field == path
    assert error.message
    assert len(error.message) < 400


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (
            {"model": {"params_billion": 7, "active_params_billion": 8}},
            "model.active_params_billion",
        ),
        ({"model": {"heads": 8, "kv_heads": 16}}, "model.kv_heads"),
        ({"model": {"experts": 8, "experts_per_token": 9}}, "model.experts_per_token"),
        ({"recipe": {"sequence_length": 512, "average_length": 600}}, "recipe.average_length"),
        ({"placement": {"gpus": 4, "nodes": 8}}, "placement.nodes"),
        ({"placement": {"gpus": 4, "shard_degree": 8}}, "placement.shard_degree"),
        (
            {"placement": {"gpus": 8, "tensor_parallel": 4, "pipeline_parallel": 4}},
            "placement.gpus",
        ),
    ],
)
def test_values_that_cannot_stand_together_are_refused(document, field):
    error = error_of(document)
    assert (error.code, error.field) == ("impossible-value", field)


def test_spellings_that_people_use_are_understood():
    task = parse_task(
        {
            "strategy": "scratch",
            "recipe": {
                "precision": "BF16",
                "offload": "optimizer CPU",
                "activation_checkpointing": "yes",
                "attention": "unknown",
                "lora_targets": "All-Linear",
            },
            "placement": {"data_parallel": "fsdp2", "inter_node_link": "  "},
        }
    )
    assert task.strategy == "from-scratch"
    assert task.recipe.precision == "bf16-mixed"
    assert task.recipe.offload == "optimizer"
    assert task.recipe.activation_checkpointing == "full"
    assert task.recipe.attention is None
    assert task.recipe.lora_targets == "all-linear"
    assert task.placement is not None
    assert task.placement.data_parallel == "fsdp"
    assert task.placement.inter_node_link is None


@pytest.mark.parametrize(
    ("field", "said", "meant"),
    [
        ("activation_checkpointing", "selective (op)", "selective"),
        ("activation_checkpointing", "full (unsloth offloaded)", "full"),
        ("activation_checkpointing", "none (8K stage)", "none"),
        ("activation_checkpointing", "every block", "full"),
        ("offload", "none (paged optimizer)", "none"),
        ("offload", "weights on NVMe", "params"),
        ("offload", "checkpoints", "activations"),
        ("offload", "yes", "optimizer"),
    ],
)
def test_remarks_are_read_by_what_they_contain(field, said, meant):
    assert getattr(parse_task({"recipe": {field: said}}).recipe, field) == meant


def test_a_number_may_serve_as_an_id():
    assert parse_task({"id": 7}).id == "7"


def test_a_framework_nobody_heard_of_is_still_a_framework():
    assert parse_task({"recipe": {"framework": "My Trainer"}}).recipe.framework == "my-trainer"


def test_every_word_of_the_vocabulary_is_read_back():
    for prefix, fields in [("", TOP), *((f"{part}.", fields) for part, fields in PARTS.items())]:
        for name, spec in fields.items():
            if isinstance(spec, Words):
                for word in spec.allowed:
                    parse_task(placed(prefix + name, word))


def plausible(spec: object) -> st.SearchStrategy[Any]:
    match spec:
        case Number(low=low, high=high, whole=True):
            return st.integers(int(low), int(min(high, low + 10_000)))
        case Number(low=low, high=high):
            return st.floats(low + 1e-6, min(high, 1e6), allow_nan=False)
        case Words(allowed=allowed):
            return st.sampled_from(sorted(allowed))
        case Flag():
            return st.booleans()
        case Text():
            return st.text(max_size=20)
        case Names():
            return st.lists(st.text(min_size=1, max_size=8), max_size=3)
    raise AssertionError(spec)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner),
    max_leaves=8,
)


@given(st.data())
def test_whatever_comes_in_is_a_task_or_a_named_error(data):
    part = data.draw(st.sampled_from(sorted(PARTS)))
    name = data.draw(st.sampled_from(sorted(PARTS[part])))
    value = data.draw(anything | plausible(PARTS[part][name]))
    found = None
    try:
        parse_task({part: {name: value}})
    except TaskError as error:
        found = error
    assert found is None or found.field == f"{part}.{name}"
    assert found is None or json.dumps(found.as_dict())
