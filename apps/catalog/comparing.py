"""Items side by side: what differs, and where each value comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from apps.catalog.cards import label_of, source_address
from apps.catalog.labels import CONFIDENCE
from apps.catalog.layout import GROUPS
from apps.catalog.models import Fact, Item
from apps.catalog.values import day_text, fact_text, note_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A value with the number of its source."""

    value: str
    footnote: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """`said` is None where nobody found the fact; `others` are what other sources say."""

    said: Said | None
    note: str
    others: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`differs`: two known values are not the same; `partial`: some know it and some do not."""

    label: str
    cells: tuple[Cell, ...]
    differs: bool
    partial: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowGroup:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnote:
    number: int
    source: str
    address: str
    said: str


@dataclass(slots=True)
class Sources:
    """Sources in the order of their first mention, each with one number."""

    found: dict[tuple[str, str, str, str], int] = field(default_factory=dict)

    def number_of(self, fact: Fact) -> int:
        key = (fact.source, fact.source_ref, fact.as_of.isoformat(), fact.confidence)
        return self.found.setdefault(key, len(self.found) + 1)

    def footnotes(self) -> list[Footnote]:
        return [
            Footnote(
                number=number,
                source=source,
                address=source_address(reference),
                said=f"{day_text(date.fromisoformat(day))}, {CONFIDENCE.get(trust, trust)}",
            )
            for (source, reference, day, trust), number in self.found.items()
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    items: tuple[Item, ...]
    groups: tuple[RowGroup, ...]
    footnotes: tuple[Footnote, ...]
    differing_count: int
    row_count: int


def compare(items: Sequence[Item], *, only_differing: bool) -> Comparison:
    """Facts of items of one kind, in the groups of that kind.

    Args:
        items: two or more, with their facts at hand.
    """
    facts = [_by_key(item) for item in items]
    sources = Sources()
    groups = []
    row_count = differing_count = 0
    for title, keys in _groups(items[0].kind, facts):
        rows = [_row(key, facts, sources, only_differing=only_differing) for key in keys]
        row_count += len(rows)
        differing_count += sum(row.differs for row in rows)
        shown = tuple(row for row in rows if row.cells)
        if shown:
            groups.append(RowGroup(title=title, rows=shown))
    return Comparison(
        items=tuple(items),
        groups=tuple(groups),
        footnotes=tuple(sources.footnotes()),
        differing_count=differing_count,
        row_count=row_count,
    )


def _by_key(item: Item) -> dict[str, list[Fact]]:
    """Facts by key, the one in force first."""
    found: dict[str, list[Fact]] = {}
    for fact in sorted(item.facts.all(), key=lambda fact: fact.superseded):
        found.setdefault(fact.key, []).append(fact)
    return found


def _groups(kind: str, facts: Sequence[dict[str, list[Fact]]]) -> list[tuple[str, list[str]]]:
    known = list(dict.fromkeys(key for found in facts for key in found))
    groups = [(str(title), [k for k in keys if k in known]) for title, keys in GROUPS[kind]]
    left = [key for key in known if not any(key in keys for _title, keys in groups)]
    groups[-1][1].extend(left)
    return [(title, keys) for title, keys in groups if keys]


def _row(
    key: str, facts: Sequence[dict[str, list[Fact]]], sources: Sources, *, only_differing: bool
) -> Row:
    found = [facts_of_item.get(key, []) for facts_of_item in facts]
    values = [fact_text(f[0]) if f and not f[0].superseded else "" for f in found]
    known = {value for value in values if value}
    differs, partial = len(known) > 1, bool(known) and "" in values
    hidden = only_differing and not differs and not partial
    cells = (
        () if hidden else tuple(_cell(f, v, sources) for f, v in zip(found, values, strict=True))
    )
    return Row(label=label_of(key), cells=cells, differs=differs, partial=partial)


def _cell(found: Sequence[Fact], value: str, sources: Sources) -> Cell:
    return Cell(
        said=Said(value=value, footnote=sources.number_of(found[0])) if value else None,
        note=note_of(found[0]) if value else "",
        others=tuple(
            Said(value=fact_text(fact), footnote=sources.number_of(fact))
            for fact in found
            if fact.superseded
        ),
    )
