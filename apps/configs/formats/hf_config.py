"""`config.json` of a checkpoint: the architecture, and nothing about how it will be trained."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import Format
from apps.configs.formats.transformer_shape import read_widths
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_number, as_text, as_word

_WIDTHS: Final = ("hidden_size", "n_embd", "d_model", "num_hidden_layers", "n_layer", "text_config")
_ENCODERS: Final = frozenset(
    [
        "bert",
        "roberta",
        "xlm-roberta",
        "distilbert",
        "electra",
        "albert",
        "deberta",
        "deberta-v2",
        "modernbert",
    ]
)
_VISION: Final = frozenset(
    ["vit", "deit", "dinov2", "swin", "convnext", "beit", "siglip_vision_model", "resnet"]
)
_QUANTIZED: Final = {"gptq": "gptq-int4", "awq": "awq-int4", "fp8": "fp8"}


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation in ("shell", "python") or not keys.states("model_type"):
        return False
    return keys.has("architectures") or any(keys.has(name) for name in _WIDTHS)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("model", as_text(keys.plain("_name_or_path", "name_or_path")))
    text = keys.part("text_config") or keys.part("llm_config") or keys
    read_widths(text, draft)
    if text is not keys:
        draft.file("tied_embeddings", as_flag(keys.plain("tie_word_embeddings")))
    draft.file("kind", _kind(keys, draft))
    draft.read("image_size", keys, "vision_config.image_size", "image_size", by=as_count)
    _read_storage(keys, draft)


def _kind(keys: Keys, draft: Draft) -> str:
    family = as_word(keys.plain("model_type"))
    names = keys.plain("architectures")
    class_name = str(names[0]) if isinstance(names, list) and names else ""
    if keys.part("vision_config"):
        return "vlm"
    if as_flag(keys.plain("is_encoder_decoder")):
        return "encoder-decoder"
    if family in _VISION or class_name.endswith("ForImageClassification"):
        return "vision"
    if family in _ENCODERS or class_name.endswith("ForMaskedLM"):
        return "encoder"
    return "moe-decoder" if (draft.value("experts") or 0) > 1 else "decoder"


def _read_storage(keys: Keys, draft: Draft) -> None:
    """A checkpoint that is stored quantised can only carry adapters."""
    stored = keys.part("quantization_config")
    if not stored:
        return
    method = as_word(stored.plain("quant_method"))
    bits: Any = as_number(stored.plain("bits"))
    word = _QUANTIZED.get(method)
    if method == "bitsandbytes" or word is None:
        four = as_flag(stored.plain("load_in_4bit", "_load_in_4bit"))
        eight = as_flag(stored.plain("load_in_8bit", "_load_in_8bit"))
        double = as_flag(stored.plain("bnb_4bit_use_double_quant"))
        word = ("nf4-double" if double else "nf4") if four else "int8" if eight else None
    elif bits == 8 and method in ("gptq", "awq"):
        word = "int8"
    draft.file("quantization", word)


HF_CONFIG: Final = Format(name="hf_config", role="model", recognises=_recognises, read=_read)
