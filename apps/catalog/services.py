"""Changing the catalog. Every change ends in a release, which the next calculation takes."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.catalog.facts import fixture_document, fixture_sha256
from apps.catalog.models import Fact, Head, Item, Kind, Release, Use
from apps.catalog.releases import contents_of, forget_present
from apps.catalog.rows import document_of, fact_row, item_fields, items_in, new_facts, new_item
from apps.catalog.schema import check_rows
from apps.catalog.search_words import fill_search
from apps.core.canonical import canonical_json, sha256_of

_CARRIED = ("architectures", "calibration", "evidence", "search_words")
_DERIVED = ("search_name", "search_text", "gpu_memory_gb", "newest_fact")


@dataclass(slots=True)
class Changes:
    """What a synchronisation did, in counts of items."""

    added: int = 0
    changed: int = 0
    retired: int = 0


def catalog_sync(*, actor: User | None = None) -> Changes | None:
    """Bring the tables level with the shipped fixtures; None when they are already.

    A fact that an administrator approved stays in force; a shipped value beside it is kept as
    the contradiction that it is.

    Raises:
        CatalogError: a shipped row is not fit for use; nothing is changed.
    """
    if Head.objects.filter(fixtures_sha256=fixture_sha256()).exists():
        return None
    return _sync(actor)


@transaction.atomic
def _sync(actor: User | None) -> Changes | None:
    head = hold_head()
    if head.fixtures_sha256 == fixture_sha256():
        return None
    document = fixture_document()
    check_rows(document)
    changes = _bring_level(items_in(document))
    release = publish(head, {name: document[name] for name in _CARRIED})
    head.fixtures_sha256 = fixture_sha256()
    head.save(update_fields=["fixtures_sha256"])
    record(actor=actor, action="catalog.sync", subject=release, **asdict(changes))
    return changes


def hold_head() -> Head:
    """The row that whoever changes the catalog holds until the commit."""
    Head.objects.get_or_create(pk=1)
    return Head.objects.select_for_update().get(pk=1)


def publish(head: Head, carried: Mapping[str, Any] | None = None) -> Release:
    """Freeze the tables as the release in force. `head` is held by the caller.

    Args:
        carried: parts of the document that are no rows; those of the release before by default.
    """
    if carried is None:
        assert head.release_id, "a catalog without a release has no rows to correct"
        before = contents_of(head.release_id).document
        carried = {name: before[name] for name in _CARRIED}
    items = list(Item.objects.filter(retired=False).prefetch_related("facts"))
    _fill_derived(items, carried["search_words"])
    text = canonical_json({**carried, **document_of(items)})
    release, _is_new = Release.objects.get_or_create(
        sha256=sha256_of(text), defaults={"body": zlib.compress(text.encode())}
    )
    head.release = release
    head.save(update_fields=["release"])
    forget_present()
    return release


def _bring_level(rows: list[dict[str, Any]]) -> Changes:
    changes = Changes()
    stored = {item.slug: item for item in Item.objects.prefetch_related("facts")}
    new = [
        new_item(row, position) for position, row in enumerate(rows) if row["slug"] not in stored
    ]
    changes.added = len(Item.objects.bulk_create(new))
    fresh = [fact for item in new for fact in new_facts(item, rows[item.position]["facts"])]
    for position, row in enumerate(rows):
        item = stored.pop(row["slug"], None)
        if item is None:
            continue
        _update_columns(item, item_fields(row, position))
        wanted = _beside_approved(item, new_facts(item, row["facts"]))
        if not _same(item, wanted):
            changes.changed += 1
            item.facts.filter(origin=Fact.Origin.SHIPPED).delete()
            fresh += wanted
    gone = [item.pk for item in stored.values() if not (item.retired or item.added)]
    changes.retired = Item.objects.filter(pk__in=gone).update(retired=True)
    Fact.objects.bulk_create(fresh)
    return changes


def _update_columns(item: Item, columns: Mapping[str, Any]) -> None:
    if any(getattr(item, name) != value for name, value in columns.items()):
        Item.objects.filter(pk=item.pk).update(**columns)


def _beside_approved(item: Item, facts: list[Fact]) -> list[Fact]:
    """Shipped facts; those of keys that people approved a value of stand in second place."""
    approved = {f.key for f in item.facts.all() if f.origin == Fact.Origin.APPROVED}
    for fact in facts:
        fact.superseded = fact.superseded or fact.key in approved
    return facts


def _same(item: Item, wanted: list[Fact]) -> bool:
    shipped = [fact for fact in item.facts.all() if fact.origin == Fact.Origin.SHIPPED]
    return [*map(fact_row, shipped)] == [*map(fact_row, wanted)]


def _fill_derived(items: list[Item], words: Mapping[str, Any]) -> None:
    """Columns that lists filter by, from the facts in force; only what changes is written."""
    memory_gb = {
        item.slug: fact.number
        for item in items
        if item.kind == Kind.ACCELERATOR
        for fact in item.facts.all()
        if fact.key == "memory_gb" and not fact.superseded
    }
    changed = []
    for item in items:
        if item.kind == Kind.CONSTANT:
            continue
        before = [getattr(item, name) for name in _DERIVED]
        facts = list(item.facts.all())
        fill_search(item, facts, words)
        names = {item.slug} | {
            name
            for fact in facts
            if fact.key == "accelerators" and not fact.superseded
            for name in fact.value
        }
        known = [size for name in names if (size := memory_gb.get(name)) is not None]
        item.gpu_memory_gb = max(known, default=None)
        item.newest_fact = max((fact.as_of for fact in facts), default=None)
        if before != [getattr(item, name) for name in _DERIVED]:
            changed.append(item)
    Item.objects.bulk_update(changed, _DERIVED, batch_size=200)


def uses_store(*, calculation: UUID, slugs: Iterable[str]) -> None:
    """Note which items the assessment of a calculation names."""
    Use.objects.bulk_create(
        [Use(slug=slug, calculation=calculation) for slug in sorted(set(slugs))],
        ignore_conflicts=True,
    )
