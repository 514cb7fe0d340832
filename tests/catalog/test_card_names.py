"""A card by the name that a person, a program or the driver gives it."""

import pytest

from apps.catalog.card_names import accelerator_named, accelerator_names, accelerators_meant
from apps.catalog.facts import fixture_catalog

pytestmark = [pytest.mark.django_db, pytest.mark.one_stack]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NVIDIA A100-SXM4-80GB", "A100-SXM4-80"),
        ("NVIDIA A100 80GB PCIe", "A100-PCIE-80"),
        ("NVIDIA H100 80GB HBM3", "H100-SXM5-80"),
        ("NVIDIA H100 PCIe", "H100-PCIE-80"),
        ("NVIDIA H100 NVL", "H100-NVL-94"),
        ("NVIDIA H200", "H200-SXM-141"),
        ("NVIDIA GeForce RTX 4090", "RTX-4090"),
        ("Tesla V100-SXM2-16GB", "V100-SXM2-16"),
        ("NVIDIA RTX 6000 Ada Generation", "RTX-6000-ADA"),
        ("AMD Instinct MI300X", "MI300X"),
        ("a100 sxm 80 гб", "A100-SXM4-80"),
        ("l40s", "L40S"),
    ],
)
def test_one_card_is_meant(name, expected):
    found = accelerator_named(name)
    assert found is not None
    assert found.id == expected


@pytest.mark.parametrize("name", ["A100", "H100", "RTX PRO 6000", "A100 80 GB"])
def test_where_several_could_be_meant_none_is_taken(name):
    assert accelerator_named(name) is None
    assert len(accelerators_meant(name)) > 1


@pytest.mark.parametrize("name", ["", "abacus", "80 GB", "\0" * 500, "x" * 100_000])
def test_what_names_no_card_names_none(name):
    assert accelerators_meant(name) == []


def test_every_card_of_the_catalog_is_found_by_what_is_suggested():
    cards = fixture_catalog().accelerators.values()
    assert [accelerator_named(card.id) for card in cards] == list(cards)
    assert len(accelerator_names()) == len(cards)
