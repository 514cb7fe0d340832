"""Names of models as frameworks write them, as the catalog would."""

from __future__ import annotations

import re
from typing import Final

_COMPONENT: Final = re.compile(r"torchtune\.models\.[\w.]*?(?:q?lora_|q?dora_)?([A-Za-z]\w*)")
_BUILDER: Final = re.compile(r"([a-z]+)(\d(?:_\d)?)?_(?:v\d_)?(\d+(?:_\d+)?[bm])?(_\w+)?")
_SIZED: Final = re.compile(r"([A-Za-z][\w.-]*):([\w.-]+)")
# Families of torchtitan's presets that name another version than the catalog does.
_FAMILIES: Final = {"llama3": "Llama-3.1", "llama4": "Llama-4", "deepseek_v3": "DeepSeek-V3"}


def catalog_name(name: str) -> str:
    """`torchtune.models.llama3_1.lora_llama3_1_8b` is `llama-3.1-8b`; others stay as they are."""
    component = _COMPONENT.fullmatch(name)
    if component:
        return _of_builder(component.group(1))
    sized = _SIZED.fullmatch(name)
    if sized:
        family, size = sized.groups()
        return f"{_FAMILIES.get(family, family)}-{size}"
    return name


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
