"""What stacks do without a word in any recipe: on the host, in managed memory, while waiting."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace

import pytest

from apps.catalog.calibration_reader import EVIDENCE
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.doubts import memory_doubts
from apps.sizing.memory.phases import peak_of
from apps.sizing.memory.states import resident_states
from apps.sizing.memory.unsharded import buffers
from apps.sizing.task_reader import parse_task
from apps.sizing.timing.exchange import step_exchange
from apps.sizing.timing.links import links_of
from apps.sizing.timing.steps import step_time
from tests.sizing.engine import CATALOG, GIB, case_of, task_of

RUNS = json.loads(EVIDENCE.read_text(encoding="utf-8"))["runs"]
FULL = {"precision": "bf16-mixed", "activation_checkpointing": "full", "optimizer_step": "fused"}
QLORA = {"quantization": "nf4-double", "activation_checkpointing": "full"}


def fsdp(gpus=8, **placement):
    return {"gpus": gpus, "placement": {"data_parallel": "fsdp", **placement}}


def width(found):
    return (found.high - found.low) / found.typical


def test_weights_on_the_host_leave_the_units_in_use_on_the_card():
    """FSDP's CPUOffload: weights and gradients wait on the host between uses."""
    case = case_of(recipe={**FULL, "offload": "params"}, **fsdp())
    states = resident_states(case)
    assert (states.weights, states.gradients, states.optimizer) == (0, 0, 0)
    layer = case.shape.block_params / case.shape.layers * case.compute_bytes
    assert buffers(case).backward > layer


def test_one_card_with_its_weights_on_the_host_still_needs_a_layer():
    case = case_of(recipe={**FULL, "offload": "params"})
    assert peak_of(case).phase.total > case.shape.block_params / case.shape.layers * 2


def test_zero_offload_takes_partitioned_gradients_along():
    """ZeRO-Offload, arXiv 2101.06840: from stage 2 on, gradients go where the optimizer is."""

    def gradients(kind):
        recipe = {**FULL, "framework": "deepspeed", "offload": "optimizer"}
        return resident_states(
            case_of(gpus=8, recipe=recipe, placement={"data_parallel": kind})
        ).gradients

    assert gradients("zero1") > 0
    assert gradients("zero2") == gradients("zero3") == 0


def test_long_sequences_with_the_optimizer_on_the_host_come_out_as_measured():
    """stas00's Llama-3.1-8B under ZeRO-3: from 64k to 256k tokens on H200 and B200."""
    found = []
    for run in RUNS:
        task = parse_task(run["task"])
        if run["id"].startswith("STAS") and task.recipe.sequence_length >= 65_536:
            assert task.recipe.offload == "optimizer"
            said = estimate_memory(task, CATALOG).reserved_gib.typical
            found.append(abs(said / run["measured"]["memory_gib"] - 1))
    assert len(found) >= 8
    assert max(found) < 0.02


def test_paged_states_lie_outside_the_allocator():
    """bitsandbytes takes them from the driver (cudaMallocManaged)."""
    recipe = {"precision": "bf16-pure", "optimizer": "adamw-8bit"}
    plain = case_of(recipe={**recipe, "optimizer_step": "fused"})
    paged = case_of(recipe={**recipe, "optimizer_step": "paged"})
    assert resident_states(paged).optimizer == 0
    there, here = held_memory(plain, peak_of(plain)), held_memory(paged, peak_of(paged))
    states = 2.03 * plain.shape.total_params
    assert there.allocated - here.allocated == pytest.approx(states, rel=0.02)
    assert here.device - here.reserved > states
    full = case_of(recipe={**recipe, "optimizer_step": "paged"}, accelerator="L40S")
    assert held_memory(full, peak_of(full)).device <= 45 * GIB


def test_whether_an_8_bit_optimizer_is_paged_is_a_doubt():
    task = task_of(recipe={"optimizer": "adamw-8bit", "optimizer_step": None})
    assert "paging" in estimate_memory(task, CATALOG).causes
    assert case_of(recipe={"framework": "torchtune", "optimizer": "adamw-8bit"}).paged


def test_scales_of_a_quantised_base_are_whole_on_every_rank():
    """They are the quantisation's state, no parameter: FSDP shards 4 bits, not the scales."""
    alone = resident_states(case_of(method="qlora", recipe=QLORA)).weights
    case = case_of(method="qlora", recipe=QLORA, **fsdp(gpus=64, nodes=8))
    scales = 0.0159 * case.shape.block_params
    assert resident_states(case).weights > scales
    assert resident_states(case).weights < scales + alone / 60


