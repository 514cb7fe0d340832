"""The technical specification (ТЗ) of eleven fields, made from the answers and nothing else.

It names no hardware of ours: a part number or a card in it is the client's own word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core import formatting
from apps.core.provenance import ORIGINS, PROVENANCE
from apps.phrases.sentence import request_sentence
from apps.questionnaire.answers import Evaluated
from apps.questionnaire.sections import QUESTIONS, SECTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.summary import SummaryRow, open_questions, summarise


@dataclass(frozen=True, slots=True)
class Part:
    """One of the eleven fields. `always` are questions that stand in it even when left blank."""

    key: str
    title: Text
    questions: tuple[str, ...]
    always: frozenset[str] = frozenset()


def _part(key: str, title: Text, questions: str, always: str = "") -> Part:
    return Part(key, title, tuple(questions.split()), frozenset(always.split()))


PARTS: Final = (
    _part(
        "task",
        gettext_lazy("Task and measure of success"),
        "purpose weights_change alternatives evidence continue_reason business_task success_criterion",
    ),
    _part(
        "method",
        gettext_lazy("Strategy and method"),
        "strategy cycle_every cycle_share method trainable_params stage lora_rank lora_targets"
        " lora_target_list lora_embeddings",
    ),
    _part(
        "model",
        gettext_lazy("Model: architecture and parameters"),
        "model_source model_name model_kind params active_params layers hidden heads kv_heads ffn"
        " vocab experts experts_per_token image_size",
    ),
    _part(
        "precision",
        gettext_lazy("Software, precision and optimizer"),
        "framework framework_version precision quantization optimizer",
        "precision optimizer",
    ),
    _part(
        "sequence",
        gettext_lazy("Sequence length, batch and steps"),
        "sequence_length average_length packing micro_batch grad_accumulation global_batch epochs"
        " steps",
        "sequence_length micro_batch",
    ),
    _part(
        "memory",
        gettext_lazy("Memory and several GPUs"),
        "activation_checkpointing attention fused_cross_entropy offload parallel_runs"
        " inference_server measured_run measured_origin measured_card measured_gpus"
        " measured_layout measured_batch measured_length measured_accumulation measured_allocated"
        " measured_reserved measured_device measured_stopped measured_step_s measured_rate"
        " measured_wait measured_other_batch measured_other_peak measured_rest measured_stages",
    ),
    _part(
        "dataset",
        gettext_lazy("Dataset"),
        "dataset_bytes data_kind file_structure files_count samples tokens data_location"
        " preprocessing regenerated data_may_leave",
        "dataset_bytes",
    ),
    _part(
        "disks",
        gettext_lazy("Disks and checkpoints"),
        "unpacked_bytes intermediate_bytes disk_bytes checkpoint_reserve save_every_steps"
        " saves_kept save_kind recovery",
        "disk_bytes save_every_steps",
    ),
    _part(
        "time",
        gettext_lazy("Time limit, experiments and horizon"),
        "target_time time_scope deadline_hard months_acceptable runs_per_quarter experiments"
        " stop_criteria use growth future_scenarios sharing teams isolation busy_share",
        "target_time deadline_hard",
    ),
    _part(
        "site",
        gettext_lazy("Limits of the rack, power and cooling"),
        "own_rack power_known_as kw_usable amps phases volts feeds cooling rack_units depth_mm"
        " floor_kg site_agreed",
    ),
    _part(
        "purchase",
        gettext_lazy("Rent or purchase, tests and acceptance"),
        "acquisition rent_period wanted_date budget sku hardware_wish measured_step held_out_set"
        " held_out_samples",
        "wanted_date budget measured_step held_out_set",
    ),
)
CONTACTS: Final = ("contact_name", "contact_email")
# Where a question stands that no field lists: by its page, or else by its section.
_HOMES: Final = {
    "goal": "task",
    "task": "task",
    "method": "method",
    "model": "model",
    "data": "dataset",
    "timing": "time",
    "horizon": "time",
    "purchase": "purchase",
    "site": "site",
    "recipe": "memory",
    "software": "precision",
    "adapters": "method",
    "batch": "sequence",
    "course": "sequence",
}
_LISTED: Final = frozenset(key for part in PARTS for key in part.questions) | set(CONTACTS)


def questions_of(part: Part) -> tuple[str, ...]:
    """The questions of a field: those it lists, then the rest of its sections."""
    rest = (
        question.key
        for section in SECTIONS
        for page in section.pages
        for question in page.questions
        if question.key not in _LISTED and _HOMES.get(page.key, _HOMES.get(section.key)) == part.key
    )
    return (*part.questions, *rest)


_OWN_WORDS: Final = frozenset({"sku", "hardware_wish", "measured_card"})


@dataclass(frozen=True, slots=True)
class Line:
    """One answer. `state` is stated, unknown or missing; `source` says where the value is from."""

    key: str
    name: str
    value: str
    state: str
    provenance: str
    source: str


@dataclass(frozen=True, slots=True)
class Field:
    key: str
    number: int
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """A question that the client could not answer: who may, and by when, in their words."""

    key: str
    name: str
    who: str
    when: str


@dataclass(frozen=True, slots=True)
class Specification:
    """Everything as text of one language."""

    language: str
    title: str
    number: str
    letter: str
    day: str
    company: str
    contact: str
    request: str
    fields: tuple[Field, ...]
    open_questions: tuple[Open, ...]
    notice: str


def specification_of(
    evaluated: Evaluated, *, language: str, number: str, letter: str, company: str, day: date
) -> Specification:
    """The specification in the active language, which `language` names."""
    rows = {row.key: row for section in summarise(evaluated) for row in section.rows}
    return Specification(
        language=language,
        title=_("Technical specification: a server for training"),
        number=number,
        letter=letter,
        day=formatting.day(day),
        company=company,
        contact=", ".join(rows[key].value for key in CONTACTS if key in rows and rows[key].value),
        request=request_sentence(evaluated),
        fields=tuple(
            Field(part.key, number, str(part.title), tuple(_lines(part, rows)))
            for number, part in enumerate(PARTS, 1)
        ),
        open_questions=tuple(
            Open(row.key, str(row.label), row.who, row.when) for row in open_questions(evaluated)
        ),
        notice=_(
            "Made from the client's answers. It holds no choice of hardware, no price and no promise: those come with the checked assessment."
        ),
    )


def _lines(part: Part, rows: dict[str, SummaryRow]) -> Iterator[Line]:
    """What was asked, in order; a question that does not concern this task has no line."""
    written = False
    for key in questions_of(part):
        row = rows.get(key)
        if row is None and key in part.always:
            yield _missing(key)
            written = True
        elif row is not None:
            yield _line(row)
            written = True
    if not written:
        line = _missing(part.questions[0])
        yield replace(
            line, key="", name=_("All of it"), value=_("not asked: it does not concern this task")
        )


def _missing(key: str) -> Line:
    return Line(key, str(QUESTIONS[key].name), _("not specified"), "missing", "", "")


def _line(row: SummaryRow) -> Line:
    if row.unknown:
        who = ", ".join(text for text in (row.who, row.when) if text)
        return Line(
            row.key, str(row.label), _("unknown, an open question"), "unknown", "client", who
        )
    if not row.value:
        return _missing(row.key)
    value = row.value if not row.error else f"{row.value} ({row.error})"
    return Line(row.key, str(row.label), value, "stated", row.provenance, _source(row))


def _source(row: SummaryRow) -> str:
    """«from the text of the request: «200 ГБ»»."""
    if row.provenance in ORIGINS:
        words = str(ORIGINS[row.provenance].words)
        source = f"{words}: {row.note}" if row.note else words
    else:
        source = str(PROVENANCE[row.provenance].meaning)
    if row.key in _OWN_WORDS:
        source = _("%(source)s; a wish, no choice of ours") % {"source": source}
    return source
