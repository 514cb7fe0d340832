"""The public page says what `manage.py accuracy` prints, and what nobody knows."""

import re
import time

import pytest
from django.test import Client

from apps.catalog.accuracy import QUANTITIES, accuracy_summary, comparisons, table
from apps.catalog.facts import fixture_catalog
from apps.core import formatting
from apps.sizing.evidence import every_gap, measured_card
from apps.tryout.accuracy import accuracy_page

pytestmark = [pytest.mark.django_db, pytest.mark.one_stack]


@pytest.fixture(scope="module")
def found():
    return comparisons()


def test_the_summary_is_the_table_of_the_command(found):
    summary = accuracy_summary()
    for quantity in QUANTITIES:
        mine = [c for c in found if c.quantity == quantity]
        assert summary.kinds[quantity] == table(mine, by="kind")
        assert summary.sources[quantity] == table(mine, by="source")
    apart = comparisons(software_known=False)
    for quantity in QUANTITIES:
        mine = [c for c in apart if c.quantity == quantity]
        assert summary.withheld[quantity] == table(mine, by="source")
        assert summary.withheld[quantity] != summary.sources[quantity]
    assert summary.run_count == len({c.run for c in found})


def test_every_group_stands_on_the_page_with_its_figures():
    html = Client(headers={"accept-language": "en"}).get("/accuracy/").content.decode()
    summary = accuracy_summary()
    every = (*summary.kinds.values(), *summary.sources.values(), *summary.withheld.values())
    for rows in every:
        for row in rows:
            assert formatting.percent(row.median_error_ratio) in html
    for name, reference in summary.references.items():
        assert name in html or not any(
            name == row.name for rows in summary.sources.values() for row in rows
        )
        assert reference
    assert "fitted to these runs" in html


def test_every_kind_without_evidence_is_named_in_words():
    page = accuracy_page()
    assert len(page["unknown"]) == len(every_gap())
    codes = {gap.reason for gap in every_gap()}
    assert not codes & {unknown.text for unknown in page["unknown"]}
    assert "AMD Instinct MI300X" in page["unmeasured_cards"]
    assert not set(page["unmeasured_cards"]) & {name for name, _ in page["measured_cards"]}
    assert "Unsloth" in page["unmeasured_frameworks"]


def test_the_page_and_the_engine_name_the_same_cards():
    page, catalog = accuracy_page(), fixture_catalog()
    measured = {name for name, _ in page["measured_cards"]}
    for card in catalog.accelerators.values():
        assert measured_card(card, catalog.calibration) is (card.name in measured), card.id
        assert (card.name in page["unmeasured_cards"]) is (card.name not in measured), card.id
    assert page["untimed_cards"] == [catalog.accelerators["L40S"].name]


def test_a_group_that_holds_fewer_than_promised_is_marked():
    rows = [row for part in accuracy_page()["parts"] for row in (*part.kinds, *part.sources)]
    summary = accuracy_summary()
    groups = [*summary.kinds.values(), *summary.sources.values()]
    assert sum(row.short for row in rows) == sum(
        g.inside_ratio < 0.9 for part in groups for g in part
    )


def test_a_source_that_can_be_read_is_linked():
    rows = {row.name: row for part in accuracy_page()["parts"] for row in part.sources}
    assert rows["torchtitan benchmarks"].address.startswith(
        "https://github.com/pytorch/torchtitan/blob/"
    )


def test_it_is_worked_out_once():
    client = Client()
    client.get("/accuracy/")
    started = time.process_time()
    assert client.get("/accuracy/").status_code == 200
    assert time.process_time() - started < 0.2


def test_the_worth_of_one_measured_run_is_said_with_its_figures(client):
    html = client.get("/accuracy/", headers={"accept-language": "en"}).content.decode()
    assert re.search(r"the median error of memory from [\d.]+.% to [\d.]+.%", html)
