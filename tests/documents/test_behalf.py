"""A document says when a manager spoke for the client, or filled in what the client confirmed."""

from dataclasses import replace

import pytest

from apps.documents.collect import snapshot_of
from apps.documents.snapshot import Snapshot
from apps.requisitions.models import Revision
from tests.documents import samples
from tests.documents.test_page import html, words
from tests.factories import make_client
from tests.review.samples import make_in_review, make_manager


def printed(**hands: str) -> str:
    snapshot = samples.approved()
    editions = tuple(
        replace(edition, by=hands["sent_by"], on_behalf_of=hands.get("on_behalf_of", ""))
        for edition in snapshot.editions
    )
    return words(html(replace(snapshot, editions=editions, **hands), kind="final"))


def test_sent_on_behalf_is_said_beside_the_sender_and_in_the_history():
    text = printed(sent_by="Павел Ершов", on_behalf_of="Анна Верещагина")
    assert "Sent by the manager Павел Ершов on behalf of the client: Анна Верещагина." in text
    assert "Павел Ершов on behalf of the client (Анна Верещагина)" in text


def test_a_confirmed_draft_names_both():
    text = printed(sent_by="Анна Верещагина", prepared_by="Павел Ершов")
    assert "Filled in by the manager Павел Ершов, confirmed and sent by Анна Верещагина." in text
    assert "on behalf" not in text


def test_a_client_who_sent_it_themself_is_named_alone():
    text = printed(sent_by="Анна Верещагина")
    assert "on behalf" not in text
    assert "Filled in by the manager" not in text


def test_a_snapshot_from_before_is_still_read():
    text = samples.approved().text()
    older = text.replace('"on_behalf_of":"",', "").replace('"prepared_by":"",', "")
    assert older != text
    assert Snapshot.read(older).on_behalf_of == ""


@pytest.mark.django_db
def test_the_facts_hold_whose_hands_it_went_through():
    revision = make_in_review(owner=make_client(full_name="Анна Верещагина"))
    Revision.objects.filter(pk=revision.pk).update(
        submitted_by=make_manager(), on_behalf_of=revision.requisition.owner
    )
    snapshot = snapshot_of(Revision.objects.get(pk=revision.pk))
    assert snapshot.on_behalf_of == "Анна Верещагина"
    assert snapshot.editions[0].on_behalf_of == "Анна Верещагина"
