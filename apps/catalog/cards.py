"""The card of one item: facts in groups with source, date and trust; what fits what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.translation import gettext_lazy

from apps.catalog.labels import CONFIDENCE, FACTS
from apps.catalog.layout import GROUPS
from apps.catalog.models import Fact, Item
from apps.catalog.values import day_text, fact_text, note_of

_ADDRESS: Final = re.compile(r"https://[^\s,]+")
_GITHUB: Final = re.compile(r"github:([\w.-]+/[\w.-]+)@([0-9a-f]+):(\S+)")
_OTHER: Final = gettext_lazy("Other facts")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """One fact in words. `others` are what other sources say of the same; a `disputed` one is not
    used, because another source contradicts it."""

    key: str
    label: str
    value: str
    note: str
    source: str
    address: str
    as_of: str
    confidence: str
    old: bool
    disputed: bool
    confirmed_by: str
    others: tuple[FactLine, ...] = ()

    @property
    def contradicted(self) -> bool:
        """Another source says something else; one that says the same is no contradiction."""
        return any(other.value != self.value for other in self.others)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactGroup:
    title: str
    lines: tuple[FactLine, ...]


def source_address(reference: str) -> str:
    """Where a source can be read: the first address in its reference; "" when there is none."""
    file = _GITHUB.search(reference)
    if file:
        repository, commit, path = file.groups()
        return f"https://github.com/{repository}/blob/{commit}/{path}"
    found = _ADDRESS.search(reference)
    return found.group() if found else ""


def line_of(fact: Fact, oldest_fresh: date, others: Iterable[Fact] = ()) -> FactLine:
    """A fact in words; one of a day before `oldest_fresh` is old."""
    return FactLine(
        key=fact.key,
        label=label_of(fact.key),
        value=fact_text(fact),
        note=note_of(fact),
        source=fact.source,
        address=source_address(fact.source_ref),
        as_of=day_text(fact.as_of),
        confidence=str(CONFIDENCE.get(fact.confidence, fact.confidence)),
        old=fact.as_of < oldest_fresh,
        disputed=fact.superseded,
        confirmed_by=str(fact.confirmed_by) if fact.confirmed_by_id else "",
        others=tuple(line_of(other, oldest_fresh) for other in others),
    )


def label_of(key: str) -> str:
    return str(FACTS.get(key, key))


def groups_of(item: Item, oldest_fresh: date) -> list[FactGroup]:
    """The facts of an item in the groups of its kind; what no group names comes last."""
    lines = {fact.key: fact for fact in _lines(item, oldest_fresh)}
    groups = []
    for title, keys in GROUPS[item.kind]:
        named = [lines.pop(key) for key in keys if key in lines]
        if named:
            groups.append(FactGroup(title=str(title), lines=tuple(named)))
    if lines:
        last = _OTHER if groups else GROUPS[item.kind][0][0]
        groups.append(FactGroup(title=str(last), lines=tuple(lines.values())))
    return groups


def _lines(item: Item, oldest_fresh: date) -> Iterator[FactLine]:
    by_key: dict[str, list[Fact]] = {}
    for fact in item.facts.all():
        by_key.setdefault(fact.key, []).append(fact)
    for facts in by_key.values():
        # Where nothing is in force, what was found is shown as disputed.
        chosen = next((f for f in facts if not f.superseded), None)
        if chosen is not None:
            yield line_of(chosen, oldest_fresh, [f for f in facts if f is not chosen])
        else:
            yield line_of(facts[0], oldest_fresh, facts[1:])


def confirmed(item: Item) -> bool:
    """Somebody of ours stands for every fact in force."""
    in_force = [fact for fact in item.facts.all() if not fact.superseded]
    return bool(in_force) and all(fact.confirmed_by_id for fact in in_force)
