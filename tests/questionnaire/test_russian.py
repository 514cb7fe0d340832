"""The questionnaire speaks Russian in full, and reads its own Russian examples."""

import re

import pytest
from django.utils import translation

from apps.questionnaire.gate import OUTCOMES
from apps.questionnaire.influences import NAMES
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import Question
from apps.questionnaire.sections import QUESTIONS, SECTIONS

CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
# Names of methods and functions that Russian does not translate.
AS_THEY_ARE = {"Liger, Unsloth, chunked loss."}


@pytest.fixture(autouse=True)
def russian():
    with translation.override("ru"):
        yield


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda q: q.key)
def test_every_question_is_asked_and_explained_in_russian(question: Question):
    for text in (question.name, question.label, question.hint, question.why):
        assert CYRILLIC.search(str(text)) or str(text) in AS_THEY_ARE, text


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda q: q.key)
def test_russian_examples_are_understood(question: Question):
    for example in question.examples:
        assert parse(question, str(example)) is not None


def test_sections_pages_and_outcomes_are_in_russian():
    texts = [t for s in SECTIONS for t in (s.name, s.title, s.intro)]
    texts += [p.title for s in SECTIONS for p in s.pages]
    texts += [t for o in OUTCOMES.values() for t in (o.title, o.text, *o.steps)]
    texts += list(NAMES.values())
    assert [str(t) for t in texts if not CYRILLIC.search(str(t))] == []


def test_russian_puts_quotes_and_dashes_as_it_should():
    texts = [str(t) for q in QUESTIONS.values() for t in (q.label, q.hint, q.why)]
    assert [t for t in texts if "“" in t or "”" in t or '"' in t or " - " in t] == []
