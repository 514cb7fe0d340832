"""What the open questions change, in words with figures, as a drawing and as a table."""

import re

import pytest
from django.utils import translation

from apps.catalog.facts import fixture_catalog
from apps.estimation.presenters import influence_of, influence_view
from apps.sizing.platforms import growing
from apps.sizing.sensitivity import sensitivity_at, sensitivity_of
from apps.sizing.task_reader import parse_task

CATALOG = fixture_catalog()
TASK = parse_task(
    {
        "schema": "podbor.task/1",
        "strategy": "finetune",
        "method": "lora",
        "model": {"name": "Llama-3.1-8B"},
        "recipe": {"epochs": 1, "grad_accumulation": 8, "micro_batch": 4, "global_batch": 256},
        "data": {"tokens": 1e9, "bytes": 4e9, "kind": "text"},
        "cycle": {"target_hours": 24},
        "site": {},
    }
)
CARD = CATALOG.accelerators["H100-SXM5-80"]
PLATFORM = next(p for p in growing(CARD, TASK, CATALOG) if p.gpus == 8)


@pytest.fixture(scope="module")
def block():
    return sensitivity_of(TASK, CATALOG, PLATFORM)


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_row_says_its_figures_without_codes_or_gaps(block, language):
    with translation.override(language):
        view = influence_of({"sensitivity": block}, balls={"recipe.sequence_length": 3})
        for row in view.rows:
            assert row.words
            assert row.memory or row.time or row.decides
            assert not re.search(r"%\(|recipe\.|site\.|None", row.words)
        first = view.rows[0]
        assert first.field == "recipe.sequence_length"
        assert first.ball == {"ru": "В3", "en": "Q3"}[language]
        assert first.memory in first.words
        assert first.energy


def test_the_drawings_hold_what_the_table_says(block):
    near = {**block, "target_hours": 4}
    with translation.override("en"):
        view = influence_of({"sensitivity": near})
    assert "<title>" in view.memory.wide
    assert "the GPU has" in view.memory.wide
    assert "deadline 4" in view.time.wide
    names = [row["head"] for row in view.table]
    assert names == [row.label for row in view.rows]
    assert all(len(row["cells"]) == len(view.head) - 1 for row in view.table)


def test_without_a_platform_no_hours_no_rack_and_no_card_are_named():
    found = sensitivity_at(TASK, CATALOG, PLATFORM.placement)
    block = {
        "now": found.now.as_dict(),
        "fields": [moved.as_dict() for moved in found.moved],
    }
    with translation.override("en"):
        view = influence_view(block, balls={}, on_platform=False)
    assert view.rows
    assert view.time is None
    assert "the GPU has" not in view.memory.wide
    for row in view.rows:
        assert not row.energy
        assert " h" not in row.time
        assert "rack" not in row.decides
        assert "deadline" not in row.decides


def test_what_decides_the_rack_says_the_power_it_takes(block):
    with translation.override("en"):
        row = next(
            r for r in influence_of({"sensitivity": block}).rows if r.field == "site.kw_usable"
        )
    assert "can stand in the rack" in row.words
    assert "kW from a feed" in row.words


def test_an_older_result_has_none_and_a_missing_one_a_reason():
    assert influence_of({}) is None
    reason = {"key": "explore.reason.not-asked", "params": {}}
    assert influence_of({"sensitivity": None, "reasons": {"sensitivity": reason}}).reason
