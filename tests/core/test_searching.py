"""Folding of what is searched and of what is typed: the same words on every database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.searching import folded, search_words


@given(st.text())
def test_folding_twice_is_folding_once_and_leaves_words_and_single_spaces(text):
    once = folded(text)
    assert folded(once) == once
    assert once.split(" ") == once.split() or once == ""
    assert "\0" not in once


@given(st.text())
def test_case_does_not_matter(text):
    assert folded(text.upper()) == folded(text.upper().lower()) or "ß" in text.casefold()


def test_a_search_has_ten_words_at_most():
    assert len(search_words("a " * 500)) == 10


@pytest.mark.parametrize(
    ("typed", "read"),
    [("Н100", "h100"), ("А100-SXM", "a100-sxm"), ("ЗС-0042", "зс-0042"), ("Ёлка", "елка")],
)
def test_a_name_typed_with_cyrillic_letters_is_read_as_latin_and_a_russian_word_is_not(typed, read):
    assert folded(typed) == read
