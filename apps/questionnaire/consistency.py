"""Doubts about answers that hardly go together: each alone is possible, both together mostly not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.core import formatting
from apps.questionnaire.echo import display
from apps.questionnaire.findings import found, number_of
from apps.questionnaire.problem import Problem
from apps.questionnaire.question import Answers
from apps.questionnaire.sections import QUESTIONS

# Steps told and steps counted from epochs may differ by a last partial batch and by packing.
_STEPS_RATIO: Final = 1.5
# A token of plain text is two to six bytes; markup and other files multiply it.
_MOST_BYTES_PER_TOKEN: Final = 100
# What a checkpoint to go on from takes per parameter in mixed precision: weights and two moments in
# fp32, weights in half precision. Weights alone: half precision.
_FULL_SAVE_BYTES: Final = 14
_WEIGHTS_SAVE_BYTES: Final = 2
_LOW_PRECISIONS: Final = frozenset({"fp8-mixed", "mxfp8", "nvfp4"})
_ADAPTERS: Final = frozenset({"lora", "qlora", "dora"})
_PICTURED: Final = frozenset({"vision", "diffusion"})
_LINE_VOLTS: Final = 300  # between phases; a single phase is 100–240 V


def inconsistencies(answers: Answers, hidden: int | None = None) -> Iterator[Problem]:
    """`hidden` is the width of the model where the catalog knows it."""
    yield from _batch(answers)
    yield from _length_of_the_run(answers)
    yield from _adapters(answers, hidden)
    yield from _data(answers)
    yield from _saves(answers)
    yield from _plan(answers)
    yield from _feed(answers)


def _shown(key: str, value: float) -> object:
    return partial(display, QUESTIONS[key], value)


def _batch(answers: Answers) -> Iterator[Problem]:
    whole = number_of(answers, "global_batch")
    micro, passes = number_of(answers, "micro_batch"), number_of(answers, "grad_accumulation")
    if not whole or not micro:
        return
    one = micro * (passes or 1)
    if whole < one:
        yield found(
            "global_batch",
            _("One GPU alone already takes %(one)s a step. Check the batch or its parts."),
            one=_shown("global_batch", one),
        )
    elif passes and whole % one:
        yield found(
            "global_batch",
            _(
                "It is no multiple of what one GPU takes in a step, %(one)s: no whole number of GPUs makes it."
            ),
            one=_shown("global_batch", one),
        )


def _length_of_the_run(answers: Answers) -> Iterator[Problem]:
    steps, epochs = number_of(answers, "steps"), number_of(answers, "epochs")
    counted = _steps_of(answers, epochs) if epochs else None
    if steps and counted and not 1 / _STEPS_RATIO <= steps / counted <= _STEPS_RATIO:
        yield found(
            "steps",
            _(
                "By the epochs, the samples and the batch it would be %(counted)s. Which one counts?"
            ),
            counted=_shown("steps", round(counted)),
        )


def _steps_of(answers: Answers, epochs: float) -> float | None:
    batch, samples = number_of(answers, "global_batch"), number_of(answers, "samples")
    if not batch:
        return None
    length, tokens = number_of(answers, "sequence_length"), number_of(answers, "tokens")
    if answers.get("packing") is True:
        return tokens * epochs / (length * batch) if tokens and length else None
    return samples * epochs / batch if samples else None


def _adapters(answers: Answers, hidden: int | None) -> Iterator[Problem]:
    rank, width = number_of(answers, "lora_rank"), number_of(answers, "hidden") or hidden
    if rank and width and rank >= width:
        yield found(
            "lora_rank",
            _(
                "The model is only %(width)s wide: adapters of this rank save nothing. Check the rank."
            ),
            width=partial(formatting.number, width),
        )
    adapted = answers.get("method") in _ADAPTERS
    if adapted and answers.get("offload") == "optimizer":
        yield found(
            "offload",
            _(
                "The optimizer of adapters is small: moving it to the server's memory frees little and takes time."
            ),
        )


def _data(answers: Answers) -> Iterator[Problem]:
    kind, data = answers.get("model_kind"), answers.get("data_kind")
    if (kind in _PICTURED and data == "text") or (
        kind in ("decoder", "moe-decoder", "encoder", "encoder-decoder") and data == "images"
    ):
        yield found(
            "data_kind",
            _("The model is “%(kind)s”, and it would learn from other data. Check both."),
            kind=partial(display, QUESTIONS["model_kind"], str(kind)),
        )
    tokens, volume = number_of(answers, "tokens"), number_of(answers, "dataset_bytes")
    if data == "text" and tokens and volume and volume > tokens * _MOST_BYTES_PER_TOKEN:
        yield found(
            "tokens",
            _(
                "That is %(each)s of the dataset for one token. Perhaps not all of it is text to learn from?"
            ),
            each=partial(formatting.byte_size, volume / tokens),
        )
    params = number_of(answers, "params")
    if answers.get("strategy") == "from-scratch" and tokens and params and tokens < params:
        yield found(
            "tokens",
            _("There are fewer tokens than parameters: from scratch this hardly teaches a model."),
        )


def _saves(answers: Answers) -> Iterator[Problem]:
    """A disk with room for the data and none for the saves that are to be kept."""
    disk, kept = number_of(answers, "disk_bytes"), number_of(answers, "saves_kept")
    params = number_of(answers, "params")
    if not disk or not kept or not params or answers.get("method") in _ADAPTERS:
        return
    weights_only = answers.get("save_kind") == "weights"
    saves = kept * params * (_WEIGHTS_SAVE_BYTES if weights_only else _FULL_SAVE_BYTES)
    data = sum(
        number_of(answers, key) or 0
        for key in ("dataset_bytes", "unpacked_bytes", "intermediate_bytes")
    )
    if data < disk <= data + saves:
        yield found(
            "saves_kept",
            _("So many saves take about %(saves)s; beside the data the disk has %(left)s."),
            saves=partial(formatting.byte_size, saves),
            left=partial(formatting.byte_size, disk - data),
        )


def _plan(answers: Answers) -> Iterator[Problem]:
    run, rent = number_of(answers, "target_time"), number_of(answers, "rent_period")
    if run and rent and run > rent:
        yield found(
            "target_time",
            _("One training may take longer than the rent lasts, %(rent)s. Check both."),
            rent=_shown("rent_period", rent),
        )
    at_once, runs = number_of(answers, "parallel_runs"), number_of(answers, "experiments")
    if at_once and runs and at_once > runs + 1:
        yield found(
            "parallel_runs",
            _("More runs at a time than there will be at all (%(runs)s and the final one)."),
            runs=_shown("experiments", runs),
        )
    low = answers.get("precision") in _LOW_PRECISIONS
    wished = answers.get("hardware_wish") or answers.get("sku")
    if low and not wished and answers.get("acquisition") in ("buy", "hybrid"):
        yield found(
            "precision",
            _(
                "Only recent GPUs compute in this precision, and they want much power and cooling from the rack. Keep it if you have tested the quality on your task."
            ),
        )


def _feed(answers: Answers) -> Iterator[Problem]:
    volts, phases = number_of(answers, "volts"), answers.get("phases")
    if volts and phases == "1" and volts > _LINE_VOLTS:
        yield found(
            "volts",
            _("So many volts stand between two phases; one phase has 100–240 V. Check both."),
        )
