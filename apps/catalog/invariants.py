"""Promises about the stored catalog, each as a function that names what breaks it."""

from __future__ import annotations

from collections.abc import Iterator

from apps.catalog.models import Fact, Head, Item, Proposal, Release
from apps.catalog.releases import UnknownRelease, stored_contents
from apps.catalog.rows import document_of
from apps.core.canonical import canonical_json


def releases_hash_to_their_names() -> Iterator[str]:
    for sha256 in Release.objects.values_list("pk", flat=True):
        try:
            stored_contents(sha256)
        except UnknownRelease as problem:
            yield f"catalog: {problem}"


def the_release_in_force_is_what_the_tables_say() -> Iterator[str]:
    release_id = Head.objects.values_list("release_id", flat=True).first()
    if release_id is None:
        return
    try:
        document = stored_contents(release_id).document
    except UnknownRelease:
        return  # named by the promise above
    items = Item.objects.filter(retired=False).prefetch_related("facts")
    for part, rows in document_of(items).items():
        if canonical_json(rows) != canonical_json(document.get(part, [])):
            yield f"catalog: the tables of {part} are not the release in force"


def approved_facts_were_proposed_by_another() -> Iterator[str]:
    for fact in Fact.objects.filter(origin=Fact.Origin.APPROVED).select_related("item"):
        backing = Proposal.objects.filter(
            item=fact.item,
            key=fact.key,
            state=Proposal.State.APPROVED,
            decided_by=fact.confirmed_by_id,
        )
        if not any(proposal.value == fact.value for proposal in backing):
            yield f"catalog: {fact.item.slug} {fact.key} was approved without a proposal"


CHECKS = (
    releases_hash_to_their_names,
    the_release_in_force_is_what_the_tables_say,
    approved_facts_were_proposed_by_another,
)
