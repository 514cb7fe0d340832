"""The next letter is sent while the one before it is decided: one consistent end, whoever is first."""

from functools import partial
from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.selectors import chain_problems
from apps.core.errors import Conflict
from apps.documents.invariants import one_revision_counts, states_follow_from_the_audit_trail
from apps.documents.models import Document
from apps.requisitions.models import Decision, Revision
from apps.requisitions.services import revision_open_next, revision_submit
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import State
from apps.review import services
from tests.factories import ANSWERS, make_client
from tests.requisitions.test_races import at_once
from tests.review.samples import draft_sha256, make_approver, make_engineer, make_in_approval
from tests.review.test_races import fresh

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def sending(draft: Revision, owner: User) -> Any:
    return partial(revision_submit, revision=draft, actor=owner, effective=ANSWERS, title="t")


def approving(revision: Revision, approver: User) -> Any:
    return partial(
        services.revision_approve,
        revision=fresh(revision),
        actor=approver,
        comment="",
        document_sha256=draft_sha256(revision),
        expected_version=revision.version,
    )


def whole() -> bool:
    broken = [*one_revision_counts(), *states_follow_from_the_audit_trail(), *chain_problems()]
    return broken == []


def test_the_next_letter_sent_while_the_old_one_is_approved():
    """Either it was approved first and stays so, or it was replaced and nobody approved it."""
    engineer, approver = make_engineer(), make_approver()
    for _ in range(5):
        owner = make_client()
        first = make_in_approval(engineer, owner)
        draft = revision_open_next(revision=first, actor=owner)
        outcomes = at_once(approving(first, approver), sending(draft, owner))
        unexpected = [o for o in outcomes if isinstance(o, Exception)]
        assert all(isinstance(o, Conflict) for o in unexpected), unexpected
        approved = fresh(first).state == State.APPROVED
        assert approved == (outcomes[0] is None)
        assert fresh(first).state == (State.APPROVED if approved else State.SUPERSEDED)
        assert fresh(draft).state == State.ESTIMATING
        decisions = Decision.objects.filter(revision=first, kind="approve").count()
        finals = Document.objects.filter(revision=first, kind="final").count()
        assert (decisions, finals) == ((1, 2) if approved else (0, 0))
        assert whole()


def test_two_letters_of_which_one_is_approved_while_the_next_is_sent():
    """B is approved, which supersedes A, while C is sent, which would supersede B."""
    engineer, approver = make_engineer(), make_approver()
    for _ in range(5):
        owner = make_client()
        second = make_in_approval(engineer, owner)
        Revision.objects.filter(pk=second.pk).update(index=2)
        first = Revision.objects.create(
            requisition=second.requisition,
            index=1,
            state=State.APPROVED,
            answers_text=second.answers_text,
            answers_sha256=second.answers_sha256,
        )
        draft = revision_open_next(revision=fresh(second), actor=owner)
        outcomes = at_once(approving(second, approver), sending(draft, owner))
        assert all(isinstance(o, Conflict) for o in outcomes if isinstance(o, Exception))
        states = {r.index: r.state for r in first.requisition.revisions.all()}
        assert states in (
            {1: State.SUPERSEDED, 2: State.APPROVED, 3: State.ESTIMATING},
            {1: State.APPROVED, 2: State.SUPERSEDED, 3: State.ESTIMATING},
        )


def test_a_letter_sent_twice_while_the_engineer_sets_a_value_asks_and_the_client_opens_another():
    engineer = make_engineer()
    for _ in range(3):
        owner = make_client()
        first = make_in_approval(engineer, owner)
        services.revision_return(
            revision=first, actor=make_approver(), comment="?", expected_version=first.version
        )
        first = fresh(first)
        draft = revision_open_next(revision=first, actor=owner)
        outcomes = at_once(
            sending(draft, owner),
            sending(fresh(draft), owner),
            partial(
                services.override_apply,
                revision=first,
                actor=engineer,
                field="recipe.micro_batch",
                value=1,
                reason="Мерили.",
                expected_version=first.version,
            ),
            partial(
                services.clarification_request,
                revision=fresh(first),
                actor=engineer,
                asks=[Ask("Сколько эпох?")],
                comment="",
                expected_version=first.version,
            ),
        )
        unexpected = [o for o in outcomes if isinstance(o, Exception)]
        assert all(isinstance(o, Conflict) for o in unexpected), unexpected
        assert sum(isinstance(o, Revision) for o in outcomes[:2]) == 1
        assert fresh(first).state == State.SUPERSEDED
        assert whole()


def test_of_many_clicks_one_letter_is_opened():
    owner = make_client()
    first = make_in_approval(make_engineer(), owner)
    opened = at_once(*[partial(revision_open_next, revision=first, actor=owner)] * 8)
    assert len({draft.pk for draft in opened}) == 1
    assert first.requisition.revisions.count() == 2
