"""A command that starts a trainer with another file: it tells the GPUs, the file tells the rest."""

from __future__ import annotations

from typing import Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.generic import guess_settings
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import Format, read_deepspeed_reference
from apps.configs.keys import Keys

_FILES: Final = (".yaml", ".yml", ".toml", ".json")
_OPTIONS: Final = ("config", "config_file", "config_name", "cfg", "job.config_file")
_MODEL: Final = ("model", "model_name_or_path", "pretrained_model_name_or_path", "pretrain")


def refers_to_file(document: Document) -> bool:
    """Whether the command names a configuration of its own, not only of its launcher."""
    if any(word.lower().endswith(_FILES) for word in document.program):
        return True
    keys = Keys(document.tree)
    return any(str(keys.plain(option)).lower().endswith(_FILES) for option in _OPTIONS)


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation != "shell" or any(keys.states(name) for name in _MODEL):
        return False
    return refers_to_file(document)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    for option in _OPTIONS:
        draft.refer(keys.plain(option))
    for word in document.program:
        draft.refer(word)
    read_deepspeed_reference(draft, keys.plain("deepspeed"))
    read_launch(document, draft)
    guess_settings(keys, draft)  # the file may be overridden on the command's own line


LAUNCH_ONLY: Final = Format(name="launch", role="launcher", recognises=_recognises, read=_read)
