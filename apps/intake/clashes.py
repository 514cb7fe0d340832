"""Two people, or two tabs, changed one answer: both values, to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.intake.fields import field_id
from apps.intake.posted import answer_of
from apps.questionnaire.answers import RawAnswer, read_answer
from apps.questionnaire.question import UNKNOWN
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.summary import display_value
from apps.requisitions.services import Clash


@dataclass(frozen=True, slots=True)
class ClashRow:
    """One contested answer. `mine` is sent again when it is chosen, over `stored_version`."""

    key: str
    anchor: str
    label: Text
    mine: RawAnswer
    mine_values: tuple[str, ...]
    mine_shown: str
    stored_unknown: bool
    stored_shown: str
    stored_version: int
    stored_by: str
    stored_at: datetime


def clash_rows(clashes: Iterable[Clash]) -> list[ClashRow]:
    return [_row(clash) for clash in clashes]


def clashed_names(clashes: Iterable[Clash]) -> str:
    """The contested questions by name, for a sentence."""
    return ", ".join(str(QUESTIONS[clash.key].name) for clash in clashes)


def _row(clash: Clash) -> ClashRow:
    question = QUESTIONS[clash.key]
    mine = answer_of(clash.mine)
    stored = RawAnswer.from_dict({"value": clash.stored_value, "unknown": clash.stored_unknown})
    values = (mine.value,) if isinstance(mine.value, str) else mine.value
    if mine.unknown:
        values = (UNKNOWN,)
    return ClashRow(
        key=clash.key,
        anchor=field_id(clash.key),
        label=question.name,
        mine=mine,
        mine_values=values,
        mine_shown=display_value(read_answer(question, mine)),
        stored_unknown=stored.unknown,
        stored_shown=display_value(read_answer(question, stored)),
        stored_version=clash.stored_version,
        stored_by=clash.stored_by,
        stored_at=clash.stored_at,
    )
