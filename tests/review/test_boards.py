"""The board's time, its table for a spreadsheet, the link for the client; figures of the work."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.audit.models import AuditEvent
from apps.core.errors import DomainError, NotAllowed
from apps.mail.models import Mail
from apps.requisitions.models import Revision
from apps.requisitions.services.links import link_send_again
from apps.review.figures import Share, figures_over, spread_of
from tests.factories import make_client
from tests.review.samples import make_approver, make_engineer, make_in_review, make_manager

BOARD = reverse("review:board")
FIGURES = reverse("review:figures")
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def manager(client, db):
    person = make_manager()
    client.force_login(person)
    return person


def shown(client, address: str = BOARD, **query: str) -> str:
    return client.get(address, query, headers=ENGLISH).content.decode()


def made_late(revision: Revision) -> Revision:
    Revision.objects.filter(pk=revision.pk).update(due_at=timezone.now() - timedelta(hours=1))
    return revision


def test_what_is_late_says_so_and_is_found(client, manager):
    late, other = made_late(make_in_review()), make_in_review(owner=make_client())
    assert shown(client).count("overdue") == 1
    page = shown(client, due="late")
    assert late.requisition.display_number in page
    assert other.requisition.display_number not in page


def test_the_work_of_one_engineer_is_found(client, manager):
    mine, other = make_in_review(), make_in_review(owner=make_client())
    engineer = make_engineer()
    Revision.objects.filter(pk=mine.pk).update(engineer=engineer)
    page = shown(client, engineer=str(engineer.pk))
    assert mine.requisition.display_number in page
    assert other.requisition.display_number not in page


def test_the_table_has_what_the_filter_shows_and_no_answers(client, manager):
    late, other = made_late(make_in_review()), make_in_review(owner=make_client())
    table = shown(client, reverse("review:board-csv"), due="late")
    assert late.requisition.display_number in table
    assert other.requisition.display_number not in table
    assert late.requisition.title not in table
    assert len(table.splitlines()) == 2


def test_the_client_is_sent_the_link(client, manager):
    revision = make_in_review()
    before = Mail.objects.count()
    answer = client.post(
        reverse("review:client-link", args=[revision.pk]), {"back": f"{BOARD}?due=late"}
    )
    assert answer.url == f"{BOARD}?due=late"
    assert Mail.objects.count() == before + 1
    assert Mail.objects.latest("created_at").to == revision.requisition.owner.email
    assert AuditEvent.objects.filter(action="requisition.link", actor=manager).count() == 1


def test_it_leads_nowhere_else_afterwards(client, manager):
    url = reverse("review:client-link", args=[make_in_review().pk])
    assert client.post(url, {"back": "//evil.example/m/?"}).url == BOARD


def test_the_link_is_not_sent_again_and_again(manager):
    revision = make_in_review()
    for _ in range(3):
        link_send_again(revision=revision, actor=manager)
    with pytest.raises(DomainError, match="several times"):
        link_send_again(revision=revision, actor=manager)


def test_only_a_manager_sends_it(db):
    with pytest.raises(NotAllowed):
        link_send_again(revision=make_in_review(), actor=make_engineer())


def test_nobody_is_written_to_without_an_account(manager):
    revision = make_in_review()
    owner = revision.requisition.owner
    owner.is_active = False
    owner.save()
    with pytest.raises(DomainError, match="no account"):
        link_send_again(revision=Revision.objects.get(pk=revision.pk), actor=manager)


def test_few_values_make_no_median():
    assert spread_of([1.0] * 4).median is None
    assert Share(1, 4).ratio is None


def test_half_are_at_the_median_and_nine_of_ten_at_the_last():
    spread = spread_of([float(n) for n in range(11)])
    assert (spread.count, spread.median, spread.p90) == (11, 5, 9)
    assert Share(1, 5).ratio == pytest.approx(0.2)


def test_figures_count_what_happened_in_the_period(db):
    revision = make_in_review()
    found = figures_over(30)
    assert (found.sent, found.approved, found.unknowns.count) == (1, 0, 1)
    Revision.objects.filter(pk=revision.pk).update(submitted_at=timezone.now() - timedelta(days=40))
    assert figures_over(30).sent == 0
    assert figures_over(90).sent == 1


def test_time_in_a_state_ends_with_the_step_out_of_it(db):
    make_in_review()
    counts = {state.value: spread.count for state, spread in figures_over(30).hours.items()}
    assert counts["estimating"] == 1  # it was left
    assert counts["in_review"] == 0  # it lasts


def test_the_page_says_that_there_is_little_and_asks_little(client, db):
    client.force_login(make_approver())
    make_in_review()
    assert "too little data" in shown(client, FIGURES)
    with CaptureQueriesContext(connection) as few:
        figures_over(30)
    make_in_review(owner=make_client())
    with CaptureQueriesContext(connection) as more:
        figures_over(30)
    assert len(more) == len(few) <= 9


def test_the_figures_are_no_engineers(client, db):
    client.force_login(make_engineer())
    assert client.get(FIGURES).status_code == 403
    assert client.get(reverse("review:figures-csv")).status_code == 403
