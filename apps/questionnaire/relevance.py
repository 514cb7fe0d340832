"""Which questions are asked, given the answers: one pass, in order.

A rule sees only the answers to earlier questions that are themselves asked. So the pass always
ends, its outcome does not depend on the order in which people answered, and what nobody is asked
any more can never reach an estimate.
"""

from __future__ import annotations

from apps.questionnaire.question import Answers, Parsed, Question
from apps.questionnaire.sections import SECTIONS, Page, Section


def relevance(answers: Answers) -> tuple[tuple[Question, ...], dict[str, Parsed]]:
    """The questions to ask, in order, and the answers that count, in one pass."""
    return _walk(answers)


def relevant_questions(answers: Answers) -> tuple[Question, ...]:
    """The questions to ask, in order."""
    return _walk(answers)[0]


def effective_answers(answers: Answers) -> dict[str, Parsed]:
    """The answers that count: those to questions that are asked."""
    return _walk(answers)[1]


def _walk(answers: Answers) -> tuple[tuple[Question, ...], dict[str, Parsed]]:
    asked: list[Question] = []
    effective: dict[str, Parsed] = {}
    for section in SECTIONS:
        if not section.relevant(effective):
            continue
        for question in section.questions:
            if not question.relevant(effective):
                continue
            asked.append(question)
            if question.key in answers:
                effective[question.key] = answers[question.key]
    return tuple(asked), effective


def relevant_sections(answers: Answers) -> tuple[Section, ...]:
    """The rows of the task list."""
    effective = effective_answers(answers)
    return tuple(s for s in SECTIONS if s.relevant(effective))


def relevant_pages(section: Section, answers: Answers) -> tuple[Page, ...]:
    """The pages of a section that have something to ask, each with those questions only."""
    asked = {q.key for q in relevant_questions(answers)}
    pages = (
        Page(page.key, page.title, tuple(q for q in page.questions if q.key in asked))
        for page in section.pages
    )
    return tuple(page for page in pages if page.questions)
