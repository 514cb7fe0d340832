"""Find a published architecture by the name a person gives it, and complete a model with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Final

from apps.sizing.facts import Architecture, Catalog
from apps.sizing.model_spelling import latin
from apps.sizing.task import Model

# Words of a name that say how a checkpoint was made or stored, not what its architecture is.
_NOISE: Final = frozenset(
    {
        "meta",
        "instruct",
        "chat",
        "base",
        "hf",
        "it",
        "gptq",
        "awq",
        "gguf",
        "int4",
        "int8",
        "4bit",
        "8bit",
        "bnb",
        "nf4",
        "fp8",
        "fp16",
        "bf16",
        "preview",
        "pretrain",
        "pt",
        "sft",
        "dpo",
        "rlhf",
        "class",
        "model",
        "text",
        "part",
        "verify",
        "the",
        "dense",
    }
)
# A model is often called as its file is: yolov8n.pt.
_FILE_ENDING: Final = re.compile(r"\.(pt|pth|onnx|ckpt|yaml|safetensors)$")
_VERSION: Final = re.compile(r"v\d+(\.\d+)+|\d{4}")
# How far a stated size may be from a catalog's and still mean the same model: names round hard
# (gemma-7b holds 8.5 billion), sizes of neighbours in a family differ by more.
_SIZE_TOLERANCE: Final = 0.30
_COPIED: Final = tuple(
    f.name
    for f in fields(Model)
    if f.name not in ("name", "params_billion", "active_params_billion", "image_size")
)


def complete_model(model: Model, catalog: Catalog) -> Model:
    """`model` with what its name tells filled in from the catalog.

    Given values stay: a model cut to fewer layers keeps its own number of layers, and then the
    catalog's parameter count is not taken over.
    """
    architecture = find_architecture(model, catalog)
    if architecture is None:
        return model
    known = {
        name: getattr(architecture, name)
        for name in _COPIED
        if getattr(model, name) is None and getattr(architecture, name) is not None
    }
    whole = model.layers is None or model.layers == architecture.layers
    if model.params_billion is None and whole:
        known["params_billion"] = architecture.params / 1e9
    if model.active_params_billion is None and whole:
        known["active_params_billion"] = architecture.active_params / 1e9
    if model.image_size is None and "reference_image_size" in architecture.extra:
        known["image_size"] = architecture.extra["reference_image_size"]
    return replace(model, **known)


@lru_cache(maxsize=4096)
def find_architecture(model: Model, catalog: Catalog) -> Architecture | None:
    """The catalog's architecture of that name whose widths and size do not contradict the model."""
    if not model.name:
        return None
    index = _index(catalog)
    for key in _keys(model.name):
        for architecture in index.get(key, ()):
            if _agrees(model, architecture):
                return architecture
    return _nearest_prefix(model, index)


@lru_cache(maxsize=4096)
def family_of(model: Model, catalog: Catalog) -> tuple[Architecture, ...]:
    """Counted models of the family that the name names first; none when it names none."""
    key = next(iter(_keys(model.name)), "") if model.name else ""
    families = _families(catalog)
    found = [(key.find(word), -len(word), word) for word in families if word in key]
    return families[min(found)[2]] if found else ()


@lru_cache(maxsize=8)
def _families(catalog: Catalog) -> dict[str, tuple[Architecture, ...]]:
    """Word of a family -> its models whose activations were counted."""
    families: dict[str, tuple[Architecture, ...]] = {}
    for architecture in catalog.architectures.values():
        if "activation_mib_bf16" in architecture.extra:
            for word in architecture.extra.get("families", ()):
                families[word] = (*families.get(word, ()), architecture)
    return families


def _nearest_prefix(
    model: Model, index: Mapping[str, tuple[Architecture, ...]]
) -> Architecture | None:
    """The longest catalog name that begins the given one, or that it begins."""
    key = next(iter(_keys(model.name or "")), "")
    if len(key) < 4:
        return None
    found: list[tuple[int, Architecture]] = []
    for name, architectures in index.items():
        short, long = sorted((name, key), key=len)
        rest = long[len(short) :]
        if len(short) >= 4 and long.startswith(short) and not re.match(r"[\d.]", rest):
            found += [(-len(rest), a) for a in architectures if _agrees(model, a)]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _agrees(model: Model, architecture: Architecture) -> bool:
    for name in ("hidden", "heads", "vocab"):
        given, listed = getattr(model, name), getattr(architecture, name)
        # Padding a vocabulary to a round number is common and does not make another model.
        slack = 0.02 * given if name == "vocab" and given else 0
        if given is not None and listed is not None and abs(given - listed) > slack:
            return False
    cut = model.layers is not None and model.layers != architecture.layers
    if model.params_billion is None or cut:
        return True
    listed_billion = architecture.params / 1e9
    return abs(model.params_billion / listed_billion - 1) <= _SIZE_TOLERANCE


@lru_cache(maxsize=8)
def _index(catalog: Catalog) -> dict[str, tuple[Architecture, ...]]:
    index: dict[str, tuple[Architecture, ...]] = {}
    for name, architecture in catalog.architectures.items():
        for known_as in (name, *architecture.extra.get("aliases", ())):
            for key in _keys(known_as):
                index[key] = (*index.get(key, ()), architecture)
    return index


def _keys(name: str) -> Iterator[str]:
    """Spellings of one name, the most exact first: with its version, without it.

    An underscore between digits is a point in "llama3_1" and a space in "qwen3_30b". Russian
    spellings are read as the Latin names they stand for.
    """
    last = _FILE_ENDING.sub("", latin(name.rsplit("/", maxsplit=1)[-1]))
    text = re.sub(r"\((?!\d+b\)).*?\)|truncated to \d+ layers", " ", last)
    told: set[str] = set()
    for spelled in (re.sub(r"(?<=\d)_(?=\d)", ".", text), text):
        words = [w for w in re.split(r"[^a-z0-9.]+", spelled) if w and w not in _NOISE]
        for kept in (words, [w for w in words if not _VERSION.fullmatch(w)]):
            key = "".join(kept)
            if key and key not in told:
                told.add(key)
                yield key
