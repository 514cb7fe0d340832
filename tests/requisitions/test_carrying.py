"""What the engineer set and wrote does not get lost when the client sends the next letter."""

import pytest

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.core.errors import NotAllowed
from apps.requisitions import policy, selectors, services
from apps.requisitions.models import Override, Revision
from apps.requisitions.workflow import Action, State
from tests.factories import make_client, make_user

pytestmark = pytest.mark.django_db

ANSWERS = {
    "model_name": {"value": "Llama-3.1-8B", "unknown": False},
    "micro_batch": {"value": "4", "unknown": False},
    "lora_rank": {"value": "", "unknown": True, "who": "Анна"},
}


@pytest.fixture
def engineer():
    return make_user(Role.ENGINEER)


def first_letter(engineer, values):
    owner = make_client()
    draft = services.requisition_create(company=owner.company, owner=owner, actor=owner)
    sent = services.revision_submit(revision=draft, actor=owner, effective=ANSWERS, title="t")
    Revision.objects.filter(pk=sent.pk).update(state=State.IN_REVIEW)
    sent.refresh_from_db()
    for field, value in values.items():
        services.override_set(
            revision=sent, actor=engineer, field=field, value=value, reason=f"Мерили {field}."
        )
    return sent


def next_letter(before, **changed):
    owner = before.requisition.owner
    draft = services.revision_open_next(revision=before, actor=owner)
    effective = ANSWERS | {k: {"value": v, "unknown": False} for k, v in changed.items()}
    return services.revision_submit(revision=draft, actor=owner, effective=effective, title="t")


def in_review(revision):
    Revision.objects.filter(pk=revision.pk).update(state=State.IN_REVIEW)
    revision.refresh_from_db()
    return revision


def test_a_value_beside_an_unchanged_answer_stands_with_its_author_and_reason(engineer):
    first = first_letter(engineer, {"recipe.micro_batch": 2})
    second = next_letter(first, lora_rank="16")
    [carried] = second.overrides.all()
    [before] = first.overrides.all()
    assert (carried.value, carried.reason, carried.author) == (2, before.reason, engineer)
    assert (carried.carried_from, carried.created_at) == (before, before.created_at)
    assert selectors.active_overrides(second) == {"recipe.micro_batch": 2}
    assert not carried.reason_shown
    assert not second.rechecks.exists()
    event = AuditEvent.objects.get(action="review.carry")
    assert "recipe.micro_batch" in event.payload_text
    assert "Мерили" not in event.payload_text


def test_a_reason_that_the_client_reads_at_once_stays_one(engineer):
    first = first_letter(engineer, {"recipe.micro_batch": 2})
    first.overrides.update(reason_shown=True)
    [carried] = next_letter(first, lora_rank="16").overrides.all()
    assert carried.reason_shown


def test_a_value_beside_a_changed_answer_is_to_be_checked_again_and_does_not_count(engineer):
    first = first_letter(engineer, {"recipe.lora_rank": 8, "recipe.micro_batch": 2})
    second = next_letter(first, lora_rank="16")
    assert selectors.active_overrides(second) == {"recipe.micro_batch": 2}
    [waiting] = second.rechecks.all()
    assert waiting.override.field == "recipe.lora_rank"
    assert waiting.settled_at is None


@pytest.mark.parametrize("key", ["model_name", "micro_batch"])
def test_who_may_know_an_answer_is_no_part_of_it_but_the_model_is_behind_its_fields(engineer, key):
    first = first_letter(engineer, {"model.params_billion": 8.1, "recipe.lora_rank": 8})
    second = next_letter(first, **{key: "7"})
    waiting = [r.override.field for r in second.rechecks.all()]
    assert waiting == (["model.params_billion"] if key == "model_name" else [])


def test_a_value_of_a_field_that_nobody_is_asked_about_stands(engineer):
    first = first_letter(engineer, {"placement.gpus": 8})
    second = next_letter(first, micro_batch="1", model_name="Qwen")
    assert selectors.active_overrides(second) == {"placement.gpus": 8}


def test_what_was_taken_back_does_not_come_along(engineer):
    first = first_letter(engineer, {"recipe.micro_batch": 2, "recipe.lora_rank": 8})
    services.override_remove(revision=first, actor=engineer, field="recipe.micro_batch")
    second = next_letter(first, lora_rank="16")
    assert not second.overrides.exists()
    assert second.rechecks.count() == 1


def test_what_was_not_checked_waits_in_the_letter_after_it_too(engineer):
    first = first_letter(engineer, {"recipe.lora_rank": 8})
    second = next_letter(first, lora_rank="16")
    third = next_letter(second, lora_rank="16", micro_batch="1")
    assert [r.override for r in third.rechecks.all()] == list(first.overrides.all())


@pytest.mark.parametrize("way", ["set", "dropped"])
def test_checking_again_is_setting_a_value_or_saying_that_none_is_needed(engineer, way):
    first = first_letter(engineer, {"recipe.lora_rank": 8})
    second = in_review(next_letter(first, lora_rank="16"))
    call = {"revision": second, "field": "recipe.lora_rank"}
    with pytest.raises(NotAllowed):
        services.recheck_settle(actor=make_user(Role.APPROVER), **call)
    version = second.version
    if way == "set":
        services.override_set(actor=engineer, value=12, reason="Снова мерили.", **call)
    else:
        assert services.recheck_settle(actor=engineer, **call) is True
        assert services.recheck_settle(actor=engineer, **call) is False
    [checked] = second.rechecks.all()
    assert (checked.settled_by, checked.settled_at is not None) == (engineer, True)
    assert second.version == version + 1
    third = next_letter(second, lora_rank="16")
    assert not third.rechecks.exists()


def test_whoever_set_a_value_before_may_not_approve_where_it_stands_again():
    engineer = make_user(Role.ENGINEER, Role.APPROVER)
    first = first_letter(engineer, {"recipe.micro_batch": 2})
    second = next_letter(first, lora_rank="16")
    Revision.objects.filter(pk=second.pk).update(state=State.IN_APPROVAL, engineer=None)
    second = Revision.objects.get(pk=second.pk)
    assert not policy.can(engineer, Action.APPROVE, second)


def test_a_first_letter_has_nothing_to_carry(engineer):
    first_letter(engineer, {})
    assert not Override.objects.exists()
