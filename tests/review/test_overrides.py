"""The engineer's value beside the client's: read, reasoned, estimated again, taken back."""

import pytest
from django.urls import reverse

from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.estimation.selectors import latest_assessment, latest_calculation, result_of, task_of
from apps.requisitions.models import Override, Revision
from apps.review import services
from tests.factories import make_client
from tests.helpers import run_jobs
from tests.review.samples import make_approver, make_engineer, make_in_approval, make_in_review

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


def send(client, revision: Revision, **fields: object):
    data = {
        "expected_version": revision.version,
        "field": "recipe.micro_batch",
        "value": "1",
        "reason": "На одном примере быстрее не станет.",
    }
    url = reverse("review:override", args=[revision.pk])
    return client.post(url, data | fields, headers=ENGLISH)


def apply(revision: Revision, actor, **fields: object):
    values = {"field": "recipe.micro_batch", "value": 1, "reason": "Мерили."}
    return services.override_apply(
        revision=revision, actor=actor, **values | {"expected_version": revision.version} | fields
    )


def test_the_estimators_run_again_with_the_value_and_the_result_changes(client, engineer):
    revision = make_in_review(engineer)
    before = result_of(latest_assessment(revision))
    assert send(client, revision, value="4").status_code == 302
    assert task_of(latest_calculation(revision))["recipe"]["micro_batch"] == 4
    run_jobs()
    after = result_of(latest_assessment(revision))
    assert (
        after["variants"][0]["memory"]["device_gib"]["typical"]
        > before["variants"][0]["memory"]["device_gib"]["typical"]
    )


def test_the_formulas_say_that_the_value_is_the_engineers_once_they_hold_it(client, engineer):
    revision = make_in_review(engineer)
    workspace = reverse("review:workspace", args=[revision.pk])

    def micro_batch() -> str:
        page = client.get(workspace, headers=ENGLISH).content.decode()
        return page[page.index("</span> Micro-batch of one GPU<") :][:400]

    assert "stated by the client" in micro_batch()
    send(client, revision, value="4")
    assert "stated by the client" in micro_batch()
    run_jobs()
    assert '<span class="mono">4</span>' in micro_batch()
    assert "corrected by an engineer" in micro_batch()


def test_the_clients_value_stays_beside_it(client, engineer):
    revision = make_in_review(engineer)
    send(client, revision)
    page = client.get(reverse("review:workspace", args=[revision.pk]), headers=ENGLISH)
    words = page.content.decode()
    assert "<s>2</s>" in words
    assert "<b>1</b>" in words
    assert "На одном примере быстрее не станет." in words
    assert Revision.objects.get(pk=revision.pk).answers_text == revision.answers_text


def test_a_figure_says_whose_values_it_goes_by_since_when_and_why(client, engineer):
    revision = make_in_review(engineer)
    apply(revision, engineer, reason="Мерили на двух.")
    revision.refresh_from_db()
    apply(revision, engineer, field="site.kw_usable", value=4, reason="Щит старый.")
    page = client.get(reverse("review:workspace", args=[revision.pk]), headers=ENGLISH)
    rows = {row.cell.key: row for row in page.context["panel"].rows}
    assert len(rows) == 6
    reasons = {key: [value.reason for value in row.moved] for key, row in rows.items()}
    assert reasons.pop("rack") == ["Мерили на двух.", "Щит старый."]
    assert set(map(tuple, reasons.values())) == {("Мерили на двух.",)}
    shown = page.content.decode().partition('id="f-memory"')[2].partition("</li>")[0]
    for word in (str(engineer), "Мерили на двух.", "<s>2</s>"):
        assert word in shown


def test_taking_it_back_estimates_with_the_clients_value_again(client, engineer):
    revision = make_in_review(engineer)
    send(client, revision)
    run_jobs()
    revision.refresh_from_db()
    client.post(
        reverse("review:override-remove", args=[revision.pk]),
        {"expected_version": revision.version, "field": "recipe.micro_batch"},
    )
    assert not revision.overrides.filter(removed_at__isnull=True).exists()
    assert task_of(latest_calculation(revision))["recipe"]["micro_batch"] == 2
    assert revision.calculations.count() == 3


def test_taking_back_what_is_not_there_changes_nothing(client, engineer):
    revision = make_in_review(engineer)
    client.post(
        reverse("review:override-remove", args=[revision.pk]),
        {"expected_version": revision.version, "field": "recipe.micro_batch"},
    )
    assert revision.calculations.count() == 1


def test_a_second_click_is_one_value_and_one_calculation(client, engineer):
    revision = make_in_review(engineer)
    assert send(client, revision).status_code == 302
    assert send(client, revision).status_code == 302
    assert Override.objects.count() == 1
    assert revision.calculations.count() == 2


