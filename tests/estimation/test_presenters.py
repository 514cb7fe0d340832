"""A result document as rows: nothing quoted, nothing left out, in both languages."""

from functools import cache
from typing import Any

import pytest
from django.utils import translation

from apps.catalog.facts import fixture_catalog
from apps.estimation import presenters
from apps.estimation.presenters.cells import PARTS, cell_of
from apps.estimation.wording.parameters import rate_text
from apps.sizing.assemble import assemble
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task

# Kinds of task that make the engine say most of what it can.
TASKS: dict[str, dict[str, Any]] = {
    "full": {
        "method": "full",
        "model": {"name": "Llama-3.1-8B"},
        "recipe": {
            "sequence_length": 8192,
            "micro_batch": 2,
            "epochs": 3,
            "precision": "bf16-mixed",
        },
        "data": {"tokens": 1.2e9, "bytes": 46e9, "kind": "text"},
        "cycle": {"target_hours": 20, "scope": "run", "parallel_runs": 3},
        "horizon": {"use": "3-5y", "sharing": "shared"},
        "site": {"kw_usable": 3.0, "feeds": 2, "rack_units": 6, "cooling": "liquid", "volts": 200},
    },
    "adapters": {
        "method": "qlora",
        "model": {"name": "Qwen2.5-72B"},
        "recipe": {
            "sequence_length": 4096,
            "micro_batch": 1,
            "quantization": "nf4",
            "stage": "dpo",
        },
        "data": {"bytes": 2e11, "location": "nfs"},
    },
    "images": {
        "model": {"kind": "vision", "params_billion": 0.3, "image_size": 1024},
        "recipe": {
            "micro_batch": 16,
            "precision": "fp8-mixed",
            "optimizer": "sgd",
            "framework": "timm",
        },
        "data": {"kind": "images", "files": 5_000_000, "bytes": 3e12, "location": "object"},
        "site": {"kw_usable": 20, "feeds": 1, "cooling": "rear-door"},
    },
    "cluster": {
        "strategy": "from-scratch",
        "model": {"name": "Llama-3.1-70B"},
        "recipe": {"sequence_length": 8192, "micro_batch": 1, "framework": "megatron"},
        "data": {"tokens": 1e12},
        "cycle": {"target_hours": 2000},
    },
    "placed": {
        "method": "full",
        "model": {"name": "Llama-3.1-8B"},
        "recipe": {"sequence_length": 4096, "micro_batch": 4, "framework": "megatron"},
        "placement": {"accelerator": "H100-SXM5-80", "gpus": 16, "nodes": 2, "tensor_parallel": 4},
    },
    "little": {"model": {"name": "something unheard of"}},
}


@cache
def result_of(name: str, failed: tuple[str, ...] = ()) -> dict[str, Any]:
    task, catalog = parse_task({"schema": "podbor.task/1"} | TASKS[name]), fixture_catalog()
    platforms = candidate_platforms(task, catalog)
    outputs = estimate_all(task, catalog, platforms) | dict.fromkeys(failed)
    return assemble(task, catalog, platforms, outputs, {"acquisition": "undecided"})


def everything_said(result: dict[str, Any]) -> list[str]:
    """All texts that the presenters make of a result."""
    said = [presenters.headline(result)]
    said += presenters.assumption_texts(result) + presenters.not_counted_texts(result)
    for variant in presenters.variants_of(result):
        said += [variant.name, variant.hardware, variant.growth, variant.when, variant.link]
        said += [*variant.savings, *variant.risks, *(f.text for f in variant.findings)]
        for part in PARTS:
            cell = variant.cell(part)
            said += [cell.label, cell.text, cell.limit_text, cell.word, cell.reason]
            detail = presenters.detail_of(part, variant.block.get(part), result)
            said += [*detail.sentences, *detail.assumptions]
            said += [text for line in detail.lines for text in (line.label, line.value)]
            said += [row["head"] for table in detail.tables for row in table.rows]
    said += [row.label for row in presenters.question_rows(result)]
    return said


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", TASKS)
def test_everything_is_said_in_words(name, language, caplog):
    """A code or key without words is logged and quoted: there must be none."""
    with translation.override(language):
        said = everything_said(result_of(name))
    assert [record.getMessage() for record in caplog.records] == []
    assert all(isinstance(text, str) for text in said)


@pytest.mark.parametrize("failed", PARTS)
def test_a_failed_estimator_leaves_its_cell_with_a_reason_and_the_rest_whole(failed, caplog):
    result = result_of("full", (failed,))
    for variant in presenters.variants_of(result):
        cell = variant.cell(failed)
        assert cell.missing
        assert cell.reason
        assert cell.value is None
    everything_said(result)
    assert caplog.records == []


def test_every_variant_has_a_cell_for_every_part():
    for variant in presenters.variants_of(result_of("full")):
        assert [cell.key for cell in variant.cells] == list(PARTS)
        for cell in variant.cells:
            assert cell.value or cell.text or cell.reason, cell.key


def test_a_variant_without_a_scheme_has_no_layout_to_show():
    result = result_of("full")
    bare = [variant | {"layout": None} for variant in result["variants"]]
    assert {v.layout for v in presenters.variants_of({**result, "variants": bare})} == {""}


def test_the_recommended_variant_is_the_one_the_result_names():
    result = result_of("full")
    [chosen] = [v for v in presenters.variants_of(result) if v.recommended]
    assert chosen.key == result["recommended"]
    assert not chosen.confirmed  # the engine never confirms a part number


def test_components_stand_in_the_order_of_the_design_and_sum_up():
    variant = presenters.variants_of(result_of("full"))[0]
    detail = presenters.detail_of("memory", variant.block["memory"], result_of("full"))
    table = detail.tables[0]
    heads = [row["head"] for row in table.rows]
    assert heads == ["Weights", "Gradients", "Optimizer", "Activations", "Buffers", "In all"]
    components = variant.block["memory"]["components_gib"]
    typical = variant.block["memory"]["allocated_gib"]["typical"]
    assert sum(components.values()) == pytest.approx(typical, rel=1e-6)


def test_a_deadline_has_words_of_its_own():
    block = {
        "cycle": {
            "hours": {"low": 1, "typical": 2, "high": 3},
            "target_hours": 72,
            "verdict": "fits",
        }
    }
    cell = cell_of("time", block)
    assert (cell.state, cell.word, cell.limit) == ("fits", "in time", 72)


def test_without_a_deadline_nothing_is_judged():
    block = {
        "cycle": {
            "hours": {"low": 1, "typical": 2, "high": 3},
            "target_hours": None,
            "verdict": "unknown",
        }
    }
    assert cell_of("time", block).state == ""


def test_too_little_data_is_said_in_the_headline():
    result = result_of("little")
    assert presenters.variants_of(result) == []
    assert "Not enough data" in presenters.headline(result)
    assert presenters.question_rows(result)


@pytest.mark.parametrize(
    ("gb_per_s", "said"),
    [(0.000532, "532 kB/s"), (0.25, "250 MB/s"), (365.0, "365 GB/s")],
)
def test_a_rate_takes_the_unit_that_suits_it(gb_per_s, said):
    assert rate_text(gb_per_s).replace("\N{NO-BREAK SPACE}", " ") == said


def test_what_a_rented_server_does_not_need_is_not_called_missing():
    rented = {"key": "result.reason.rented", "params": {}}
    assert cell_of("rack", None, rented).needless
    failed = cell_of("rack", None, {"key": "result.reason.nothing-fits", "params": {}})
    assert failed.missing
    assert not failed.needless
