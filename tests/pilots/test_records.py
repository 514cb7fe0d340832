"""What counts as the same workload, what a record may hold, and what the figures decide."""

import json

import pytest

from apps.core.errors import DomainError
from apps.pilots.judging import (
    added_s,
    compared,
    criteria_of,
    hours_on,
    reserve_s,
    run_hours,
    same_place,
    scaling_of,
)
from apps.pilots.records import SCHEMA, as_workload, missing, quality_delta, read_file
from apps.pilots.table import fields_of
from apps.pilots.workload import RECORD, differences, fingerprint, record_sha256

FACTS = {
    "variant": "V1",
    "place": {
        "server": "SYS-521GE-TNRT",
        "rented": False,
        "accelerator": "H100-NVL-94",
        "gpus": 4,
        "nodes": 1,
        "layout": "fsdp",
        "scheme": "fsdp-4",
    },
    "workload": {
        "model": "Llama-3.1-8B",
        "dataset": {"kind": "text", "bytes": 2e9, "tokens": None, "samples": None},
        "parameters": {
            "method": "lora",
            "stage": "sft",
            "precision": "bf16-mixed",
            "quantization": "none",
            "optimizer": "adamw",
            "sequence_length": 2048,
            "image_size": None,
            "micro_batch": 2,
            "grad_accumulation": 8,
            "activation_checkpointing": "full",
            "lora_rank": 16,
        },
        "steps": {"warmup": 20, "measured": 50},
    },
    "workload_sha256": "0" * 64,
    "shape": {
        "layers": 32,
        "hidden": 4096,
        "heads": 32,
        "kv_heads": 8,
        "head_dim": 128,
        "ffn": 14336,
        "vocab": 128256,
    },
    "templates": ["adapter", "distributed"],
    "keeps_state": True,
    "by_gpus": [
        {
            "gpus": n,
            "global_batch": 16 * n,
            "step_s": {"low": 4.0, "typical": 5.0, "high": 6.0},
            "device_gib": {"low": 20.0, "typical": 25.0, "high": 30.0},
        }
        for n in (1, 2, 4)
    ],
    "estimates": {
        "allocated_gib": {"low": 20.0, "typical": 25.0, "high": 30.0},
        "reserved_gib": None,
        "device_gib": {"low": 20.0, "typical": 25.0, "high": 30.0},
        "step_s": {"low": 4.0, "typical": 5.0, "high": 6.0},
        "samples_per_s": None,
        "data_share": 0.0,
        "exchange_share": None,
        "save_s": None,
        "steps": 7200,
    },
    "wanted": {"target_hours": 12.0, "capacity_gib": 90.0},
}
PLACE = {
    "place.accelerator": "H100 NVL 94GB",
    "place.gpus": 4,
    "place.nodes": 1,
    "place.layout": "fsdp",
}


def workload_values() -> dict[str, object]:
    workload = FACTS["workload"]
    values = {f"parameters.{k}": v for k, v in workload["parameters"].items() if k != "stage"}
    values |= {f"steps.{k}": v for k, v in workload["steps"].items()}
    return {"model": workload["model"]} | {k: v for k, v in values.items() if v is not None}


def read(values: object) -> object:
    return read_file(json.dumps({"schema": SCHEMA, "values": values}).encode(), fields_of(FACTS))


def test_the_protocol_s_own_workload_has_its_fingerprint() -> None:
    record = as_workload(workload_values(), FACTS["workload"])
    assert differences(FACTS["workload"], record) == ()
    assert fingerprint(record) == fingerprint(FACTS["workload"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model", "Qwen3-8B"),
        ("dataset", "another set"),
        ("parameters.sequence_length", 4096),
        ("parameters.micro_batch", 1),
        ("parameters.precision", "fp8-mixed"),
        ("steps.warmup", 5),
        ("steps.measured", 10),
    ],
)
def test_any_difference_of_the_workload_is_named(path: str, value: object) -> None:
    record = as_workload(workload_values() | {path: value}, FACTS["workload"])
    assert differences(FACTS["workload"], record) == (path,)
    assert fingerprint(record) != fingerprint(FACTS["workload"])


