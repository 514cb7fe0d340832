"""Pasted settings fill the fields; what else they say is shown, and nothing corrected is undone."""

import pytest
from django.http import QueryDict
from django.test import Client

from apps.tryout.pasted import with_settings
from apps.tryout.recipe import Typed, task_document, typed_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_stack]
AXOLOTL = """
base_model: meta-llama/Llama-3.1-8B
load_in_4bit: true
adapter: qlora
lora_r: 32
lora_target_linear: true
sequence_len: 4096
micro_batch_size: 2
optimizer: adamw_torch_fused
bf16: true
gradient_checkpointing: true
wandb_project: secret-project
"""
ZERO2 = """accelerate launch --num_processes 4 --use_deepspeed --zero_stage 2 train.py \
--model_name_or_path Qwen/Qwen2.5-7B --per_device_train_batch_size 1 --max_seq_length 2048"""


def paste(text: str, **fields: str) -> str:
    response = Client(headers={"accept-language": "en"}).post("/try/", {**fields, "settings": text})
    assert response.status_code == 200
    return response.content.decode()


def test_the_settings_fill_the_fields_and_are_calculated_at_once():
    html = paste(AXOLOTL)
    assert "The settings filled in 5 fields" in html
    assert 'value="meta-llama/Llama-3.1-8B"' in html
    assert "One GPU is enough" in html
    assert "Rank of the adapters" in html
    assert "wandb_project" in html  # named as not used
    assert "axolotl_yaml" not in html  # a code of ours
    assert "secret-project" not in html.split("</textarea>", 1)[1].split("<textarea", 1)[0]


def test_what_the_file_states_counts_and_defaults_do_not():
    typed, pasted = with_settings(Typed(), AXOLOTL)
    document = task_document(typed)
    assert document["recipe"]["lora_rank"] == 32
    assert document["recipe"]["framework"] == "axolotl"
    offered = {row.label for row in pasted.rows if row.origin == "default"}
    assert "Epochs" in offered
    assert document["recipe"].get("epochs") is None


def test_the_layout_of_a_launcher_travels_with_the_address():
    typed, _pasted = with_settings(Typed(), ZERO2)
    assert typed.text("gpus") == "4"
    again = typed_of(QueryDict(typed.query()))
    assert task_document(again) == task_document(typed)
    assert again.answers == typed.answers


def test_a_corrected_field_stays_corrected():
    first, _pasted = with_settings(Typed(), AXOLOTL)
    sent = dict(first.pairs()) | {"sequence_length": "1024", "micro_batch": ""}
    body = QueryDict(mutable=True)
    body.update(sent)
    second, _pasted = with_settings(typed_of(body), AXOLOTL)
    assert second.text("sequence_length") == "1024"
    assert second.text("micro_batch") == ""
    assert second.answers["sequence_length"].provenance == "client"
    assert second.answers["method"].provenance == "file"
    assert "micro_batch" not in second.answers or second.answers["micro_batch"].blank


def test_other_settings_replace_what_stood_there():
    first, _pasted = with_settings(Typed(typed={"sequence_length": "512"}), AXOLOTL)
    assert first.text("sequence_length") == "4096"
    other, _pasted = with_settings(first, AXOLOTL.replace("4096", "8192"))
    assert other.text("sequence_length") == "8192"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("just some words", "does not look like"),
        ("a: [1, 2", "cannot be read"),
        ("x" * 300_000, ""),
    ],
    ids=["words", "broken", "long"],
)
def test_what_cannot_be_read_is_refused_beside_the_text(text, says):
    html = paste(text, model_name="8B")
    assert 'id="settings-error"' in html
    assert 'href="#settings"' in html
    assert "One GPU is enough" in html  # the fields are still calculated
