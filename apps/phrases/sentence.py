"""The request as one sentence, made from the answers: to be copied into a letter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.questionnaire.answers import Evaluated
from apps.questionnaire.echo import display
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text

_BEGINNINGS: Final[dict[str | None, Text]] = {
    "finetune": gettext_lazy("We need to fine-tune %(model)s"),
    "from-scratch": gettext_lazy("We need to train %(model)s from scratch"),
    "continual": gettext_lazy("We need to fine-tune %(model)s regularly"),
    None: gettext_lazy("We need to train %(model)s"),
}
_WAYS: Final[dict[str, Text]] = {
    "rent": gettext_lazy("rent"),
    "buy": gettext_lazy("purchase"),
    "hybrid": gettext_lazy("rent first, then purchase"),
    "undecided": gettext_lazy("rent or purchase: not decided"),
}


def request_sentence(evaluated: Evaluated) -> str:
    """What is asked for, in the active language; empty while next to nothing is known."""
    said = {q: display(QUESTIONS[q], value) for q, value in evaluated.effective.items()}
    if not {"model_name", "params", "method", "dataset_bytes"} & set(said):
        return ""
    parts = [_beginning(evaluated.effective, said), *_parts(evaluated.effective, said)]
    return "; ".join(parts) + "."


def _beginning(effective: Any, said: dict[str, str]) -> str:
    model = said.get("model_name") or _("a model")
    if "params" in said and "model_name" not in said:
        model = _("a model of %(params)s") % {"params": said["params"]}
    strategy = effective.get("strategy")
    text = str(_BEGINNINGS.get(strategy, _BEGINNINGS[None])) % {"model": model}
    return f"{text} ({_inside(said['method'])})" if "method" in said else text


def _inside(label: str) -> str:
    """A label in the middle of a sentence; LoRA keeps its letters."""
    return label[:1].lower() + label[1:] if label.partition(" ")[0][1:].islower() else label


def _parts(effective: Any, said: dict[str, str]) -> Iterator[str]:
    if "dataset_bytes" in said:
        size = display(QUESTIONS["dataset_bytes"], effective["dataset_bytes"])
        kind = f" ({said['data_kind'].lower()})" if "data_kind" in said else ""
        yield _("dataset %(size)s") % {"size": size} + kind
    if "sequence_length" in said:
        yield _("sequence length %(tokens)s") % {"tokens": said["sequence_length"]}
    if "target_time" in said:
        yield _("one training within %(time)s") % {"time": said["target_time"]}
    yield from _purchase(effective, said)


def _purchase(effective: Any, said: dict[str, str]) -> Iterator[str]:
    way = str(_WAYS.get(effective.get("acquisition"), ""))
    if way and "rent_period" in said:
        yield _("%(way)s, for %(period)s") % {"way": way, "period": said["rent_period"]}
    elif way:
        yield way
    if effective.get("measured_step") is True:
        yield _("we need the time of a step measured")
    if "wanted_date" in said:
        yield _("start by %(day)s") % {"day": said["wanted_date"]}
    if "budget" in said:
        yield _("budget: %(budget)s") % {"budget": said["budget"].rstrip(".")}
