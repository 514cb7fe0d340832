"""A measured run: asked about on its own pages, read from a log, shown before anything is taken."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.intake.logs import found_in_log
from apps.requisitions.models import Answer, Attachment
from tests.configs.test_run_logs import MEGATRON, TORCHTUNE, TQDM
from tests.factories import make_client
from tests.intake.pages import section_url, url

OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
    "capacity of 79.15 GiB of which 1.00 GiB is free. Of the allocated memory 70.00 GiB is "
    "allocated by PyTorch, and 3.00 GiB is reserved by PyTorch but unallocated."
)
SMI = """
|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |
| N/A   35C    P0              60W / 400W |  65536MiB / 81920MiB |      0%      Default |
|   1  NVIDIA A100-SXM4-80GB          On  | 00000000:0F:00.0 Off |                    0 |
| N/A   35C    P0              60W / 400W |      3MiB / 81920MiB |      0%      Default |
"""


def values(found) -> dict[str, str]:
    return {key: answer.text for key, answer in found.items()}


def test_a_log_states_what_it_measures():
    found = found_in_log(TORCHTUNE.encode(), source="run.log")
    assert values(found.stated) == {
        "measured_run": "yes",
        "measured_rate": "3120",
        "measured_allocated": "15.2 GiB",
        "measured_reserved": "16.4 GiB",
    }
    assert {a.provenance for a in found.stated.values()} == {"file"}
    assert {a.note for a in found.stated.values()} == {"run.log"}


def test_a_failed_allocation_is_a_bound():
    stated = values(found_in_log(OOM.encode(), source="x").stated)
    assert stated["measured_stopped"] == "yes"
    assert stated["measured_allocated"] == "72 GiB"


def test_a_moment_and_a_progress_bar_are_only_offered():
    smi = found_in_log(SMI.encode(), source="x")
    assert values(smi.stated) == {"measured_run": "yes", "measured_card": "NVIDIA A100-SXM4-80GB"}
    assert values(smi.offered) == {"measured_device": "64 GiB", "measured_gpus": "1"}
    bar = found_in_log(TQDM.encode(), source="x")
    assert values(bar.offered) == {"measured_step_s": "2.46"}
    assert bar.offered["measured_step_s"].provenance == "guess"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\0" * 1000, b"micro_batch_size: 2\nlora_r: 8"])
def test_what_is_no_log_is_none(content):
    assert found_in_log(content, source="x") is None


def page(browser, draft, name) -> str:
    return browser.get(section_url(draft, "recipe", page=name)).content.decode()


def test_the_page_asks_one_thing_until_a_run_is_named(browser, draft):
    html = page(browser, draft, "measured")
    assert html.count('name="asked"') == 1
    assert 'action="' + url("measure", draft) in html
    browser.post(
        section_url(draft, "recipe", page="measured"),
        {"asked": ["measured_run"], "measured_run": "yes"},
    )
    html = page(browser, draft, "measured")
    assert "NVIDIA H100 SXM5 80GB" in html  # suggested
    assert "What was the peak of memory held by tensors?" in page(browser, draft, "figures")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("A100 SXM 80 GB", "= NVIDIA A100 SXM4 80GB in the catalog"),
        ("A100", "Several could be meant, say which"),
        ("abacus", "does not know this card"),
    ],
)
@pytest.mark.one_stack
def test_a_card_is_said_back_as_the_catalog_names_it(browser, draft, typed, says):
    echo = browser.get("/questions/measured_card/echo/", {"measured_card": typed})
    assert says in echo.content.decode()


def test_a_pasted_log_is_kept_and_previewed_and_nothing_is_taken(browser, draft):
    response = browser.post(url("measure", draft), {"text": f"{MEGATRON}\n{SMI}"})
    kept = Attachment.objects.get()
    assert kept.name == "measured-run.txt"
    assert response["Location"] == url("fill", draft, kept.pk)
    html = browser.get(response["Location"]).content.decode()
    assert "recognised as a log of a run" in html
    assert "14.29" in html
    assert not Answer.objects.filter(key__startswith="measured").exists()


def test_what_is_ticked_is_taken_with_its_source(browser, draft):
    upload = SimpleUploadedFile("run.log", MEGATRON.encode())
    preview = browser.post(url("measure", draft), {"log": upload})["Location"]
    browser.post(preview, {"take": ["measured_run", "measured_step_s"]})
    answers = {a.key: a for a in Answer.objects.filter(key__startswith="measured")}
    assert answers["measured_step_s"].value == "14.29"
    assert (answers["measured_step_s"].provenance, answers["measured_step_s"].note) == (
        "file",
        "run.log",
    )


def test_nothing_measured_is_said_so_and_not_kept(browser, draft):
    response = browser.post(url("measure", draft), {"text": "just words"}, follow=True)
    assert "nothing measured in this text" in response.content.decode()
    assert not Attachment.objects.exists()


def test_a_stranger_finds_nothing(draft):
    stranger = Client()
    stranger.force_login(make_client())
    assert stranger.post(url("measure", draft), {"text": OOM}).status_code == 404
    assert not Attachment.objects.exists()
