"""How much a client types and clicks who brings a configuration of the training."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.intake.selectors import draft_of
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.requisitions.models import Attachment
from apps.requisitions.workflow import State
from tests.intake.pages import finish_all, section_url, url
from tests.questionnaire.answers import REFERENCE

MOST_FIELDS = 25  # material ones, from an empty draft to «Send»
CONFIGS = {
    "axolotl.yaml": """\
base_model: meta-llama/Llama-3.1-8B
adapter: qlora
load_in_4bit: true
lora_r: 32
lora_target_linear: true
sequence_len: 4096
sample_packing: true
micro_batch_size: 2
gradient_accumulation_steps: 8
num_epochs: 3
optimizer: paged_adamw_8bit
bf16: true
gradient_checkpointing: true
flash_attention: true
""",
    "factory.yaml": """\
model_name_or_path: Qwen/Qwen2.5-7B-Instruct
stage: sft
finetuning_type: full
deepspeed: examples/deepspeed/ds_z3_config.json
template: qwen
cutoff_len: 4096
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
num_train_epochs: 3.0
bf16: true
""",
    "run.sh": """\
deepspeed --num_gpus 8 train.py --model_name_or_path mistralai/Mistral-7B-v0.1 \\
  --use_lora True --lora_r 16 --per_device_train_batch_size 4 --gradient_accumulation_steps 2 \\
  --num_train_epochs 2 --model_max_length 2048 --bf16 True --gradient_checkpointing True
""",
}


def must_be_typed(revision) -> list[str]:
    """Open questions that «I do not know» does not answer."""
    missing = draft_of(revision).evaluated.missing
    return [key for key in missing if not QUESTIONS[key].accepts_unknown]


def take(browser, revision, name) -> None:
    file = SimpleUploadedFile(name, CONFIGS[name].encode())
    browser.post(url("attach", revision), {"file": file})
    attachment = Attachment.objects.get(name=name)
    html = browser.get(url("fill", revision, attachment.pk)).content.decode()
    keys = [part.split('"')[0] for part in html.split('name="take" id="take-')[1:]]
    assert len(keys) > 5
    browser.post(url("fill", revision, attachment.pk), {"take": keys})


def type_in(browser, revision, key) -> None:
    section = SECTION_OF[key]
    page = next(p.key for p in section.pages if key in {q.key for q in p.questions})
    version = draft_of(revision).version(key)
    answer = REFERENCE[key]
    body = {"asked": key, key: answer.value, f"{key}-version": str(version)}
    browser.post(section_url(revision, section.key, page=page), body)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_configuration_leaves_few_fields_to_the_client(browser, draft, name):
    take(browser, draft, name)
    count = 1  # the button that takes what the file states
    while open_keys := must_be_typed(draft):
        type_in(browser, draft, open_keys[0])
        assert open_keys[0] not in must_be_typed(draft)
        count += 1
    sections = {SECTION_OF[key].key for key in draft_of(draft).evaluated.missing}
    for section in sorted(sections):
        pages = {SECTION_OF[k].key: SECTION_OF[k].pages for k in draft_of(draft).evaluated.missing}
        for page in pages.get(section, ()):
            body = {"action": "unknown-rest"}
            browser.post(section_url(draft, section, page=page.key), body)
        count += 1  # «I do not know the rest», once for a section
    assert not draft_of(draft).evaluated.missing
    finish_all(draft)
    assert browser.post(url("submit", draft)).status_code == 302
    draft.refresh_from_db()
    assert draft.state != State.DRAFT
    assert count <= MOST_FIELDS, count
