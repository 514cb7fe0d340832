"""Formats of pre-training, of launchers and of images; architectures and adapters."""

import pytest

from tests.configs.helpers import EVERY_FIXTURE, Says, imported
from tests.configs.test_more_formats import CASES as MORE
from tests.configs.test_partial_formats import CASES as PARTIAL
from tests.configs.test_tuning_formats import CASES as TUNING

CASES = {
    "accelerate_ddp.yaml": Says(
        "accelerate_yaml", {"data_parallel": "ddp", "gpus": 24, "nodes": 3, "precision": "fp32"}
    ),
    "accelerate_fsdp1.yaml": Says(
        "accelerate_yaml",
        {
            "data_parallel": "zero2",
            "offload": "params",
            "activation_checkpointing": "full",
            "precision": "fp16-mixed",
        },
    ),
    "accelerate_hsdp.yaml": Says(
        "accelerate_yaml",
        {"data_parallel": "hsdp", "shard_degree": 4, "tensor_parallel": 2, "offload": "none"},
    ),
    "accelerate_deepspeed.yaml": Says(
        "accelerate_yaml",
        {"data_parallel": "zero3", "offload": "optimizer", "grad_accumulation": 3},
    ),
    "accelerate_megatron.yaml": Says(
        "accelerate_yaml",
        {
            "tensor_parallel": 2,
            "pipeline_parallel": 2,
            "data_parallel": "zero1",
            "activation_checkpointing": "selective",
        },
    ),
    "deepspeed_zero3.json": Says(
        "deepspeed_json",
        {
            "data_parallel": "zero3",
            "shard_degree": 8,
            "offload": "params",
            "micro_batch": 3,
            "grad_accumulation": 4,
            "global_batch": 96,
            "optimizer": "adamw",
            "precision": "bf16-mixed",
        },
        default={"master_weights": "fp32"},
        guess={"gpus": 8},
    ),
    "deepspeed_auto.json": Says(
        "deepspeed_json",
        {"data_parallel": "zero2", "offload": "optimizer"},
        unknown=("precision", "micro_batch", "grad_accumulation", "global_batch", "optimizer"),
    ),
    "deepspeed_lamb.json": Says(
        "deepspeed_json",
        {"optimizer": "other", "precision": "fp16-mixed", "global_batch": 4096},
        default={"data_parallel": "ddp"},
    ),
    "torchtune_full.yaml": Says(
        "torchtune_yaml",
        {
            "model": "torchtune.models.llama3_1.llama3_1_8b",
            "method": "full",
            "sequence_length": 3500,
            "packing": True,
            "micro_batch": 6,
            "grad_accumulation": 2,
            "epochs": 2,
            "optimizer": "adamw",
            "optimizer_step": "fused",
            "precision": "bf16-pure",
            "offload": "params",
            "fused_cross_entropy": True,
            "saves_kept": 3,
            "tensor_parallel": 2,
            "compile": True,
        },
        guess={"gpus": 8, "steps": 240, "data_parallel": "fsdp"},
    ),
    "torchtune_qdora.yaml": Says(
        "torchtune_yaml",
        {
            "method": "dora",
            "quantization": "nf4",
            "lora_rank": 28,
            "lora_targets": ["q_proj", "k_proj", "output_proj", "mlp"],
            "optimizer": "adamw-8bit",
            "optimizer_step": "in-backward",
            "activation_checkpointing": "none",
            "precision": "fp32",
            "stage": "dpo",
            "fused_cross_entropy": False,
        },
        guess={"gpus": 1},
        unknown=("sequence_length",),
    ),
    "torchtune.sh": Says(
        "torchtune_sh",
        {"method": "lora", "gpus": 4, "micro_batch": 5, "lora_rank": 36, "precision": "bf16-pure"},
        unknown=("epochs", "activation_checkpointing", "optimizer"),
    ),
    "torchtitan.toml": Says(
        "torchtitan_toml",
        {
            "model": "llama3:70B",
            "precision": "fp8-mixed",
            "micro_batch": 4,
            "global_batch": 64,
            "sequence_length": 16384,
            "steps": 2500,
            "optimizer_step": "foreach",
            "save_every_steps": 125,
            "saves_kept": 4,
            "activation_checkpointing": "full",
            "tensor_parallel": 2,
            "shard_degree": 8,
        },
        default={"strategy": "from-scratch", "data_parallel": "fsdp", "method": "full"},
        guess={"gpus": 16, "grad_accumulation": 2},
    ),
    "torchtitan_registry.py": Says(
        "torchtitan_py",
        {
            "micro_batch": 3,
            "sequence_length": 4096,
            "steps": 700,
            "optimizer_step": "in-backward",
            "tensor_parallel": 4,
            "activation_checkpointing": "selective",
        },
        guess={"model": "Own-8B", "save_every_steps": 50},
    ),
    "litgpt_lora.yaml": Says(
        "litgpt_yaml",
        {
            "model": "checkpoints/acme/Dune-6b",
            "method": "qlora",
            "quantization": "nf4-double",
            "precision": "bf16-pure",
            "gpus": 8,
            "nodes": 2,
            "lora_targets": ["query", "projection", "mlp"],
            "global_batch": 64,
            "micro_batch": 2,
        },
        default={"activation_checkpointing": "full", "data_parallel": "fsdp"},
        guess={"grad_accumulation": 4},
    ),
    "litgpt_pretrain.yaml": Says(
        "litgpt_yaml",
        {"layers": 9, "hidden": 432, "kv_heads": 3, "gated_ffn": True, "vocab": 40000},
        default={"strategy": "from-scratch", "method": "full"},
        guess={"steps": 7812, "tokens": 1_000_000_000},
        unknown=("gpus", "epochs"),
    ),
    "llmfoundry_scratch.yaml": Says(
        "llmfoundry_yaml",
        {
            "hidden": 1280,
            "layers": 14,
            "sequence_length": 3000,
            "optimizer": "lion",
            "attention": "eager",
            "data_parallel": "hsdp",
            "offload": "activations",
            "save_every_steps": 250,
            "packing": True,
            "strategy": "from-scratch",
        },
        guess={"tokens": 3_000_000_000, "ffn": 5120, "model": "mpt_causal_lm"},
        unknown=("micro_batch", "saves_kept", "steps"),
    ),
    "llmfoundry_job.yaml": Says(
        "llmfoundry_yaml",
        {
            "gpus": 16,
            "model": "acme/Lime-7B",
            "epochs": 4,
            "precision": "fp16-mixed",
            "strategy": "finetune",
            "attention": "flash",
        },
        default={"data_parallel": "ddp", "save_every_steps": 1000},
    ),
    "nanotron.yaml": Says(
        "nanotron_yaml",
        {
            "gpus": 16,
            "data_parallel": "zero1",
            "tensor_parallel": 2,
            "pipeline_parallel": 2,
            "sequence_parallel": True,
            "experts": 16,
            "experts_per_token": 2,
            "activation_checkpointing": "full",
            "save_every_steps": 600,
            "optimizer_step": "fused",
        },
        guess={"global_batch": 64, "kind": "moe-decoder"},
    ),
    "nemo_gpt.yaml": Says(
        "nemo_hydra_yaml",
        {
            "gpus": 32,
            "nodes": 4,
            "data_parallel": "zero1",
            "kv_heads": 6,
            "gated_ffn": True,
            "activation_checkpointing": "selective",
            "steps": 30000,
            "saves_kept": 6,
        },
        guess={"grad_accumulation": 32, "strategy": "from-scratch"},
        unknown=("ffn", "epochs", "virtual_pipeline"),
    ),
    "nemo_peft.yaml": Says(
        "nemo_hydra_yaml",
        {
            "method": "lora",
            "lora_rank": 18,
            "lora_targets": ["attention_qkv"],
            "precision": "fp16-mixed",
            "sequence_length": 1792,
            "strategy": "finetune",
        },
    ),
    "nemo_speech.yaml": Says(
        "nemo_hydra_yaml",
        {
            "micro_batch": 20,
            "grad_accumulation": 4,
            "data_parallel": "ddp",
            "precision": "fp32",
            "optimizer": "other",
        },
        unknown=("gpus",),
    ),
    "lightning.yaml": Says(
        "lightning_yaml",
        {"gpus": 6, "nodes": 3, "micro_batch": 48, "precision": "fp16-mixed", "saves_kept": 3},
    ),
    "kohya_lora.toml": Says(
        "kohya_toml",
        {
            "method": "lora",
            "lora_rank": 22,
            "image_size": 1024,
            "micro_batch": 3,
            "optimizer": "adamw-8bit",
            "epochs": 12,
            "saves_kept": 2,
            "quantization": "fp8",
        },
        guess={"kind": "diffusion"},
        unknown=("steps",),
    ),
    "kohya_data.toml": Says(
        "kohya_toml", {"image_size": 768, "micro_batch": 5}, unknown=("method", "optimizer")
    ),
    "kohya.sh": Says(
        "kohya_sh",
        {
            "precision": "bf16-pure",
            "optimizer": "adafactor",
            "steps": 700,
            "lora_rank": 9,
            "attention": "sdpa",
        },
        guess={"offload": "params"},
        unknown=("micro_batch",),
    ),
    "ultralytics.yaml": Says(
        "ultralytics_yaml",
        {"global_batch": 64, "gpus": 2, "image_size": 1280, "precision": "fp16-mixed"},
        guess={"micro_batch": 32},
    ),
    "mmengine.py": Says(
        "mmengine_py",
        {
            "micro_batch": 3,
            "epochs": 24,
            "optimizer": "sgd",
            "precision": "fp16-mixed",
            "grad_accumulation": 2,
            "saves_kept": 4,
        },
        unknown=("method",),
    ),
    "timm.sh": Says(
        "timm_sh",
        {"gpus": 4, "micro_batch": 96, "grad_accumulation": 2, "precision": "bf16-mixed"},
    ),
    "megatron.sh": Says(
        "megatron_sh",
        {
            "gpus": 32,
            "nodes": 4,
            "kv_heads": 8,
            "gated_ffn": True,
            "tied_embeddings": False,
            "precision": "fp8-mixed",
            "activation_checkpointing": "selective",
            "data_parallel": "zero1",
            "tensor_parallel": 4,
            "save_every_steps": 2000,
            "attention": "flash",
        },
        guess={"grad_accumulation": 64},
    ),
    "megatron_deepspeed.sh": Says(
        "megatron_sh+deepspeed_json",
        {
            "framework": "megatron-deepspeed",
            "gpus": 16,
            "nodes": 2,
            "data_parallel": "zero2",
            "offload": "optimizer",
            "micro_batch": 6,
            "activation_checkpointing": "full",
        },
        guess={"steps": 10000, "grad_accumulation": 4},
    ),
    "diffusers_lora.sh": Says(
        "diffusers_sh",
        {
            "model": "acme/paint-1-5",
            "method": "lora",
            "lora_rank": 13,
            "image_size": 640,
            "optimizer": "adamw-8bit",
            "precision": "fp16-mixed",
            "saves_kept": 5,
        },
    ),
    "peft_adapter.json": Says(
        "peft_adapter_json",
        {
            "method": "dora",
            "model": "acme/Reed-4B",
            "lora_rank": 40,
            "modules_to_save": ["lm_head"],
        },
        unknown=("precision", "micro_batch"),
    ),
    "config_moe.json": Says(
        "hf_config_json",
        {"kind": "moe-decoder", "experts": 48, "moe_ffn": 640, "head_dim": 128, "kv_heads": 4},
        default={"gated_ffn": True},
        unknown=("sequence_length", "precision", "method"),
    ),
    "config_gpt2.json": Says(
        "hf_config_json",
        {"kind": "decoder", "hidden": 800, "layers": 10},
        default={"ffn": 3200, "gated_ffn": False, "tied_embeddings": True, "kv_heads": 10},
    ),
    "config_vlm.json": Says(
        "hf_config_json",
        {"kind": "vlm", "hidden": 1024, "image_size": 448, "quantization": "awq-int4"},
    ),
    "generic.yaml": Says(
        "generic_yaml", {}, guess={"micro_batch": 24, "sequence_length": 640, "steps": 5000}
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_file_says_what_it_states_and_its_framework_the_rest(name):
    CASES[name].check(imported(name))


def test_every_fixture_stands_in_a_table():
    told = set(CASES) | set(TUNING) | set(MORE) | set(PARTIAL)
    assert set(EVERY_FIXTURE) == told | {"bad_wish.yaml"}
