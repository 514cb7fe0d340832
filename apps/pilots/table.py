"""Every figure of a pilot's record, as one table: the form, the file, the CSV and what is missing
are all made from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from apps.core import formatting
from apps.pilots.fields import Field, Group, Kind

Block = Mapping[str, Any]

_METHODS: Final = tuple((m, m) for m in ("full", "lora", "qlora", "dora", "freeze"))
_LAYOUTS: Final = (
    ("none", gettext_lazy("nothing is split")),
    ("ddp", "DDP"),
    ("zero1", "ZeRO-1"),
    ("zero2", "ZeRO-2"),
    ("zero3", "ZeRO-3"),
    ("fsdp", "FSDP"),
    ("hsdp", "HSDP"),
)
_CHECKPOINTING: Final = (
    ("none", pgettext_lazy("recomputing", "none")),
    ("selective", pgettext_lazy("recomputing", "selective")),
    ("full", pgettext_lazy("recomputing", "full")),
)
_BETTER: Final = (
    ("higher", gettext_lazy("higher is better")),
    ("lower", gettext_lazy("lower is better")),
)


def _text(path: str, group: Group, label: str | Promise, **more: Any) -> Field:
    return Field(path=path, group=group, label=label, kind=Kind.TEXT, high=200, **more)


def _flag(path: str, group: Group, label: str | Promise, **more: Any) -> Field:
    return Field(path=path, group=group, label=label, kind=Kind.FLAG, **more)


def _whole(path: str, group: Group, label: str | Promise, **more: Any) -> Field:
    return Field(path=path, group=group, label=label, kind=Kind.WHOLE, **{"low": 1, **more})


def _share(path: str, group: Group, label: str | Promise, **more: Any) -> Field:
    return Field(path=path, group=group, label=label, kind=Kind.PERCENT, high=1, unit="%", **more)


_WORKLOAD: Final = (
    _text("model", Group.WORKLOAD, gettext_lazy("Model")),
    _text(
        "dataset",
        Group.WORKLOAD,
        gettext_lazy("Data, if not those of the protocol"),
        needed=False,
        hint=gettext_lazy("Left empty: the data were those of the protocol."),
    ),
    Field(
        path="parameters.method",
        group=Group.WORKLOAD,
        label=gettext_lazy("Method"),
        kind=Kind.CHOICE,
        choices=_METHODS,
    ),
    _text("parameters.precision", Group.WORKLOAD, gettext_lazy("Precision")),
    _text("parameters.quantization", Group.WORKLOAD, gettext_lazy("Quantisation"), needed=False),
    _text("parameters.optimizer", Group.WORKLOAD, gettext_lazy("Optimizer")),
    _whole(
        "parameters.sequence_length",
        Group.WORKLOAD,
        gettext_lazy("Sequence length, tokens"),
        needed=False,
    ),
    _whole(
        "parameters.image_size",
        Group.WORKLOAD,
        gettext_lazy("Side of an image, pixels"),
        needed=False,
    ),
    Field(
        path="parameters.micro_batch",
        group=Group.WORKLOAD,
        label=gettext_lazy("Micro-batch on one GPU"),
        high=1e6,
    ),
    _whole("parameters.grad_accumulation", Group.WORKLOAD, gettext_lazy("Passes in a step")),
    Field(
        path="parameters.activation_checkpointing",
        group=Group.WORKLOAD,
        label=gettext_lazy("Recomputing of activations"),
        kind=Kind.CHOICE,
        choices=_CHECKPOINTING,
    ),
    _whole("parameters.lora_rank", Group.WORKLOAD, gettext_lazy("Rank of LoRA"), needed=False),
    _whole("steps.warmup", Group.WORKLOAD, gettext_lazy("Steps of the warm-up, not measured")),
    _whole("steps.measured", Group.WORKLOAD, gettext_lazy("Measured steps")),
)

_PLACE: Final = (
    _text("place.server", Group.PLACE, gettext_lazy("Server, part number"), needed=False),
    _text("place.accelerator", Group.PLACE, gettext_lazy("Card")),
    _whole("place.gpus", Group.PLACE, gettext_lazy("GPUs in all"), high=100_000),
    _whole("place.nodes", Group.PLACE, gettext_lazy("Nodes"), high=10_000),
    Field(
        path="place.layout",
        group=Group.PLACE,
        label=gettext_lazy("Layout"),
        kind=Kind.CHOICE,
        choices=_LAYOUTS,
    ),
)

_ENVIRONMENT: Final = (
    _text(
        "versions.framework",
        Group.ENVIRONMENT,
        gettext_lazy("Framework with its version"),
        hint=gettext_lazy("For example torch 2.8.0."),
    ),
    _text("versions.driver", Group.ENVIRONMENT, gettext_lazy("Driver"), needed=False),
    _text("versions.cuda", Group.ENVIRONMENT, gettext_lazy("CUDA"), needed=False),
    _text(
        "versions.image", Group.ENVIRONMENT, gettext_lazy("Image of the container"), needed=False
    ),
    Field(
        path="time.run_s",
        group=Group.ENVIRONMENT,
        label=gettext_lazy("Time of the whole pilot, s"),
        unit="s",
    ),
    _text("time.started_on", Group.ENVIRONMENT, gettext_lazy("Day of the pilot"), needed=False),
)

_MEMORY: Final = (
    Field(
        path="memory.allocated_gib",
        group=Group.MEMORY,
        label=gettext_lazy("Held by tensors, GiB"),
        unit="GiB",
        high=1e4,
        hint=gettext_lazy("torch.cuda.max_memory_allocated(): the most exact of the three."),
    ),
    Field(
        path="memory.reserved_gib",
        group=Group.MEMORY,
        label=gettext_lazy("Reserved by the framework, GiB"),
        unit="GiB",
        high=1e4,
        needed=False,
    ),
    Field(
        path="memory.device_gib",
        group=Group.MEMORY,
        label=gettext_lazy("Shown by nvidia-smi, GiB"),
        unit="GiB",
        high=1e4,
        needed=False,
    ),
)

_FEED: Final = (
    Field(
        path="feed.samples_per_s",
        group=Group.FEED,
        label=gettext_lazy("Loading alone, without training, samples/s"),
        hint=gettext_lazy("Of one node: reading and preparing only."),
    ),
    _share("feed.wait_ratio", Group.FEED, gettext_lazy("Share of a step that waits for data, %")),
)

_EXCHANGE: Final = {
    "distributed": (
        _share("exchange.share", Group.EXCHANGE, gettext_lazy("Share of a step in exchange, %")),
        _share(
            "exchange.spread",
            Group.EXCHANGE,
            gettext_lazy("Spread of memory between GPUs, %"),
            hint=gettext_lazy("Fullest less emptiest, over fullest: shows whether sharding works."),
        ),
        _flag(
            "exchange.topology",
            Group.EXCHANGE,
            gettext_lazy("The links between GPUs are those of the variant"),
            hint=gettext_lazy("nvidia-smi topo -m"),
        ),
    ),
    "network": (
        Field(
            path="exchange.network_gbit_per_s",
            group=Group.EXCHANGE,
            label=gettext_lazy("all_reduce between nodes, Gbit/s"),
            high=1e5,
        ),
    ),
}

_CHECKPOINT: Final = (
    Field(
        path="checkpoint.save_s", group=Group.CHECKPOINT, label=gettext_lazy("Saving, s"), unit="s"
    ),
    Field(
        path="checkpoint.restore_s",
        group=Group.CHECKPOINT,
        label=gettext_lazy("Restoring, s"),
        unit="s",
    ),
    _flag("checkpoint.restored", Group.CHECKPOINT, gettext_lazy("What was saved can be restored")),
    _flag("checkpoint.step_goes_on", Group.CHECKPOINT, gettext_lazy("The step number goes on")),
)
_OPTIMIZER_GOES_ON: Final = _flag(
    "checkpoint.optimizer_goes_on",
    Group.CHECKPOINT,
    gettext_lazy("The state of the optimizer goes on"),
)

_STABILITY: Final = (
    _share("stability.utilisation", Group.STABILITY, gettext_lazy("Load of the GPUs, %")),
    Field(
        path="stability.hours", group=Group.STABILITY, label=gettext_lazy("Hours without a stop")
    ),
    _flag(
        "stability.losses_finite", Group.STABILITY, gettext_lazy("Every loss is a finite number")
    ),
    _flag(
        "stability.no_throttling",
        Group.STABILITY,
        gettext_lazy("No GPU lowered its clock for heat or power"),
    ),
)

_QUALITY: Final = (
    _text(
        "quality.metric",
        Group.QUALITY,
        gettext_lazy("Metric"),
        needed=False,
        hint=gettext_lazy("Needed to close the pilot."),
    ),
    Field(
        path="quality.baseline",
        group=Group.QUALITY,
        label=gettext_lazy("The ready model without training"),
        needed=False,
        low=-1e9,
    ),
    Field(
        path="quality.result",
        group=Group.QUALITY,
        label=gettext_lazy("After the pilot"),
        needed=False,
        low=-1e9,
    ),
    Field(
        path="quality.better",
        group=Group.QUALITY,
        label=gettext_lazy("Which is better"),
        kind=Kind.CHOICE,
        needed=False,
        choices=_BETTER,
    ),
)
# Without these a pilot is kept, but not closed.
CLOSING: Final = frozenset(field.path for field in _QUALITY)
_LOW_PRECISION: Final = Field(
    path="quality.bf16_result",
    group=Group.QUALITY,
    label=gettext_lazy("The same in bf16, for comparison"),
    hint=gettext_lazy("Precision below bf16 is checked on your own data."),
    low=-1e9,
)

_ADDED: Final = (
    Field(
        path="added.loading_s",
        group=Group.ADDED,
        label=gettext_lazy("Loading before the first step, s"),
        needed=False,
        unit="s",
    ),
    Field(
        path="added.validation_s",
        group=Group.ADDED,
        label=gettext_lazy("One validation, s"),
        needed=False,
        unit="s",
    ),
    _whole(
        "added.validations", Group.ADDED, gettext_lazy("Validations in a run"), needed=False, low=0
    ),
    _whole("added.saves", Group.ADDED, gettext_lazy("Saves in a run"), needed=False, low=0),
    _share(
        "added.retries_ratio", Group.ADDED, gettext_lazy("Time lost to restarts, %"), needed=False
    ),
)


def step_path(gpus: int) -> str:
    """Where the record keeps the time of a step on so many GPUs."""
    return f"runs.{gpus}.step_s"


def fields_for(
    templates: Sequence[str], counts: Sequence[int], *, keeps_state: bool
) -> tuple[Field, ...]:
    """The figures that the protocol of a task asks for, in order.

    Args:
        templates: of `adapter`, `distributed`, `network`, `low-precision`, those that apply.
        counts: on how many GPUs a step is timed; the last is the whole variant and is needed.
        keeps_state: the optimizer has a state that has to go on after a restart.
    """
    return tuple(_fields(templates, counts, keeps_state=keeps_state))


def fields_of(facts: Block) -> tuple[Field, ...]:
    """The same, from the facts of a protocol."""
    counts = [row["gpus"] for row in facts["by_gpus"]]
    return fields_for(facts["templates"], counts, keeps_state=facts["keeps_state"])


def _fields(
    templates: Sequence[str], counts: Sequence[int], *, keeps_state: bool
) -> Iterator[Field]:
    yield from _WORKLOAD
    yield from _PLACE
    yield from _ENVIRONMENT
    for count in counts:
        yield _step(count, needed=count == counts[-1])
    yield from _MEMORY
    yield from _FEED
    for name, found in _EXCHANGE.items():
        if name in templates:
            yield from found
    yield from _CHECKPOINT
    if keeps_state:
        yield _OPTIMIZER_GOES_ON
    yield from _STABILITY
    yield from _QUALITY
    if "low-precision" in templates:
        yield _LOW_PRECISION
    yield from _ADDED


def _step(count: int, *, needed: bool) -> Field:
    return Field(
        path=step_path(count),
        group=Group.STEP,
        label=_("A step on %(gpus)s, s") % {"gpus": formatting.quantity(count, "gpus")},
        unit="s",
        needed=needed,
        high=86_400,
    )
