"""What a visitor typed, pasted or followed a link to: read, checked, turned into a task.

Six fields stand on the page. What a pasted configuration states besides travels with them, so
that one address holds everything that the figures rest on: `file-<key>` is a value of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from django.http import QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.catalog.published import published_model
from apps.questionnaire.answers import Evaluated, RawAnswer, evaluate
from apps.questionnaire.errors import ParseError
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import SHORT_TEXT, Influence, Kind, Limits, Question
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.questionnaire.sentences import Sentence, Text
from apps.questionnaire.to_task import to_task
from apps.sizing.errors import TaskError
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task

PASTED_NAME: Final = "pasted-settings.txt"
"""The name that pasted settings get as a file: answers from it name it as their source."""

GPUS: Final = Question(
    key="gpus",
    name=pgettext_lazy("short name of a question", "GPUs"),
    kind=Kind.NUMBER,
    label=_("How many GPUs?"),
    hint=_("Empty: we look for the fewest that hold it."),
    why=_("Weights, gradients and states can be cut over GPUs; activations cannot."),
    influences=(Influence.MEMORY,),
    examples=("8",),
    limits=Limits(low=1, high=4096, whole=True),
)
TYPED: Final = (
    "model_name",
    "method",
    "sequence_length",
    "micro_batch",
    "activation_checkpointing",
)
"""Questions whose fields stand on the page, besides the number of GPUs."""

_FROM_FILE: Final = "file-"
_CARRIED_SECTIONS: Final = frozenset({"method", "model", "recipe"})
_CARRIED: Final = tuple(
    key
    for key in QUESTIONS
    if SECTION_OF[key].key in _CARRIED_SECTIONS and QUESTIONS[key].kind is not Kind.MULTI
)
# Degrees of a layout that a configuration may state and no question asks for.
LAYOUT: Final = ("data_parallel", "tensor_parallel", "pipeline_parallel", "context_parallel")
_MODEL: Final = "model_name"
_SIZE: Final = "params"
_DIMENSIONS: Final = (_SIZE, "layers")
UNKNOWN_MODEL: Final = _(
    "The catalog does not know this model. Choose a name that it suggests, or write the size, for example 8B."
)
# A name is never taken for a size: only what nobody would call a model is.
_LEAST_PARAMS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """`key` is the field that it stands beside."""

    key: str
    message: Text | Sentence


@dataclass(frozen=True)
class Typed:
    """Texts by field: `typed` as they stand on the page, `stated` and `layout` from a file."""

    typed: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[str, str] = field(default_factory=dict)
    layout: Mapping[str, str] = field(default_factory=dict)

    @property
    def blank(self) -> bool:
        return not any((*self.typed.values(), *self.stated.values()))

    def text(self, key: str) -> str:
        """What stands in a field of the page: a file fills it in once, then it is the person's."""
        return self.typed[key] if key in self.typed else self.stated.get(key, "")

    def is_from_file(self, key: str) -> bool:
        return bool(self.text(key)) and self.text(key) == self.stated.get(key)

    @cached_property
    def answers(self) -> dict[str, RawAnswer]:
        """Answers to the questionnaire, each with where it comes from."""
        found = {
            key: RawAnswer(text, provenance="file", note=PASTED_NAME)
            for key, text in self.stated.items()
            if key in QUESTIONS
        }
        for key in TYPED:
            if key in self.typed and not self.is_from_file(key):
                found[key] = RawAnswer(self.typed[key])
        name = found.get(_MODEL)
        if name is not None and is_size(name.text):
            found[_SIZE] = replace(found.pop(_MODEL), value=name.text)
        return {key: answer for key, answer in found.items() if not answer.blank}

    @cached_property
    def evaluated(self) -> Evaluated:
        return evaluate(self.answers, published=published_model)

    def pairs(self) -> list[tuple[str, str]]:
        """Everything as fields of an address or of a form. What is empty is left out, unless the
        person emptied what a file had filled in."""
        cleared = self.stated.keys() & self.typed.keys()
        shown = ((key, self.text(key)) for key in (*TYPED, GPUS.key))
        fields = [(key, text) for key, text in shown if text or key in cleared]
        return fields + self.carried()

    def carried(self) -> list[tuple[str, str]]:
        """What a file states, as fields beside those of the page."""
        texts = {**self.stated, **self.layout}
        return [(f"{_FROM_FILE}{key}", text) for key, text in texts.items()]

    def query(self) -> str:
        return urlencode(self.pairs())


def typed_of(body: QueryDict) -> Typed:
    """The fields of an address or a form. Longer texts than any field holds are cut."""
    keys = (*TYPED, GPUS.key)
    return Typed(
        typed={key: _clean(body.get(key, "")) for key in keys if key in body},
        stated=_prefixed(body, (*_CARRIED, GPUS.key)),
        layout=_prefixed(body, LAYOUT),
    )


def _prefixed(body: QueryDict, keys: tuple[str, ...]) -> dict[str, str]:
    names = {key: f"{_FROM_FILE}{key}" for key in keys}
    found = {key: _clean(body.get(name, "")) for key, name in names.items() if name in body}
    return {key: text for key, text in found.items() if text}


def _clean(text: str) -> str:
    return text.replace("\0", "")[: SHORT_TEXT + 1].strip()


def is_size(text: str) -> bool:
    """«8B», «7 млрд»: the size of a model that the catalog does not have."""
    try:
        count = parse(QUESTIONS[_SIZE], text)
    except ParseError:
        return False
    return isinstance(count, int | float) and count >= _LEAST_PARAMS


def problems_of(typed: Typed) -> list[FieldProblem]:
    """What keeps the task from being calculated, in the order of the fields."""
    return list(_problems(typed))


def _problems(typed: Typed) -> Iterator[FieldProblem]:
    if not typed.text(_MODEL) and _SIZE not in typed.stated:
        yield FieldProblem(
            _MODEL, _("Name the model, for example Llama-3.1-8B, or write its size: 8B.")
        )
    name = typed.answers.get(_MODEL)
    sized = any(key in typed.stated for key in _DIMENSIONS)
    if name is not None and not sized and published_model(name.text) is None:
        yield FieldProblem(_MODEL, UNKNOWN_MODEL)
    for problem in typed.evaluated.errors:
        key = _MODEL if problem.key == _SIZE else problem.key
        yield FieldProblem(key, problem.message)
    text = typed.text(GPUS.key)
    try:
        parse(GPUS, text)
    except ParseError as refused:
        yield FieldProblem(GPUS.key, refused.message)


def task_document(typed: Typed) -> dict[str, Any]:
    """The task without an accelerator: the same for the same recipe, whatever was typed for it.

    Raises:
        ParseError: the number of GPUs is none; see `problems_of`.
    """
    document = to_task(typed.evaluated)
    placement: dict[str, Any] = dict(typed.layout)
    for name, text in typed.layout.items():
        if name != "data_parallel":
            placement[name] = int(text) if text.isascii() and text.isdigit() else text
    gpus = parse(GPUS, typed.text(GPUS.key))
    if gpus is not None:
        placement["gpus"] = gpus
    if placement:
        document["placement"] = placement
    return document


def task_of(document: Mapping[str, Any]) -> Task | FieldProblem:
    """The engine's task; a problem when a value of a pasted file is impossible."""
    try:
        return parse_task(document)
    except TaskError as refused:
        message = _("The file says something impossible about “%(field)s”: remove it there.")
        return FieldProblem(GPUS.key, message % {"field": refused.field or "placement"})