def test_somebody_elses_change_in_between_is_a_conflict(client, engineer):
    revision = make_in_review(engineer)
    stale = Revision.objects.get(pk=revision.pk)
    apply(revision, make_engineer(), field="recipe.grad_accumulation", value=4)
    response = send(client, stale)
    assert response.status_code == 409
    assert not stale.overrides.filter(field="recipe.micro_batch").exists()


def test_without_a_reason_nothing_is_set(client, engineer):
    revision = make_in_review(engineer)
    response = send(client, revision, reason=" ", value="7")
    assert response.status_code == 422
    words = response.content.decode()
    assert "Say why" in words
    assert 'value="7"' in words  # nothing typed is lost
    assert not Override.objects.exists()


@pytest.mark.parametrize("value", ["много", "0", "", "1e9", "-3", "2 000 000"])
@pytest.mark.one_stack
def test_a_value_that_cannot_be_read_says_so_at_the_field(client, engineer, value):
    response = send(client, make_in_review(engineer), value=value)
    assert response.status_code == 422
    assert 'id="set-value-error"' in response.content.decode()
    assert not Override.objects.exists()


@pytest.mark.one_stack
def test_only_the_engineers_tick_lets_the_client_read_the_reason_at_once(client, engineer):
    revision = make_in_review(engineer)
    send(client, revision)
    assert not Override.objects.get().reason_shown
    revision.refresh_from_db()
    send(client, revision, reason_shown="1")
    shown = Override.objects.get(removed_at__isnull=True)
    assert shown.reason_shown
    form = client.get(reverse("review:workspace", args=[revision.pk]), {"set": shown.field})
    assert form.context["form"].reason_shown


def test_a_price_in_a_reason_for_the_client_is_said_at_the_field(client, engineer):
    revision = make_in_review(engineer)
    answer = send(client, revision, reason="Дешевле на 3 млн руб.", reason_shown="1")
    assert answer.status_code == 422
    assert answer.context["form"].reason_shown
    assert "leave the price out" in answer.context["form"].reason_error
    assert not Override.objects.exists()


def test_a_word_outside_the_vocabulary_is_refused(client, engineer):
    response = send(client, make_in_review(engineer), field="recipe.optimizer", value="magic")
    assert response.status_code == 422
    assert not Override.objects.exists()


@pytest.mark.parametrize("field", ["id", "schema", "recipe.price", "", "../../etc"])
@pytest.mark.one_stack
def test_a_field_outside_the_vocabulary_is_refused(client, engineer, field):
    response = send(client, make_in_review(engineer), field=field)
    assert response.status_code == 422
    assert not Override.objects.exists()


def test_values_that_contradict_each_other_leave_nothing_behind(engineer):
    revision = make_in_review(engineer)
    with pytest.raises(DomainError, match="Average length"):
        apply(revision, engineer, field="recipe.average_length", value=100_000)
    assert not Override.objects.exists()
    assert revision.calculations.count() == 1


def test_a_field_nobody_was_asked_about_can_be_set(client, engineer):
    revision = make_in_review(engineer)
    send(client, revision, field="placement.gpus", value="8", reason="Платформа выбрана.")
    page = client.get(reverse("review:workspace", args=[revision.pk]), headers=ENGLISH)
    words = page.content.decode()
    assert "Set by the engineer" in words
    assert "GPUs in all" in words


@pytest.mark.one_stack
def test_the_form_opens_at_its_field(client, engineer):
    revision = make_in_review(engineer)
    page = client.get(
        reverse("review:workspace", args=[revision.pk]), {"set": "recipe.optimizer"}
    ).content.decode()
    assert page.count('id="set"') == 1
    assert '<option value="adamw-8bit"' in page


def test_only_engineers_in_review_set_values():
    engineer = make_engineer()
    revision = make_in_review(engineer)
    for person in (make_approver(), make_client()):
        with pytest.raises(NotAllowed):
            apply(revision, person)
    frozen = make_in_approval(engineer)
    with pytest.raises(NotAllowed):
        apply(frozen, engineer)
    assert not Override.objects.exists()


def test_without_a_calculation_nothing_is_set(engineer, monkeypatch):
    """Value and calculation stand in one transaction."""
    revision = make_in_review(engineer)

    def broken(**kwargs: object) -> None:
        raise OSError

    monkeypatch.setattr(services, "calculation_start", broken)
    with pytest.raises(OSError):  # noqa: PT011 - the error is our own
        apply(revision, engineer)
    assert not Override.objects.exists()


def test_a_stale_form_changes_nothing(engineer):
    revision = make_in_review(engineer)
    with pytest.raises(Conflict):
        apply(revision, engineer, expected_version=revision.version - 1)
    assert not Override.objects.exists()
