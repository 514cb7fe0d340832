"""The engineer's queue: what is in it, in which order, taking and giving back."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role
from apps.estimation.models import Calculation
from apps.estimation.services import calculation_start
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from apps.review.selectors import (
    QueueFilter,
    failed_revisions,
    queue_counts,
    queue_for,
    workload,
)
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


def due(revision: Revision, **fields) -> Revision:
    Revision.objects.filter(pk=revision.pk).update(**fields)
    return revision


def test_the_first_due_stands_first_then_what_the_client_wants_then_age():
    now = timezone.now()
    paused = due(make_in_review(), due_at=None)
    older, younger = (due(make_in_review(), due_at=now) for _ in range(2))
    wanted = due(make_in_review(), due_at=now, wanted_on=date(2026, 12, 1))
    late = due(make_in_review(), due_at=now - timedelta(hours=1))
    rows = list(queue_for(make_engineer(), QueueFilter()))
    assert rows == [late, wanted, older, younger, paused]


def test_filters_by_time_class_and_engineer(client):
    now = timezone.now()
    engineer, other = make_engineer(), make_engineer()
    late = due(make_in_review(other), due_at=now - timedelta(minutes=1), size_class="large")
    later = due(make_in_review(), due_at=now + timedelta(days=3))
    failed = due(make_in_review(), due_at=now + timedelta(days=3))
    calculation = failed.calculations.get()
    Calculation.objects.filter(pk=calculation.pk).update(state=Calculation.State.FAILED)

    def found(**chosen):
        return list(queue_for(engineer, QueueFilter(**chosen)))

    assert found(due="late") == found(due="today") == found(size="large") == [late]
    assert found(whose=str(other.pk)) == [late]
    assert found(due="failed") == [failed]
    assert later in found(size="usual")
    counts = queue_counts(engineer)
    assert (counts["late"], counts["today"], counts["failed"], counts["large"]) == (1, 1, 1, 1)
    loads = {load.engineer: (load.count, load.late) for load in workload(engineer)}
    assert (loads[other], loads[engineer]) == ((1, 1), (0, 0))


def test_a_calculation_that_was_made_anew_is_no_failed_one():
    revision = make_in_review()
    Calculation.objects.filter(revision=revision).update(state=Calculation.State.FAILED)
    assert failed_revisions() == [revision.pk]
    calculation_start(revision=revision, task={}, context={}, actor=None)
    assert failed_revisions() == []


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
    with django_assert_num_queries(16) as captured:
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
