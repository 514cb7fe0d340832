"""People and tabs at the same instant. SQLite would hide every one of these mistakes."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.audit.selectors import chain_problems
from apps.audit.services import record
from apps.core.errors import Conflict
from apps.requisitions import services
from apps.requisitions.models import Answer, Decision, Requisition, Revision
from apps.requisitions.services import Change
from apps.requisitions.workflow import Action, State
from tests.factories import ANSWERS, make_draft, make_in_state, make_user
from tests.helpers import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

APPROVALS_COUNT = 100


def test_of_eight_approvers_exactly_one_approves():
    approvers = [make_user(Role.APPROVER) for _ in range(8)]
    for _ in range(APPROVALS_COUNT):
        revision = make_in_state(State.IN_APPROVAL)
        outcomes = at_once(*(approval(revision.pk, approver) for approver in approvers))
        assert sum(isinstance(o, Revision) for o in outcomes) == 1
        assert all(isinstance(o, Revision | Conflict) for o in outcomes)
        assert Decision.objects.filter(revision=revision, kind="approve").count() == 1
    assert AuditEvent.objects.filter(action="requisition.approve").count() == APPROVALS_COUNT
    assert chain_problems() == []


def approval(revision_id: Any, approver: Any) -> Callable[[], Revision]:
    def act() -> Revision:
        revision = Revision.objects.select_related("requisition").get(pk=revision_id)
        return services.revision_transition(
            revision=revision, action=Action.APPROVE, actor=approver, document_sha256="ab" * 32
        )

    return act


def test_of_twenty_submits_exactly_one_sends():
    draft = make_draft()
    owner = draft.requisition.owner

    def send() -> Revision:
        revision = Revision.objects.select_related("requisition").get(pk=draft.pk)
        return services.revision_submit(
            revision=revision, actor=owner, effective=ANSWERS, title="t"
        )

    outcomes = at_once(*[send] * 20)
    assert sum(isinstance(o, Revision) for o in outcomes) == 1
    assert sum(isinstance(o, Conflict) for o in outcomes) == 19
    assert Revision.objects.get(pk=draft.pk).open_questions.count() == 1


def test_requisitions_sent_at_once_get_numbers_without_a_gap():
    drafts = [make_draft() for _ in range(25)]

    def sending(draft: Revision) -> Callable[[], Revision]:
        return lambda: services.revision_submit(
            revision=draft, actor=draft.requisition.owner, effective=ANSWERS, title="t"
        )

    outcomes = at_once(*map(sending, drafts))
    assert all(isinstance(o, Revision) for o in outcomes), outcomes
    numbers = sorted(Requisition.objects.values_list("number", flat=True))
    assert numbers == list(range(1, 26))


def test_the_audit_chain_does_not_fork():
    people = [make_user() for _ in range(8)]

    def appending(person: Any) -> Callable[[], None]:
        def act() -> None:
            for _ in range(20):
                record(actor=person, action="requisition.attach", subject=person)

        return act

    assert at_once(*map(appending, people)) == [None] * 8
    assert AuditEvent.objects.count() == 160
    assert chain_problems() == []


def test_of_twenty_saves_of_one_field_one_wins_and_nineteen_are_shown_both_values():
    draft = make_draft()
    owner = draft.requisition.owner
    services.answers_save(revision=draft, changes=[Change(key="hours", value="0")], actor=owner)

    def saving(number: int) -> Callable[[], services.SaveOutcome]:
        change = Change(key="hours", value=str(number), base_version=1)
        return lambda: services.answers_save(revision=draft, changes=[change], actor=owner)

    outcomes = at_once(*(saving(n) for n in range(1, 21)))
    assert sum(bool(o.versions) for o in outcomes) == 1
    assert sum(bool(o.clashes) for o in outcomes) == 19
    assert Answer.objects.get().version == 2


def test_two_first_saves_of_one_field_make_one_row():
    draft = make_draft()
    owner = draft.requisition.owner

    def saving(text: str) -> Callable[[], services.SaveOutcome]:
        change = Change(key="model", value=text)
        return lambda: services.answers_save(revision=draft, changes=[change], actor=owner)

    outcomes = at_once(*(saving(str(n)) for n in range(10)))
    assert sum(bool(o.versions) for o in outcomes) == 1
    assert Answer.objects.count() == 1


def test_twenty_saves_of_twenty_fields_are_all_there():
    draft = make_draft()
    owner = draft.requisition.owner

    def saving(number: int) -> Callable[[], services.SaveOutcome]:
        change = Change(key=f"field{number}", value=str(number))
        return lambda: services.answers_save(revision=draft, changes=[change], actor=owner)

    outcomes = at_once(*(saving(n) for n in range(20)))
    assert not any(o.clashes for o in outcomes)
    assert dict(Answer.objects.values_list("key", "value")) == {
        f"field{n}": str(n) for n in range(20)
    }