@pytest.mark.parametrize("name", RECORD)
def test_the_record_s_hash_changes_with_each_of_its_seven_fields(name: str) -> None:
    record = dict.fromkeys(RECORD, "as it was")
    assert record_sha256(record) != record_sha256(record | {name: "another"})
    assert record_sha256(record) == record_sha256(dict(reversed(record.items())))


def test_what_a_file_may_not_say_is_left_out_and_named() -> None:
    sent = workload_values() | {
        "steps.warmup": 0,
        "memory.allocated_gib": -1,
        "feed.wait_ratio": 2.5,
        "checkpoint.restored": "yes",
        "place.layout": "magic",
        "place.gpus": True,
        "versions.framework": "torch\n\x00 2.8",
        "<script>": "x",
    }
    found = read(sent)
    assert found.values["versions.framework"] == "torch 2.8"
    assert {"steps.warmup", "place.gpus", "place.layout", "<script>"}.isdisjoint(found.values)
    assert len(found.refused) == 6


def test_numbers_that_are_none_are_no_numbers() -> None:
    for word in ("NaN", "Infinity", "-Infinity"):
        text = f'{{"schema": "{SCHEMA}", "values": {{"time.run_s": {word}}}}}'
        with pytest.raises(DomainError):
            read_file(text.encode(), fields_of(FACTS))
    assert "time.run_s" not in read({"time.run_s": 1e308}).values


def test_steps_batch_size_versions_memory_feed_and_checkpoint_are_required() -> None:
    lacking = {field.path for field in missing({}, fields_of(FACTS))}
    assert {
        "steps.warmup",
        "steps.measured",
        "parameters.micro_batch",
        "versions.framework",
        "time.run_s",
        "memory.allocated_gib",
        "feed.samples_per_s",
        "feed.wait_ratio",
        "checkpoint.save_s",
        "checkpoint.restore_s",
        "checkpoint.restored",
        "checkpoint.optimizer_goes_on",
        "stability.utilisation",
        "stability.hours",
        "exchange.share",
        "runs.4.step_s",
    } <= lacking
    assert "runs.1.step_s" not in lacking
    assert not [path for path in lacking if path.startswith("quality.")]


def test_templates_add_their_own_measures() -> None:
    def paths(**changes: object) -> set[str]:
        return {field.path for field in fields_of(FACTS | changes)}

    assert "exchange.share" not in paths(templates=["adapter"])
    assert "exchange.network_gbit_per_s" in paths(templates=["distributed", "network"])
    assert "quality.bf16_result" in paths(templates=["low-precision"])
    assert "checkpoint.optimizer_goes_on" not in paths(keeps_state=False)


def test_speedup_and_efficiency_follow_from_the_steps() -> None:
    values = {"runs.1.step_s": 4.0, "runs.2.step_s": 4.0, "runs.4.step_s": 8.0}
    points = scaling_of(values, [1, 2, 4])
    assert [(p.speedup, p.efficiency) for p in points] == [(1, 1), (2, 1), (2, 0.5)]
    assert scaling_of({"runs.4.step_s": 8.0}, [1, 2, 4]) == ()


def test_the_error_stands_beside_the_range_of_the_same_place_only() -> None:
    values = PLACE | {"runs.4.step_s": 7.5, "memory.allocated_gib": 25.0}
    step, memory = compared(FACTS, values)
    assert step.error == pytest.approx(0.5)
    assert (step.inside, memory.inside) == (False, True)
    assert same_place(FACTS["place"], PLACE)
    for name, other in (("gpus", 8), ("accelerator", "H100 SXM5 80GB"), ("layout", "ddp")):
        elsewhere = values | {f"place.{name}": other}
        assert not same_place(FACTS["place"], elsewhere)
        assert all(pair.error is None for pair in compared(FACTS, elsewhere))


