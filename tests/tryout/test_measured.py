"""A run beside the engine: exact peaks and lower bounds, the cause of a failure, what frees enough."""

import pytest
from django.test import Client

from apps.catalog.facts import fixture_catalog
from apps.configs.memory_reports import MemoryReport, memory_reports
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.task import Placement
from apps.sizing.task_reader import parse_task
from apps.tryout.kept import Kept
from apps.tryout.measured import (
    Ways,
    as_reported,
    cards_like,
    cause_of,
    measured_against,
    missing_bytes,
)
from apps.tryout.page import page_of
from apps.tryout.recipe import Typed
from tests.configs import memory_texts as texts

pytestmark = pytest.mark.one_stack

CATALOG = fixture_catalog()
GIB = 2**30
TASK = parse_task(
    {
        "method": "lora",
        "model": {"name": "meta-llama/Meta-Llama-3.1-8B"},
        "recipe": {
            "sequence_length": 4096,
            "micro_batch": 2,
            "framework": "hf-trainer",
            "activation_checkpointing": "full",
            "precision": "bf16-mixed",
            "attention": "flash",
            "lora_rank": 16,
            "fused_cross_entropy": False,
            "packing": True,
        },
        "placement": {"gpus": 1},
    }
)
FIELDS = {
    "model_name": "meta-llama/Meta-Llama-3.1-8B",
    "method": "lora",
    "sequence_length": "8192",
    "micro_batch": "8",
    "activation_checkpointing": "none",
    "gpus": "1",
}


def only(text: str) -> MemoryReport:
    return memory_reports(text)[0]


def on(card: str, report: MemoryReport):
    ways = cards_like(report, CATALOG)
    ways = ways if ways.cards else cards_like(report_of_size(card), CATALOG)
    return measured_against(report, TASK, CATALOG, ways)


def report_of_size(card: str) -> MemoryReport:
    size = CATALOG.accelerators[card].usable_memory_gib * GIB
    return MemoryReport(kind="oom", total_bytes=round(size))


@pytest.mark.parametrize(
    ("name", "total_mib", "expected"),
    [
        ("NVIDIA A100-SXM4-80GB", 81920, {"A100-SXM4-80"}),
        ("NVIDIA A100-SXM4-40GB", 40960, {"A100-SXM4-40"}),
        ("NVIDIA H100 80GB HBM3", 81559, {"H100-SXM5-80", "H100-PCIE-80"}),
        ("NVIDIA H100 PCIe", 81559, {"H100-PCIE-80"}),
        ("NVIDIA H200", 143771, {"H200-SXM-141", "H200-NVL-141"}),
        ("NVIDIA GeForce RTX 4090", 24564, {"RTX-4090"}),
        ("NVIDIA L40S", 46068, {"L40S"}),
        ("Tesla V100-SXM2-32GB", 32768, {"V100-SXM2"}),
        ("NVIDIA T4", 15360, set()),
        ("", 0, set()),
    ],
)
def test_the_driver_s_name_and_the_size_choose_the_card(name, total_mib, expected):
    total = total_mib * 2**20 or None
    ways = cards_like(MemoryReport(kind="nvidia-smi", card=name, total_bytes=total), CATALOG)
    assert {card.id for card in ways.cards} == expected


def test_the_size_alone_names_every_card_as_large():
    ways = cards_like(only(texts.TORCH_2_1), CATALOG)
    assert not ways.named
    assert {"A100-SXM4-80", "H100-SXM5-80"} <= {card.id for card in ways.cards}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (texts.TORCH_2_1, "fragmentation"),
        (texts.TORCH_2_5, "others"),
        (texts.TORCH_1_3, "fragmentation"),
        (texts.TORCH_1_12, "training"),
        ("CUDA out of memory. Tried to allocate 2.00 GiB", "unclear"),
        (
            texts.TORCH_2_5.replace("Process 77 has 20.00 GiB memory in use. ", "")
            .replace("57.10 GiB is", "75.10 GiB is")
            .replace("58.60 GiB", "78.60 GiB"),
            "training",
        ),
        (
            texts.TORCH_2_1.replace("1.21 GiB is free.", "30.00 GiB is free. 40.00 GiB allowed;"),
            "limit",
        ),
    ],
)
def test_the_cause_is_what_the_figures_of_the_message_say(text, cause):
    assert cause_of(only(text)) == cause


def test_only_a_failed_allocation_has_a_cause():
    assert cause_of(only(texts.SMI_TABLE)) is None
    assert missing_bytes(only(texts.TORCH_2_1)) == round(1.96 * GIB) - round(1.21 * GIB)


def test_an_exact_peak_scales_the_estimate_both_ways():
    said = estimate_memory(TASK, CATALOG, Placement(accelerator="A100-SXM4-80", gpus=1, nodes=1))
    for factor in (0.5, 1.0, 1.4):
        peak = round(said.allocated_gib.typical * factor * GIB)
        report = MemoryReport(
            kind="summary",
            peak_allocated_bytes=peak,
            total_bytes=80 * GIB,
            card="NVIDIA A100-SXM4-80GB",
        )
        found = on("A100-SXM4-80", report)
        assert found.scale == pytest.approx(factor, rel=0.01)
        standing = found.compared[0].standing
        assert standing == ("above" if factor > 1.3 else "below" if factor < 0.6 else "inside")


