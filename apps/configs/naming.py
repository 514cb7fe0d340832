"""Names of models as frameworks write them, as the catalog would."""

from __future__ import annotations

import re
from typing import Final

_COMPONENT: Final = re.compile(r"torchtune\.models\.[\w.]*?(?:q?lora_|q?dora_)?([A-Za-z]\w*)")
_BUILDER: Final = re.compile(r"([a-z]+)(\d(?:_\d)?)?_(?:v\d_)?(\d+(?:_\d+)?[bm])?(_\w+)?")
_ALTERNATIVES: Final = re.compile(r"\(((?:\w+\|)+\w+)\)(_\w+)?")
_MODULE: Final = re.compile(r"\w+_(?:proj|fc[12]|attn|out|in)\b")
_INDEX: Final = re.compile(r"\.\d+$")
_SIZED: Final = re.compile(r"([A-Za-z][\w.-]*):([\w.-]+)")
_CACHED: Final = re.compile(r"models--([\w.-]+?)--([\w.-]+)")  # how a hub's cache names folders
_ON_A_DISK: Final = re.compile(r"[~.]{0,2}[/\\]|[A-Za-z]:[/\\]")
# Families of torchtitan's presets that name another version than the catalog does.
_FAMILIES: Final = {"llama3": "Llama-3.1", "llama4": "Llama-4"}
_PRESETS: Final = {"deepseek_v3:671B": "DeepSeek-V3", "flux:flux-dev": "FLUX.1-dev"}


def catalog_name(name: str) -> str:
    """`torchtune.models.llama3_1.lora_llama3_1_8b` is `llama-3.1-8b`; of a path on somebody's disk
    only the end is the model's name; others stay as they are."""
    if name in _PRESETS:
        return _PRESETS[name]
    component = _COMPONENT.fullmatch(name)
    if component:
        return _of_builder(component.group(1))
    sized = _SIZED.fullmatch(name)
    if sized:
        family, size = sized.groups()
        return f"{_FAMILIES.get(family, family)}-{size}"
    cached = _CACHED.search(name)
    if cached:
        return f"{cached.group(1)}/{cached.group(2)}"
    plain = name.rstrip("/\\")
    if _ON_A_DISK.match(plain):
        return re.split(r"[/\\]", plain)[-1]
    return plain.removeprefix("checkpoints/")


def module_names(targets: list[str] | str) -> list[str] | str:
    """Adapted modules by their own names: a pattern is spelled out as far as it lists names.

    `to_out.0` is `to_out`; `layers.*.(q|v)_proj` is `q_proj, v_proj`.
    """
    if isinstance(targets, str):
        return targets
    names: dict[str, None] = {}
    for target in targets:
        listed = _spelled_out(target) if re.search(r"[\\()|*^$\[]", target) else [target]
        names.update(dict.fromkeys(_INDEX.sub("", name) for name in listed))
    return list(names)


def _spelled_out(pattern: str) -> list[str]:
    found = [
        word + ending
        for words, ending in _ALTERNATIVES.findall(pattern)
        if ending
        for word in words.split("|")
    ]
    return found + _MODULE.findall(_ALTERNATIVES.sub(" ", pattern))


def _of_builder(builder: str) -> str:
    builder = re.sub(r"^(?:q?lora|q?dora)_", "", builder)
    found = _BUILDER.fullmatch(builder)
    if not found:
        return builder.replace("_", "-")
    family, version, size, rest = found.groups()
    parts = [family + ("" if not version else f"-{version.replace('_', '.')}")]
    parts += [size.replace("_", ".")] if size else []
    parts += [rest.strip("_").replace("_", "-")] if rest else []
    return "-".join(parts)
