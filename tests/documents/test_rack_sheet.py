"""The rack on paper: the growth that is planned stands beside today, on the feed that is left."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from apps.catalog.facts import fixture_catalog
from apps.documents.sheets.rack import RackSheet, rack_of
from apps.sizing.estimators.rack import rack_estimator
from apps.sizing.ranges import Range
from apps.sizing.task import Horizon, Site, Task
from tests.sizing.stores import platform


def sheet(growth: float | None, *, gpus: int = 4, feeds: int = 2) -> RackSheet:
    """Cards in a chassis of eight places, on feeds of 5 kW."""
    task = Task(site=Site(kw_usable=5.0, feeds=feeds), horizon=Horizon(growth=growth))
    where = platform("SYS-521GE-TNRT", "H200-NVL-141", gpus)
    block = rack_estimator(task, fixture_catalog(), (where,))["platforms"]["x"]
    variant: Any = SimpleNamespace(
        key="V1",
        recommended=True,
        rented=False,
        nodes=1,
        gpus=gpus,
        server="SYS-521GE-TNRT",
        load_kw=Range.from_dict(block["power"]["load_kw"]),
        verdicts={},
        verdict=lambda name: "fits",
        block=lambda name: block,
        reading=SimpleNamespace(fact=lambda *names: [8]),
    )
    snapshot = SimpleNamespace(task={"site": {"kw_usable": 5.0}}, context={})
    reading: Any = SimpleNamespace(snapshot=snapshot, result={})
    with translation.override("en"):
        return rack_of(reading, (variant,))


@pytest.mark.parametrize(
    ("growth", "gpus"), [(1.5, "6 GPUs"), (2.0, "8 GPUs"), (None, "8 GPUs"), (4.0, "16 GPUs")]
)
def test_the_planned_growth_is_shown_and_else_the_full_chassis(
    growth: float | None, gpus: str
) -> None:
    found = sheet(growth)
    said = f"Growth to {gpus}".replace(" GPUs", "\N{NO-BREAK SPACE}GPUs")
    assert f"{said}, one feed is lost" in found.power
    assert said.removeprefix("Growth to ") in found.rows[0].growth


def test_each_feed_of_the_rack_ends_in_outlets() -> None:
    assert "PDU B" in sheet(None).rack
    assert "PDU B" not in sheet(None, feeds=1).rack
