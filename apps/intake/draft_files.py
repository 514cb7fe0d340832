"""A draft as a JSON file, out and in: `podbor.draft/1`. What comes in is hostile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.readers.json_reader import read_json
from apps.core.errors import DomainError
from apps.intake.posted import NOTE_LENGTH, STORED_LENGTH, WHEN_LENGTH, WHO_LENGTH
from apps.intake.selectors import Draft
from apps.questionnaire.answers import RawAnswer, raw_answers
from apps.questionnaire.sections import QUESTIONS, SECTIONS

SCHEMA: Final = "podbor.draft/1"
MAX_BYTES: Final = 2**20
_FAMILY: Final = "podbor.draft/"
_FIELDS: Final = frozenset({"value", "unknown", "who", "when", "provenance", "note"})
_LIMITS: Final = {"who": WHO_LENGTH, "when": WHEN_LENGTH, "note": NOTE_LENGTH}
_SECTION_KEYS: Final = frozenset(s.key for s in SECTIONS if s.pages)


class DraftFileError(DomainError):
    """The file is no draft of ours, or cannot be read; the message says what is wrong."""

    code = "bad-draft-file"


@dataclass(frozen=True, slots=True)
class DraftFile:
    """What the file restores. `left_out` are its keys that no question of this version has."""

    answers: Mapping[str, RawAnswer]
    finished_sections: tuple[str, ...]
    left_out: tuple[str, ...]


def draft_document(draft: Draft) -> dict[str, Any]:
    """Everything that the client gave, answers that do not count now included."""
    return {
        "schema": SCHEMA,
        "answers": {key: answer.as_dict() for key, answer in draft.raw.items()},
        "finished_sections": list(draft.revision.finished_sections),
    }


def is_draft_file(content: bytes) -> bool:
    """Whether it says that it is one: what is then wrong with it is said as of a draft's file."""
    return _FAMILY.encode() in content[:4096]


def read_draft_file(content: bytes) -> DraftFile:
    """Read a draft's file.

    Raises:
        DraftFileError: not JSON, not a draft, a version that is not known, or a part of it is not
            what it should be; nothing of it is taken then.
    """
    if len(content) > MAX_BYTES:
        raise DraftFileError(_("A file of a draft has at most 1 MB; this one is larger."))
    try:
        tree = read_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DraftFileError(
            _("The file is no text. Choose the .json that was downloaded here.")
        ) from None
    except ConfigError as problem:
        raise DraftFileError(problem.message) from None
    if not isinstance(tree, dict) or tree.get("schema") != SCHEMA:
        raise _wrong_schema(tree)
    answers = tree.get("answers")
    if not isinstance(answers, dict):
        raise DraftFileError(_("The file has no answers in it."))
    known = {key: _answer(key, row) for key, row in answers.items() if key in QUESTIONS}
    return DraftFile(
        answers=raw_answers(known),
        finished_sections=_finished(tree.get("finished_sections")),
        left_out=tuple(str(key)[:60] for key in answers if key not in QUESTIONS),
    )


def _wrong_schema(tree: object) -> DraftFileError:
    schema = tree.get("schema") if isinstance(tree, dict) else None
    if isinstance(schema, str) and schema.startswith(_FAMILY):
        return DraftFileError(
            _("The draft is of version %(theirs)s; this site reads version %(ours)s.")
            % {"theirs": schema.removeprefix(_FAMILY)[:20], "ours": SCHEMA.removeprefix(_FAMILY)}
        )
    return DraftFileError(
        _("This is no file of a draft. Choose the .json that was downloaded here.")
    )


def _answer(key: str, row: object) -> dict[str, Any]:
    if not isinstance(row, dict) or not set(row) <= _FIELDS:
        raise _bad_answer(key)
    value = row.get("value", "")
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts) or sum(map(len, texts)) > STORED_LENGTH:
        raise _bad_answer(key)
    for name, most in _LIMITS.items():
        text = row.get(name, "")
        if not isinstance(text, str) or len(text) > most:
            raise _bad_answer(key)
    unknown = row.get("unknown", False)
    if not isinstance(unknown, bool) or not all(map(_is_stored, _texts(row))):
        raise _bad_answer(key)
    return {**row, "unknown": unknown and QUESTIONS[key].accepts_unknown}


def _is_stored(text: str) -> bool:
    """What a database can hold: no NUL, no half of a character."""
    return not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text)


def _texts(row: Mapping[str, Any]) -> list[str]:
    parts = [p if isinstance(p, list) else [p] for p in row.values()]
    return [text for part in parts for text in part if isinstance(text, str)]


def _bad_answer(key: str) -> DraftFileError:
    return DraftFileError(
        _("The answer to “%(question)s” in the file is not what an answer can be.")
        % {"question": QUESTIONS[key].name}
    )


def _finished(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(key for key in listed if isinstance(key, str) and key in _SECTION_KEYS)


def draft_text(draft: Draft) -> str:
    """The file as it is downloaded."""
    return json.dumps(draft_document(draft), ensure_ascii=False, indent=1) + "\n"
