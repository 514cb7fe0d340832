"""What an item is found by: its names, and the words that people call it by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from apps.catalog.models import Fact, Item
from apps.core.searching import folded


def fill_search(item: Item, facts: Iterable[Fact], words: Mapping[str, Any]) -> None:
    """Set the columns that lists search in.

    Args:
        words: `fixtures/catalog/search_words.json`: other names of kinds, vendors and forms.
    """
    called = [
        *words["kinds"].get(item.kind, ()),
        *words["vendors"].get(item.vendor, ()),
        *words["form_factors"].get(item.form_factor, ()),
    ]
    names = [item.slug, item.slug.replace("-", ""), item.name, item.vendor]
    item.search_name = folded(" ".join([*names, *called]))
    said = [fact.words.replace("|", " ") for fact in facts if not fact.superseded]
    russian = [str(fact.value_ru) for fact in facts if fact.value_ru]
    item.search_text = folded(" ".join([item.search_name, item.family, *said, *russian]))
