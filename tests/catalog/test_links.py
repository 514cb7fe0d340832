"""Ways to the catalog's cards from what names an item."""

import re

import pytest

from apps.catalog.models import Item
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.sources import sources_of
from tests.documents import samples
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.usefixtures("stocked")


def test_the_variants_lead_to_the_cards_of_their_hardware(client):
    engineer = make_engineer()
    client.force_login(engineer)
    revision = make_in_review(engineer)
    text = client.get(f"/q/{revision.pk}/variants/").content.decode()
    found = set(re.findall(r'class="sub mono" href="/catalog/([^/]+)/"', text))
    assert {item.kind for item in Item.objects.filter(slug__in=found)} == {"server", "accelerator"}
    assert Item.objects.filter(slug__in=found).count() == len(found)


def test_a_document_names_the_whole_address_of_each_card():
    snapshot = samples.full()
    cards = sources_of(Reading(snapshot, "draft")).cards
    assert cards
    named = {v[p] for v in snapshot.result["variants"] for p in ("server", "accelerator")}
    assert {card.removeprefix("http://testserver/catalog/").rstrip("/") for card in cards} == {
        slug for slug in named if slug
    }
