"""Widths of a transformer as Hugging Face's `config.json` and its relatives name them."""

from __future__ import annotations

from typing import Final

from apps.configs.draft import Draft
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_number, as_word

_WIDTHS: Final = (
    ("hidden", ("hidden_size", "n_embd", "d_model", "dim", "model_dim")),
    ("layers", ("num_hidden_layers", "n_layer", "num_layers", "n_layers", "encoder_layers")),
    ("heads", ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads")),
    ("kv_heads", ("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "n_head_kv")),
    ("head_dim", ("head_dim", "kv_channels", "d_kv", "attention_head_dim")),
    (
        "ffn",
        ("intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "d_ff", "encoder_ffn_dim"),
    ),
    ("vocab", ("vocab_size", "padded_vocab_size")),
    ("experts", ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")),
    (
        "experts_per_token",
        ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "top_k_experts"),
    ),
    ("moe_ffn", ("moe_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size")),
)
_PLAIN_MLP: Final = frozenset(
    [
        "gpt2",
        "gpt_neo",
        "gpt_neox",
        "gptj",
        "gpt_bigcode",
        "opt",
        "bloom",
        "falcon",
        "phi",
        "mpt",
        "bert",
        "roberta",
        "xlm-roberta",
        "distilbert",
        "electra",
        "albert",
        "vit",
        "deit",
        "dinov2",
        "starcoder2",
        "whisper",
        "bart",
        "mbart",
        "wav2vec2",
    ]
)
_GATED_MLP: Final = frozenset(
    [
        "llama",
        "mistral",
        "mixtral",
        "qwen",
        "qwen2",
        "qwen2_moe",
        "qwen3",
        "qwen3_moe",
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "phi3",
        "deepseek",
        "deepseek_v2",
        "deepseek_v3",
        "olmo",
        "olmo2",
        "smollm3",
        "internlm2",
        "baichuan",
        "yi",
        "cohere",
        "cohere2",
        "chatglm",
        "glm",
        "glm4",
        "granite",
        "stablelm",
        "exaone",
        "minicpm",
        "ministral",
        "modernbert",
    ]
)
# Families whose two vocabulary matrices are one unless their file says otherwise.
_TIED: Final = frozenset(
    [
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "gpt2",
        "gpt_neo",
        "opt",
        "bloom",
        "falcon",
        "t5",
        "bert",
    ]
)
_UNTIED: Final = frozenset(
    ["llama", "mistral", "mixtral", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "phi3"]
)


def read_widths(keys: Keys, draft: Draft) -> None:
    """Every width that is stated, and what its family says about the rest."""
    for field, names in _WIDTHS:
        draft.read(field, keys, *names, by=as_count)
    family = as_word(keys.plain("model_type"))
    if as_flag(keys.plain("multi_query")) and not as_flag(keys.plain("new_decoder_architecture")):
        draft.file("kv_heads", 1)
    _read_gate(keys, draft, family)
    tied = as_flag(keys.plain("tie_word_embeddings", "tie_embeddings"))
    draft.file("tied_embeddings", tied)
    if family in _TIED or family in _UNTIED:
        draft.default("tied_embeddings", family in _TIED)
    draft.default("kv_heads", draft.value("heads"))
    inner = as_number(keys.plain("n_inner"))
    if inner is None and keys.has("n_inner") and draft.value("hidden"):
        draft.default("ffn", 4 * draft.value("hidden"))


def _read_gate(keys: Keys, draft: Draft, family: str) -> None:
    projection = as_word(keys.plain("feed_forward_proj"))
    if projection:
        draft.file("gated_ffn", projection.startswith("gated"))
    elif family in _GATED_MLP:
        draft.default("gated_ffn", value=True)
    elif family in _PLAIN_MLP:
        draft.default("gated_ffn", value=False)
