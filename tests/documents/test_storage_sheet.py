"""The picture of the storage says of each volume what kind it is and how fast it must be."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from apps.documents.sheets.storage import StorageSheet, _volume, storage_of
from tests.sizing.stores import FULL_7B, block_for


def sheet(
    *, location: str | None = None, disk_bytes: float | None = None, save_kind: str | None = None
) -> StorageSheet:
    """A full fine-tune of 7 billion on 200 GB of text."""
    snapshot = SimpleNamespace(
        context={"storage": {"disk_bytes": disk_bytes}}, task={"data": {"location": location}}
    )
    block = block_for(replace(FULL_7B, recipe=replace(FULL_7B.recipe, save_kind=save_kind)))
    variant: Any = SimpleNamespace(
        key="V1", recommended=True, storage_gb=None, block=lambda name: block
    )
    reading: Any = SimpleNamespace(snapshot=snapshot)
    with translation.override("en"):
        return storage_of(reading, (variant,))


def drawing(**stated: Any) -> str:
    return sheet(**stated).drawing


def test_a_volume_says_its_class_and_its_rate() -> None:
    found = drawing()
    assert "any SSD," in found  # 200 GB of text are read slowly
    assert found.count("a second") == 2


@pytest.mark.parametrize("location", ["nfs", "san", "object"])
def test_what_lies_elsewhere_is_read_over_the_network(location: str) -> None:
    found = drawing(location=location)
    assert "over the network," in found
    assert "any SSD" not in found


@pytest.mark.parametrize(("disk_bytes", "outlined"), [(300e9, True), (3e12, False)])
def test_a_disk_that_is_too_small_has_a_red_outline(disk_bytes: float, outlined: bool) -> None:
    assert ("c-none c-blocked-s" in drawing(disk_bytes=disk_bytes)) is outlined


def test_what_is_saved_has_a_line_of_its_own_where_it_is_no_full_state() -> None:
    labels = [{row.label for row in sheet(save_kind=kind).rows} for kind in (None, "weights")]
    assert labels[1] - labels[0] == {"What is saved each time"}


def test_the_typical_volume_is_said_in_the_unit_of_its_span() -> None:
    """40–80 TB is typically 60, not 60,000."""
    span = {"low": 40_000, "typical": 60_000, "high": 80_000}
    with translation.override("en"):
        made = _volume({"key": "dataset", "capacity_gb": span, "parts_gb": {}}, "")
    assert made.notes == ["40–80\u00a0TB, typical 60"]
