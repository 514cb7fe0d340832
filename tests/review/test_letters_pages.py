"""Several letters of one requisition on the pages of those who review it."""

import pytest
from django.urls import reverse

from apps.requisitions import services as requisitions
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.factories import make_client
from tests.review.samples import (
    make_approver,
    make_engineer,
    make_in_approval,
    make_in_review,
    make_manager,
)

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def page(client, person, name, *args, status=200, **query):
    client.force_login(person)
    response = client.get(reverse(f"review:{name}", args=args), query, headers=ENGLISH)
    assert response.status_code == status
    return response.content.decode().replace("\xa0", " ")


def open_next(revision):
    return requisitions.revision_open_next(revision=revision, actor=revision.requisition.owner)


def two_letters(engineer):
    """A replaced, B in review, nothing changed between them."""
    owner = make_client()
    first = make_in_review(engineer, owner)
    second = make_in_review(engineer, owner)
    Revision.objects.filter(pk=first.pk).update(state=State.SUPERSEDED)
    Revision.objects.filter(pk=second.pk).update(
        requisition=first.requisition, index=2, previous=first
    )
    second.requisition.delete()
    return first, Revision.objects.select_related("requisition").get(pk=second.pk)


def test_engineer_and_approver_see_that_the_next_letter_is_being_written(client):
    engineer, approver = make_engineer(), make_approver()
    revision = make_in_approval(engineer)
    words = "The client is preparing revision B."
    for person, name in ((engineer, "workspace"), (approver, "approval")):
        assert words not in page(client, person, name, revision.pk)
    draft = open_next(revision)
    for person, name in ((engineer, "workspace"), (approver, "approval")):
        html = page(client, person, name, revision.pk)
        assert words in html
        assert reverse("review:workspace", args=[draft.pk]) not in html
    assert "You may approve this one" in page(client, approver, "approval", revision.pk)
    page(client, engineer, "workspace", draft.pk, status=404)
    page(client, engineer, "changes", draft.pk, status=404)


def test_letters_stand_side_by_side_and_are_compared(client):
    engineer = make_engineer()
    first, second = two_letters(engineer)
    html = page(client, engineer, "workspace", second.pk)
    assert "What changed since revision A" in html
    assert "The conclusions are the same." in html
    assert reverse("review:workspace", args=[first.pk]) in html
    compared = page(client, engineer, "changes", second.pk, since="A")
    assert "No answer changed." in compared
    assert "every verdict is the same" in compared
    for nonsense in ("B", "C", "<b>"):
        page(client, engineer, "changes", second.pk, status=404, since=nonsense)
    assert "This is the first revision." in page(client, engineer, "changes", first.pk)


def test_the_board_names_the_other_letters(client):
    _first, second = two_letters(make_engineer())
    html = page(client, make_manager(), "board")
    assert "rev. A: Superseded" in html
    assert reverse("review:changes", args=[second.pk]) in html
