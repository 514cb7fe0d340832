"""The card of a server says what does not go in, by the rules of a calculation."""

from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.catalog.misfits import misfits_of
from apps.sizing.compatibility import Proposal, check

CATALOG = fixture_catalog()


@pytest.mark.parametrize("sku", CATALOG.servers)
def test_every_accelerator_goes_in_or_is_refused_with_a_reason(sku):
    refused = {m.names[0]: m for m in misfits_of(sku, CATALOG) if m.kind == "accelerator"}
    for card in CATALOG.accelerators:
        valid = check(Proposal(server=sku, accelerator=card), CATALOG).valid
        assert valid is (card not in refused)
    for misfit in refused.values():
        assert misfit.reason
        assert misfit.source
        for other in misfit.instead:
            assert check(Proposal(server=other, accelerator=misfit.names[0]), CATALOG).valid


def test_a_processor_of_another_socket_is_named_with_both_sockets():
    lines = [m for m in misfits_of("SYS-821GE-TNHR", CATALOG) if m.kind == "cpu"]
    found = next(m for m in lines if "6960P" in m.names)
    assert "LGA-7529" in found.reason
    assert "LGA-4677" in found.reason
    assert not any("8558" in m.names for m in lines)


def test_a_large_catalog_names_the_nearest_and_counts_the_rest():
    card = CATALOG.accelerators["L4"]
    many = {f"L4-{n}": replace(card, id=f"L4-{n}") for n in range(100)}
    catalog = replace(CATALOG, accelerators={**many, **CATALOG.accelerators})
    lines = [m for m in misfits_of("SYS-821GE-TNHR", catalog) if m.kind == "accelerator"]
    refused = len(catalog.accelerators) - len(CATALOG.servers["SYS-821GE-TNHR"].accelerators)
    named = lines[:-1]
    assert len(named) + lines[-1].more == refused
    assert "H200-NVL-141" in {m.names[0] for m in named[:10]}


def test_what_is_no_server_has_none():
    assert misfits_of("H200-NVL-141", CATALOG) == []


@pytest.mark.usefixtures("stocked")
def test_the_card_shows_them_and_leads_to_what_fits(client):
    shown = client.get("/catalog/SYS-821GE-TNHR/", headers={"accept-language": "en"})
    text = shown.content.decode()
    assert "What does not go in, and why" in text
    after = text.split("What does not go in, and why")[1]
    assert "H200-NVL-141" in after
    assert 'href="/catalog/SYS-521GE-TNRT/"' in after
    card = client.get("/catalog/H200-NVL-141/", headers={"accept-language": "en"})
    assert "What does not go in, and why" not in card.content.decode()
