"""Whatever arrives: a refusal that can be read, or values that a task accepts. Nothing secret."""

import json
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.configs.errors import ConfigError
from apps.configs.fields import document_of
from apps.configs.importer import read_config, to_task
from apps.configs.secrets import stripped
from apps.sizing.task_reader import parse_task
from tests.configs.helpers import EVERY_FIXTURE, FIXTURES, imported, of_text, values
from tests.configs.mutations import MUTATIONS

NAMES = ("x", "x.yaml", "x.json", "x.toml", "x.sh", "x.py", "x.ipynb")
ORIGINS = {"file", "framework default", "guess"}
SECOND = 1.0  # of processor time, for any file
REQUIRED = "model_name_or_path: a\nper_device_train_batch_size: 1\n"


def judge(name, data):
    """Read a file and hold what comes out against the contract; the result or None."""
    started = time.process_time()
    refusal = None
    try:
        found = read_config(name, data)
    except ConfigError as problem:
        refusal = problem
    assert time.process_time() - started < SECOND
    if refusal is not None:
        assert refusal.code and refusal.message  # noqa: PT018
        return None
    stated = found.as_dict()
    assert json.loads(json.dumps(stated, allow_nan=False)) == stated
    assert {field["origin"] for field in stated["fields"].values()} <= ORIGINS
    parse_task(document_of(values(found)))
    parse_task(to_task(found))
    for field, value in values(found).items():
        parse_task(document_of({field: value}))
    assert not set(found.ask) & set(found.fields)
    return found


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(NAMES), st.binary(max_size=400))
def test_any_bytes_are_refused_or_read(name, data):
    judge(name, data)


WORDS = st.sampled_from(
    [
        "base_model",
        "model_name_or_path",
        "per_device_train_batch_size",
        "micro_batch_size",
        "lora_r",
        "adapter",
        "zero_optimization",
        "stage",
        "training",
        "parallelism",
        "seq_len",
        "trainer",
        "model",
        "train",
        "optimizer",
        "datasets",
        "distributed_type",
        "fsdp_config",
        "num_processes",
        "deepspeed",
        "optim",
        "bf16",
        "precision",
        "tokens",
        "dp",
        "tp",
        "checkpoint_dir",
        "global_batch_size",
        "train_loader",
        "max_duration",
        "exp_manager",
        "devices",
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(["auto", "no", "???", "${a.b}", "full", "flash", "3ep", "zero3.json", "1e5"]),
)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=6)
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=10))
def test_known_keys_with_any_values_are_refused_or_read(tree):
    judge("x.json", json.dumps(tree).encode())


def fuzz(count, seed):
    dice = random.Random(seed)
    read = 0
    for _time in range(count):
        name = dice.choice(EVERY_FIXTURE)
        data = (FIXTURES / name).read_bytes()
        for _again in range(dice.choice((1, 1, 2, 3))):
            data = dice.choice(MUTATIONS)(data, dice) if data else data
        read += judge(name if dice.random() < 0.9 else dice.choice(NAMES), data) is not None
    assert read > count / 20  # otherwise nothing but refusals would be tested


def test_broken_files_are_refused_or_read():
    fuzz(300, 11)


@pytest.mark.slow
def test_ten_thousand_broken_files_are_refused_or_read():
    fuzz(10_000, 12)


@pytest.mark.parametrize("name", EVERY_FIXTURE)
def test_every_fixture_keeps_the_contract(name):
    assert judge(name, (FIXTURES / name).read_bytes()) is not None


SECRETS = (
    "hf_abcdefghijklmnopqrstuvwxyz0123",
    "hf_zyxwvutsrqponmlkjihgfedcba9876",
    "sk-abcdefghijklmnopqrstuvwxyz",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAABCDEFGHIJKLMNOP",
    "0123456789abcdef0123456789abcdef01234567",
    "opensesame",
)


def printed(found):
    return json.dumps(found.as_dict()) + json.dumps(to_task(found))


@pytest.mark.parametrize("name", ["axolotl_qlora.yml", "unsloth.py"])
def test_a_token_beside_the_settings_is_not_repeated(name):
    text = (FIXTURES / name).read_text(encoding="utf-8")
    assert any(secret in text for secret in SECRETS)
    assert not any(secret in printed(imported(name)) for secret in SECRETS)


@pytest.mark.parametrize("secret", SECRETS[:-1])
@pytest.mark.parametrize("field", ["model_name_or_path", "lora_target_modules", "optim"])
def test_a_token_in_place_of_a_value_is_not_repeated(secret, field):
    found = of_text(f"{REQUIRED}use_peft: true\n{field}: {secret}\n")
    assert secret not in printed(found)


def test_a_token_in_place_of_a_key_is_not_repeated():
    assert SECRETS[0] not in printed(of_text(f"{REQUIRED}{SECRETS[0]}: 1\n"))


def test_credentials_in_an_address_are_cut_out():
    found = of_text(
        REQUIRED.replace(" a\n", " https://me:opensesame@hub.example/acme/X?token=opensesame\n")
    )
    assert values(found)["model"] == "https://hub.example/acme/X"


@pytest.mark.parametrize(
    "line",
    [
        "hub_token: {0}",
        'wandb_api_key = "{0}"',
        '{{"swanlab_token": "{0}"}}',
        "python train.py --hf_token {0} --lora_r 8",
        "export AWS_SECRET_ACCESS_KEY={0}",
        "data: s3://me:{0}@bucket/x",
        "api_key='{0}')",
    ],
)
def test_what_is_kept_of_a_file_has_no_keys(line):
    kept = stripped(line.format("opensesame1234").encode())
    assert b"opensesame" not in kept
    assert len(kept) > len(line) - 12  # the rest of the line stays


@pytest.mark.parametrize(
    "line",
    [
        "tokenizer_name: acme/Tundra-7B",
        "max_tokens: 4096000",
        "pad_token: <|endoftext|>",
        "tokens: {micro_batch_size: 4}",
        "hub_token: ${HF_TOKEN}",
        "use_auth_token: true",
        "modules_to_save: [embed_tokens, lm_head]",
    ],
)
def test_what_only_sounds_like_a_key_is_kept(line):
    assert stripped(line.encode()) == line.encode()


def test_bytes_that_are_no_text_are_kept_as_they_are():
    assert stripped(b"\xff\x00 hub_token: opensesame1234") == b"\xff\x00 hub_token: opensesame1234"


@pytest.mark.parametrize("suffix", ["yaml", "json", "toml", "py"])
def test_a_refusal_does_not_quote_the_file(suffix):
    with pytest.raises(ConfigError) as refusal:
        read_config(f"x.{suffix}", b'password: "opensesame\n = [ (')
    assert "opensesame" not in refusal.value.message
