"""Files that the client attached, configurations and logs: what they say in answers.

A value that stands in the file is taken by one press for all; a default of the framework and a
guess are only offered at their questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.importer import read_config
from apps.core import blobs
from apps.intake.logs import found_in_log
from apps.intake.selectors import Draft
from apps.questionnaire.answers import RawAnswer, read_answer
from apps.questionnaire.from_fields import FoundAnswers, answers_from_fields
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.summary import display_value
from apps.requisitions.models import Attachment
from apps.requisitions.selectors import attachments_of

_LOG: Final = "log"


@dataclass(frozen=True, slots=True)
class ReadConfig:
    """What one file says. `format` is the importer's code, `not_recognised` keys nobody uses."""

    format: str
    found: FoundAnswers
    not_recognised: tuple[str, ...]

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
    """One answer of a file beside what is answered now; `chosen` when nothing typed is at stake."""

    key: str
    label: Text
    value: str
    current: str
    chosen: bool
    version: int


def config_of(attachment: Attachment) -> ReadConfig:
    """Read an attached file: as a log where it tells of a run, else as a configuration.

    Raises:
        ConfigError: it is none, or cannot be read; the message says why.
    """
    return _read(attachment.sha256, attachment.name)


@lru_cache(maxsize=64)
def _read(sha256: str, name: str) -> ReadConfig:
    content = blobs.read(sha256)
    measured = found_in_log(content, source=name)
    if measured is not None:
        return ReadConfig(format=_LOG, found=measured, not_recognised=())
    imported = read_config(name, content).as_dict()
    return ReadConfig(
        format=imported["format"],
        found=answers_from_fields(imported["fields"], source=name),
        not_recognised=tuple(imported["not_recognised"]),
    )


def fill_rows(draft: Draft, config: ReadConfig) -> list[FillRow]:
    """What the file states, with what would be replaced."""
    return [_row(draft, key, answer) for key, answer in config.found.stated.items()]


def _row(draft: Draft, key: str, answer: RawAnswer) -> FillRow:
    question = QUESTIONS[key]
    current = draft.raw.get(key, RawAnswer())
    return FillRow(
        key=key,
        label=question.name,
        value=display_value(read_answer(question, answer)),
        current=display_value(read_answer(question, current)),
        chosen=current.blank or current.unknown or current.provenance != "client",
        version=draft.version(key),
    )


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
