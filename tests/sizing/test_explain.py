"""Every printed formula gives the engine's figure from its own printed inputs."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.calibration_reader import EVIDENCE
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.explain.explanation import Explanation, explain
from apps.sizing.explain.expressions import evaluate, symbols_in
from apps.sizing.explain.leaves import Leaves
from apps.sizing.explain.recorded_site import unit_of_constant
from apps.sizing.explain.tracing import Traced, Tracer
from apps.sizing.facts import Catalog
from apps.sizing.measured import MeasuredRun, measured_catalog
from apps.sizing.platform import Platform
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task
from tests.sizing.engine import CATALOG, GIB, task_of

SAME = 1e-6
SITE = {"kw_usable": 5.0, "feeds": 2, "rack_units": 20}
CYCLE = {"target_hours": 72.0, "scope": "run"}
DATA = {"bytes": 2e11, "kind": "text", "tokens": 1e9}
# Line -> the figure of the result that it explains, and the factor between their units.
FIGURES = (
    ("allocated", "memory.allocated_gib.typical", GIB),
    ("reserved", "memory.reserved_gib.typical", GIB),
    ("device", "memory.device_gib.typical", GIB),
    ("step", "time.step_s.typical", 1),
    ("tokens_per_s", "time.tokens_per_s_per_gpu.typical", 1),
    ("samples_per_s", "time.samples_per_s.typical", 1),
    ("mfu", "time.mfu", 1),
    ("steps", "time.cycle.steps", 1),
    ("hours", "time.cycle.hours.typical", 1),
    ("hours.saves", "time.cycle.parts_hours.saves", 1),
    ("sent.total", "interconnect.bytes_per_step.total", 1),
    ("exchange_alone", "interconnect.time_per_step_s.typical", 1),
    ("exposed", "interconnect.exposed_s.typical", 1),
    ("checkpoint", "storage.checkpoint.full_gb.typical", 1),
    ("volumes_total", "storage.total_gb.typical", 1),
    ("read_rate", "storage.read.gb_per_s.typical", 1),
    ("save_time", "storage.save.save_s.typical", 1),
    ("write_rate", "storage.save.write_gb_per_s.typical", 1),
    ("cores", "host.cores.typical", 1),
    ("ram", "host.ram_gb.typical", 1),
    ("power.peak", "rack.power.node_kw.peak.typical", 1000),
    ("power.average", "rack.power.node_kw.average.typical", 1000),
    ("power.feed", "rack.power.node_kw.feed.typical", 1000),
    ("load", "rack.power.load_kw.typical", 1),
    ("required_feed", "rack.power.required_feed_kw", 1),
    ("btu", "rack.cooling.btu_per_h.typical", 1),
    ("airflow", "rack.cooling.airflow_m3_per_h.typical", 1),
    ("rack_height", "rack.space.rack_units", 1),
    ("rack_mass", "rack.space.rack_kg.typical", 1),
)


@lru_cache(maxsize=1)
def tuning_tasks() -> dict[str, dict[str, Any]]:
    rows = json.loads(EVIDENCE.read_text(encoding="utf-8"))["runs"]
    return {row["id"]: row["task"] for row in rows}


def kind_of(document: Mapping[str, Any]) -> tuple[Any, ...]:
    """What decides which branches of the engine a run takes."""
    recipe, place = document["recipe"], document["placement"]
    named = ("framework", "precision", "quantization", "activation_checkpointing", "offload")
    degrees = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
    return (
        document.get("method"),
        *(recipe.get(name) for name in named),
        place.get("data_parallel"),
        *((place.get(name) or 1) > 1 for name in degrees),
    )


def one_of_each_kind() -> list[str]:
    kinds = {kind_of(document): name for name, document in tuning_tasks().items()}
    return sorted(kinds.values())


def ambiguous(explanation: Explanation) -> set[str]:
    """Symbols that stand for two things."""
    lines = [line.symbol for line in explanation.lines]
    found = Counter([*lines, *(leaf.symbol for leaf in explanation.inputs.values())])
    return {symbol for symbol, count in found.items() if symbol and count > 1}


def problems(explanation: Explanation) -> Iterator[str]:
    """Lines whose formula does not give their value, or uses what is not printed before it."""
    values = {key: float(leaf.value) for key, leaf in explanation.inputs.items()}
    for line in explanation.lines:
        missing = [key for key in symbols_in(line.expression) if key not in values]
        if missing:
            yield f"{line.key} uses {missing} before it is there"
        elif not math.isclose(evaluate(line.expression, values), line.value, rel_tol=SAME):
            yield f"{line.key}: {line.expression} is not {line.value}"
        values[line.key] = line.value


def figure_at(block: Any, path: str) -> Any:
    for name in path.split("."):
        block = block.get(name) if isinstance(block, Mapping) else None
    return block


def differences(
    explanation: Explanation, task: Task, catalog: Catalog, platform: Platform
) -> Iterator[str]:
    """Figures of the result that their line does not come to."""
    outputs = estimate_all(task, catalog, (platform,))
    blocks = {key: out["platforms"].get(platform.key) for key, out in outputs.items() if out}
    lines = {line.key: line.value for line in explanation.lines}
    for key, path, factor in FIGURES:
        figure = figure_at(blocks, path)
        value = lines.get(f"{key}_after_runs", lines.get(key, 0.0))
        if figure is not None and not math.isclose(value, figure * factor, rel_tol=SAME):
            yield f"{key}: {value} is not {figure * factor}"


def check(task: Task) -> Explanation:
    platform = candidate_platforms(task, CATALOG)[0]
    explanation = explain(task, CATALOG, platform)
    assert not list(problems(explanation))
    assert not list(differences(explanation, task, CATALOG, platform))
    assert not ambiguous(explanation)
    return explanation


def test_a_power_of_nothing_and_a_number_with_a_meaning_of_its_own() -> None:
    tracer = Tracer()
    ratio = tracer.quantity("ratio", 0.55)
    assert ratio**0.0 == 1.0
    assert not isinstance(ratio**0.0, Traced)
    half = tracer.quantity("half", 0.5)
    with tracer.meaning({0.5: half}):
        assert tracer.node_of(0.5).key == "half"
    assert tracer.node_of(0.5).key == ""


def test_the_numbers_of_a_cycle_have_names() -> None:
    explanation = check(task_of(cycle=CYCLE, data=DATA, site=SITE))
    lines = {line.key: set(symbols_in(line.expression)) for line in explanation.lines}
    assert {"usual.checkpoint_rate", "usual.start"} <= lines["hours.start"]
    assert "usual.evaluation" in lines["hours.evaluation"]
    assert {"usual.interruption", "usual.restart"} <= lines["hours.restarts"]


def test_formulas_of_published_runs_give_the_figures_of_the_engine() -> None:
    for name in one_of_each_kind():
        check(parse_task({"id": name, **tuning_tasks()[name]}))


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "lora", "recipe": {"lora_rank": 16, "optimizer": "adamw-8bit"}},
        {"method": "qlora", "recipe": {"quantization": "nf4", "activation_checkpointing": "full"}},
        {"method": "dora", "recipe": {"modules_to_save": ["lm_head"]}},
        {"method": "freeze", "recipe": {"trainable_params_million": 500}},
        {"recipe": {"stage": "dpo"}},
        {"recipe": {"offload": "optimizer"}},
        {"gpus": 8, "placement": {"data_parallel": "zero3"}, "recipe": {"offload": "params"}},
        {"gpus": 16, "placement": {"nodes": 2, "data_parallel": "hsdp"}},
        {"gpus": 8, "placement": {"tensor_parallel": 2, "pipeline_parallel": 2}},
        {"model": {"name": "mistralai/Mixtral-8x7B-v0.1"}, "gpus": 8},
        {"model": {"kind": "vision", "params_billion": 0.3}, "data": {"kind": "images"}},
        {"model": {"kind": "diffusion", "params_billion": 2.6}},
        {"model": {"kind": "encoder", "params_billion": 0.33}},
        {"model": {"params_billion": 13}},
    ],
    ids=str,
)
def test_formulas_of_other_kinds_of_run_give_the_figures_of_the_engine(
    changes: dict[str, Any],
) -> None:
    given_data = {**DATA, **changes.pop("data", {})}
    check(task_of(**changes, data=given_data, cycle=CYCLE, site=SITE))


def test_formulas_of_every_candidate_of_an_open_task_give_the_figures_of_the_engine() -> None:
    task = parse_task(
        {
            "strategy": "finetune",
            "method": "full",
            "model": {"name": "meta-llama/Llama-3.1-8B"},
            "recipe": {"sequence_length": 8192, "epochs": 1},
            "data": DATA,
            "cycle": CYCLE,
            "site": SITE,
        }
    )
    platforms = candidate_platforms(task, CATALOG)
    for platform in platforms[:: len(platforms) // 6]:
        explanation = explain(task, CATALOG, platform)
        assert not list(problems(explanation))
        assert not list(differences(explanation, task, CATALOG, platform))


def test_the_formula_of_the_weights_is_that_of_the_paper() -> None:
    """Mixed precision over FSDP: parameters × bytes ÷ GPUs (ZeRO, arXiv 1910.02054)."""
    task = task_of(gpus=8, placement={"data_parallel": "fsdp"}, recipe={"precision": "bf16-mixed"})
    lines = {line.key: line for line in check(task).lines}
    assert lines["weights"].expression == [
        "÷",
        ["×", ["$", "params"], ["$", "weight_bytes"]],
        ["$", "shard"],
    ]
    assert lines["allocated"].expression == [
        "max",
        ["$", "phase.loss"],
        ["$", "phase.backward"],
        ["$", "phase.step"],
    ]


def test_every_line_stays_short_and_every_input_says_where_it_is_from() -> None:
    explanation = check(task_of(gpus=8, data=DATA, cycle=CYCLE, site=SITE))
    assert {line.part for line in explanation.lines} == {
        *("memory", "interconnect", "time", "storage", "host", "rack")
    }
    longest = max(len(list(symbols_in(line.expression))) for line in explanation.lines)
    assert longest <= 14
    inputs = explanation.inputs
    assert inputs["sequence"].origin == "task"
    assert inputs["sequence"].reference == "recipe.sequence_length"
    assert inputs["hidden"].origin == "catalog"
    assert inputs["memory_tb_per_s"].reference == "A100-SXM4-80:memory_tb_per_s"
    assert inputs["k.memory.bandwidth_ratio"].reference == "constants/memory.bandwidth_ratio"
    assert inputs["storage.fill_share"].low == CATALOG.constants["storage.fill_share"].low


def test_a_value_that_nobody_stated_is_an_assumption() -> None:
    task = task_of(recipe={"sequence_length": None, "micro_batch": None})
    inputs = explain(task, CATALOG, candidate_platforms(task, CATALOG)[0]).inputs
    assert inputs["sequence"].origin == "assumed"


def test_what_the_clients_own_runs_move_is_a_factor_measured_by_them() -> None:
    task = task_of(cycle=CYCLE, data=DATA)
    platform = candidate_platforms(task, CATALOG)[0]
    lines = {line.key: line.value for line in explain(task, CATALOG, platform).lines}
    run = MeasuredRun(
        accelerator="A100-SXM4-80",
        gpus=1,
        allocated_gib=lines["allocated"] / GIB * 1.03,
        step_s=lines["step"] * 1.1,
    )
    catalog = measured_catalog(CATALOG, task, [run])
    explanation = explain(task, catalog, platform)
    assert not list(problems(explanation))
    assert not list(differences(explanation, task, catalog, platform))
    assert explanation.inputs["measured_step"].origin == "pilot"
    assert explanation.inputs["measured_device"].value > 1


def test_without_a_model_size_there_is_no_training_to_explain() -> None:
    task = task_of(model={"kind": "decoder"}, data=DATA, site=SITE)
    explanation = explain(task, CATALOG, candidate_platforms(task, CATALOG)[0])
    assert {line.part for line in explanation.lines} <= {"storage", "host", "rack"}


def test_an_explanation_is_plain_json() -> None:
    task = task_of(gpus=2)
    document = explain(task, CATALOG, candidate_platforms(task, CATALOG)[0]).as_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document


@given(
    st.lists(
        st.tuples(st.sampled_from("+-*/"), st.floats(0.1, 1e9), st.booleans()),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=50)
def test_recorded_arithmetic_is_plain_arithmetic(steps: list[tuple[str, float, bool]]) -> None:
    """Whatever is done with recorded numbers: the same value, and a formula that gives it."""
    leaves = Leaves()
    names = iter(("params", "layers", "hidden", "heads", "vocab", "query", "ffn", "head_dim"))
    plain, recorded, values = 3.0, leaves.tracer.quantity("micro_batch", 3.0), {"micro_batch": 3.0}
    for sign, number, named in steps:
        other: float = number
        key = next(names, None) if named else None
        if key:
            other, values[key] = leaves.tracer.quantity(key, number), number
        plain, recorded = _done(sign, plain, number), _done(sign, recorded, other)
    assert math.isclose(plain, recorded, rel_tol=1e-9, abs_tol=1e-9)
    node = leaves.tracer.node_of(recorded)
    assert math.isclose(_value(node, values), plain, rel_tol=1e-6, abs_tol=1e-3)


def _done(sign: str, left: float, right: float) -> float:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    return left * right if sign == "*" else left / right


def _value(node: Any, values: Mapping[str, float]) -> float:
    def told(part: Any) -> Any:
        if not part.operation:
            return ["$", part.key]
        if part.operation == "number":
            return part.value
        return [part.operation, *map(told, part.arguments)]

    return evaluate(told(node), values)


def test_neutral_numbers_and_units_are_not_written() -> None:
    tracer = Tracer()
    size = tracer.quantity("data.bytes", 5e9, "bytes")
    assert tracer.node_of(size * 1 / 1 + 0).key == "data.bytes"
    assert not isinstance(size * 0, Traced)
    in_gb = size / 1e9
    assert float(in_gb) == 5
    assert tracer.node_of(in_gb).operation == "unit"
    assert tracer.node_of(in_gb * 1e9 / size) is tracer.node_of(1.0)


def test_cores_kept_for_the_system_are_no_memory() -> None:
    assert unit_of_constant("host.os_reserved_cores") == ""
    assert unit_of_constant("host.os_reserve") == "gb"
