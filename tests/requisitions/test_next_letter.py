"""The client changes the answers after sending: the next letter, and what becomes of the old one."""

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import Role, User
from apps.core.errors import Conflict, NotAllowed
from apps.documents.invariants import problems
from apps.estimation.services import estimate_missing
from apps.notices.models import Notice
from apps.requisitions import policy, selectors, services
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.services import revision_transition
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import OPEN_FOR_NEXT, UNDER_WAY, Action, State
from tests.factories import ANSWERS, make_client, make_in_state, make_submitted, make_user
from tests.helpers import run_jobs
from tests.review.samples import make_estimating

pytestmark = pytest.mark.django_db


def fresh(revision: Revision) -> Revision:
    return Revision.objects.select_related("requisition").get(pk=revision.pk)


def owner_of(revision: Revision) -> User:
    return revision.requisition.owner


def open_next(revision: Revision) -> Revision:
    return services.revision_open_next(revision=revision, actor=owner_of(revision))


def send(draft: Revision) -> Revision:
    return services.revision_submit(
        revision=draft, actor=owner_of(draft), effective=ANSWERS, title="t"
    )


@pytest.mark.parametrize("state", [s for s in State if s != State.DRAFT])
def test_from_which_states_the_next_letter_may_be_opened(state):
    revision = make_in_state(state)
    for person in (make_client(), *(make_user(r) for r in Role if r != Role.CLIENT)):
        with pytest.raises(NotAllowed):
            services.revision_open_next(revision=revision, actor=person)
    if state not in OPEN_FOR_NEXT:
        assert state == State.SUPERSEDED
        with pytest.raises(NotAllowed):
            open_next(revision)
        return
    draft = open_next(revision)
    assert (draft.letter, draft.state, draft.previous) == ("B", State.DRAFT, revision)
    assert open_next(revision) == draft
    assert fresh(revision).state == state


@pytest.mark.parametrize("state", sorted(UNDER_WAY))
def test_sending_the_next_letter_ends_what_is_worked_on_and_its_engineer_goes_on(state):
    revision, engineer = make_in_state(state), make_user(Role.ENGINEER)
    Revision.objects.filter(pk=revision.pk).update(engineer=engineer)
    sent = send(open_next(revision))
    assert fresh(revision).state == State.SUPERSEDED
    assert (fresh(sent).state, fresh(sent).engineer, sent.engineer) == (
        State.ESTIMATING,
        engineer,
        engineer,
    )


@pytest.mark.parametrize("state", sorted(OPEN_FOR_NEXT - UNDER_WAY))
def test_what_has_ended_stays_as_it_ended(state):
    revision = make_in_state(state)
    Revision.objects.filter(pk=revision.pk).update(engineer=make_user(Role.ENGINEER))
    sent = send(open_next(revision))
    assert fresh(revision).state == state
    assert fresh(sent).engineer is None


def test_while_the_next_letter_is_written_the_old_one_goes_its_way():
    revision = make_in_state(State.IN_REVIEW)
    draft = open_next(revision)
    engineer, approver = make_user(Role.ENGINEER), make_user(Role.APPROVER)
    revision_transition(revision=fresh(revision), action=Action.SEND_TO_APPROVAL, actor=engineer)
    approved = revision_transition(
        revision=fresh(revision),
        action=Action.APPROVE,
        actor=approver,
        document_sha256="ab" * 32,
    )
    assert approved.was_approved
    assert selectors.draft_after(approved) == draft
    sent = send(draft)
    assert fresh(revision).state == State.APPROVED
    assert selectors.leading_revision(sent.requisition) == sent


def test_questions_of_the_engineer_go_into_the_draft_that_is_open_already():
    revision = make_in_state(State.IN_REVIEW)
    draft = open_next(revision)
    answered_in = services.changes_request(
        revision=fresh(revision), actor=make_user(Role.ENGINEER), asks=[Ask("Сколько эпох?")]
    )
    assert answered_in == draft
    assert fresh(revision).state == State.CHANGES_REQUESTED


def test_a_calculation_of_what_was_replaced_ends_without_harm():
    owner = make_client()
    revision = make_estimating(owner)
    make_estimating(owner)  # another requisition is none of its business
    send(open_next(revision))
    run_jobs()
    assert fresh(revision).state == State.SUPERSEDED
    assert revision.calculations.get().state == "done"
    # The letter sent here by hand has no calculation of its own.
    assert [line for line in problems() if "no job is left" not in line] == []


def test_nobody_is_told_that_the_calculation_of_a_replaced_letter_failed():
    revision = make_estimating()
    send(open_next(revision))
    before = Notice.objects.count()
    estimate_missing(
        calculation=revision.calculations.get(), estimator="storage", reason="no space left"
    )
    assert Notice.objects.count() == before


@pytest.mark.parametrize("state", [*sorted(UNDER_WAY), State.APPROVED])
def test_the_database_refuses_a_second_one_under_way_and_a_second_approved(state):
    revision = make_in_state(state)
    other = make_submitted(owner_of(revision))
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.filter(pk=other.pk).update(
            requisition=revision.requisition, index=2, state=state
        )


def test_a_letter_that_was_never_approved_shows_its_client_nothing_when_it_is_replaced():
    revision = make_in_state(State.IN_APPROVAL)
    send(open_next(revision))
    replaced = fresh(revision)
    for deed in (Deed.SEE_ESTIMATES, Deed.DOWNLOAD_FINAL):
        assert not policy.may(owner_of(revision), deed, replaced)
    assert policy.may(make_user(Role.ENGINEER), Deed.SEE_ESTIMATES, replaced)


def test_what_was_withdrawn_leaves_the_word_to_what_is_approved():
    revision = make_in_state(State.APPROVED)
    sent = send(open_next(revision))
    revision_transition(revision=sent, action=Action.WITHDRAW, actor=owner_of(sent))
    assert selectors.leading_revision(sent.requisition) == revision
    third = services.revision_open_next(revision=revision, actor=owner_of(sent))
    assert (third.letter, third.previous) == ("C", sent)


def test_an_approver_is_too_late_for_a_letter_that_was_replaced():
    revision = make_in_state(State.IN_APPROVAL)
    seen = fresh(revision)
    send(open_next(revision))
    with pytest.raises(Conflict):
        revision_transition(
            revision=seen,
            action=Action.APPROVE,
            actor=make_user(Role.APPROVER),
            document_sha256="ab" * 32,
        )
