"""The engineer's queue: what is in it, in which order, taking and giving back."""

import pytest
from django.urls import reverse

from apps.accounts.models import Role
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from apps.review.selectors import QueueFilter, queue_counts, queue_for
from tests.factories import make_client, make_company, make_in_state, make_user
from tests.review.samples import make_engineer, make_estimating, make_in_review

pytestmark = pytest.mark.django_db
QUEUE = reverse("review:queue")


def test_shows_what_is_in_work(client):
    revision = make_in_review()
    client.force_login(make_engineer())
    page = client.get(QUEUE).content.decode()
    assert revision.requisition.display_number in page
    assert revision.requisition.company.name in page
    assert revision.requisition.title in page
    assert reverse("review:workspace", args=[revision.pk]) in page


@pytest.mark.parametrize("state", [State.APPROVED, State.REJECTED, State.WITHDRAWN])
def test_what_is_over_is_not_in_it(state):
    make_in_state(state)
    assert list(queue_for(make_engineer(), QueueFilter())) == []


def test_an_unsent_draft_is_nobody_elses(client):
    make_client()
    client.force_login(make_engineer())
    assert "ЗС-" not in client.get(QUEUE).content.decode()


def test_what_the_engineer_can_move_stands_first():
    waiting = make_in_state(State.CHANGES_REQUESTED)
    ready = make_in_state(State.IN_REVIEW)
    assert list(queue_for(make_engineer(), QueueFilter())) == [ready, waiting]


def test_filters_by_person():
    engineer = make_engineer()
    mine, free = make_in_review(engineer), make_in_review()
    taken = make_in_review(make_engineer())
    assert list(queue_for(engineer, QueueFilter(whose="mine"))) == [mine]
    assert list(queue_for(engineer, QueueFilter(whose="free"))) == [free]
    assert taken in queue_for(engineer, QueueFilter())
    counts = queue_counts(engineer)
    assert (counts["all"], counts["mine"], counts["free"]) == (3, 1, 1)


def test_filters_by_state():
    engineer = make_engineer()
    review = make_in_state(State.IN_REVIEW)
    make_in_state(State.IN_APPROVAL)
    assert list(queue_for(engineer, QueueFilter(state=State.IN_REVIEW))) == [review]


def test_search_ignores_the_case_of_cyrillic():
    owner = make_client(company=make_company(name="Ладога Текст"))
    revision = make_in_state(State.IN_REVIEW, owner)
    engineer = make_engineer()
    assert list(queue_for(engineer, QueueFilter(search="лАДОГА"))) == [revision]
    assert list(queue_for(engineer, QueueFilter(search="зс-9999"))) == []


def test_says_when_nothing_matches(client):
    make_in_review()
    client.force_login(make_engineer())
    page = client.get(QUEUE, {"q": "нет такого"}, headers={"accept-language": "en"})
    assert "Nothing matches" in page.content.decode()


def test_nonsense_in_the_address_is_no_filter(client):
    make_in_review()
    client.force_login(make_engineer())
    page = client.get(QUEUE, {"whose": "x" * 300, "state": "'", "page": "-7"})
    assert page.status_code == 200
    assert "ЗС-" in page.content.decode()


def test_shows_a_failed_estimator(client):
    make_in_review(failed=("storage",))
    client.force_login(make_engineer())
    page = client.get(QUEUE, headers={"accept-language": "en"}).content.decode()
    assert "not calculated: Storage" in page


def test_number_of_queries_does_not_grow_with_the_rows(client, django_assert_num_queries):
    client.force_login(make_engineer())
    make_in_review()
    with django_assert_num_queries(11) as captured:
        client.get(QUEUE)
    for _ in range(3):
        make_in_review(make_engineer())
    with django_assert_num_queries(len(captured)):
        client.get(QUEUE)


def test_taking_makes_the_engineer_responsible(client):
    revision, engineer = make_in_review(), make_engineer()
    client.force_login(engineer)
    response = client.post(reverse("review:take", args=[revision.pk]))
    assert response.status_code == 302
    assert Revision.objects.get(pk=revision.pk).engineer == engineer


def test_taking_twice_is_taking_once(client):
    engineer = make_engineer()
    revision = make_in_review(engineer)
    client.force_login(engineer)
    assert client.post(reverse("review:take", args=[revision.pk])).status_code == 302


def test_a_taken_one_is_a_conflict(client):
    revision = make_in_review(make_engineer())
    client.force_login(make_engineer())
    assert client.post(reverse("review:take", args=[revision.pk])).status_code == 409


def test_giving_back_frees_it(client):
    engineer = make_engineer()
    revision = make_in_review(engineer)
    client.force_login(engineer)
    client.post(reverse("review:give-back", args=[revision.pk]))
    assert Revision.objects.get(pk=revision.pk).engineer is None


@pytest.mark.parametrize("role", [Role.APPROVER, Role.MANAGER])
def test_only_engineers_take(client, role):
    revision = make_in_review()
    client.force_login(make_user(role))
    assert client.post(reverse("review:take", args=[revision.pk])).status_code == 403
    assert Revision.objects.get(pk=revision.pk).engineer is None


def test_what_is_being_estimated_cannot_be_taken(client):
    revision = make_estimating()
    client.force_login(make_engineer())
    assert client.post(reverse("review:take", args=[revision.pk])).status_code == 403