def test_lightning_quantises_the_head_too():
    recipe = {**QLORA, "quantization": "nf4", "lora_targets": "all-linear"}
    hf, lit = (
        resident_states(case_of(method="qlora", recipe={**recipe, "framework": name})).weights
        for name in ("pytorch-fsdp", "litgpt")
    )
    head = 128_256 * 4096
    saved = (2 - 0.5625) * head - (0.5625 - 0.5159) * (8.03e9 - 2 * head)
    assert hf - lit == pytest.approx(saved, rel=0.02)


def test_dropout_of_adapters_keeps_masks_and_inputs():
    def peak(dropout):
        recipe = {**FULL, "framework": "hf-fsdp-qlora", "lora_dropout": dropout, "micro_batch": 8}
        recipe["fused_cross_entropy"] = True
        return peak_of(case_of(method="lora", recipe=recipe)).phase.total

    assert peak(0.1) == peak(None) > peak(0.0)


def test_a_model_cut_by_fsdp_and_a_pipeline_runs_as_pytorch_does():
    """torch.distributed.pipelining gathers weights and reduces gradients once a step."""
    place = {"data_parallel": "fsdp", "pipeline_parallel": 4, "nodes": 2}
    case = case_of(gpus=16, recipe={"framework": None}, placement=place)
    assert case.dialect.key == "torch-parallel"
    assert buffers(case).backward > 6 * case.shape.total_params / 4
    megatron = case_of(
        gpus=16, recipe={"framework": None}, placement={**place, "data_parallel": "zero1"}
    )
    assert megatron.dialect.stack == "megatron"


def test_torchtitan_unnamed_is_still_near_what_it_measured():
    errors = []
    for run in RUNS:
        if run["id"].startswith("TITAN") and "memory_gib" in run["measured"]:
            task = parse_task(run["task"])
            task = replace(task, recipe=replace(task.recipe, framework=None))
            said = estimate_memory(task, CATALOG).reserved_gib.typical
            errors.append(abs(said / run["measured"]["memory_gib"] - 1))
    assert statistics.median(errors) < 0.15


def test_selective_of_a_script_lies_between_none_and_full():
    def found(checkpointing):
        recipe = {**FULL, "framework": "pytorch-fsdp", "activation_checkpointing": checkpointing}
        case = case_of(recipe={**recipe, "micro_batch": 4}, **fsdp())
        return peak_of(case).phase.total, step_time(case).total_s

    (most, fast), (some, medium), (least, slow) = map(found, ("none", "selective", "full"))
    assert most > some > least
    assert fast < medium < slow


def test_adapters_do_not_fill_a_reduce_bucket():
    recipe = {**FULL, "framework": "deepspeed"}
    place = {"gpus": 8, "placement": {"data_parallel": "zero2"}}
    full, lora = (buffers(case_of(method=m, recipe=recipe, **place)).loss for m in ("full", "lora"))
    assert full >= 2e9
    assert lora < 0.2 * full


@pytest.mark.parametrize(("gpus", "accumulation", "published"), [(8192, 32, 430), (16384, 16, 400)])
def test_llama_3_405b_runs_at_the_rate_of_its_paper(gpus, accumulation, published):
    """TFLOP/s per GPU of BF16, table 4 of arXiv 2407.21783; 8 stages in each of 16 ranks."""
    recipe = {
        "framework": "megatron", "precision": "bf16-mixed", "sequence_length": 8192,
        "grad_accumulation": accumulation, "optimizer_step": "fused",
    }  # fmt: skip
    place = {
        "nodes": gpus // 8, "tensor_parallel": 8, "sequence_parallel": True,
        "pipeline_parallel": 16, "virtual_pipeline": 8, "data_parallel": "zero1",
        "inter_node_link": "NVLink + 400 Gbps RoCE",
    }  # fmt: skip
    task = task_of(
        model={"name": "llama-3.1-405b"}, accelerator="H100-SXM5-80", gpus=gpus, recipe=recipe,
        placement=place,
    )  # fmt: skip
    found = estimate_time(task, CATALOG)
    per_token = 6 * 405.85e9 + 12 * 126 * 16_384 * 8192
    assert found.tokens_per_s_per_gpu.typical * per_token / 1e12 == pytest.approx(
        published, rel=0.10
    )


def test_one_port_of_a_fabric_is_one_of_as_many_as_gpus():
    def links(text, accelerator="H100-SXM5-80"):
        place = {"nodes": 2, "data_parallel": "fsdp", "inter_node_link": text}
        return links_of(case_of(gpus=16, accelerator=accelerator, placement=place)).network

    assert links("400 Gb/s RoCE") == links("8x400G") == links("InfiniBand NDR")
    assert links("4x HDR 100Gb/node") == links("400 Gb/node")
    assert links("400 Gb/s RoCE", "L40S") == links("400 Gb/node", "L40S")
    assert links("25GbE") == links("25 Gbit/s")


