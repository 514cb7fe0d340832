"""Names, widths and parameter counts of models."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sizing.architectures import complete_model, find_architecture
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Model
from tests.sizing.engine import CATALOG


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Llama-3.1-8B", "meta-llama/Meta-Llama-3.1-8B"),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-8B"),
        ("llama3.1:8b", "meta-llama/Meta-Llama-3.1-8B"),
        ("llama 3 8b", "meta-llama/Meta-Llama-3-8B"),
        ("unsloth/llama-3-8b-bnb-4bit", "meta-llama/Meta-Llama-3-8B"),
        ("Mistral-7B-v0.1-GPTQ", "mistralai/Mistral-7B-v0.1"),
        ("Mistral-7B-Instruct-v0.3", "mistralai/Mistral-7B-v0.3"),
        ("llama3-70b truncated to 12 layers", "meta-llama/Meta-Llama-3-70B"),
        ("DeepSeek-R1", "deepseek-ai/DeepSeek-V3 (= R1, without the MTP layer)"),
        ("DeepSeek-V2", "deepseek-ai/DeepSeek-V2"),
        ("Mistral-Nemo-12B", "mistralai/Mistral-Nemo-Base-2407 (12B)"),
        ("qwen2.5 vl 7b", "Qwen/Qwen2.5-VL-7B-Instruct"),
        ("ResNet50", "timm/resnet50"),
        ("sdxl", "SDXL base UNet"),
    ],
)
def test_a_model_is_found_by_the_names_people_use(name, found):
    architecture = find_architecture(Model(name=name), CATALOG)
    assert architecture is not None
    assert architecture.name == found


@pytest.mark.parametrize("name", ["llama", "our own model", "", "7b", "Qwen9-7B-Turbo"])
def test_a_name_that_says_nothing_finds_nothing(name):
    assert find_architecture(Model(name=name or None), CATALOG) is None


def test_a_size_that_contradicts_the_name_finds_nothing():
    assert find_architecture(Model(name="llama-3-8b", params_billion=3), CATALOG) is None


def test_given_values_win_over_the_catalog():
    completed = complete_model(Model(name="llama-3-70b", layers=12), CATALOG)
    assert (completed.layers, completed.hidden) == (12, 8192)
    assert completed.params_billion is None


@pytest.mark.parametrize("kind", ["decoder", "moe-decoder", "encoder"])
def test_counted_parameters_agree_with_models_built_on_the_meta_device(kind):
    """The catalog's counts come from the classes themselves; ours from layer arithmetic."""
    checked = 0
    for architecture in CATALOG.architectures.values():
        known = (architecture.layers, architecture.kv_heads or architecture.heads)
        unlisted = None in (*known, architecture.ffn, architecture.vocab)
        if architecture.kind != kind or unlisted:
            continue
        model = replace(complete_model(Model(name=architecture.name), CATALOG), params_billion=None)
        unnamed = replace(model, name=None, active_params_billion=None)
        if architecture.extra.keys() & {"mla", "shared_expert_ffn", "dense_layers"}:
            unnamed = replace(unnamed, name=architecture.name)
        shape = resolve_shape(unnamed, CATALOG)
        assert shape is not None
        tolerance = 0.065 if kind == "encoder" else 0.02
        assert shape.total_params == pytest.approx(architecture.params, rel=tolerance), architecture
        checked += 1
    assert checked >= (10 if kind != "encoder" else 8)


def test_active_parameters_of_a_mixture_are_those_published():
    shape = resolve_shape(Model(name="mixtral-8x7b"), CATALOG)
    assert shape is not None
    assert shape.active_params == pytest.approx(12.88e9, rel=0.01)


def test_a_mere_size_gives_a_usual_decoder_and_says_what_was_guessed():
    shape = resolve_shape(Model(params_billion=8), CATALOG)
    assert shape is not None
    assert 28 <= shape.layers <= 40
    assert shape.total_params == 8e9
    assert {"layers", "hidden", "heads", "vocab"} <= set(shape.assumed)


def test_without_any_size_there_is_no_shape():
    assert resolve_shape(Model(), CATALOG) is None
    assert resolve_shape(Model(name="something new", vocab=32000), CATALOG) is None


@given(
    st.one_of(st.none(), st.floats(0.001, 2000)),
    st.one_of(st.none(), st.integers(1, 200)),
    st.one_of(st.none(), st.integers(8, 30_000)),
    st.one_of(st.none(), st.integers(1, 300)),
    st.one_of(st.none(), st.integers(1, 400_000)),
)
def test_any_part_of_a_description_gives_a_consistent_shape(billion, layers, hidden, heads, vocab):
    model = Model(params_billion=billion, layers=layers, hidden=hidden, heads=heads, vocab=vocab)
    shape = resolve_shape(model, CATALOG)
    if billion is None and layers is None and hidden is None:
        assert shape is None
        return
    assert shape is not None
    assert min(shape.layers, shape.hidden, shape.heads, shape.kv_heads, shape.ffn) >= 1
    assert shape.total_params > 0
    assert shape.block_params >= 0
    assert shape.kv_heads <= shape.heads
