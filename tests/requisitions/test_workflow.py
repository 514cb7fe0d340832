"""The table of states, and who may take its steps."""

import itertools

import pytest

from apps.accounts.models import Role, User
from apps.audit.models import AuditEvent
from apps.core.errors import Conflict, NotAllowed
from apps.requisitions import policy
from apps.requisitions.models import Decision, Revision
from apps.requisitions.services import revision_transition
from apps.requisitions.workflow import (
    EDGES,
    FINAL_STATES,
    Action,
    IllegalTransition,
    State,
    actions_from,
    roles_for,
    target_of,
)
from tests.factories import make_client, make_draft, make_in_state, make_submitted, make_user

EVERY_STEP = list(itertools.product(Action, State))
# What is in no table is refused before the database is asked.
ILLEGAL = [step for step in EVERY_STEP if not roles_for(*step)]


def test_every_state_can_be_reached_from_a_draft():
    reached, frontier = {State.DRAFT}, {State.DRAFT}
    while frontier:
        frontier = {e.target for e in EDGES if e.source in frontier} - reached
        reached |= frontier
    assert reached == set(State)


def test_what_is_final_has_no_way_out():
    assert {State.REJECTED, State.REDIRECTED, State.SUPERSEDED} == FINAL_STATES
    assert all(actions_from(state) == () for state in FINAL_STATES)


def test_a_step_has_one_target_whoever_takes_it():
    for action, source in EVERY_STEP:
        targets = {e.target for e in EDGES if (e.action, e.source) == (action, source)}
        assert len(targets) <= 1
        if targets:
            assert target_of(action, source) in targets
        else:
            with pytest.raises(IllegalTransition, match=action.value):
                target_of(action, source)


def revision_for(action: Action, state: State, owner: User) -> Revision:
    """A revision that the step is about: only a draft that was never sent can be brought back."""
    if action != Action.RESTORE or state != State.WITHDRAWN:
        return make_in_state(state, owner)
    deleted = make_draft(owner)
    Revision.objects.filter(pk=deleted.pk).update(state=state)
    deleted.refresh_from_db()
    return deleted


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("action", "state"),
    [
        pytest.param(*step, marks=[pytest.mark.one_stack] if step in ILLEGAL else [])
        for step in EVERY_STEP
    ],
    ids=lambda v: v.value,
)
def test_every_step_by_every_role(action, state):
    """The table decides: allowed roles succeed, others get NotAllowed, other states Conflict."""
    owner = make_client()
    people = {
        Role.CLIENT: owner,
        **{role: make_user(role) for role in Role if role is not Role.CLIENT},
        None: None,
    }
    stranger = make_client()
    allowed = roles_for(action, state)
    revision = revision_for(action, state, owner)
    for role, actor in [*people.items(), ("stranger", stranger)]:
        call = {
            "revision": revision,
            "action": action,
            "actor": actor,
            "document_sha256": "ab" * 32,
        }
        if not allowed:
            with pytest.raises(Conflict):
                revision_transition(**call)
        elif role in allowed and role != Role.MANAGER:
            assert revision_transition(**call).state == target_of(action, state)
            Revision.objects.filter(pk=revision.pk).delete()
            revision = revision_for(action, state, owner)
        else:
            with pytest.raises(NotAllowed):
                revision_transition(**call)
        assert Revision.objects.get(pk=revision.pk).state == state  # a refusal changes nothing


@pytest.mark.django_db
def test_a_manager_may_send_what_they_opened_for_a_client_and_nothing_else():
    manager = make_user(Role.MANAGER)
    foreign, own = make_draft(), make_draft()
    own.requisition.created_by = manager
    own.requisition.save()
    assert policy.can(manager, Action.SUBMIT, own)
    assert not policy.can(manager, Action.SUBMIT, foreign)


@pytest.mark.django_db
@pytest.mark.parametrize("hand", ["engineer", "submitted_by", "owner", "override"])
def test_nobody_approves_what_they_worked_on(hand, settings):
    approver = make_user(Role.APPROVER, Role.ENGINEER)
    revision = make_in_state(State.IN_APPROVAL)
    assert policy.can(approver, Action.APPROVE, revision)
    if hand == "owner":
        revision.requisition.owner = approver
    elif hand == "override":
        revision.overrides.create(field="recipe.lora_rank", value=16, reason="r", author=approver)
    else:
        setattr(revision, hand, approver)
    assert not policy.can(approver, Action.APPROVE, revision)
    with pytest.raises(NotAllowed, match="somebody else"):
        revision_transition(
            revision=revision, action=Action.APPROVE, actor=approver, document_sha256="ab" * 32
        )
    settings.APPROVE_OWN_WORK = True
    assert policy.can(approver, Action.APPROVE, revision)


@pytest.mark.django_db
def test_a_switched_off_person_may_do_nothing():
    engineer = make_user(Role.ENGINEER)
    revision = make_in_state(State.IN_REVIEW)
    assert policy.can(engineer, Action.SEND_TO_APPROVAL, revision)
    engineer.is_active = False
    assert not policy.can(engineer, Action.SEND_TO_APPROVAL, revision)
    assert not any(policy.may(engineer, deed, revision) for deed in policy.Deed)


@pytest.mark.django_db
def test_of_two_approvers_who_read_the_same_page_one_succeeds():
    revision = make_in_state(State.IN_APPROVAL)
    same = Revision.objects.get(pk=revision.pk)
    first, second = make_user(Role.APPROVER), make_user(Role.APPROVER)
    call = {"action": Action.APPROVE, "document_sha256": "ab" * 32}
    revision_transition(revision=revision, actor=first, **call)
    with pytest.raises(Conflict):
        revision_transition(revision=same, actor=second, **call)
    assert Decision.objects.filter(kind="approve").count() == 1
    assert AuditEvent.objects.filter(action="requisition.approve").count() == 1


@pytest.mark.django_db
def test_a_page_that_is_out_of_date_decides_nothing():
    revision = make_in_state(State.IN_APPROVAL)
    approver = make_user(Role.APPROVER)
    with pytest.raises(Conflict, match="changed meanwhile"):
        revision_transition(
            revision=revision,
            action=Action.RETURN,
            actor=approver,
            expected_version=revision.version - 1,
        )
    revision.refresh_from_db()
    assert revision.state == State.IN_APPROVAL


@pytest.mark.django_db
def test_without_its_audit_event_the_state_does_not_change(monkeypatch):
    revision = make_in_state(State.IN_REVIEW)

    def fail(**kwargs):
        raise OSError("no space left")

    monkeypatch.setattr("apps.audit.services.record", fail)
    with pytest.raises(OSError, match="no space"):
        revision_transition(
            revision=revision, action=Action.SEND_TO_APPROVAL, actor=make_user(Role.ENGINEER)
        )
    revision.refresh_from_db()
    assert revision.state == State.IN_REVIEW
    assert not revision.decisions.exists()


@pytest.mark.django_db
def test_the_first_submit_gives_a_number_and_the_next_revision_keeps_it():
    first, other = make_submitted(), make_submitted()
    assert (first.requisition.number, other.requisition.number) == (1, 2)
    assert first.requisition.display_number == "ЗС-0001"
