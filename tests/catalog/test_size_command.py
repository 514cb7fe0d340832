"""`manage.py size`: one task, a batch, and what happens to documents at fault."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest
from django.core.management import CommandError, call_command

from apps.catalog.answers import MOST_CHARACTERS, answer_lines, read_document
from apps.sizing.errors import TaskError

TASK = {
    "schema": "podbor.task/1",
    "id": "one",
    "model": {"name": "llama-3-8b"},
    "method": "qlora",
    "recipe": {
        "framework": "hf-trainer",
        "precision": "bf16-mixed",
        "optimizer": "adamw",
        "sequence_length": 2048,
        "micro_batch": 2,
        "activation_checkpointing": "full",
    },
    "placement": {"accelerator": "A100-SXM4-80", "gpus": 1},
}
YAML = """
id: one
model: {name: llama-3-8b}
method: qlora
recipe:
  framework: hf-trainer
  precision: bf16-mixed
  optimizer: adamw
  activation_checkpointing: full
  sequence_length: 2048
  micro_batch: 2
placement: {accelerator: A100-SXM4-80, gpus: 1}
"""


def size(*args: str, stdin: str = "", monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    output = io.StringIO()
    call_command("size", *args, stdout=output)
    return output.getvalue()


@pytest.mark.parametrize("text", [json.dumps(TASK), YAML])
def test_one_task_from_standard_input_in_json_or_yaml(text, monkeypatch):
    result = json.loads(size("--format", "json", stdin=text, monkeypatch=monkeypatch))
    assert (result["schema"], result["id"], result["status"]) == ("podbor.result/1", "one", "ok")
    for part in ("allocated_gib", "reserved_gib", "device_gib"):
        figure = result["memory"][part]
        assert figure["low"] < figure["typical"] < figure["high"]
    assert result["memory"]["verdict"] == "fits"
    assert result["time"]["step_s"]["typical"] > 0
    assert result["interconnect"]["profile"] == "A"
    assert set(result["memory"]["components_gib"]) == {
        "weights", "gradients", "optimizer", "activations", "buffers",
    }  # fmt: skip


def test_a_task_from_a_file_as_text(tmp_path, monkeypatch):
    path = tmp_path / "task.yaml"
    path.write_text(YAML)
    text = size(str(path), monkeypatch=monkeypatch)
    assert "memory of one GPU" in text
    assert "exchange profile: A" in text


def test_without_a_placement_the_catalog_is_searched(monkeypatch):
    task = {k: v for k, v in TASK.items() if k != "placement"}
    result = json.loads(size("--format", "json", stdin=json.dumps(task), monkeypatch=monkeypatch))
    assert len(result["variants"]) >= 2


def test_a_fault_is_told_with_its_field_and_fails(monkeypatch):
    bad = {**TASK, "recipe": {"micro_batch": -1}}
    with pytest.raises(CommandError, match=r"recipe\.micro_batch: .*more than 0.*impossible-value"):
        size(stdin=json.dumps(bad), monkeypatch=monkeypatch)
    with pytest.raises(CommandError, match="cannot be read"):
        size("/nowhere/task.json", monkeypatch=monkeypatch)


def test_a_batch_answers_line_by_line_and_survives_faults(monkeypatch):
    lines = [
        json.dumps(TASK),
        "{not json",
        json.dumps({**TASK, "id": 7, "recipe": {"precision": "bf17"}}),
        "",
        json.dumps([1, 2]),
        json.dumps({**TASK, "id": "x", "placement": {"accelerator": "X9"}}),
        json.dumps({**TASK, "id": "last"}),
    ]
    text = size("--batch", stdin="\n".join(lines) + "\n", monkeypatch=monkeypatch)
    results = [json.loads(line) for line in text.splitlines()]
    assert [r["id"] for r in results] == ["one", None, 7, None, None, "x", "last"]
    codes = [r.get("error", {}).get("code") for r in results]
    assert codes == [
        None, "bad-json", "unknown-word", "bad-json", "bad-document", "unknown-accelerator", None,
    ]  # fmt: skip
    assert results[2]["error"]["field"] == "recipe.precision"


def test_a_line_that_breaks_the_engine_does_not_stop_the_batch(monkeypatch):
    def broken(document: object) -> dict[str, object]:
        raise ZeroDivisionError

    monkeypatch.setattr("apps.catalog.answers.answer", broken)
    (result,) = answer_lines([json.dumps(TASK)])
    assert result["id"] == "one"
    assert result["error"]["code"] == "internal-error"


@pytest.mark.parametrize(
    "text",
    [
        "!!python/object/apply:os.system ['true']",
        "a: &a [1]\n" + "\n".join(f"b{i}: *a" for i in range(60)),
        "key: [unclosed",
        "x" * (MOST_CHARACTERS + 1),
        "[" * 100_000,
    ],
)
def test_hostile_documents_are_refused(text):
    with pytest.raises(TaskError) as caught:
        read_document(text)
    assert caught.value.code in ("bad-document", "too-large")
    assert len(caught.value.message) < 400


def test_an_order_of_magnitude_is_printed_as_the_pages_show_it(monkeypatch):
    rough = {
        "strategy": "from-scratch",
        "model": {"params_billion": 70, "kind": "decoder"},
        "recipe": {"stage": "pretrain", "precision": "bf16-mixed", "sequence_length": 4096},
        "placement": {"accelerator": "H100-SXM5-80", "gpus": 64},
    }
    text = size(stdin=json.dumps(rough), monkeypatch=monkeypatch)
    assert text.startswith("status: magnitude")
    (step,) = re.findall(r"step: (\S+) \((\S+)\.\.(\S+)\) s", text)
    assert all(len(figure.replace(".", "").strip("0")) <= 2 for figure in step)


def test_a_result_without_figures_says_why(monkeypatch):
    text = size(stdin='{"model": {"kind": "decoder"}}', monkeypatch=monkeypatch)
    assert text.startswith("status: insufficient")
    assert re.search(r"^why: \w.+\.$", text, re.MULTILINE)
    assert "why" not in size(stdin=json.dumps(TASK), monkeypatch=monkeypatch)


@pytest.mark.parametrize("flags", [(), ("--batch",), ("--explain", "--format", "json")])
def test_a_language_is_refused_where_it_would_change_nothing(flags, monkeypatch):
    with pytest.raises(CommandError, match="--language is for the text of --explain"):
        size(*flags, "--language", "ru", stdin=json.dumps(TASK), monkeypatch=monkeypatch)


def test_no_database_is_touched(monkeypatch, django_db_blocker):
    with django_db_blocker.block():
        assert size("--batch", stdin=json.dumps(TASK), monkeypatch=monkeypatch)


def test_a_placed_task_is_explained_as_text_and_as_json(monkeypatch):
    text = size("--explain", stdin=json.dumps(TASK), monkeypatch=monkeypatch)
    assert "\n  Weights\n    W = " in text
    assert "WHAT STANDS IN THE FORMULAS" in text
    document = json.loads(
        size("--explain", "--format", "json", stdin=json.dumps(TASK), monkeypatch=monkeypatch)
    )
    assert document["schema"] == "podbor.explanation/1"


def test_a_task_without_a_placement_has_no_figures_to_explain(monkeypatch):
    task = {k: v for k, v in TASK.items() if k != "placement"}
    with pytest.raises(CommandError, match="placement"):
        size("--explain", stdin=json.dumps(task), monkeypatch=monkeypatch)