def test_hours_are_the_steps_and_what_is_added_to_them() -> None:
    values = PLACE | {"runs.4.step_s": 5.0}
    assert run_hours(FACTS, values) == pytest.approx(7200 * 5 / 3600)
    extra = {
        "added.loading_s": 100.0,
        "added.validation_s": 60.0,
        "added.validations": 10,
        "checkpoint.save_s": 30.0,
        "added.saves": 20,
        "added.retries_ratio": 0.01,
    }
    assert added_s(extra, 36_000, {}) == {
        "loading": 100.0,
        "validation": 600.0,
        "saving": 600.0,
        "retries": 360.0,
    }
    assert run_hours(FACTS, values | extra) == pytest.approx((36_000 + 1660) / 3600)


def test_what_nobody_counted_is_held_in_reserve_as_calculated() -> None:
    """Typical hours of the calculation: validation and restarts grow with the steps."""
    parts = {"steps": 5.0, "start": 0.1, "evaluation": 0.15, "saves": 0.2, "restarts": 0.05}
    facts = FACTS | {"estimates": FACTS["estimates"] | {"parts_hours": parts}}
    values = PLACE | {"runs.4.step_s": 5.0}  # ten hours of steps, twice as many as calculated
    assert run_hours(facts, values) == pytest.approx(10 + 0.1 + 2 * 0.15 + 0.2 + 2 * 0.05)
    assert reserve_s(facts, values) == pytest.approx(0.7 * 3600)
    counted = values | {"added.validation_s": 60.0, "added.validations": 0, "added.loading_s": 0.0}
    assert reserve_s(facts, counted) == pytest.approx(0.3 * 3600)
    assert reserve_s(facts, PLACE) == 0


def test_fewer_gpus_take_the_same_samples_in_smaller_batches() -> None:
    values = PLACE | {"runs.4.step_s": 5.0, "runs.1.step_s": 4.0}
    one, _two, four = FACTS["by_gpus"]
    assert hours_on(FACTS, values, four) == run_hours(FACTS, values) == pytest.approx(10)
    assert hours_on(FACTS, values, one) == pytest.approx(4 * 7200 * 4 / 3600)
    assert hours_on(FACTS, PLACE, one) is None


def test_going_on_needs_every_condition_and_quality_first() -> None:
    good = PLACE | {
        "runs.1.step_s": 5.0,
        "runs.4.step_s": 5.0,
        "memory.device_gib": 40.0,
        "feed.wait_ratio": 0.02,
        "checkpoint.restored": True,
        "checkpoint.step_goes_on": True,
        "checkpoint.optimizer_goes_on": True,
        "stability.losses_finite": True,
        "stability.no_throttling": True,
    }

    def met(quality: float | None = 0.1, **changes: object) -> dict[str, bool | None]:
        values = good | {k.replace("__", "."): v for k, v in changes.items()}
        return {c.key: c.met for c in criteria_of(FACTS, values, quality)}

    assert set(met().values()) == {True}
    assert next(iter(met())) == "quality"
    assert met(quality=None)["quality"] is None
    assert met(quality=0.0)["quality"] is False
    assert met(memory__device_gib=82.0)["memory"] is False
    assert met(feed__wait_ratio=0.3)["feed"] is False
    assert met(checkpoint__optimizer_goes_on=False)["restore"] is False
    assert met(runs__4__step_s=7.2)["deadline"] is False
    assert met(runs__4__step_s=7.2)["efficiency"] is False


def test_a_gain_knows_which_way_is_better() -> None:
    said = {"quality.metric": "loss", "quality.baseline": 2.0, "quality.result": 1.5}
    assert quality_delta(said) is None
    assert quality_delta(said | {"quality.better": "lower"}) == 0.5
    assert quality_delta(said | {"quality.better": "higher"}) == -0.5
