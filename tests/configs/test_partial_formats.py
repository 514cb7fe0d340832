"""Files that hold but a part of a run, or state it apart: what each file states."""

import pytest

from tests.configs.helpers import Says, imported, of_text, values

CASES = {
    "nemo_align.yaml": Says(
        "nemo_hydra_yaml",
        {
            "stage": "dpo",
            "epochs": 3,
            "save_every_steps": 90,
            "saves_kept": 6,
            "gpus": 8,
            "micro_batch": 2,
            "global_batch": 48,
            "sequence_length": 3072,
            "data_parallel": "zero1",
        },
        default={"method": "full"},
        unknown=("lora_rank", "steps"),
    ),
    "lightning_trainer.yaml": Says(
        "lightning_yaml",
        {
            "precision": "bf16-mixed",
            "epochs": 70,
            "grad_accumulation": 3,
            "saves_kept": 5,
            "save_every_steps": 400,
        },
    ),
    "lightning_class.yaml": Says(
        "lightning_yaml", {"precision": "fp32", "epochs": 8, "grad_accumulation": 4}
    ),
    "lightning_task.yaml": Says(
        "lightning_yaml",
        {"optimizer": "adamw", "micro_batch": 7, "epochs": 9, "precision": "fp16-mixed"},
    ),
    "llmfoundry_dora.yaml": Says(
        "llmfoundry_yaml",
        {
            "method": "dora",
            "lora_rank": 20,
            "lora_targets": ["q_proj", "v_proj"],
            "sequence_length": 1536,
            "steps": 650,
        },
    ),
    "answer_apart.yaml": Says(
        "generic_yaml",
        {},
        guess={"sequence_length": 512, "micro_batch": 5, "steps": 700, "method": "lora"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_part_says_what_it_states(name):
    CASES[name].check(imported(name))


@pytest.mark.parametrize(
    "lines",
    [
        "base_model: acme/Tundra-1B\nmicro_batch_size: 2\ndatasets: [{path: a, type: alpaca}]\n",
        "model_name_or_path: acme/Tundra-1B\nstage: sft\nfinetuning_type: full\ntemplate: qwen\n",
    ],
)
def test_eight_bit_products_are_no_other_type_than_the_one_stated(lines):
    beside = of_text(f"{lines}bf16: true\nfp8: true\n")
    assert beside.fields["precision"].value == "bf16-mixed"
    assert beside.fields["precision"].origin == "file"
    assert "fp8" in beside.not_recognised
    assert values(of_text(f"{lines}fp8: true\n"))["precision"] == "fp8-mixed"
