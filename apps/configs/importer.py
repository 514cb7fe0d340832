"""Read a configuration file; join several that describe one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.configs.document import Document
from apps.configs.draft import DEFAULT, FILE, GUESS, Draft, Found
from apps.configs.errors import ConfigError
from apps.configs.fields import ORDER, contradicted, document_of
from apps.configs.formats.generic import GENERIC
from apps.configs.formats.shared import Format
from apps.configs.imported import Imported
from apps.configs.keys import Keys
from apps.configs.loading import load
from apps.configs.naming import catalog_name, module_names
from apps.configs.registry import FORMATS

_SUFFIX: Final = {"shell": "sh", "python": "py"}
# What decides memory and time, in the order in which a person should be asked.
_IMPORTANT: Final = (
    "model",
    "method",
    "sequence_length",
    "micro_batch",
    "grad_accumulation",
    "optimizer",
    "precision",
    "activation_checkpointing",
    "accelerator",
    "gpus",
    "data_parallel",
    "samples",
    "epochs",
    "save_every_steps",
)
_STANDS_FOR: Final = {
    "model": ("params_billion", "layers"),
    "grad_accumulation": ("global_batch",),
    "samples": ("tokens", "bytes"),
    "epochs": ("steps", "tokens"),
    "sequence_length": ("image_size",),
    "micro_batch": (),
}
_ADAPTERS: Final = frozenset({"lora", "qlora", "dora"})
# A launcher's word about these is the run's; about the others the trainer's own file decides.
_LAUNCHERS_OWN: Final = frozenset(
    {"gpus", "nodes", "data_parallel", "shard_degree", "tensor_parallel", "pipeline_parallel"}
    | {"context_parallel", "expert_parallel", "accelerator", "offload"}
)
_RANK: Final = {FILE: 2, DEFAULT: 1, GUESS: 0}


def read_config(name: str, data: bytes) -> Imported:
    """What one file says. `name` is its file name, for its suffix.

    Raises:
        ConfigError: the file cannot be read or is of no format that is known.
    """
    documents = load(name, data)
    found = [imported for document in documents if (imported := _read(document)) is not None]
    if not found:
        raise ConfigError(
            "unknown-format",
            _("This does not look like a training configuration of a framework we know."),
        )
    whole = [i for i in found if not i.format.startswith(GENERIC.name)] or found
    beside = [i for i in whole[1:] if i.role != whole[0].role and i.role == "launcher"]
    return combine([whole[0], *beside]) if beside else whole[0]


def combine(parts: Sequence[Imported]) -> Imported:
    """One run out of files that complete each other, the trainer's own file first.

    A stated value beats a default and a guess; of two stated ones the trainer's counts, except
    for GPUs and layout, where the launcher's does.
    """
    ordered = sorted(parts, key=lambda part: part.role != "trainer")
    fields: dict[str, Found] = {}
    for part in ordered:
        for field, found in part.fields.items():
            known = fields.get(field)
            if known is None or _beats(found, known, field, part.role):
                fields[field] = found
    _settle_states(fields)
    _settle_length(fields)
    fields = _consistent(fields)
    unused = dict.fromkeys(name for part in ordered for name in part.not_recognised)
    formats = dict.fromkeys(part.format for part in ordered)
    references = dict.fromkeys(name for part in ordered for name in part.references)
    return Imported(
        format="+".join(formats),
        role=ordered[0].role,
        fields=fields,
        not_recognised=tuple(unused),
        ask=_to_ask(fields, "trainer"),
        references=tuple(references),
    )


def to_task(imported: Imported) -> dict[str, Any]:
    """A task document of what was read, with the model's name as the catalog writes names."""
    values = {field: found.value for field, found in imported.fields.items()}
    if "model" in values:
        values["model"] = catalog_name(values["model"])
    if "lora_targets" in values:
        values["lora_targets"] = module_names(values["lora_targets"])
    return document_of(values)


def _read(document: Document) -> Imported | None:
    for kind in FORMATS:
        keys = Keys(document.tree)
        if kind.recognises(document, keys):
            return _imported(kind, document)
    return None


def _imported(kind: Format, document: Document) -> Imported:
    keys, draft = Keys(document.tree), Draft()
    kind.read(document, keys, draft)
    _settle_states(draft.found)
    _settle_length(draft.found)
    fields = _consistent(draft.found)
    unread = keys.unread_beside() if document.notation == "python" else keys.unread()
    notation = _SUFFIX.get(document.notation, document.notation)
    return Imported(
        format=f"{kind.name}_{notation}",
        role=kind.role,
        fields=fields,
        not_recognised=tuple(dict.fromkeys([*document.repeated, *unread])),
        ask=_to_ask(fields, kind.role),
        references=tuple(draft.references),
    )


def _consistent(found: Mapping[str, Found]) -> dict[str, Found]:
    """The fields in the vocabulary's order, without those that contradict others."""
    fields = {name: found[name] for name in sorted(found, key=lambda n: ORDER.get(n, len(ORDER)))}
    while (wrong := contradicted({n: f.value for n, f in fields.items()})) is not None:
        if fields.pop(wrong, None) is None:
            break
    return fields


def _beats(new: Found, old: Found, field: str, role: str) -> bool:
    if new.origin == old.origin == FILE:
        return role == "launcher" and field in _LAUNCHERS_OWN
    return _RANK[new.origin] > _RANK[old.origin]


def _settle_length(fields: dict[str, Found]) -> None:
    """Steps and epochs are two ways to end a run: the one that is stated makes the other's default
    void."""
    for stated, other in (("steps", "epochs"), ("epochs", "steps")):
        known, void = fields.get(stated), fields.get(other)
        if known and void and (known.origin, void.origin) == (FILE, DEFAULT):
            del fields[other]


def _settle_states(fields: dict[str, Found]) -> None:
    """FSDP in mixed precision and DeepSpeed keep fp32 copies whatever the checkpoint's type was."""
    layout, precision = fields.get("data_parallel"), fields.get("precision")
    weights = fields.get("master_weights")
    if layout is None or precision is None or weights is None or weights.origin == FILE:
        return
    sharded = layout.value not in ("none", "ddp")
    if sharded and str(precision.value).endswith("-mixed"):
        fields["master_weights"] = Found("fp32", DEFAULT)


def _to_ask(fields: Mapping[str, Found], role: str) -> tuple[str, ...]:
    missing = [
        field
        for field in _IMPORTANT
        if field not in fields and not any(f in fields for f in _STANDS_FOR.get(field, ()))
    ]
    method = fields.get("method")
    if method is not None and method.value in _ADAPTERS:
        missing += [name for name in ("lora_rank", "lora_targets") if name not in fields]
    return tuple(missing)
