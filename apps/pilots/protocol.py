"""The protocol in words: what is kept fixed, what is measured, what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core import formatting
from apps.estimation.texts import accelerator_name, value_text
from apps.estimation.wording.schemes import layout_name, scheme_text
from apps.pilots.fields import GROUPS, Field, Group, Kind
from apps.pilots.table import CLOSING, fields_of, step_path

Block = Mapping[str, Any]

_FIXED: Final = {
    "method": ("method", gettext_lazy("Method")),
    "precision": ("recipe.precision", gettext_lazy("Precision")),
    "quantization": ("recipe.quantization", gettext_lazy("Quantisation")),
    "optimizer": ("recipe.optimizer", gettext_lazy("Optimizer")),
    "sequence_length": ("recipe.sequence_length", gettext_lazy("Sequence length")),
    "image_size": ("model.image_size", gettext_lazy("Side of an image")),
    "micro_batch": ("recipe.micro_batch", gettext_lazy("Micro-batch on one GPU")),
    "grad_accumulation": ("recipe.grad_accumulation", gettext_lazy("Passes in a step")),
    "activation_checkpointing": (
        "recipe.activation_checkpointing",
        gettext_lazy("Recomputing of activations"),
    ),
    "lora_rank": ("recipe.lora_rank", gettext_lazy("Rank of LoRA")),
}
_TEMPLATES: Final[Mapping[str, Promise]] = {
    "adapter": gettext_lazy(
        "Adapters: measure memory and step time on the target model, length and batch before anything else; a smaller base says little about this one."
    ),
    "distributed": gettext_lazy(
        "Several GPUs: exchange, sharding, loading and the time of a checkpoint are measured each by itself, on the topology that will be bought."
    ),
    "network": gettext_lazy(
        "Several nodes: the network between them is measured too, by all_reduce, before the first step."
    ),
    "low-precision": gettext_lazy(
        "Precision below bf16: quality is compared with bf16 on your own held-out data."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure to measure; `expected` is empty where nobody estimated it. `closes`: the pilot is
    kept without it, but not closed."""

    path: str
    group: str
    label: str
    expected: str
    needed: bool
    closes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """`notes` are what this kind of task needs; `sha256` the fingerprint of the workload."""

    place: str
    fixed: tuple[Fixed, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    stages: str
    sha256: str

    def groups(self) -> Iterator[tuple[str, list[Line]]]:
        """The lines by part, in order."""
        for name in dict.fromkeys(line.group for line in self.lines):
            yield name, [line for line in self.lines if line.group == name]


def protocol_of(facts: Block, *, with_figures: bool = True) -> Protocol:
    """The protocol in the active language; without figures and hardware for who may not see them
    yet."""
    return Protocol(
        place=place_text(facts) if with_figures else "",
        fixed=tuple(_fixed(facts, with_figures=with_figures)),
        lines=tuple(_lines(facts, with_figures=with_figures)),
        notes=tuple(str(_TEMPLATES[name]) for name in facts["templates"]),
        stages=_stages(facts),
        sha256=facts["workload_sha256"],
    )


def place_text(facts: Block) -> str:
    """V0: 2× NVIDIA H100 NVL 94GB, DDP over 2 GPUs."""
    place = facts["place"]
    return _("%(variant)s: %(gpus)s× %(card)s, %(layout)s") % {
        "variant": facts["variant"],
        "gpus": formatting.number(place["gpus"]),
        "card": accelerator_name(place["accelerator"]),
        "layout": scheme_text(place["scheme"]) if place["scheme"] else layout_name(place["layout"]),
    }


def dataset_text(dataset: Any) -> str:
    """The client's data in a few words; another set by the name it was given."""
    if isinstance(dataset, str):
        return dataset
    parts = []
    if dataset.get("kind"):
        parts.append(value_text("data.kind", dataset["kind"]))
    if dataset.get("bytes"):
        parts.append(formatting.byte_size(dataset["bytes"]))
    if dataset.get("tokens"):
        parts.append(formatting.quantity(dataset["tokens"], "tokens"))
    if dataset.get("samples"):
        parts.append(formatting.quantity(dataset["samples"], "samples"))
    return ", ".join(parts) or formatting.not_given()


def _fixed(facts: Block, *, with_figures: bool) -> Iterator[Fixed]:
    workload = facts["workload"]
    yield Fixed(label=_("Model"), value=str(workload["model"]))
    yield Fixed(label=_("Data"), value=dataset_text(workload["dataset"]))
    for name, (path, label) in _FIXED.items():
        value = workload["parameters"].get(name)
        if value is not None and value != "none":
            yield Fixed(label=str(label), value=value_text(path, value))
    if with_figures:
        batches = ", ".join(
            _("%(gpus)s: %(batch)s")
            % {
                "gpus": formatting.quantity(row["gpus"], "gpus"),
                "batch": formatting.number(row["global_batch"]),
            }
            for row in facts["by_gpus"]
        )
        yield Fixed(label=_("Global batch, samples in a step"), value=batches)
    yield Fixed(
        label=_("Steps"),
        value=_("%(warmup)s of warm-up, not measured, then %(measured)s measured")
        % {
            "warmup": formatting.number(workload["steps"]["warmup"]),
            "measured": formatting.number(workload["steps"]["measured"]),
        },
    )
    yield Fixed(
        label=_("Environment"),
        value=_("one image of the container for all runs; versions are written down"),
    )


def _lines(facts: Block, *, with_figures: bool) -> Iterator[Line]:
    expected = dict(_expected(facts)) if with_figures else {}
    for field in fields_of(facts):
        if field.group != Group.WORKLOAD:
            yield Line(
                path=field.path,
                group=str(GROUPS[field.group]),
                label=str(field.label),
                expected=expected.get(field.path, ""),
                needed=field.needed,
                closes=field.path in CLOSING,
            )


def _expected(facts: Block) -> Iterator[tuple[str, str]]:
    estimates, place = facts["estimates"], facts["place"]
    yield "place.accelerator", accelerator_name(place["accelerator"])
    yield "place.gpus", formatting.number(place["gpus"])
    yield "place.nodes", formatting.number(place["nodes"])
    yield "place.layout", scheme_text(place["scheme"])
    for row in facts["by_gpus"]:
        yield step_path(row["gpus"]), formatting.range_text(row["step_s"], "s")
    for name in ("allocated_gib", "reserved_gib", "device_gib"):
        if estimates[name]:
            yield f"memory.{name}", formatting.range_text(estimates[name], "GiB")
    if estimates["save_s"]:
        yield "checkpoint.save_s", formatting.range_text(estimates["save_s"], "s")
    if estimates["samples_per_s"]:
        yield (
            "feed.samples_per_s",
            _("more than %(rate)s")
            % {"rate": formatting.number(estimates["samples_per_s"]["high"])},
        )
    if estimates["data_share"] is not None:
        yield "feed.wait_ratio", formatting.percent(estimates["data_share"])
    if estimates["exchange_share"]:
        yield "exchange.share", formatting.percent(estimates["exchange_share"])


def _stages(facts: Block) -> str:
    """A long rent is not paid on one success."""
    if not facts["place"]["rented"]:
        return ""
    return _(
        "Rent in stages: a day for this protocol, a week after a go, longer only when a second run repeats the figures. One success is no ground for a long rent."
    )


def shown(field: Field, value: Any) -> str:
    """A measured value in words."""
    if value is None or value == "":
        return formatting.not_given()
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if field.kind == Kind.PERCENT:
        return formatting.percent(value)
    if field.kind == Kind.CHOICE:
        return str(dict(field.choices).get(value, value))
    if isinstance(value, str):
        return value
    return formatting.quantity(value, field.unit) if field.unit else formatting.number(value)


def csv_rows(facts: Block) -> list[list[str]]:
    """The protocol as a table, the same for every supplier: they fill in the last column."""
    protocol = protocol_of(facts)
    rows = [[_("Part"), _("What"), _("Kept fixed or expected"), _("Measured")]]
    rows += [[_("Fixed"), row.label, row.value, ""] for row in protocol.fixed]
    rows += [[line.group, line.label, line.expected, ""] for line in protocol.lines]
    rows.append([_("Fingerprint of the workload"), "SHA-256", protocol.sha256, ""])
    return rows
