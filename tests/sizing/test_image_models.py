"""Models of images: what was counted of them, how it scales, and what lies beside a denoiser."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.answers import answer
from apps.sizing.architectures import family_of
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.estimators.training import memory_estimator
from apps.sizing.memory.phases import ENCODE, peak_of
from apps.sizing.platform import Platform
from apps.sizing.samples import SampleCost, _between
from apps.sizing.task import Model
from apps.sizing.timing.steps import step_time
from tests.sizing.engine import CATALOG, GIB, case_of, task_of

MIB = 2**20
# Our own count of tensors saved for backward, train mode, a sample (timm 1.0.31, diffusers 0.42,
# transformers 5.24): name, side, forward GFLOP, MiB in fp32, bf16 and under autocast.
COUNTED = [
    ("timm/resnet50", 224, 8.2, 81.9, 41.7, 41.7),
    ("timm/efficientnet_b4", 380, 8.8, 623.2, 311.6, 311.6),
    ("timm/convnext_base", 224, 30.7, 221.3, 110.6, 112.0),
    ("timm/vit_base_patch16_224", 224, 35.1, 112.7, 56.4, 63.3),
    ("timm/vit_large_patch14_dinov2", 518, 1013.6, 2322.8, 1162.4, 1293.8),
    ("timm/swin_base_patch4_window7_224", 224, 30.9, 215.7, 107.9, 126.0),
    ("ultralytics/yolov8m", 640, 78.9, 617.4, 310.0, 310.0),
    ("ultralytics/yolo11x", 640, 195.3, 1634.8, 819.1, 819.1),
    ("transformers/SegFormer-B5", 512, 219.3, 1840.2, 920.7, 920.7),
    ("UNet(Ronneberger,64ch,padded)", 512, 385.4, 1309.0, 684.5, 684.5),
    ("SD 1.5 UNet", 512, 803.3, 1784.4, 893.0, 896.5),
    ("SDXL base UNet", 1024, 6761.2, 13124.7, 6568.6, 6610.4),
    ("FLUX.1-dev transformer", 1024, 74384.7, 70008.2, 41196.2, 41196.2),
]


def image_case(name, kind="vision", side=None, **changes):
    model = {"name": name, "kind": kind, "image_size": side}
    recipe = {"precision": "bf16-mixed", "framework": None, **changes.pop("recipe", {})}
    return case_of(model=model, recipe=recipe, **changes)


def sample_of(name, kind="vision", side=None) -> SampleCost:
    sample = image_case(name, kind, side).shape.sample
    assert sample is not None
    return sample


@pytest.mark.parametrize(("name", "side", "gflop", "full", "half", "mixed"), COUNTED)
def test_what_was_counted_is_what_is_taken(name, side, gflop, full, half, mixed):
    kind = "diffusion" if ("UNet" in name and "Ronne" not in name) or "FLUX" in name else "vision"
    sample = sample_of(name, kind, side)
    assert sample.basis == "counted"
    assert sample.forward_flops / 1e9 == pytest.approx(gflop, rel=0.02)
    assert sample.full_bytes / MIB == pytest.approx(full, rel=0.005)
    assert sample.half_bytes / MIB == pytest.approx(half, rel=0.005)
    assert sample.mixed_bytes / MIB == pytest.approx(mixed, rel=0.005)


@pytest.mark.parametrize("name", ["timm/resnet50", "ultralytics/yolov8m", "timm/convnext_base"])
def test_twice_the_side_keeps_and_calculates_four_times_as_much(name):
    small, large = sample_of(name, side=320), sample_of(name, side=640)
    assert large.mixed_bytes / small.mixed_bytes == pytest.approx(4)
    assert large.forward_flops / small.forward_flops == pytest.approx(4)


def test_attention_over_the_image_grows_with_the_square_of_its_tokens():
    """ViT-B/16 at 384 pixels was counted apart: 111.0 GFLOP, 185.5 MiB under autocast."""
    scaled = sample_of("timm/vit_base_patch16_224", side=384)
    assert scaled.forward_flops / 1e9 == pytest.approx(111.0, rel=0.02)
    assert scaled.mixed_bytes / MIB == pytest.approx(185.5, rel=0.02)
    small, large = (sample_of("timm/vit_base_patch16_224", side=s) for s in (512, 1024))
    assert large.forward_flops / small.forward_flops > 4.5


def test_widths_alone_come_near_what_was_counted():
    """ViT-B/16: 56.4 MiB and 35.1 GFLOP were counted; here from 12 layers of 768."""
    case = case_of(
        model={"kind": "vision", "layers": 12, "hidden": 768, "params_billion": 0.0866},
        recipe={"framework": None},
    )
    sample = case.shape.sample
    assert sample is not None
    assert sample.basis == "widths"
    assert sample.half_bytes / MIB == pytest.approx(56.4, rel=0.02)
    assert sample.forward_flops / 1e9 == pytest.approx(35.1, rel=0.02)


@pytest.mark.parametrize(
    "name",
    ["ultralytics/yolov8m", "ultralytics/yolo11l", "timm/efficientnet_b4", "timm/convnext_base"],
)
def test_a_model_lies_between_the_counted_others_of_its_family(name):
    """Each left out of its family in turn: within the width that such a model is given."""
    architecture = CATALOG.architectures[name]
    side = architecture.extra["reference_image_size"]
    model = Model(name=name, kind="vision", image_size=side)
    others = [a for a in family_of(model, CATALOG) if a.name != name]
    assert len(others) > 1
    guessed, counted = _between(model, others, architecture.params), sample_of(name, side=side)
    assert guessed.basis == "family"
    assert guessed.mixed_bytes == pytest.approx(counted.mixed_bytes, rel=guessed.width)
    assert guessed.forward_flops == pytest.approx(counted.forward_flops, rel=guessed.width)


def test_a_head_that_nobody_counted_makes_an_order_of_magnitude():
    """UperNet over ConvNeXt-B was counted at 512 pixels: 799 MiB, 587 GFLOP."""
    model = {"name": "dpt-convnext-base", "kind": "vision", "params_billion": 0.0886}
    sample = case_of(model={**model, "image_size": 512}, recipe={"framework": None}).shape.sample
    assert sample is not None
    assert sample.basis == "backbone"
    assert abs(1 - sample.mixed_bytes / (799 * MIB)) < sample.width
    assert abs(1 - sample.forward_flops / 587e9) < sample.width


def test_smaller_patches_make_more_tokens():
    """ViT-B/8 has four times the tokens of ViT-B/16, and more than four times its operations."""
    model = {"name": "our_vit_patch8", "kind": "vision", "params_billion": 0.0866}
    sample = case_of(model={**model, "image_size": 224}, recipe={"framework": None}).shape.sample
    assert sample is not None
    whole = sample_of("timm/vit_base_patch16_224", side=224)
    assert sample.mixed_bytes / whole.mixed_bytes == pytest.approx(4, rel=0.02)
    assert sample.forward_flops / whole.forward_flops > 4


def test_what_is_given_a_size_in_pixels_is_a_model_of_images():
    """Nobody said the kind: it is no language model of 2,048 tokens, and the kind is asked."""
    model = {"params_billion": 0.05, "image_size": 512}
    recipe = {"framework": None, "sequence_length": None}
    assert case_of(model=model, recipe=recipe).shape.kind == "vision"
    found = estimate_memory(task_of(model=model, recipe=recipe), CATALOG)
    assert found is not None
    assert "model.kind" in found.influences
    stated = estimate_memory(task_of(model={**model, "kind": "vision"}, recipe=recipe), CATALOG)
    assert stated is not None
    assert "model.kind" not in stated.influences


def test_a_model_known_by_size_only_is_an_order_of_magnitude():
    model = {"name": "our-own-net", "kind": "vision", "params_billion": 0.05}
    task = task_of(model=model, recipe={"framework": None})
    platform = Platform(
        key="x",
        server=None,
        accelerator="A100-SXM4-80",
        gpus=1,
        nodes=1,
        placement=task.placement,
    )
    answered = memory_estimator(task, CATALOG, (platform,))
    assert answered["status"] == "magnitude"
    assert "memory.assumption.image-size" in [m["key"] for m in answered["assumptions"]]
    assert answered["evidence"]["validated"] is False


def test_autocast_keeps_casts_of_the_weights_once():
    """`AMP fixed` of the table: two bytes a parameter, 49 MiB of ResNet-50."""
    few, many = (
        peak_of(image_case("timm/resnet50", recipe={"micro_batch": n})).phases[0] for n in (8, 64)
    )
    each = (many.total - few.total) / 56
    assert each / MIB == pytest.approx(41.7, rel=0.02)
    assert few.buffers / MIB > 49


@given(side=st.integers(min_value=64, max_value=2048), batch=st.integers(1, 64))
@settings(max_examples=30, deadline=None)
def test_memory_and_time_never_fall_with_the_image(side, batch):
    recipe = {"micro_batch": batch}
    small = image_case("timm/vit_base_patch16_224", side=side, recipe=recipe)
    large = image_case("timm/vit_base_patch16_224", side=side + 64, recipe=recipe)
    assert peak_of(large).phase.total >= peak_of(small).phase.total
    assert step_time(large).total_s >= step_time(small).total_s


def test_batch_of_ultralytics_is_of_all_gpus_together_and_its_average_is_kept():
    case = case_of(
        model={"name": "yolov8m", "kind": "vision"},
        gpus=4,
        recipe={
            "framework": "ultralytics",
            "micro_batch": None,
            "grad_accumulation": None,
            "global_batch": 64,
            "precision": "fp16-mixed",
        },
        placement={"data_parallel": "ddp"},
    )
    assert case.micro_batch == 16
    assert case.averaged
    assert case.shape.sample is not None
    assert case.shape.sample.image_size == 640


def test_a_stated_batch_of_all_gpus_leaves_nothing_open():
    recipe = {"framework": "ultralytics", "global_batch": 64, "micro_batch": None}
    task = task_of(
        model={"name": "yolov8n.pt", "kind": "vision"},
        gpus=4,
        recipe={**recipe, "grad_accumulation": None, "precision": "fp16-mixed"},
        placement={"data_parallel": "ddp"},
    )
    found = estimate_memory(task, CATALOG)
    assert found is not None
    assert "recipe.micro_batch" not in found.influences


def test_a_moving_average_takes_a_copy_of_the_weights():
    case = image_case("SDXL base UNet", "diffusion", recipe={"micro_batch": 1})
    without, held = (peak_of(case.vary(averaged=a)).step for a in (False, True))
    assert (held.total - without.total) / 1e9 == pytest.approx(4 * 2.567, rel=0.01)


def test_encoding_is_a_phase_of_its_own_and_counts_where_little_is_trained():
    """LoRA of SDXL with recomputation: the autoencoder at work holds most, 2 to 4 GiB a picture."""
    recipe = {"micro_batch": 4, "activation_checkpointing": "full", "lora_rank": 16}
    case = image_case("SDXL base UNet", "diffusion", method="lora", recipe=recipe)
    peak = peak_of(case)
    assert peak.phase.name == ENCODE
    assert 2 <= peak.phase.activations / 4 / GIB <= 4
    assert peak_of(case.vary(cached=True)).phase.name != ENCODE


def test_large_text_encoders_are_run_before_training():
    flux = image_case("FLUX.1-dev transformer", "diffusion", method="lora")
    small = image_case("SD 1.5 UNet", "diffusion", method="lora")
    assert flux.cached
    assert not small.cached


def test_a_denoiser_asks_what_no_field_can_say():
    task = task_of(
        model={"name": "stable-diffusion-xl", "kind": "diffusion", "image_size": 1024},
        recipe={"framework": "diffusers", "precision": "bf16-mixed", "micro_batch": 1},
    )
    found = estimate_memory(task, CATALOG)
    assert found is not None
    assert {"recipe.weight_average", "recipe.cached_latents"} <= set(found.influences)
    # 16 bytes of 2.57 billion, and an average or none: the fact moves the figure by a tenth or so.
    assert 0.05 < found.influences["recipe.weight_average"] < 0.5
    assert found.device_gib.low < 48 < found.device_gib.high


def test_adapters_on_a_denoiser_keep_most_activations_and_no_states():
    full = image_case("SDXL base UNet", "diffusion", recipe={"micro_batch": 1})
    lora = image_case("SDXL base UNet", "diffusion", method="lora", recipe={"micro_batch": 1})
    ratio = peak_of(lora).kept / peak_of(full).kept
    assert 0.7 < ratio < 0.95
    assert peak_of(lora).step.optimizer < 0.05 * peak_of(full).step.optimizer


def test_a_clip_is_an_order_of_magnitude_that_asks_for_its_frames():
    """CogVideoX-2B, 49 frames of 720 × 480 without recomputation: 47 to 62 GB were published."""
    document = {
        "method": "lora",
        "model": {"name": "CogVideoX-2B", "kind": "diffusion", "image_size": 588},
        "recipe": {
            "framework": "diffusers",
            "micro_batch": 1,
            "precision": "fp16-mixed",
            "activation_checkpointing": "none",
        },
        "placement": {"accelerator": "H100-SXM5-80", "gpus": 8, "data_parallel": "zero2"},
    }
    result = answer(document, whole=False)
    assert result["status"] == "magnitude"
    asked = [question["field"] for question in result["open_questions"]]
    assert "data.clip_frames" in asked
    allocated = result["memory"]["allocated_gib"]
    assert allocated["low"] < 47 / 1.0737 < allocated["high"]


def test_frozen_products_take_two_of_three_passes():
    full, lora = (
        step_time(image_case("FLUX.1-dev transformer", "diffusion", method=m)).total_s
        for m in ("full", "lora")
    )
    assert lora < full


def test_plain_fp32_runs_at_the_rate_of_the_cuda_cores():
    """ResNet-50 in fp32 on V100: 356 to 367 images a second were published by NVIDIA."""
    task = task_of(
        model={"name": "timm/resnet50", "kind": "vision", "image_size": 224},
        accelerator="V100-SXM2",
        recipe={"framework": "timm", "precision": "fp32", "micro_batch": 128},
    )
    found = estimate_time(task, CATALOG)
    assert found is not None
    assert found.samples_per_s.low < 361 < found.samples_per_s.high


def test_every_counted_model_names_its_reference():
    for architecture in CATALOG.architectures.values():
        extra = architecture.extra
        if "activation_mib_bf16" in extra:
            assert extra["reference_image_size"] > 0, architecture.name
            assert extra["activation_mib_fp32"] >= extra["activation_mib_bf16"]
            assert extra["forward_gflops_per_sample"] > extra.get("attention_gflops_per_sample", 0)
