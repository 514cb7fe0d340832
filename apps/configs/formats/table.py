"""Formats that say a field with one key: a table of keys, and a step for what a key cannot say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import Format, read_attention, read_model_name, read_optimizer
from apps.configs.formats.transformer_shape import read_widths
from apps.configs.keys import Keys
from apps.configs.values import (
    as_count,
    as_flag,
    as_kept,
    as_list,
    as_positive,
    as_share,
)
from apps.configs.words import (
    checkpointing_word,
    method_word,
    precision_word,
    stage_word,
    targets_word,
)

Reader = Callable[[Any], Any]


def longer_side(value: Any) -> int | None:
    """The longer side of `1024`, `"1024,1024"` or `[1024, 768]`."""
    listed = value if isinstance(value, list) else as_list(value) or [value]
    sides = [side for side in map(as_count, listed) if side]
    return max(sides) if sides else None


READERS: Final[Mapping[str, Reader]] = {
    "method": method_word,
    "stage": stage_word,
    "precision": precision_word,
    "activation_checkpointing": checkpointing_word,
    "lora_targets": targets_word,
    "lora_dropout": as_share,
    "epochs": as_positive,
    "saves_kept": as_kept,
    "packing": as_flag,
    "compile": as_flag,
    "sequence_parallel": as_flag,
    "image_size": longer_side,
    **dict.fromkeys(
        (
            "sequence_length",
            "micro_batch",
            "grad_accumulation",
            "global_batch",
            "steps",
            "save_every_steps",
            "lora_rank",
            "nodes",
            "tensor_parallel",
            "pipeline_parallel",
            "context_parallel",
            "expert_parallel",
            "shard_degree",
        ),
        as_count,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`signs`: of each group one key must be there. `keys`: the spellings of a field, best first.

    `part` picks the mapping that the keys stand in; `finish` reads what depends on several keys.
    """

    name: str
    framework: str
    signs: tuple[tuple[str, ...], ...]
    keys: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    widths: str | None = None
    part: Callable[[Keys], Keys] = lambda keys: keys
    finish: Callable[[Keys, Draft], None] = lambda keys, draft: None

    def as_format(self) -> Format:
        return Format(name=self.name, role="trainer", recognises=self._recognises, read=self._read)

    def _recognises(self, document: Document, keys: Keys) -> bool:
        inner = self.part(keys)
        return all(any(inner.has(sign) for sign in group) for group in self.signs)

    def _read(self, document: Document, keys: Keys, draft: Draft) -> None:
        draft.file("framework", self.framework)
        inner = self.part(keys.beside(document.tree) if document.notation == "python" else keys)
        read_fields(inner, draft, self.keys)
        if self.widths is not None:
            read_widths(inner.part(self.widths) if self.widths else inner, draft)
        self.finish(inner, draft)
        read_launch(document, draft)
        draft.defaults(self.defaults)


def read_fields(keys: Keys, draft: Draft, table: Mapping[str, tuple[str, ...]]) -> None:
    """State every field of a table from the first of its keys that is there."""
    for name, paths in table.items():
        if name == "model":
            read_model_name(draft, keys, *paths)
        elif name == "optimizer":
            read_optimizer(draft, keys, *paths)
        elif name == "attention":
            read_attention(draft, keys, *paths)
        else:
            draft.read(name, keys, *paths, by=READERS[name])
