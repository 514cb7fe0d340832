"""J13: two engineers open the same requisition, and each is told of the other for a while."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role
from apps.requisitions.models import Presence
from apps.requisitions.services.presence import presence_note
from tests.factories import make_user
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db


def test_the_second_engineer_is_told_of_the_first(client):
    first, second, revision = make_engineer(), make_engineer(), make_in_review()
    page = reverse("review:workspace", args=[revision.pk])
    client.force_login(first)
    assert 'role="status">' not in client.get(page).content.decode().split('<nav class="tabs"')[0]
    client.force_login(second)
    html = client.get(page).content.decode()
    assert f"{first}." in html.split('<nav class="tabs"')[0]


def test_it_is_forgotten_after_a_while():
    first, second, revision = make_engineer(), make_engineer(), make_in_review()
    presence_note(revision=revision, user=first)
    assert presence_note(revision=revision, user=second) == [first]
    Presence.objects.update(seen_at=timezone.now() - timedelta(minutes=6))
    assert presence_note(revision=revision, user=second) == []


def test_a_manager_who_looks_is_nobody_to_wait_for():
    revision, manager = make_in_review(), make_user(Role.MANAGER)
    presence_note(revision=revision, user=manager)
    assert presence_note(revision=revision, user=make_engineer()) == []