def test_a_failed_allocation_only_raises_the_estimate():
    small = only(texts.TORCH_2_1.replace("70.56 GiB", "1.00 GiB"))
    found = on("A100-SXM4-80", small)
    assert found.scale == 1
    assert found.compared[0].standing == "silent"
    large = on("A100-SXM4-80", only(texts.TORCH_2_1))
    one = large.compared[0]
    assert large.scale == pytest.approx(max(1, (70.56 + 1.96) / one.said.typical), rel=1e-3)


def test_the_ladder_frees_what_the_run_needed_not_what_was_estimated():
    said = estimate_memory(TASK, CATALOG, Placement(accelerator="A100-SXM4-80", gpus=1, nodes=1))
    assert said.verdict in ("fits", "tight")
    needed = said.allocated_gib.typical * 2
    report = MemoryReport(
        kind="log",
        peak_allocated_bytes=round(needed * GIB),
        total_bytes=80 * GIB,
        card="A100-SXM4-80GB",
    )
    ladder = on("A100-SXM4-80", report).ladder
    assert ladder["fits_at"] not in ("start", None)
    stop = ladder["rungs"][-1]
    assert stop["stops"]
    assert stop["device_gib"]["high"] * 2 <= 80 * 1.01


def posted(report: str, **fields: str) -> str:
    client = Client(headers={"accept-language": "en"})
    response = client.post("/try/", FIELDS | fields | {"report": report})
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.django_db
def test_the_page_shows_what_was_read_what_follows_and_our_parts():
    html = posted(texts.TORCH_2_1)
    assert "Fragmentation is the cause" in html
    assert "expandable_segments:True" in html
    assert "6.41\N{NO-BREAK SPACE}GiB" in html
    assert "Beside our figures for the same recipe" in html
    assert "The text gives only the size of the card" in html
    assert "Our parts at the peak" in html
    assert "What frees enough" in html


@pytest.mark.django_db
def test_several_reports_are_read_each_for_itself():
    html = posted(texts.SMI_TABLE + texts.SUMMARY_2)
    assert "NVIDIA A100-SXM4-80GB" in html
    assert "Of 2 cards this is the fullest" in html
    assert "The summary of PyTorch" in html
    assert "The text does not say which card it is" in html  # of the summary


@pytest.mark.django_db
def test_the_card_can_be_named_where_the_text_does_not():
    html = posted(texts.SUMMARY_2, card="A100-SXM4-80")
    assert "Our figures are for NVIDIA A100 SXM4 80GB." in html


@pytest.mark.django_db
def test_without_a_recipe_only_what_was_read_is_shown():
    client = Client(headers={"accept-language": "en"})
    html = client.post("/try/", {"report": texts.TORCH_2_1}).content.decode()
    assert "Tried to allocate" in html
    assert "Fill in the fields above" in html
    assert "Our parts at the peak" not in html


@pytest.mark.django_db
def test_a_text_without_a_report_is_refused_beside_it():
    html = posted("training goes well, thank you <b>")
    assert 'id="report-error"' in html
    assert "thank you &lt;b&gt;" in html


def oom_of(total_gib: float) -> MemoryReport:
    return only(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. "
        f"GPU 0 has a total capacity of {total_gib} GiB of which 1.00 GiB is free. "
        "Of the allocated memory 21.00 GiB is allocated by PyTorch, and 300.00 MiB is reserved "
        "by PyTorch but unallocated."
    )


@pytest.mark.parametrize("total_gib", [23.64, 23.99, 24.2])
def test_a_card_has_the_capacity_that_its_report_states(total_gib):
    card = CATALOG.accelerators["RTX-4090"]
    ways = Ways((card,), named=True)
    found = measured_against(oom_of(total_gib), TASK, CATALOG, ways)
    assert found.card.usable_memory_gib == pytest.approx(total_gib)
    assert found.estimate.capacity_gib == pytest.approx(total_gib)
    goal = found.ladder["start"]["capacity_gib"]
    assert goal == pytest.approx(total_gib / found.scale)


@pytest.mark.parametrize(
    ("report", "capacity_gib"),
    [
        (MemoryReport(kind="oom", total_bytes=40 * GIB), 23.99),  # another card's
        (MemoryReport(kind="oom"), 23.99),
        (MemoryReport(kind="nvidia-smi", total_bytes=round(24.5 * GIB)), 23.99),
        (MemoryReport(kind="nvidia-smi", total_bytes=round(23.5 * GIB)), 23.5),
    ],
)
def test_a_size_that_is_not_the_programs_leaves_the_card_alone(report, capacity_gib):
    card = CATALOG.accelerators["RTX-4090"]
    assert as_reported(card, report).usable_memory_gib == pytest.approx(capacity_gib, abs=0.01)


@pytest.mark.django_db
def test_the_table_judges_the_reported_card_by_its_reported_capacity():
    text = (
        "CUDA out of memory. Tried to allocate 2.00 GiB. "
        "GPU 0 has a total capacity of 23.64 GiB of which 1.00 GiB is free."
    )
    typed = Typed(typed=FIELDS)
    kept = Kept(typed=typed, settings="", report=text)
    (row,) = (r for r in page_of(kept, chosen="RTX-4090")["figures"].rows if r.slug == "RTX-4090")
    assert row.capacity_gib == pytest.approx(23.64)
    plain = page_of(kept, chosen="RTX-4090", plain=True)["figures"].rows
    assert {r.slug: r.capacity_gib for r in plain}["RTX-4090"] == pytest.approx(23.99)