def test_ethernet_by_sockets_is_less_certain_than_a_fabric():
    def found(text):
        place = {"nodes": 2, "data_parallel": "fsdp", "inter_node_link": text}
        return estimate_time(task_of(gpus=16, placement=place), CATALOG).step_s

    assert width(found("100 Gbit Ethernet")) > width(found("100 Gb/node"))


def test_ddp_exchanges_gradients_in_their_own_type():
    """A ring's all-reduce moves 2·(n - 1)/n of the gradients: 4 bytes each under autocast."""
    for precision, each in (("bf16-mixed", 4), ("bf16-pure", 2)):
        case = case_of(gpus=8, recipe={"precision": precision}, placement={"data_parallel": "ddp"})
        sent = step_exchange(case, links_of(case)).gradients_bytes
        assert sent == pytest.approx(2 * 7 / 8 * each * case.shape.total_params)


def test_ranks_of_a_node_share_its_cpus():
    """Published ZeRO-3 runs: 1.9 s for a billion parameters on each of eight GPUs."""

    def seconds(gpus):
        place = {"data_parallel": "zero2"} if gpus > 1 else {}
        recipe = {**FULL, "framework": "deepspeed", "offload": "optimizer"}
        case = case_of(gpus=gpus, recipe=recipe, placement=place)
        return step_time(case).offload_s / (case.shape.total_params / gpus / 1e9)

    assert seconds(8) == pytest.approx(1.9, rel=0.1)
    assert seconds(8) > seconds(1)


def test_weights_on_the_host_cost_time_in_every_pass():
    recipe = {**FULL, "grad_accumulation": 4, "micro_batch": 1, "sequence_length": 512}
    here = step_time(case_of(recipe=recipe, **fsdp())).total_s
    there = step_time(case_of(recipe={**recipe, "offload": "params"}, **fsdp())).total_s
    uploads = 4 * 2 * 4 * 8.03e9 / 8 / 12e9
    assert there - here > 0.8 * uploads


def test_a_step_that_waits_for_the_cpu_is_less_certain():
    def host(model, length):
        recipe = {"framework": "pytorch-fsdp2", "sequence_length": length}
        return estimate_time(task_of(model={"name": model}, recipe=recipe), CATALOG).causes["host"]

    assert host("gpt2", 256) > 0.1 > host("llama-3-8b", 8192)


def test_no_doubt_is_a_guess_about_what_is_said():
    recipe = {"lora_dropout": 0.0, "packing": True, "optimizer_step": "fused"}
    task = task_of(method="lora", recipe={**recipe, "framework": "axolotl"})
    causes = dict(memory_doubts(case_of(method="lora", recipe=recipe), task))
    assert not causes.keys() & {"adapter-dropout", "lengths", "paging"}


@pytest.mark.parametrize("accumulation", [2, 8])
def test_gradients_wait_for_the_next_batch_where_they_are_reduced_each_time(accumulation):
    """PyTorch's FSDP without no_sync: the sharded gradients of one batch lie there in the next."""

    def at_the_loss(count):
        recipe = {**FULL, "framework": "axolotl", "grad_accumulation": count}
        case = replace(case_of(recipe=recipe, **fsdp()), no_sync="no")
        return next(p for p in peak_of(case).phases if p.name == "loss").gradients, case

    alone, _ = at_the_loss(1)
    waiting, case = at_the_loss(accumulation)
    assert alone == 0
    assert waiting == pytest.approx(resident_states(case).gradients)
    assert waiting > 0


def test_long_sequences_on_hopper_run_with_the_newer_attention_kernel():
    """stas00's H200 runs: 461 TFLOP/s at 8 192 tokens without recomputation, and 420 (causal,
    without recomputation) with FlashAttention 3 at 131 072; FlashAttention 2 would take 1.8 times
    as long."""

    def found(length, **recipe):
        recipe = {**recipe, "precision": "bf16-mixed", "sequence_length": length}
        placement = {"data_parallel": recipe.pop("kind"), "intra_node_link": "nvswitch"}
        task = task_of(recipe=recipe, gpus=8, accelerator="H200-SXM-141", placement=placement)
        return estimate_time(task, CATALOG)

    def published_s(length, tflops_per_s):
        return length * (6 * 8.03e9 + 6 * 32 * 4096 * length) / tflops_per_s / 1e12

    short = found(8192, kind="zero2", activation_checkpointing="none")
    assert short.step_s.typical == pytest.approx(published_s(8192, 461), rel=0.08)
    offload = {"kind": "zero3", "offload": "optimizer", "activation_checkpointing": "full"}
    long = found(131_072, fused_kernels=True, fused_cross_entropy=True, **offload)
    assert long.step_s.typical == pytest.approx(published_s(131_072, 420), rel=0.08)
    assert long.step_s.high > 1.6 * long.step_s.typical
    lengths = [16_000, 16_384, 20_000, 32_768, 40_000]
    steps = [found(n, **offload).step_s.typical for n in lengths]
    assert steps == sorted(steps)
