"""Files that complete each other, in whatever order they come."""

from itertools import permutations

import pytest

from apps.configs.importer import combine
from tests.configs.helpers import of_text, values

AXOLOTL = """\
base_model: acme/Tundra-7B
adapter: lora
lora_r: 24
lora_target_linear: true
sequence_len: 3072
micro_batch_size: 3
gradient_accumulation_steps: 5
optimizer: adamw_torch
bf16: true
deepspeed: /home/somebody/secret-project/zero3_bf16.json
"""
DEEPSPEED = """\
{"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}},
 "bf16": {"enabled": "auto"}, "train_micro_batch_size_per_gpu": "auto"}
"""
ACCELERATE = """\
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 2
num_processes: 16
mixed_precision: 'no'
"""
MODEL = (
    '{"model_type": "llama", "architectures": ["X"], "hidden_size": 512, "num_hidden_layers": 4}'
)
SCRIPT = (
    "deepspeed --num_gpus 8 train.py --model_name_or_path acme/Tundra-7B --use_lora True"
    " --per_device_train_batch_size 3 --gradient_accumulation_steps 2 --deepspeed zero3.json\n"
)
FACTORY = """\
model_name_or_path: acme/Tundra-7B
finetuning_type: full
cutoff_len: 1536
per_device_train_batch_size: 1
deepspeed: examples/deepspeed/ds_z2_config.json
"""


def parts(*texts):
    names = {AXOLOTL: "a.yml", ACCELERATE: "b.yaml", SCRIPT: "c.sh", FACTORY: "d.yaml"}
    return [of_text(text, names.get(text, "e.json")) for text in texts]


@pytest.mark.parametrize("order", list(permutations((AXOLOTL, DEEPSPEED, ACCELERATE))))
def test_the_trainer_says_the_recipe_and_the_launchers_the_layout(order):
    found = values(combine(parts(*order)))
    assert found["model"] == "acme/Tundra-7B"
    assert (found["method"], found["lora_rank"], found["sequence_length"]) == ("lora", 24, 3072)
    assert (found["micro_batch"], found["grad_accumulation"]) == (3, 5)
    assert found["precision"] == "bf16-mixed"
    assert found["offload"] == "optimizer"
    assert (found["gpus"], found["nodes"]) == (16, 2)


@pytest.mark.parametrize("order", list(permutations((SCRIPT, DEEPSPEED))))
def test_a_launchers_file_beats_the_guess_from_its_name(order):
    alone, together = values(parts(SCRIPT)[0]), values(combine(parts(*order)))
    assert alone["data_parallel"] == "zero3"
    assert (together["data_parallel"], together["offload"]) == ("zero2", "optimizer")
    assert (together["gpus"], together["micro_batch"]) == (8, 3)


@pytest.mark.parametrize("order", list(permutations((FACTORY, MODEL))))
def test_the_models_own_file_brings_its_widths(order):
    found = values(combine(parts(*order)))
    assert (found["hidden"], found["layers"], found["method"]) == (512, 4, "full")


@pytest.mark.parametrize(
    ("text", "name", "missing"),
    [
        (AXOLOTL, "a.yml", "zero3_bf16.json"),
        (SCRIPT, "c.sh", "zero3.json"),
        (FACTORY, "d.yaml", "ds_z2_config.json"),
        (
            "accelerate launch --config_file conf/fsdp.yaml train.py conf/run.yaml\n",
            "e.sh",
            "fsdp.yaml",
        ),
        (
            "accelerate launch --config_file conf/fsdp.yaml train.py conf/run.yaml\n",
            "e.sh",
            "run.yaml",
        ),
    ],
)
def test_a_file_that_is_only_named_is_asked_for_without_its_path(text, name, missing):
    found = of_text(text, name)
    assert missing in found.references
    assert f"file:{missing}" in found.as_dict()["ask"]
    assert "/" not in "".join(found.references)


def test_a_preset_and_a_directory_are_no_files():
    assert (
        of_text(FACTORY.replace("examples/deepspeed/ds_z2_config.json", "zero2")).references == ()
    )
    assert of_text(FACTORY.replace("_config.json", "")).references == ()
