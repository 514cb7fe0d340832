"""The rows of the task list: how far each section is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.intake.navigation import section_url
from apps.intake.selectors import Draft
from apps.questionnaire.answers import Completeness
from apps.questionnaire.echo import display
from apps.questionnaire.question import CHOSEN, Kind, Question
from apps.questionnaire.relevance import relevant_sections
from apps.questionnaire.sections import Section
from apps.requisitions.selectors import attachments_of

_SUB_LENGTH: Final = 110
_FIRST: Final = "goal"
_WITHOUT_PAGES: Final = frozenset({"files", "check"})


@dataclass(frozen=True, slots=True)
class TaskRow:
    """`tag` is the colour of a state that asks for action, empty for plain text.

    A row without `href` cannot be opened yet, and `sub` says why. `asked` says how far a colleague
    is who was asked by a link.
    """

    number: int
    key: str
    title: str
    sub: str
    state: str
    tag: str
    href: str
    asked: str = ""


def task_rows(draft: Draft) -> list[TaskRow]:
    sections = relevant_sections(draft.evaluated.effective)
    return [_row(draft, section, number) for number, section in enumerate(sections, 1)]


def finished_count(draft: Draft) -> tuple[int, int]:
    """Sections that are finished, of those that must be."""
    needed = [s for s in relevant_sections(draft.evaluated.effective) if s.pages]
    return sum(_is_finished(draft, s) for s in needed), len(needed)


def gate_is_open(draft: Draft) -> bool:
    """The goal comes first; the other sections make sense after it."""
    return "purpose" in draft.evaluated.effective


def _is_finished(draft: Draft, section: Section) -> bool:
    counts = draft.evaluated.sections[section.key]
    stated = section.key in draft.revision.finished_sections
    return stated and not counts.errors and not counts.missing


def _row(draft: Draft, section: Section, number: int) -> TaskRow:
    blocked = _blocked(draft, section)
    if blocked:
        state, tag = _("Not available yet"), ""
    elif section.key == "files":
        state, tag = (_("Done") if _file_count(draft) else _("Not started")), ""
    elif section.key == "check":
        state, tag = _("Not started"), ""
    else:
        state, tag = _state(draft, section)
    return TaskRow(
        number=number,
        key=section.key,
        title=str(section.title),
        sub=blocked or _sub(draft, section),
        state=state,
        tag=tag,
        href="" if blocked else section_url(draft.requisition.pk, section),
    )


def _blocked(draft: Draft, section: Section) -> str:
    """What has to be done before this section, in words; empty when nothing."""
    if section.key == _FIRST:
        return ""
    if not gate_is_open(draft):
        return _waiting(draft, section)
    if section.key != "check":
        return ""
    for earlier in relevant_sections(draft.evaluated.effective):
        if earlier.pages and not draft.evaluated.sections[earlier.key].started:
            return _("First fill in “%(section)s”") % {"section": earlier.name}
    return ""


def _waiting(draft: Draft, section: Section) -> str:
    """Why the section waits for the goal; what a letter or a file has answered in it is kept."""
    kept = sum(not draft.raw[q.key].blank for q in section.questions if q.key in draft.raw)
    if not kept:
        return _("First state the goal: it decides what we ask")
    return ngettext(
        "First state the goal; %(count)s answer is kept here already",
        "First state the goal; %(count)s answers are kept here already",
        kept,
    ) % {"count": kept}


def _state(draft: Draft, section: Section) -> tuple[str, str]:
    counts: Completeness = draft.evaluated.sections[section.key]
    if counts.errors:
        return _("Needs correction"), "blocked"
    if not counts.started:
        return _("Not started"), ""
    if not _is_finished(draft, section):
        return _("In progress"), "info"
    if counts.unknown:
        return _("Has open questions"), "tight"
    return _("Done"), ""


def _file_count(draft: Draft) -> int:
    return attachments_of(draft.requisition).count()


def _sub(draft: Draft, section: Section) -> str:
    """What was answered, briefly and by name; before that, what the section is about."""
    count = _file_count(draft) if section.key == "files" else 0
    if count:
        return ngettext("%(count)s file", "%(count)s files", count) % {"count": count}
    counts = draft.evaluated.sections[section.key]
    if section.key in _WITHOUT_PAGES or not counts.started:
        return str(section.intro)
    if not counts.missing and not counts.errors and not _is_finished(draft, section):
        return _("Everything is answered. Say on its last page that the section is finished.")
    said = [q for q in section.questions if _is_telling(q, draft)]
    heaviest = sorted(said, key=lambda question: -question.weight)
    chosen: list[Question] = []
    for question in heaviest:
        if len(_named(draft, [*chosen, question], said)) > _SUB_LENGTH:
            break
        chosen.append(question)
    text = _named(draft, chosen or heaviest[:1], said) or str(section.intro)
    return Truncator(text).chars(_SUB_LENGTH)


def _is_telling(question: Question, draft: Draft) -> bool:
    short = question.kind in CHOSEN - {Kind.BOOLEAN} or question.kind is Kind.TEXT
    return question.key in draft.evaluated.effective and (short or question.numeric)


def _named(draft: Draft, chosen: list[Question], order: list[Question]) -> str:
    """«Power of one feed: 5 kW · Feeds: two», in the order of the section."""
    effective = draft.evaluated.effective
    return " · ".join(f"{q.name}: {display(q, effective[q.key])}" for q in order if q in chosen)
