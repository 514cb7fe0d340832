"""The programme of runs as a person reads it."""

import pytest
from django.utils import translation

from apps.estimation.presenters import programme_of
from tests.sizing.test_assemble import LORA, outcome


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def view(document=None, **context):
    return programme_of(outcome(document or LORA, {"explore": False, **context}))


def test_the_series_names_what_is_tried_and_its_sum():
    found = view(experiments=8)
    assert [row.runs for row in found.rows] == ["8", "1", "", ""]
    assert "data" in found.rows[0].about
    assert found.rows[-1].total
    assert found.conclusion.startswith("The whole series on ")
    assert "assumed" not in found.conclusion
    assert "assumed" in view().conclusion


def test_each_time_limit_says_hardware_link_storage_rack_and_people():
    first = view().speed[0]
    assert first.target.replace("\u00a0", " ") == "72 h"
    assert all((first.hardware, first.link, first.storage, first.power, first.effort))


def test_a_limit_that_nothing_meets_says_so():
    hard = {**LORA, "cycle": {**LORA["cycle"], "target_hours": 0.02}}
    last = view(hard).speed[-1]
    assert "nothing in the catalog" in last.hardware
    assert not last.power


def test_a_cycle_says_its_share_and_its_reserve():
    continual = {**LORA, "strategy": "continual"}
    found = view(continual, cycle_every_hours=336, cycle_share_ratio=0.35)
    assert "35" in found.cycle
    assert "336" in found.cycle
    assert found.cycle_verdict == "fits"
    assert view().cycle == ""


def test_an_older_result_has_no_programme():
    assert programme_of({}) is None
    assert programme_of({"programme": None}) is None
