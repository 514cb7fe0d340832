"""PEFT's `adapter_config.json`: an adapter that exists, or the one a run will make."""

from __future__ import annotations

from typing import Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import Format, read_adapters, read_model_name
from apps.configs.keys import Keys
from apps.configs.values import as_flag, as_list, as_word

_LOW_RANK: Final = frozenset({"lora", "adalora"})


def _recognises(document: Document, keys: Keys) -> bool:
    trains = keys.has("learning_rate") or keys.has("per_device_train_batch_size")
    return keys.states("peft_type") and not trains


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    read_model_name(draft, keys, "base_model_name_or_path")
    kind = as_word(keys.plain("peft_type"))
    dora = as_flag(keys.plain("use_dora"))
    state = draft.file if kind in _LOW_RANK else draft.guess
    state("method", "dora" if dora else "lora")
    read_adapters(draft, keys, ("r", "init_r", "target_r"), ("target_modules",))
    draft.file("modules_to_save", as_list(keys.plain("modules_to_save")) or None)
    draft.default("lora_rank", 8 if kind in _LOW_RANK else None)


PEFT_ADAPTER: Final = Format(
    name="peft_adapter", role="adapter", recognises=_recognises, read=_read
)
