"""Logs of trainers: the steady speed and the peak of memory, whatever else a text holds."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.configs.run_logs import RunLog, run_log

GIB = 2**30
HF = "{'train_runtime': 812.5, 'train_samples_per_second': 15.75, 'train_steps_per_second': 0.492}"
AXOLOTL = "{'loss': 1.2, 'memory/max_mem_allocated(gib)': 14.56, 'memory/device_mem_reserved(gib)': 16.1, 'tokens_per_second_per_gpu': 2143.5}"
TORCHTUNE = "Step 12 | loss:1.41 lr:2e-05 tokens_per_second_per_gpu:3120.4 peak_memory_active:15.3 peak_memory_alloc:15.2 peak_memory_reserved:16.4"
TITAN = (
    "[titan] step: 20  loss:  7.1  memory: 40.12GiB(50.66%)  tps: 7,123  tflops: 399  mfu: 40.38%"
)
MEGATRON = " iteration      199/  317892 | consumed samples:  152832 | elapsed time per iteration (ms): 14287.5 | global batch size:   768 |"
DEEPSPEED = "epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=25.0, MemAllocated=4.32GB, MaxMemAllocated=38.49GB"
SWIFT = "{'loss': 0.5, 'memory(GiB)': 53.84, 'train_speed(s/it)': 509.881}"
LIGHTNING = "Epoch 0:  10%|█         | 10/100 [00:20<03:00,  0.50it/s, v_num=0, loss=1.2]"
TQDM = " 78%|███████▋  | 156/200 [06:52<01:48,  2.46s/it]"
TIMM = "Train: 0 [ 50/1251 (  4%)]  Loss: 6.9  Time: 0.500s, 512.0/s  (0.5s, 511/s)  LR: 1e-4  Data: 0.050 (0.055)"
MMENGINE = (
    "Iter(train) [ 50/1000]  lr: 1e-2  eta: 0:10  time: 0.4000  data_time: 0.1000  memory: 4321"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HF, {"step_s": 1 / 0.492}),
        (
            AXOLOTL,
            {
                "tokens_per_s_per_gpu": 2143.5,
                "allocated_bytes": 14.56 * GIB,
                "reserved_bytes": 16.1 * GIB,
            },
        ),
        (
            TORCHTUNE,
            {
                "tokens_per_s_per_gpu": 3120.4,
                "allocated_bytes": 15.2 * GIB,
                "reserved_bytes": 16.4 * GIB,
            },
        ),
        (TITAN, {"tokens_per_s_per_gpu": 7123, "reserved_bytes": 40.12 * GIB}),
        (MEGATRON, {"step_s": 14.2875}),
        (DEEPSPEED, {"allocated_bytes": 38.49 * GIB}),
        (SWIFT, {"step_s": 509.881, "reserved_bytes": 53.84 * GIB}),
        (LIGHTNING, {"bar_s": 2.0}),
        (TQDM, {"bar_s": 2.46}),
        (TIMM, {"bar_s": 0.5, "data_wait_ratio": 0.1}),
        (MMENGINE, {"bar_s": 0.4, "data_wait_ratio": 0.25}),
    ],
    ids=[
        "hf",
        "axolotl",
        "torchtune",
        "torchtitan",
        "megatron",
        "deepspeed",
        "swift",
        "lightning",
        "tqdm",
        "timm",
        "mmengine",
    ],
)
def test_every_trainer_is_read(text, expected):
    found = run_log(f"some line before\n{text}\nand after")
    names = [n for n in RunLog.__slots__ if n != "steps_count"]
    said = {name: getattr(found, name) for name in names if getattr(found, name) is not None}
    assert said == pytest.approx(expected, rel=1e-6)


def test_the_warm_up_is_left_out_and_the_rest_is_a_median():
    steps = [9000, 1000, 1010, 990, 1000, 5000, 1000, 1005, 995, 1000]
    log = "\n".join(f"elapsed time per iteration (ms): {ms}.0 |" for ms in steps)
    found = run_log(log)
    assert found.step_s == pytest.approx(1.0)
    assert found.steps_count == 10


def test_the_largest_memory_counts():
    log = "MaxMemAllocated=30.0GB\nMaxMemAllocated=38.0GB\nMaxMemAllocated=31.0GB"
    assert run_log(log).allocated_bytes == 38 * GIB


def test_a_bar_that_rewrites_its_line_is_read():
    assert run_log("\r".join([TQDM] * 5)).bar_s == pytest.approx(2.46)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no log at all",
        "train_steps_per_second: 0",
        "elapsed time per iteration (ms): 999999999999",
        "MaxMemAllocated=99999999GB",
        "learning_rate: 1e-4\nmicro_batch_size: 2\nsequence_len: 4096",
        "\0\x1b[31m" * 100,
    ],
)
def test_what_is_no_log_says_nothing(text):
    assert run_log(text).empty


@given(st.text(max_size=300))
@settings(max_examples=50)
def test_no_text_is_an_error(text):
    run_log(text)
    run_log(f"tps: {text} {TITAN[: len(text)]} {text}")


@pytest.mark.parametrize(
    "part", ["tps: ", "| 1/2 [", "memory: 1", "Time: 1, ", "1,111", "time: 1 "]
)
def test_hostile_repetition_takes_no_time(part):
    started = time.process_time()
    run_log(part * (200_000 // len(part)))
    run_log("\n".join([part * 400] * 100))
    assert time.process_time() - started < 2
