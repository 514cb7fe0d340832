"""What answers say together: contradictions, which are errors, and doubts, which are not.

A doubt never stops anything: the client may go on, and the engineer sees it with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.core import formatting
from apps.questionnaire.consistency import inconsistencies
from apps.questionnaire.echo import display
from apps.questionnaire.findings import found, number_of
from apps.questionnaire.own_model import params_of_dimensions
from apps.questionnaire.problem import Problem
from apps.questionnaire.question import Answers
from apps.questionnaire.sections import QUESTIONS

_ABSURD_TOKENS_PER_PASS: Final = 2**21
_SHORT_TASK: Final = 40
_NAME_RATIO: Final = 2.0
_OWN_RATIO: Final = 1.3
_SIZE_IN_NAME: Final = re.compile(
    r"(?<![0-9a-z.])([0-9]{1,4}(?:\.[0-9]{1,3})?)\s?b(?![a-z0-9])", re.IGNORECASE
)
_VAGUE: Final = re.compile(
    r"(?:мощн\w*|хорош\w*|лучш\w*|топов\w*)\s+(?:видеокарт|карт|gpu|сервер|железо)"
    r"|(?:powerful|best|good|top)\s+(?:graphics|gpu|GPU|server|hardware)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the catalog knows of a published model, as far as the form checks against it."""

    name: str
    kind: str
    params_count: float
    max_sequence_length: int | None = None
    hidden: int | None = None


# (the smaller, the larger, what to say when it is the other way round)
_NO_MORE: Final = (
    (
        "average_length",
        "sequence_length",
        _(
            "The average cannot be longer than the sequence length (%(other)s). Correct one of them."
        ),
    ),
    (
        "active_params",
        "params",
        _("Active parameters cannot be more than all of them (%(other)s). Correct one of them."),
    ),
    (
        "kv_heads",
        "heads",
        _("There cannot be more key and value heads than heads (%(other)s). Correct one of them."),
    ),
    (
        "experts_per_token",
        "experts",
        _("There cannot be more experts per token than experts (%(other)s). Correct one of them."),
    ),
    (
        "trainable_params",
        "params",
        _("Trained parameters cannot be more than all of them (%(other)s). Correct one of them."),
    ),
)


def contradictions(answers: Answers) -> tuple[Problem, ...]:
    """Pairs of answers that cannot both be true."""
    return tuple(_contradictions(answers))


def _contradictions(answers: Answers) -> Iterator[Problem]:
    for small, large, template in _NO_MORE:
        low, high = number_of(answers, small), number_of(answers, large)
        if low is not None and high is not None and low > high:
            yield found(small, template, other=partial(display, QUESTIONS[large], high))


def doubts(
    answers: Answers, *, today: date | None, model: ModelFacts | None
) -> tuple[Problem, ...]:
    """Answers worth a second look."""
    seen = [
        *_unusual(answers),
        *_storage_doubts(answers),
        *_recipe_doubts(answers),
        *_model_doubts(answers, model),
        *_own_model_doubts(answers),
        *_plan_doubts(answers, today),
        *inconsistencies(answers, model.hidden if model else None),
    ]
    return tuple(seen)


def _unusual(answers: Answers) -> Iterator[Problem]:
    """Numbers outside what is usual for their question."""
    for key in answers:
        limits, value = QUESTIONS[key].limits, number_of(answers, key)
        if value is None or key == "experiments":
            continue
        if limits.usual_high is not None and value > limits.usual_high:
            template = _(
                "Unusually large: usually not more than %(usual)s. Check the number and the unit."
            )
            yield found(key, template, usual=partial(display, QUESTIONS[key], limits.usual_high))
        if limits.usual_low is not None and value < limits.usual_low:
            template = _(
                "Unusually small: usually not less than %(usual)s. Check the number and the unit."
            )
            yield found(key, template, usual=partial(display, QUESTIONS[key], limits.usual_low))


def _storage_doubts(answers: Answers) -> Iterator[Problem]:
    disk = number_of(answers, "disk_bytes")
    parts = [
        number_of(answers, k) for k in ("dataset_bytes", "unpacked_bytes", "intermediate_bytes")
    ]
    needed = sum(p for p in parts if p is not None)
    if disk is not None and needed and disk <= needed:
        yield found(
            "disk_bytes",
            _(
                "The disk of %(disk)s is taken up by the data, %(data)s: there is no room for checkpoints."
            ),
            disk=partial(formatting.byte_size, disk),
            data=partial(formatting.byte_size, needed),
        )
    tokens, volume = number_of(answers, "tokens"), number_of(answers, "dataset_bytes")
    if answers.get("data_kind") == "text" and tokens and volume and tokens > volume:
        yield found(
            "tokens",
            _("There are more tokens than bytes in the dataset (%(data)s). Check both."),
            data=partial(formatting.byte_size, volume),
        )
    if answers.get("saves_kept") == 0 and answers.get("checkpoint_reserve") is True:
        yield found(
            "saves_kept",
            _("You asked for space for checkpoints, but none is kept. Check it."),
        )


