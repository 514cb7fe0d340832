"""Several files of one run, what is asked, what is called unused; the way into a task."""

import pytest

from apps.configs.draft import Draft
from apps.configs.importer import combine, to_task
from apps.configs.naming import catalog_name, module_names
from apps.sizing.adapters import resolve_adapters
from apps.sizing.shapes import Shape
from apps.sizing.task_reader import parse_task
from tests.configs.helpers import imported, of_text, values

TRAINER = "model_name_or_path: acme/X\nper_device_train_batch_size: 2\nbf16: true\n"
LAUNCHER = "distributed_type: FSDP\nnum_processes: 8\nmixed_precision: 'no'\nfsdp_config: {}\n"


def test_the_launcher_completes_the_trainer_whatever_the_order():
    parts = [of_text(LAUNCHER), of_text(TRAINER)]
    for order in (parts, parts[::-1]):
        found = combine(order)
        assert (found.format, found.role) == ("trl_yaml+accelerate_yaml", "trainer")
        assert values(found)["gpus"] == 8
        assert values(found)["data_parallel"] == "fsdp"
        assert values(found)["micro_batch"] == 2
        assert "gpus" not in found.ask


def test_of_two_statements_the_trainers_counts_and_of_the_layout_the_launchers():
    trainer = of_text(TRAINER + "fsdp: full_shard\ngradient_accumulation_steps: 3\n")
    launcher = imported("accelerate_deepspeed.yaml")
    found = combine([trainer, launcher])
    assert values(found)["grad_accumulation"] == 3
    assert values(found)["precision"] == "bf16-mixed"
    assert values(found)["data_parallel"] == "zero3"


def test_a_stated_value_of_one_file_beats_a_guess_and_a_default_of_another():
    axolotl = imported("axolotl_qlora.yml")
    deepspeed = of_text(
        '{"zero_optimization": {"stage": 3}, "optimizer": {"type": "Lion"}}', "d.json"
    )
    found = combine([axolotl, deepspeed])
    assert values(found)["data_parallel"] == "zero3"
    assert found.fields["data_parallel"].origin == "file"
    assert values(found)["optimizer"] == "adamw-8bit"


def test_sharding_in_mixed_precision_keeps_fp32_copies_whatever_the_checkpoint_is():
    alone = of_text(TRAINER + "dtype: bfloat16\n")
    assert values(alone)["master_weights"] == "none"
    found = combine([alone, of_text(LAUNCHER)]).fields["master_weights"]
    assert (found.value, found.origin) == ("fp32", "framework default")


def test_an_architecture_completes_a_name():
    found = combine([of_text(TRAINER), imported("config_moe.json")])
    assert values(found)["model"] == "acme/X"
    assert values(found)["experts"] == 48


def test_what_stays_unknown_is_asked():
    asked = of_text(TRAINER).ask
    assert {"accelerator", "gpus", "samples"} <= set(asked)
    assert not {"model", "micro_batch", "optimizer"} & set(asked)


def test_a_stated_value_that_no_task_can_hold_is_asked_for_and_no_default_takes_its_place():
    found = imported("bad_wish.yaml")
    wishes = {"micro_batch", "grad_accumulation", "sequence_length", "epochs", "lora_rank"}
    assert not wishes & set(found.fields)
    assert wishes <= set(found.ask)


def test_fields_that_contradict_each_other_are_not_both_kept():
    text = '{"model_type": "llama", "architectures": [], "num_attention_heads": 4, "num_key_value_heads": 9}'
    assert "kv_heads" not in values(of_text(text, "config.json"))


def test_keys_that_are_not_used_are_named_once_and_used_ones_are_not():
    found = of_text(TRAINER + "empty:\nwarmup: {a: 1, b: [{c: 1}, {c: 2}]}\nbf16: true\n")
    assert found.not_recognised == ("bf16", "warmup.a", "warmup.b[].c")


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("torchtune.models.llama3_1.lora_llama3_1_8b", "llama-3.1-8b"),
        ("torchtune.models.qwen2_5.qwen2_5_7b_instruct", "qwen-2.5-7b-instruct"),
        ("torchtune.models.gemma2.qlora_gemma2_27b", "gemma-2-27b"),
        ("torchtune.models.mistral.mistral_7b", "mistral-7b"),
        ("llama3:405B", "Llama-3.1-405B"),
        ("qwen3:32B", "qwen3-32B"),
        ("deepseek_v3:671B", "DeepSeek-V3"),
        ("./models/Own-7B/", "Own-7B"),
        ("acme/Own-7B", "acme/Own-7B"),
    ],
)
def test_a_task_calls_a_model_as_the_catalog_does(name, known_as):
    assert catalog_name(name) == known_as


@pytest.mark.parametrize(
    ("targets", "names"),
    [
        ("all-linear", "all-linear"),
        (["q_proj", "to_out.0"], ["q_proj", "to_out"]),
        ([r"layers.[\d]+.(mlp|self_attn).(up|q)_proj"], ["up_proj", "q_proj"]),
        ([r".*\.down_proj$"], ["down_proj"]),
    ],
)
def test_a_task_names_adapted_modules_one_by_one(targets, names):
    assert module_names(targets) == names


def test_an_imported_file_is_a_task():
    task = parse_task(to_task(imported("megatron.sh")))
    assert task.placement is not None
    assert (task.placement.gpus, task.placement.tensor_parallel) == (32, 4)
    assert (task.model.layers, task.recipe.global_batch, task.method) == (48, 256, "full")


SHAPE = Shape(
    kind="decoder",
    layers=2,
    hidden=64,
    heads=4,
    kv_heads=4,
    head_dim=16,
    ffn=256,
    vocab=100,
    gated=True,
    tied=False,
    query=64,
    key_value=64,
    attention_params=4 * 64 * 64,
    mlp_params=3 * 64 * 256,
    total_params=1e5,
)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (("mlp",), ("gate_proj", "up_proj", "down_proj")),
        (("query", "projection"), ("q_proj", "o_proj")),
        (("linear_fc1", "linear_fc2"), ("gate_up_proj", "down_proj")),
        (("attention_qkv", "attention_dense"), ("qkv_proj", "o_proj")),
    ],
)
def test_the_engine_counts_adapters_under_the_names_of_every_framework(theirs, ours):
    counts = [
        resolve_adapters(SHAPE, names, 8, None, ()).trained_params for names in (theirs, ours)
    ]
    assert counts[0] == counts[1] > 0


def test_a_draft_keeps_what_is_stated_and_takes_no_default_for_what_is_unreadable():
    draft = Draft()
    draft.default("epochs", 3)
    draft.file("epochs", 2)
    draft.file("epochs", 9)
    draft.file("micro_batch", -1)
    draft.default("micro_batch", 8)
    assert (draft.value("epochs"), draft.value("micro_batch")) == (2, None)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("/home/somebody/models/Tundra-7B/", "Tundra-7B"),
        ("~/models/tundra-7b", "tundra-7b"),
        ("./pretrained/Tundra-7B", "Tundra-7B"),
        ("D:\\models\\tundra.safetensors", "tundra.safetensors"),
        ("ckpts/models--acme--Tundra-7B/snapshots/0a1b", "acme/Tundra-7B"),
        ("checkpoints/acme/Tundra-7B", "acme/Tundra-7B"),
        ("acme/Tundra-7B", "acme/Tundra-7B"),
    ],
)
def test_a_path_on_a_disk_is_no_part_of_a_models_name(written, name):
    assert catalog_name(written) == name
