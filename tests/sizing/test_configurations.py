"""Configurations as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.configurations import accelerators_named, parse_configuration

CATALOG = fixture_catalog()


@pytest.mark.parametrize(
    "text",
    [
        "8×H200, 2×8558, 16×64 ГБ",
        "8xH200, 2x8558, 16x64GB",
        "8хH200/2х8558/16х64ГБ",
        "8 * H200; 2 * 8558; 16 * 64 GB",
        "16×64 ГБ, 2×8558, 8×H200",
        "H200 × 8, Xeon Platinum 8558 × 2, 64 ГБ × 16",
        "8 шт H200, 2 шт. Intel Xeon 8558, 16 шт 64 ГБ DDR5",
        "H200 8 шт, 8558 - 2 шт, 16×64\u00a0ГБ RDIMM",
        "8x H200 + 2x 8558 + 16x 64GB",
        "H200x8, 8558x2, 64GB x 16",
        "8×H200,2×8558,16×64ГБ",
        "8×H200/2×8558/16×64",
    ],
)
def test_one_configuration_in_many_spellings(text):
    found = parse_configuration(text, CATALOG)
    assert (found.gpus, found.accelerators) == (8, ("H200-SXM-141", "H200-NVL-141"))
    assert (found.cpus, found.cpu) == (2, "8558")
    assert (found.dimms, found.module_gb, found.ram_gb) == (16, 64, 1024)
    assert found.not_understood == ()


def test_a_bare_number_is_a_module_only_when_modules_are_made_in_it():
    assert parse_configuration("17×65", CATALOG).not_understood == ("17×65",)
    assert parse_configuration("64", CATALOG).dimms is None


def test_reading_never_confirms():
    found = parse_configuration("8×H200, 2×8558, 16×64 ГБ", CATALOG)
    assert found.needs_confirmation
    assert found.notes[0].key == "configuration.needs-confirmation"


def test_h200_alone_asks_which_form_it_is():
    found = parse_configuration("8×H200", CATALOG)
    ask = next(n for n in found.notes if n.key == "configuration.ask-form-factor")
    assert ask.params["choices"] == "H200-SXM-141, H200-NVL-141"


@pytest.mark.parametrize(
    ("text", "accelerators"),
    [
        ("H200 NVL", ("H200-NVL-141",)),
        ("HGX H200", ("H200-SXM-141",)),
        ("NVIDIA H200 SXM5 141GB", ("H200-SXM-141",)),
        ("H100 PCIe", ("H100-PCIE-80",)),
        ("MI300X", ("MI300X",)),
        ("RTX 4090", ("RTX-4090",)),
        ("RTX PRO 6000 BSE", ("RTX-PRO-6000-BSE",)),
        ("L40S", ("L40S",)),
        ("8558", ()),
        ("SXM", ()),
        ("", ()),
    ],
)
def test_accelerators_are_found_by_the_catalogs_names(text, accelerators):
    assert accelerators_named(text, CATALOG) == accelerators


def test_a_server_settles_which_form_is_meant():
    found = parse_configuration("8×H200", CATALOG, server="SYS-821GE-TNHR")
    assert found.accelerators == ("H200-SXM-141",)
    assert not any(n.key == "configuration.ask-form-factor" for n in found.notes)


def test_two_cards_of_one_form_are_asked_apart():
    found = parse_configuration("8×H100 SXM", CATALOG)
    assert any(n.key == "configuration.ask-which" for n in found.notes)


def test_drives_and_a_whole_amount_of_memory_are_read():
    found = parse_configuration("4×L40S, 1 ТБ ОЗУ, 2×3,84 ТБ NVMe", CATALOG)
    assert found.ram_gb == 1000
    assert found.drives == ((2, "3.84 ТБ NVMe"),)
    assert found.dimms is None


def test_what_was_not_understood_is_listed():
    found = parse_configuration("8×H200, 2×9999, ConnectX-7, 8×L40S", CATALOG)
    assert found.not_understood == ("2×9999", "ConnectX-7", "8×L40S")
    assert [n.params["text"] for n in found.notes if n.key == "configuration.not-understood"] == [
        "2×9999",
        "ConnectX-7",
        "8×L40S",
    ]


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text):
    found = parse_configuration(text, CATALOG)
    assert found.needs_confirmation


def test_a_very_long_number_is_not_a_count():
    found = parse_configuration("9" * 5000 + "×H200", CATALOG)
    assert found.gpus is None
