"""Before the purchase: what has to be known, ticked where the answers or the calculation say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core import formatting
from apps.documents.sheets.reading import Reading, answer_label, clipped, in_two
from apps.documents.sheets.variants import Variant, picked
from apps.questionnaire.summary import summarise

_VALUE_MAX_CHARS: Final = 60
_ADAPTERS: Final = frozenset({"lora", "qlora"})


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list: known when every one of `answers` is; `any_of` needs but one."""

    what: Promise
    answers: tuple[str, ...]
    any_of: bool = False


def _item(what: Promise, answers: str, *, any_of: bool = False) -> Item:
    return Item(what, tuple(answers.split()), any_of)


_ALWAYS: Final = (
    _item(gettext_lazy("Method and model"), "method params"),
    _item(gettext_lazy("Recipe"), "precision optimizer"),
    _item(gettext_lazy("Volume of the data"), "dataset_bytes"),
    _item(gettext_lazy("Time that suits you"), "target_time"),
    _item(gettext_lazy("Held-out data and the measure of success"), "held_out_set"),
    _item(gettext_lazy("Power of one feed"), "kw_usable amps", any_of=True),
)
_ADAPTER: Final = (
    _item(gettext_lazy("Support of the quantisation and the format in the framework"), "framework"),
    _item(
        gettext_lazy("Target modules of the adapters"), "lora_targets lora_target_list", any_of=True
    ),
    _item(
        gettext_lazy("Memory of activations: length, batch, recomputation"),
        "sequence_length micro_batch activation_checkpointing",
    ),
)
_FULL: Final = (
    _item(gettext_lazy("Gradients: precision and what is trained"), "precision"),
    _item(gettext_lazy("States of the optimizer"), "optimizer"),
    _item(gettext_lazy("Checkpoints: how often and how many"), "save_every_steps saves_kept"),
)
_SCRATCH: Final = (
    _item(gettext_lazy("Dataset: volume and tokens"), "dataset_bytes tokens"),
    _item(gettext_lazy("Duration of the run"), "target_time"),
    _item(gettext_lazy("Scaling: the framework that spreads the run"), "framework"),
    _item(gettext_lazy("Budget of experiments and when to stop"), "experiments stop_criteria"),
)
_VISION: Final = (
    _item(gettext_lazy("Size of the images"), "image_size"),
    _item(gettext_lazy("Augmentations"), "preprocessing"),
    _item(gettext_lazy("Loading: files and where they lie"), "data_location file_structure"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRow:
    """`state` is ok, or unknown where it is to be found out; `said` what is known or missing."""

    state: str
    what: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckGroup:
    name: str
    rows: tuple[CheckRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checklist:
    """Left out where no variant is named. The groups come in two stacks."""

    conclusion: str
    stacks: tuple[tuple[CheckGroup, ...], ...]


def checklist_of(reading: Reading, variants: tuple[Variant, ...]) -> Checklist:
    variant = picked(variants)
    if variant is None:
        return Checklist(conclusion="", stacks=())
    groups = tuple(group for group in _groups(reading, variant) if group.rows)
    rows = [row for group in groups for row in group.rows]
    known = sum(row.state == "ok" for row in rows)
    return Checklist(
        conclusion=_(
            "%(known)s of %(all)s are known; each question mark is to be closed before an order."
        )
        % {"known": formatting.number(known), "all": formatting.number(len(rows))},
        stacks=in_two(groups, lambda group: len(group.rows) + 1),
    )


def _groups(reading: Reading, variant: Variant) -> Iterator[CheckGroup]:
    values = {
        row.key: row.value
        for section in summarise(reading.evaluated)
        for row in section.rows
        if row.value and not row.unknown and not row.error
    }

    def group(name: str, items: tuple[Item, ...]) -> CheckGroup:
        return CheckGroup(name=name, rows=tuple(_asked(item, values) for item in items))

    yield group(_("The task"), _ALWAYS)
    yield group(_("The method"), _of_method(reading))
    yield CheckGroup(name=_("The node"), rows=tuple(_node(variant)))
    if variant.nodes > 1:
        yield CheckGroup(name=_("Several nodes"), rows=tuple(_several(values)))


def _of_method(reading: Reading) -> tuple[Item, ...]:
    effective = reading.evaluated.effective
    found: tuple[Item, ...] = _FULL
    if effective.get("method") in _ADAPTERS:
        found = _ADAPTER
    elif effective.get("strategy") == "from-scratch":
        found = _SCRATCH
    return found + (_VISION if effective.get("model_kind") == "vision" else ())


def _asked(item: Item, values: dict[str, str]) -> CheckRow:
    known = [key for key in item.answers if key in values]
    if len(known) == len(item.answers) or (item.any_of and known):
        said = ", ".join(clipped(values[key], _VALUE_MAX_CHARS) for key in known)
        return CheckRow(state="ok", what=str(item.what), said=said)
    missing = item.answers[:1] if item.any_of else [k for k in item.answers if k not in values]
    return CheckRow(
        state="unknown",
        what=str(item.what),
        said=_("to find out: %(what)s") % {"what": ", ".join(answer_label(k) for k in missing)},
    )


def _node(variant: Variant) -> Iterator[CheckRow]:
    """What one server with several GPUs is checked for, by the calculation."""

    def row(what: str, known: bool, said: str, else_: str) -> CheckRow:
        return CheckRow(
            state="ok" if known else "unknown", what=what, said=said if known else else_
        )

    memory = variant.device_gib
    yield row(
        _("Memory for weights, gradients, optimizer and activations"),
        memory is not None,
        formatting.span_text(memory, "GiB"),
        _("not calculated yet"),
    )
    findings = variant.document.get("compatibility") or ()
    refused = any(one.get("severity") == "refused" for one in findings)
    confirmed = variant.document.get("needs_confirmation") is False
    yield row(
        _("Compatibility of card and chassis"),
        confirmed and not refused,
        _("confirmed"),
        _("asked of the landlord") if variant.rented else _("to be confirmed by part number"),
    )
    yield row(
        _("Topology: how the GPUs are linked"),
        bool(variant.link_text) and variant.gpus == 1,
        variant.link_text,
        _("assumed: %(link)s; to be shown on the server") % {"link": variant.link_text},
    )


def _several(values: dict[str, str]) -> Iterator[CheckRow]:
    """Five things that several nodes bring; only the network is asked of the client."""
    design = _("work of its own, not designed here")
    network = values.get("node_network", "")
    yield CheckRow(
        state="ok" if network else "unknown",
        what=_("Network between nodes"),
        said=clipped(network, _VALUE_MAX_CHARS) or design,
    )
    for what in (
        _("Collective operations: tested on the topology"),
        _("Shared storage"),
        _("Loading of data by all nodes"),
        _("Recovery after the loss of a node"),
    ):
        yield CheckRow(state="unknown", what=what, said=design)
