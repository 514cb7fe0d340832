"""Folding of what is searched and of what is typed: the same words on every database."""

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
