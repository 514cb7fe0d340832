"""The catalog's pages: facts with sources for the integrator's people, nothing for clients."""

import pytest

from apps.accounts.models import Role
from apps.catalog.cards import card_of, cards
from apps.catalog.labels import FACTS, UNITS, WORDS
from apps.catalog.readers import FIXTURES, load_rows
from tests.factories import make_client, make_user

STAFF = (Role.ENGINEER, Role.APPROVER, Role.MANAGER, Role.ADMINISTRATOR)


@pytest.mark.django_db
@pytest.mark.parametrize("role", STAFF)
def test_staff_sees_the_list_and_a_card_and_clients_and_strangers_do_not(client, role):
    pages = ["/catalog/", "/catalog/SYS-821GE-TNHR/", "/catalog/H200-NVL-141/"]
    for page in pages:
        client.logout()
        assert client.get(page).status_code == 302
        client.force_login(make_client())
        assert client.get(page).status_code == 404
        client.force_login(make_user(role))
        assert client.get(page).status_code == 200


@pytest.mark.django_db
def test_a_card_shows_facts_with_source_date_and_trust(client):
    client.force_login(make_user(Role.ENGINEER))
    text = client.get("/catalog/SYS-821GE-TNHR/").content.decode()
    for part in ("Высота в стойке", "8\u00a0U", "2026-11-30", "вторичный источник", "H200-SXM-141"):
        assert part in text
    assert client.get("/catalog/NO-SUCH-SKU/").status_code == 404


@pytest.mark.django_db
def test_searching_and_filtering(client):
    client.force_login(make_user(Role.ENGINEER))
    found = client.get("/catalog/?search=h200+nvl&kind=accelerator").content.decode()
    assert "H200-NVL-141" in found
    assert "SYS-821GE-TNHR" not in found
    assert "Ничего не нашлось" in client.get("/catalog/?search=<script>").content.decode()
    assert client.get("/catalog/?kind=<b>&search=" + "x" * 5000).status_code == 200


def test_a_module_and_a_card_never_stand_in_each_others_server():
    hgx, pcie = card_of("SYS-821GE-TNHR"), card_of("SYS-521GE-TNRT")
    assert hgx is not None
    assert pcie is not None
    assert "H200-SXM-141" in hgx.fits
    assert "H200-NVL-141" not in hgx.fits
    assert "H200-NVL-141" in pcie.fits
    assert "H200-SXM-141" not in pcie.fits


def test_what_fits_is_the_same_from_both_sides():
    for card in cards():
        for slug in card.fits:
            other = card_of(slug)
            if other is not None:
                assert card.slug in other.fits


def test_every_fact_has_a_name_and_a_source_in_words():
    for name in ("servers.json", "accelerators.json"):
        for row in load_rows(FIXTURES / name):
            for fact in row["facts"]:
                assert fact["key"] in FACTS, f"name the fact {fact['key']} in labels.py"
                assert fact["source"], row["slug"]
                assert fact["as_of"], row["slug"]


def test_no_label_is_left_over():
    used = {
        f["key"]
        for n in ("servers.json", "accelerators.json")
        for r in load_rows(FIXTURES / n)
        for f in r["facts"]
    }
    units = {
        f.get("unit")
        for n in ("servers.json", "accelerators.json")
        for r in load_rows(FIXTURES / n)
        for f in r["facts"]
    }
    words = {
        v
        for n in ("servers.json", "accelerators.json")
        for r in load_rows(FIXTURES / n)
        for f in r["facts"]
        if isinstance(v := f["value"], str)
    }
    assert set(FACTS) <= used
    assert set(UNITS) <= units
    assert set(WORDS) <= words
