"""Engineers and approvers at the same instant, on a database that lets writers run at once."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from apps.audit.selectors import chain_problems
from apps.core.errors import Conflict
from apps.documents.models import Document
from apps.requisitions.models import Decision, Override, Revision
from apps.requisitions.workflow import State
from apps.review import services
from config.celery import app as celery
from tests.requisitions.test_races import at_once
from tests.review.samples import (
    draft_sha256,
    make_approver,
    make_engineer,
    make_in_approval,
    make_in_review,
)

# Jobs are sent after commit here: to the configured broker of the tests, not to a default one.
assert celery.conf.broker_url == "memory://"

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def fresh(revision: Revision) -> Revision:
    return Revision.objects.get(pk=revision.pk)


def outcomes_of(*calls: Callable[[], Any]) -> tuple[int, int]:
    """How many succeeded, and how many met a conflict; nothing else may happen."""
    outcomes = at_once(*calls)
    assert all(
        o is None or not isinstance(o, Exception) or isinstance(o, Conflict) for o in outcomes
    )
    conflicts = sum(isinstance(o, Conflict) for o in outcomes)
    return len(outcomes) - conflicts, conflicts


def test_of_four_approvers_one_approves_and_the_documents_are_made_once():
    approvers = [make_approver() for _ in range(4)]
    revision = make_in_approval(make_engineer())
    digest = draft_sha256(revision)
    done, conflicts = outcomes_of(
        *(
            partial(
                services.revision_approve,
                revision=fresh(revision),
                actor=approver,
                comment="",
                document_sha256=digest,
                expected_version=revision.version,
            )
            for approver in approvers
        )
    )
    assert (done, conflicts) == (1, 3)
    assert fresh(revision).state == State.APPROVED
    assert Decision.objects.filter(kind=Decision.Kind.APPROVE).count() == 1
    assert Document.objects.filter(revision=revision, kind="final").count() == 2
    assert chain_problems() == []


def test_a_value_set_while_it_is_sent_is_in_the_document_or_refused():
    """Whoever comes second met another version: nothing is approved that was not seen."""
    engineer, colleague = make_engineer(), make_engineer()
    for _ in range(3):
        revision = make_in_review(engineer)
        done, conflicts = outcomes_of(
            partial(
                services.approval_request,
                revision=fresh(revision),
                actor=engineer,
                comment="",
                expected_version=revision.version,
            ),
            partial(
                services.override_apply,
                revision=fresh(revision),
                actor=colleague,
                field="recipe.micro_batch",
                value=1,
                reason="Мерили.",
                expected_version=revision.version,
            ),
        )
        assert (done, conflicts) == (1, 1)
        sent = fresh(revision).state == State.IN_APPROVAL
        assert Override.objects.filter(revision=revision).exists() != sent


def test_a_double_click_in_two_connections_sets_one_value():
    engineer = make_engineer()
    revision = make_in_review(engineer)
    click = partial(
        services.override_apply,
        revision=fresh(revision),
        actor=engineer,
        field="recipe.micro_batch",
        value=1,
        reason="Мерили.",
        expected_version=revision.version,
    )
    outcomes_of(click, click)
    assert Override.objects.count() == 1
    assert revision.calculations.count() == 2
