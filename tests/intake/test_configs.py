"""A configuration of the training answers the questions it can, and nothing behind one's back."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.requisitions.models import Attachment
from tests.factories import make_client, make_draft
from tests.intake.pages import section_url, stored, url

AXOLOTL = """\
base_model: meta-llama/Llama-3.1-8B
adapter: lora
lora_r: 32
lora_alpha: 64
lora_target_modules: [q_proj, v_proj]
sequence_len: 4096
sample_packing: true
micro_batch_size: 2
gradient_accumulation_steps: 8
num_epochs: 3
optimizer: adamw_torch_fused
bf16: true
gradient_checkpointing: true
flash_attention: true
my_own_key: 7
"""


def page(browser, address) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def attached(browser, draft) -> Attachment:
    file = SimpleUploadedFile("train.yaml", AXOLOTL.encode())
    browser.post(url("attach", draft), {"file": file})
    return Attachment.objects.get()


def take_all(browser, draft, attached) -> None:
    html = page(browser, url("fill", draft, attached.pk))
    keys = [p.split('"')[0] for p in html.split('name="take" id="take-')[1:]]
    browser.post(url("fill", draft, attached.pk), {"take": keys})


def test_what_the_file_states_is_shown_before_anything_is_filled_in(browser, draft, attached):
    html = page(browser, url("fill", draft, attached.pk))
    assert "recognised as Axolotl" in html
    assert "4,096\u00a0tokens" in html
    assert "my_own_key" in html
    assert stored(draft) == {}


def test_what_is_ticked_is_taken_and_names_its_file(browser, draft, attached):
    take_all(browser, draft, attached)
    answers = stored(draft)
    assert answers["sequence_length"] == "4096"
    assert answers["method"] == "lora"
    assert answers["lora_targets"] == "qv"
    answer = draft.answers.get(key="sequence_length")
    assert (answer.provenance, answer.note) == ("file", "train.yaml")
    html = page(browser, section_url(draft, "recipe", page="batch"))
    assert "from the file" in html
    assert 'value="4096"' in html


def test_a_typed_answer_is_not_replaced_unless_it_is_ticked(browser, draft, attached):
    browser.post(section_url(draft, "recipe"), {"sequence_length": "8192"})
    html = page(browser, url("fill", draft, attached.pk))
    assert 'id="take-sequence_length" value="sequence_length">' in html
    assert 'id="take-micro_batch" value="micro_batch" checked>' in html
    browser.post(url("fill", draft, attached.pk), {"take": ["micro_batch"]})
    assert stored(draft)["sequence_length"] == "8192"
    assert stored(draft)["micro_batch"] == "2"


def test_an_answer_given_meanwhile_is_not_overwritten(browser, draft, attached):
    browser.post(section_url(draft, "recipe"), {"micro_batch": "16"})
    form = {"take": ["micro_batch"], "micro_batch-version": "0"}
    browser.post(url("fill", draft, attached.pk), form)
    assert stored(draft)["micro_batch"] == "16"
    assert "this was not taken" in page(browser, url("hub", draft))


def test_a_default_of_the_framework_is_offered_and_never_filled_in(browser, draft, attached):
    take_all(browser, draft, attached)
    offered = {"default", "guess"}
    assert not draft.answers.filter(provenance__in=offered).exists()
    html = "".join(
        page(browser, section_url(draft, "recipe", page=p)) for p in ("software", "batch", "course")
    )
    assert "The file does not say; then Axolotl does this." in html


def test_pasted_settings_are_kept_as_a_file_and_read(browser, draft):
    response = browser.post(url("paste", draft), {"text": AXOLOTL})
    attachment = Attachment.objects.get()
    assert response["Location"] == url("fill", draft, attachment.pk)
    assert "4,096\u00a0tokens" in page(browser, response["Location"])
    assert browser.get(url("attachment", draft, attachment.pk)).content == AXOLOTL.strip().encode()


def test_nothing_pasted_is_said_so(browser, draft):
    assert browser.post(url("paste", draft), {"text": "  "})["Location"] == url("files", draft)
    assert "Paste the settings first" in page(browser, url("files", draft))


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\xff\xfe binary",
        b"just some words",
        b"a: &a [*a]\n",
        b"!!python/object/apply:os.system ['id']",
        b"[" * 5000,
        b"sequence_len: 1e999\nbase_model: '<script>alert(1)</script>'\nadapter: lora\n",
        b"{}",
    ],
    ids=ascii,
)
def test_a_file_that_is_no_configuration_says_why_and_breaks_nothing(browser, draft, content):
    browser.post(url("attach", draft), {"file": SimpleUploadedFile("x.yaml", content)})
    attachment = Attachment.objects.get()
    response = browser.get(url("fill", draft, attachment.pk), follow=True)
    assert response.status_code == 200
    assert b"<script>alert(1)" not in response.content
    assert stored(draft) == {}


def test_only_what_the_file_states_is_written_whatever_is_ticked(browser, draft, attached):
    browser.post(url("fill", draft, attached.pk), {"take": ["business_task", "state", "lora_rank"]})
    assert set(stored(draft)) == {"lora_rank"}


def test_a_file_of_another_requisition_or_company_is_not_read(browser, owner, draft, attached):
    other = make_draft(owner)
    assert browser.get(url("fill", other, attached.pk)).status_code == 404
    assert browser.post(url("fill", other, attached.pk), {"take": ["lora_rank"]}).status_code == 404
    stranger = Client()
    stranger.force_login(make_client())
    assert stranger.get(url("fill", draft, attached.pk)).status_code == 404
    assert stranger.post(url("paste", draft), {"text": "a: 1"}).status_code == 404
    assert Attachment.objects.count() == 1


DEEPSPEED = b'{"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}}'
WITH_REFERENCE = AXOLOTL + "deepspeed: conf/zero2.json\n"


def attach(browser, draft, name, content) -> Attachment:
    browser.post(url("attach", draft), {"file": SimpleUploadedFile(name, content)})
    return Attachment.objects.get(name=name)


def test_what_is_not_stated_is_shown_with_its_origin(browser, draft, attached):
    html = page(browser, url("fill", draft, attached.pk))
    assert "the framework's default" in html
    assert "The file does not say" in html


def test_files_that_complete_each_other_are_read_together(browser, draft):
    trainer = attach(browser, draft, "train.yaml", WITH_REFERENCE.encode())
    alone = page(browser, url("fill", draft, trainer.pk))
    assert "zero2.json" in alone
    assert "train.yaml, zero2.json" not in alone
    launcher = attach(browser, draft, "zero2.json", DEEPSPEED)
    for chosen, names in (
        (trainer, "train.yaml, zero2.json"),
        (launcher, "zero2.json, train.yaml"),
    ):
        html = page(browser, url("fill", draft, chosen.pk))
        assert names in html
        assert "It refers to the file" not in html
    take_all(browser, draft, launcher)
    notes = dict(draft.answers.values_list("key", "note"))
    assert notes["sequence_length"] == "train.yaml"
    assert notes["offload"] == "zero2.json"


def test_sections_that_wait_for_the_goal_say_what_is_kept_in_them(browser, draft, attached):
    take_all(browser, draft, attached)
    draft.answers.filter(key="purpose").delete()
    assert re.search(
        r"First state the goal; \d+ answers are kept here", page(browser, url("hub", draft))
    )


def test_what_was_taken_is_put_back(browser, draft, attached):
    browser.post(section_url(draft, "recipe", page="batch"), {"sequence_length": "512"})
    before = stored(draft)
    html = page(browser, url("fill", draft, attached.pk))
    assert "differs: tick to take the file" in html
    keys = [p.split('"')[0] for p in html.split('name="take" id="take-')[1:]]
    browser.post(url("fill", draft, attached.pk), {"take": keys})
    assert stored(draft)["sequence_length"] == "4096"
    assert "Put back what was there" in page(browser, url("hub", draft))
    browser.post(url("put-back", draft))
    assert {k: v for k, v in stored(draft).items() if v} == before
    assert "Put back what was there" not in page(browser, url("hub", draft))
    browser.post(url("put-back", draft))
    assert "There is nothing to undo any more" in page(browser, url("hub", draft))


def test_a_later_answer_is_left_alone_by_the_way_back(browser, draft, attached):
    take_all(browser, draft, attached)
    answer = draft.answers.get(key="lora_rank")
    draft.answers.filter(pk=answer.pk).update(value="99", version=answer.version + 1)
    browser.post(url("put-back", draft))
    assert stored(draft)["lora_rank"] == "99"
    assert "changed meanwhile" in page(browser, url("hub", draft))


def test_keys_and_passwords_are_not_kept(browser, draft):
    secret = "opensesame1234"
    attach(browser, draft, "run.yaml", (AXOLOTL + f"hub_token: {secret}\n").encode())
    browser.post(url("paste", draft), {"text": AXOLOTL + f"wandb_api_key: {secret}\n"})
    for attachment in Attachment.objects.all():
        content = browser.get(url("attachment", draft, attachment.pk)).content
        assert secret.encode() not in content
        assert b"lora_r: 32" in content
