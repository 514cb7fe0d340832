"""How files spell optimizers, numbers, precisions and lists."""

import pytest

from apps.configs.values import as_count, as_flag, as_kept, as_list, as_number, as_text
from apps.configs.words import (
    attention_word,
    checkpointing_word,
    optimizer_words,
    precision_word,
    targets_word,
)


@pytest.mark.parametrize(
    ("name", "optimizer", "step"),
    [
        ("adamw_torch", "adamw", None),
        ("adamw_torch_fused", "adamw", "fused"),
        ("adamw_bnb_8bit", "adamw-8bit", None),
        ("adamw_8bit", "adamw-8bit", None),
        ("paged_adamw_8bit", "adamw-8bit", "paged"),
        ("paged_adamw_32bit", "adamw", "paged"),
        ("paged_lion_8bit", "lion-8bit", "paged"),
        ("bitsandbytes.optim.PagedAdamW8bit", "adamw-8bit", "paged"),
        ("torch.optim.AdamW", "adamw", None),
        ("decoupled_lionw", "lion", None),
        ("decoupled_adamw", "adamw", None),
        ("distributed_fused_adam", "adamw", "fused"),
        ("FusedAdam", "adamw", "fused"),
        ("galore_adamw_8bit_layerwise", "galore", "in-backward"),
        ("adamw_torch_4bit", "other", None),
        ("adalomo", "other", "in-backward"),
        ("Adafactor", "adafactor", None),
        ("SGD", "sgd", None),
        ("muon", "muon", None),
        ("OneBitLamb", "other", None),
        ("novograd", "other", None),
        ("auto", None, None),
        (7, None, None),
    ],
)
def test_an_optimizer_and_how_its_step_is_done(name, optimizer, step):
    assert optimizer_words(name) == (optimizer, step)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("bf16", "bf16-mixed"),
        ("bfloat16", "bf16-mixed"),
        ("torch.bfloat16", "bf16-mixed"),
        ("amp_bf16", "bf16-mixed"),
        ("bf16-true", "bf16-pure"),
        ("16-mixed", "fp16-mixed"),
        (16, "fp16-mixed"),
        (32, "fp32"),
        ("32-true", "fp32"),
        ("no", "fp32"),
        (False, "fp32"),
        ("fp8", "fp8-mixed"),
        ("transformer-engine", "fp8-mixed"),
        ("auto", None),
        (True, None),
    ],
)
def test_a_precision(value, word):
    assert precision_word(value) == word


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("flash_attention_2", "flash"),
        ("kernels-community/vllm-flash-attn3", "flash"),
        ("fa2", "flash"),
        ("sdpa", "sdpa"),
        ("unfused", "eager"),
        ("fused", "flash"),
        ("disabled", "eager"),
        (True, "flash"),
        (False, None),
        ("auto", None),
    ],
)
def test_an_attention(value, word):
    assert attention_word(value) == word


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (True, "full"),
        ("no", "none"),
        ("unsloth", "full"),
        ("offload_disk", "full"),
        ("selective", "selective"),
        ("maybe", None),
    ],
)
def test_an_activation_checkpointing(value, word):
    assert checkpointing_word(value) == word


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1e-4", 1e-4),
        ("500_000", 500_000),
        ("50_00", None),
        ("１２", None),
        ("1,5", None),
        ("0x10", None),
        (" 7 ", 7),
        (True, None),
        (10**30, None),
        ([1], None),
        ("nan", None),
    ],
)
def test_a_number_also_when_it_is_written_as_text(value, number):
    assert as_number(value) == number


def test_counts_that_mean_something_else_are_none():
    assert [as_count(v) for v in (-1, 0, "auto", 2.5, "3", 4.0)] == [None, None, None, None, 3, 4]
    assert [as_kept(v) for v in (-1, 0, 5)] == [None, 0, 5]


def test_flags_are_words_only_where_a_field_means_them():
    assert [as_flag(v) for v in ("yes", "on", "no", "off", 1, "2", None)] == [
        True, True, False, False, True, None, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("q_proj,v_proj", ["q_proj", "v_proj"]),
        ("[q_proj, 'v_proj']", ["q_proj", "v_proj"]),
        (["q_proj", 3, ""], ["q_proj"]),
        ("(q|v)_proj", ["(q|v)_proj"]),
        ("all", "all-linear"),
        (["all-linear"], "all-linear"),
        ("", None),
        (None, None),
    ],
)
def test_adapted_modules(value, names):
    assert targets_word(value) == names


def test_text_of_several_lines_or_with_an_open_reference_is_no_name():
    assert [as_text(v) for v in ("a\nb", "run_${x}", " a ", "x" * 300)] == [None, None, "a", None]
    assert as_list({"a": 1}) == []
