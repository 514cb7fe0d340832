"""The words of the questionnaire: each explained once, every question's words among them."""

from apps.questionnaire import glossary
from apps.questionnaire.sections import QUESTIONS


def test_words_have_keys_of_their_own_and_a_whole_sentence():
    keys = [term.key for term in glossary.TERMS]
    assert len(keys) == len(set(keys))
    assert all(str(term.text).endswith(".") and str(term.name) for term in glossary.TERMS)


def test_questions_name_words_that_are_there_and_every_word_has_its_place():
    used = {key for keys in glossary._USED_IN.values() for key in keys}
    assert set(glossary._USED_IN) <= set(QUESTIONS)
    assert used == {term.key for term in glossary.TERMS}
    assert all(1 <= len(glossary.terms_of(key)) <= 3 for key in glossary._USED_IN)


def test_a_question_without_hard_words_has_none():
    assert glossary.terms_of("business_task") == ()
