"""The two races that must have one winner, through the very pages that people press buttons on."""

from collections import Counter
from functools import partial
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.audit.models import AuditEvent
from apps.audit.selectors import chain_problems
from apps.documents.models import Document
from apps.estimation.models import Assessment, Calculation
from apps.requisitions.models import Decision, Requisition, Revision
from apps.requisitions.workflow import State
from tests.factories import make_client, make_draft
from tests.helpers import run_jobs
from tests.intake.pages import answer_all, url
from tests.requisitions.test_races import at_once
from tests.review.samples import draft_sha256, make_approver, make_engineer, make_in_approval

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

APPROVERS_COUNT = 8
APPROVALS_COUNT = 10
SUBMITS_COUNT = 20


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def statuses(responses: list[Any]) -> Counter[int]:
    assert all(isinstance(response, HttpResponse) for response in responses), responses
    return Counter(response.status_code for response in responses)


def test_of_eight_approvers_exactly_one_approves():
    approvers = [signed_in(make_approver()) for _ in range(APPROVERS_COUNT)]
    engineer = make_engineer()
    for _ in range(APPROVALS_COUNT):
        revision = make_in_approval(engineer)
        form = {
            "decision": "approve",
            "document_sha256": draft_sha256(revision),
            "expected_version": revision.version,
        }
        address = reverse("review:decide", args=[revision.pk])
        answers = at_once(*(partial(approver.post, address, form) for approver in approvers))
        assert statuses(answers) == {302: 1, 409: APPROVERS_COUNT - 1}
        assert Revision.objects.get(pk=revision.pk).state == State.APPROVED
        assert Decision.objects.filter(revision=revision, kind="approve").count() == 1
        assert Document.objects.filter(revision=revision, kind="final").count() == 2
    approved = AuditEvent.objects.filter(action="requisition.approve")
    assert approved.count() == APPROVALS_COUNT
    assert chain_problems() == []


def test_of_twenty_submits_one_makes_a_revision_and_all_lead_to_its_status():
    owner = make_client()
    draft = make_draft(owner)
    answer_all(draft)
    tabs = [signed_in(owner) for _ in range(SUBMITS_COUNT)]
    answers = at_once(*(partial(tab.post, url("submit", draft)) for tab in tabs))
    assert statuses(answers) == {302: SUBMITS_COUNT}
    assert {answer["Location"] for answer in answers} == {url("status", draft)}
    assert list(Revision.objects.values_list("index", "state")) == [(1, State.ESTIMATING)]
    assert list(Requisition.objects.values_list("number", flat=True)) == [1]
    assert Calculation.objects.count() == 1
    assert AuditEvent.objects.filter(action="requisition.submit").count() == 1
    run_jobs()
    assert Assessment.objects.count() == 1
    assert chain_problems() == []