def _recipe_doubts(answers: Answers) -> Iterator[Problem]:
    length, batch = number_of(answers, "sequence_length"), number_of(answers, "micro_batch")
    if length and batch and length * batch > _ABSURD_TOKENS_PER_PASS:
        yield found(
            "micro_batch",
            _(
                "That is %(tokens)s tokens through one GPU at once. Perhaps it is the batch over all GPUs?"
            ),
            tokens=partial(formatting.number, length * batch),
        )
    every, steps = number_of(answers, "save_every_steps"), number_of(answers, "steps")
    if every and steps and every > steps:
        yield found(
            "save_every_steps",
            _("The run ends before the first save: it has %(steps)s."),
            steps=partial(display, QUESTIONS["steps"], steps),
        )


def _own_model_doubts(answers: Answers) -> Iterator[Problem]:
    """The dimensions and the number of parameters of an own architecture belong together."""
    params, counted = number_of(answers, "params"), params_of_dimensions(answers)
    if params and counted and not 1 / _OWN_RATIO <= params / counted <= _OWN_RATIO:
        yield found(
            "params",
            _("The dimensions of your architecture make %(counted)s. Check one of them."),
            counted=partial(display, QUESTIONS["params"], round(counted)),
        )


def _model_doubts(answers: Answers, facts: ModelFacts | None) -> Iterator[Problem]:
    name = answers.get("model_name")
    if not isinstance(name, str):
        return
    length = number_of(answers, "sequence_length")
    longest = facts.max_sequence_length if facts else None
    if longest and length and length > longest:
        yield found(
            "sequence_length",
            _("%(model)s is published for %(longest)s at most. Check the length."),
            model=name,
            longest=partial(display, QUESTIONS["sequence_length"], longest),
        )
    params = number_of(answers, "params")
    said = facts.params_count if facts else _size_in_name(name)
    if params and said and not 1 / _NAME_RATIO <= params / said <= _NAME_RATIO:
        yield found(
            "params",
            _("The name %(model)s speaks of %(said)s. Check the number of parameters."),
            model=name,
            said=partial(display, QUESTIONS["params"], round(said)),
        )


def _size_in_name(name: str) -> float | None:
    """8e9 for `Llama-3.1-8B`."""
    found = _SIZE_IN_NAME.search(name)
    return float(found[1]) * 1e9 if found else None


def _growth_doubts(answers: Answers) -> Iterator[Problem]:
    if answers.get("use") == "3-5y" and answers.get("growth") == 1:
        yield found(
            "growth",
            _("Without any reserve the server may become tight within a year. Check the growth."),
        )
    growth = number_of(answers, "growth")
    if answers.get("future_scenarios") and (growth is None or growth <= 1):
        yield found(
            "growth",
            _(
                "New tasks are planned, but no growth is stated: the reserve of slots and power is counted from it. Say how many times the load will grow with these tasks."
            ),
        )


def _plan_doubts(answers: Answers, today: date | None) -> Iterator[Problem]:
    task = answers.get("business_task")
    if isinstance(task, str) and (len(task) < _SHORT_TASK or _VAGUE.search(task)):
        yield found(
            "business_task",
            _(
                "Facts help more than “a powerful card”: who uses the model, what goes in and comes out, how much data, by when, what is enough."
            ),
        )
    runs = number_of(answers, "experiments")
    if runs is not None and runs <= 1:
        yield found(
            "experiments",
            _("One successful run is not the budget of the project: repeats are usually needed."),
        )
    yield from _growth_doubts(answers)
    wanted = answers.get("wanted_date")
    if today is not None and isinstance(wanted, date) and wanted < today:
        yield found("wanted_date", _("This day has already passed. Check the date."))
    renting = answers.get("acquisition") in ("rent", "hybrid")
    if renting and answers.get("data_may_leave") is False:
        yield found(
            "data_may_leave",
            _(
                "You want to rent, but the data may not leave your site. Say in the task how this goes together."
            ),
        )
    if renting and answers.get("held_out_set") is False:
        yield found(
            "held_out_set",
            _(
                "Before paying for a rent, set data aside for the check: without it the result cannot be judged."
            ),
        )
