"""What a run says of its memory is read as it stands, and no text makes the reader stumble."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.configs.memory_reports import MAX_CHARACTERS, MemoryReport, memory_reports
from tests.configs import memory_texts as texts
from tests.configs.mutations import cut, flipped, nested, repeated, shuffled, with_extremes

GIB, MIB = 2**30, 2**20


def only(text: str) -> MemoryReport:
    (report,) = memory_reports(text)
    return report


def gib(value: float) -> int:
    return round(value * GIB)


def test_the_oldest_message_calls_cached_what_is_beyond_the_allocated():
    report = only(texts.TORCH_1_3)
    assert report.kind == "oom"
    assert report.index == 0
    assert report.total_bytes == gib(10.91)
    assert report.allocated_bytes == gib(9.79)
    assert report.unallocated_bytes == round(123.5 * MIB)
    assert report.reserved_bytes == gib(9.79) + round(123.5 * MIB)
    assert report.requested_bytes == 20 * MIB
    assert report.own_bytes is None


def test_the_message_of_1_12_names_everything_reserved():
    report = only(texts.TORCH_1_12)
    assert report.index == 3
    assert report.reserved_bytes == gib(13.35)
    assert report.unallocated_bytes == gib(13.35) - gib(12.90)
    assert report.free_bytes == gib(1.42)


def test_the_message_of_2_1_is_read_with_its_misspelling():
    report = only(texts.TORCH_2_1)
    assert report.total_bytes == gib(79.15)
    assert report.free_bytes == gib(1.21)
    assert report.own_bytes == gib(77.93)  # the only process, and it holds what PyTorch reserved
    assert report.others_bytes is None
    assert report.unallocated_bytes == gib(6.41)


def test_the_message_of_2_5_tells_this_process_from_the_others():
    report = only(texts.TORCH_2_5)
    assert report.own_bytes == gib(58.60)
    assert report.others_bytes == gib(20)
    assert report.allocated_bytes == gib(57.10)
    assert report.unallocated_bytes == 530 * MIB
    assert only(texts.HIP_2_6).requested_bytes == gib(3.91)


def test_a_process_that_holds_less_than_pytorch_is_not_taken_for_this_one():
    report = only(texts.TORCH_2_1.replace("has 77.93 GiB memory", "has 7.93 GiB memory"))
    assert report.own_bytes is None
    assert report.others_bytes is None


def test_the_first_of_several_messages_counts():
    report = only(f"{texts.TORCH_2_1}\n{texts.TORCH_2_5}\n{texts.TORCH_2_5}")
    assert report.count == 3
    assert report.requested_bytes == gib(1.96)
    assert report.others_bytes is None  # that is said in the second message


def test_a_message_without_figures_says_only_what_it_says():
    report = only("CUDA out of memory. Tried to allocate 2.00 GiB")
    assert report == MemoryReport(kind="oom", requested_bytes=2 * GIB)
    assert memory_reports("RuntimeError: CUDA error: out of memory") == ()


def test_the_table_of_nvidia_smi_gives_the_fullest_card():
    report = only(texts.SMI_TABLE)
    assert [card.in_use_bytes for card in report.cards] == [71234 * MIB, 74512 * MIB]
    assert (report.index, report.card) == (1, "NVIDIA A100-SXM4-80GB")
    assert report.in_use_bytes == 74512 * MIB
    assert report.total_bytes == 81920 * MIB
    assert only(texts.SMI_OLD).card == "Tesla V100-SXM2..."


def test_the_csv_of_nvidia_smi_is_read_by_its_head():
    report = only(texts.SMI_CSV)
    assert (report.index, report.in_use_bytes) == (1, 61234 * MIB)
    bare = only(texts.SMI_CSV_NO_UNITS)
    assert (bare.card, bare.total_bytes) == ("NVIDIA GeForce RTX 4090", 24564 * MIB)


def test_a_csv_without_its_head_is_not_guessed():
    assert memory_reports("0, NVIDIA H100 80GB HBM3, 81559 MiB, 52020 MiB") == ()
    assert memory_reports("memory.used, memory.total\n20111, 24564") == ()


@pytest.mark.parametrize("text", [texts.SUMMARY_1, texts.SUMMARY_2])
def test_the_summary_counts_by_1024_in_both_spellings(text):
    report = only(text)
    assert report.allocated_bytes == 12943 * MIB
    assert report.peak_allocated_bytes == 21021 * MIB
    assert report.peak_reserved_bytes == 24008 * MIB
    assert not report.ambiguous_unit


def test_lines_of_a_log():
    megatron = only(texts.MEGATRON)
    assert megatron.peak_allocated_bytes == round(42345.75 * MIB)
    assert megatron.peak_reserved_bytes == 46000 * MIB
    assert not megatron.ambiguous_unit
    assert only(texts.LOG_BYTES).peak_allocated_bytes == 13653123072
    unclear = only(texts.LOG_GB)
    assert unclear.peak_allocated_bytes == round(12.75 * GIB)
    assert unclear.ambiguous_unit
    assert memory_reports("max_memory_allocated: 12.75") == ()


def test_the_largest_line_of_a_log_counts():
    lines = [f"max_memory_allocated: {n}.5 GiB" for n in (3, 9, 5)]
    report = only("\n".join(lines))
    assert report.peak_allocated_bytes == round(9.5 * GIB)
    assert report.count == 3


def test_a_text_may_hold_several_kinds():
    found = memory_reports(texts.SMI_TABLE + texts.TORCH_2_5 + texts.SUMMARY_2)
    assert [report.kind for report in found] == ["oom", "nvidia-smi", "summary"]


@pytest.mark.parametrize("text", ["", " ", "\0", "training goes well", "|", "100 GiB free"])
def test_what_says_nothing_gives_nothing(text):
    assert memory_reports(text) == ()


def test_figures_that_no_card_holds_are_left_out():
    report = only(texts.TORCH_2_5.replace("79.15 GiB", "99999999999 TiB"))
    assert report.total_bytes is None
    assert report.requested_bytes == gib(3.91)


def test_two_thousand_broken_texts_are_survived():
    dice = random.Random(20261130)
    ways = (flipped, cut, shuffled, with_extremes, repeated, nested)
    read = 0
    for _time in range(2000):
        data = dice.choice(list(texts.EVERY.values())).encode()
        for _again in range(dice.randint(1, 3)):
            data = dice.choice(ways)(data, dice) or b"x"
        reports = memory_reports(data.decode(errors="replace"))
        read += bool(reports)
        for report in reports:
            sizes = [v for k, v in report_sizes(report)]
            assert all(0 <= size <= 2**50 for size in sizes)
    assert read > 500  # the texts are broken, not destroyed


def report_sizes(report: MemoryReport):
    for name in report.__slots__:
        value = getattr(report, name)
        if name.endswith("_bytes") and value is not None:
            yield name, value


@given(st.text(max_size=400))
def test_any_text_is_survived(text):
    for report in memory_reports(text):
        assert report.kind in ("oom", "nvidia-smi", "summary", "log")


REPEATED = ("CUDA out of memory. Tried to allocate 1 GiB ", "| ", "9", "max_memory_allocated ")


@pytest.mark.parametrize("piece", [*REPEATED, *texts.EVERY.values()], ids=lambda piece: piece[:12])
def test_a_long_text_takes_no_long_time(piece):
    started = time.process_time()
    memory_reports(piece * (2 * MAX_CHARACTERS // len(piece)))
    memory_reports((piece * (2 * MAX_CHARACTERS // len(piece))).replace("\n", " "))
    assert time.process_time() - started < 2
