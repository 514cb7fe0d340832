"""What the client has in mind, read back in words."""

import pytest
from django.utils import translation

from apps.catalog.facts import fixture_catalog
from apps.estimation.presenters.offers import offer_of
from apps.sizing.offers import offer_block


def view(text: str):
    return offer_of({"offer": offer_block(text, None, fixture_catalog())})


def test_nothing_in_mind_is_nothing_to_show():
    assert offer_of({"offer": None}) is None
    assert offer_of({}) is None


def test_a_configuration_is_read_part_by_part_and_confirms_nothing():
    offer = view("8×H200, 2×8558, 16×64 ГБ")
    assert offer.parts == ("8 × H200", "2 × 8558", "16 × 64\u00a0GB")
    assert (offer.state, offer.word) == ("unknown", "the part number is not in the catalog")
    assert any("form factor" in note for note in offer.notes)
    assert any("confirms nothing" in note for note in offer.notes)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("SYS-821GE-TNHR с 8×H200 SXM", "info"),
        ("SYS-821GE-TNHR с 8×H200 NVL", "does-not-fit"),
        ("SYS-821GE-TNHR", "unknown"),
        ("<script>alert(1)</script>", "unknown"),
        ("8" * 5000, "unknown"),
    ],
)
def test_an_offer_gets_a_verdict_in_both_languages(text, state):
    for language in ("en", "ru"):
        with translation.override(language):
            offer = view(text)
            assert offer.state == state
            assert offer.word


def test_a_refused_pair_names_what_would_be_possible():
    offer = view("SYS-821GE-TNHR с 8×H200 NVL")
    [refusal] = [f for f in offer.findings if f.severity == "refused"]
    assert "H200" in refusal.instead
    assert refusal.instead.startswith("server ")
    assert "; GPU " in refusal.instead


def test_a_server_alone_is_not_blamed_for_the_gpus_we_recommend():
    block = {
        "text": "SYS-821GE-TNHR",
        "sku": "SYS-821GE-TNHR",
        "known": True,
        "valid": False,
        "checked_with": "recommended",
        "findings": [],
        "configuration": None,
        "notes": [],
    }
    offer = offer_of({"offer": block})
    assert (offer.state, offer.word) == ("tight", "takes other GPUs than the recommended variant")
    named = offer_of({"offer": block | {"checked_with": "offer"}})
    assert named.state == "does-not-fit"
