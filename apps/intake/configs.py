"""Files that the client attached, configurations and logs: what they say in answers.

A value that stands in a file is taken by one press for all; a default of the framework and a guess
are shown with their origin and offered at their questions only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.imported import Imported
from apps.configs.importer import combine, read_config
from apps.configs.naming import catalog_name
from apps.core import blobs
from apps.intake.logs import found_in_log
from apps.intake.navigation import question_url
from apps.intake.selectors import Draft
from apps.questionnaire.answers import RawAnswer, read_answer
from apps.questionnaire.from_fields import FoundAnswers, answers_from_fields, question_of
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.summary import display_value
from apps.requisitions.models import Attachment
from apps.requisitions.selectors import attachments_of

_LOG: Final = "log"


@dataclass(frozen=True, slots=True)
class ReadConfig:
    """What files say of one run. `format` is the importer's code, `not_recognised` keys nobody
    uses, `asked` the questions that they leave open, `absent` names of files they refer to and
    `beside` those that were read together with the chosen one."""

    format: str
    found: FoundAnswers
    not_recognised: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @property
    def of_a_run(self) -> bool:
        """Whether it is a log or a report, and no configuration."""
        return self.format == _LOG

    @property
    def framework(self) -> str:
        """What the file is for, as the questionnaire names it; else the code of its format."""
        if self.of_a_run:
            return _("a log of a run")
        answers = {**self.found.offered, **self.found.stated}
        answer = answers.get("framework")
        return display_value(read_answer(QUESTIONS["framework"], answer)) if answer else self.format


@dataclass(frozen=True, slots=True)
class FillRow:
    """One answer of a file beside what is answered now; `chosen` when nothing typed is at stake,
    `differs` when an answer of the client's own says something else."""

    key: str
    label: Text
    value: str
    source: str
    current: str
    chosen: bool
    differs: bool
    version: int


@dataclass(frozen=True, slots=True)
class OfferedRow:
    """A default of the framework or a guess: shown with its origin, taken at its question only."""

    label: Text
    value: str
    guessed: bool
    url: str


def config_of(attachment: Attachment) -> ReadConfig:
    """Read an attached file: as a log where it tells of a run, else as a configuration.

    Raises:
        ConfigError: it is none, or cannot be read; the message says why.
    """
    content = _content(attachment.sha256, attachment.name)
    return content if isinstance(content, ReadConfig) else _answers((attachment.name,), content)


def run_of(attachment: Attachment) -> ReadConfig:
    """A file together with the other attached ones that complete it: the launcher's, the model's.

    Raises:
        ConfigError: the file itself is none, or cannot be read.
    """
    content = _content(attachment.sha256, attachment.name)
    if isinstance(content, ReadConfig):
        return content
    parts = {attachment.name: content}
    roles = {content.role}
    for other in attachments_of(attachment.requisition).exclude(pk=attachment.pk):
        found = _configuration(other)
        if found is not None and found.role not in roles and other.name not in parts:
            roles.add(found.role)
            parts[other.name] = found
    if len(parts) == 1:
        return _answers(tuple(parts), content)
    return _answers(tuple(parts), combine([_named(name, part) for name, part in parts.items()]))


def _configuration(attachment: Attachment) -> Imported | None:
    try:
        content = _content(attachment.sha256, attachment.name)
    except (ConfigError, blobs.BlobDamaged):
        return None
    return None if isinstance(content, ReadConfig) else content


def _named(name: str, part: Imported) -> Imported:
    """The same with the file's name beside every value."""
    fields = {field: replace(found, source=name) for field, found in part.fields.items()}
    return replace(part, fields=fields)


@lru_cache(maxsize=64)
def _content(sha256: str, name: str) -> ReadConfig | Imported:
    """A log is read to the end here; a configuration may yet be joined with others."""
    content = blobs.read(sha256)
    measured = found_in_log(content, source=name)
    if measured is not None:
        return ReadConfig(format=_LOG, found=measured)
    return read_config(name, content)


def _answers(names: tuple[str, ...], imported: Imported) -> ReadConfig:
    fields = {
        field: {"value": found.value, "origin": found.origin, "source": found.source}
        for field, found in imported.fields.items()
    }
    if "model" in fields:
        fields["model"]["value"] = catalog_name(str(fields["model"]["value"]))
    asked = dict.fromkeys(key for field in imported.ask if (key := question_of(field)))
    return ReadConfig(
        format=imported.format,
        found=answers_from_fields(fields, source=names[0]),
        not_recognised=imported.not_recognised,
        asked=tuple(asked),
        absent=tuple(name for name in imported.references if name not in names),
        beside=names[1:],
    )


def fill_rows(draft: Draft, config: ReadConfig) -> list[FillRow]:
    """What the files state, with what would be replaced."""
    return [_row(draft, key, answer) for key, answer in config.found.stated.items()]


def _row(draft: Draft, key: str, answer: RawAnswer) -> FillRow:
    question = QUESTIONS[key]
    current = draft.raw.get(key, RawAnswer())
    value, known = (display_value(read_answer(question, raw)) for raw in (answer, current))
    free = current.blank or current.unknown or current.provenance != "client"
    return FillRow(
        key=key,
        label=question.name,
        value=value,
        source=answer.note,
        current=known,
        chosen=free,
        differs=not free and value != known,
        version=draft.version(key),
    )


def offered_rows(draft: Draft, config: ReadConfig) -> list[OfferedRow]:
    """Defaults and guesses, each with its origin."""
    return [
        OfferedRow(
            label=QUESTIONS[key].name,
            value=display_value(read_answer(QUESTIONS[key], answer)),
            guessed=answer.provenance == "guess",
            url=question_url(draft, key),
        )
        for key, answer in config.found.offered.items()
        if key not in config.found.stated
    ]


def asked_rows(draft: Draft, config: ReadConfig) -> list[tuple[Text, str]]:
    """Questions that the files leave open and nobody has answered yet, with their pages."""
    return [
        (QUESTIONS[key].name, question_url(draft, key))
        for key in config.asked
        if draft.raw.get(key, RawAnswer()).blank and key not in config.found.offered
    ]


def offered_by_files(draft: Draft) -> dict[str, tuple[RawAnswer, str]]:
    """Defaults and guesses of the files that answers were taken from, with the framework's name."""
    used = {a.note for a in draft.raw.values() if a.provenance == "file"}
    if not used:
        return {}
    offered: dict[str, tuple[RawAnswer, str]] = {}
    for attachment in attachments_of(draft.requisition).filter(name__in=used):
        try:
            config = config_of(attachment)
        except (ConfigError, blobs.BlobDamaged):
            continue
        for key, answer in config.found.offered.items():
            offered.setdefault(key, (answer, config.framework))
    return offered
