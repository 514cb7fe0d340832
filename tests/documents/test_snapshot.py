"""The frozen facts: what they hold, and that they stay."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from apps.catalog.releases import fixture_contents
from apps.documents.facts import facts_used
from apps.documents.snapshot import Snapshot, Superseded
from tests.documents import samples


def test_it_comes_back_from_its_text_as_it_was() -> None:
    for snapshot in (samples.rent(), samples.approved(), samples.vague(), samples.failed()):
        again = Snapshot.read(snapshot.text())
        assert again == snapshot
        assert again.text() == snapshot.text()


def test_its_text_is_canonical_and_names_its_schema() -> None:
    text = samples.rent().text()
    document = json.loads(text)
    assert document["schema"] == "podbor.snapshot/1"
    assert list(document) == sorted(document)
    assert "\\u" not in text


def test_a_draft_and_the_final_made_from_it_share_the_hash_of_their_facts() -> None:
    assert samples.approved().facts_sha256() == samples.full().facts_sha256()
    replaced = replace(samples.approved(), superseded=Superseded(letter="C", at="2026-12-09"))
    assert replaced.facts_sha256() == samples.full().facts_sha256()


@pytest.mark.parametrize(
    "changes",
    [{"client": "Другая"}, {"letter": "C"}, {"engine_version": "2"}, {"questions": ()}],
    ids=str,
)
def test_any_other_fact_changes_the_hash(changes: dict[str, object]) -> None:
    assert replace(samples.full(), **changes).facts_sha256() != samples.full().facts_sha256()


def test_another_schema_is_refused() -> None:
    text = samples.rent().text().replace("podbor.snapshot/1", "podbor.snapshot/9")
    with pytest.raises(ValueError, match="cannot be printed"):
        Snapshot.read(text)


def test_every_card_and_server_of_a_variant_comes_with_sourced_facts() -> None:
    snapshot = samples.full()
    named = {v[part] for v in snapshot.result["variants"] for part in ("accelerator", "server")}
    assert named <= {fact.item for fact in snapshot.facts}
    assert all(fact.source for fact in snapshot.facts)
    catalogued = [fact for fact in snapshot.facts if fact.key != "params_billion"]
    assert all(fact.as_of for fact in catalogued)


def test_facts_of_platforms_that_are_not_shown_stay_out() -> None:
    snapshot = samples.full()
    shown = {v["accelerator"] for v in snapshot.result["variants"]}
    cards = {fact.item for fact in snapshot.facts if fact.key == "memory_gb"}
    assert cards == shown


def test_a_task_without_a_model_and_variants_has_no_facts() -> None:
    assert facts_used({"schema": "podbor.task/1"}, {"variants": []}, fixture_contents()) == ()
