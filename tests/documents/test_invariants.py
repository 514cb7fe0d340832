"""Every promise about stored data is kept by the product, and its breach is noticed."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from apps.core import blobs
from apps.documents.invariants import problems
from apps.estimation.models import Assessment, Calculation
from apps.estimation.services import calculation_start
from apps.jobs.models import Job, JobState
from apps.mail.models import Mail
from apps.requisitions.models import Attachment, Decision, Revision
from apps.requisitions.services import attachment_add, revision_submit
from apps.requisitions.workflow import State
from tests.factories import ANSWERS, make_draft
from tests.helpers import run_jobs

pytestmark = pytest.mark.django_db

TASK = {"schema": "podbor.task/1", "method": "lora", "model": {"name": "Llama-3.1-8B"}}


@pytest.fixture
def reviewed() -> Revision:
    """A revision in review with a file and an assessment."""
    draft = make_draft()
    owner = draft.requisition.owner
    attachment_add(
        requisition=draft.requisition, revision=draft, name="a", content=b"a", actor=owner
    )
    revision = revision_submit(revision=draft, actor=owner, effective=ANSWERS, title="t")
    calculation_start(revision=revision, task=TASK, context={}, actor=owner)
    run_jobs()
    return Revision.objects.get(pk=revision.pk)


def lose_file() -> None:
    blobs.path_of(Attachment.objects.get().sha256).unlink()


def strand_job() -> None:
    long_ago = timezone.now() - timedelta(minutes=5)
    Job.objects.filter(kind="assemble").update(state=JobState.RUNNING, lease_until=long_ago)


def fall_back_to_estimating() -> None:
    Revision.objects.update(state=State.ESTIMATING)


def add_letter(state: State, index: int) -> None:
    first = Revision.objects.get()
    Revision.objects.create(
        requisition=first.requisition,
        index=index,
        state=state,
        answers_text=first.answers_text,
        answers_sha256=first.answers_sha256,
    )


def put_a_draft_before() -> None:
    Revision.objects.update(index=2)
    add_letter(State.DRAFT, 1)


def work_on_two() -> None:
    """Only without the guard of the database."""
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX one_revision_under_way")
    add_letter(State.IN_APPROVAL, 2)


def decide_without_a_document() -> None:
    revision = Revision.objects.get()
    Decision.objects.create(
        revision=revision, kind="reject", category="other", by=revision.requisition.owner
    )


def drop_trigger() -> None:
    on_table = "" if connection.vendor == "sqlite" else " ON requisitions_revision"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER requisitions_revision_frozen{on_table}")


BREACHES: dict[str, tuple[Callable[[], object], str]] = {
    "result": (lambda: Assessment.objects.update(result_text="{}"), "the result does not hash"),
    "input": (lambda: Calculation.objects.update(input_text="{}"), "the input does not hash"),
    "count": (lambda: Calculation.objects.update(pending_count=2), "2 pending"),
    "assessment": (lambda: Assessment.objects.all().delete(), "with an assessment: False"),
    "state": (lambda: Revision.objects.update(state=State.IN_APPROVAL), "the audit trail says"),
    "letter": (lambda: Revision.objects.update(index=3), "revisions are numbered [3]"),
    "replaced": (
        lambda: Revision.objects.update(state=State.SUPERSEDED),
        "the latest revision is superseded by none",
    ),
    "draft": (put_a_draft_before, "the draft is not the latest revision"),
    "worked on": (work_on_two, "2 revisions are worked on"),
    "file": (lose_file, "is missing"),
    "job": (strand_job, "its lease ran out"),
    "reason": (lambda: Job.objects.update(state=JobState.FAILED), "failed without a reason"),
    "stuck": (fall_back_to_estimating, "no job is left for it"),
    "approval": (lambda: Revision.objects.update(state=State.APPROVED), "approved by 0 decisions"),
    "ending": (decide_without_a_document, "reject, told in []"),
    "mail": (lambda: Mail.objects.update(sent_at=None), "its job is done, sent: False"),
    "trigger": (drop_trigger, "the trigger requisitions_revision_frozen is missing"),
}


def test_what_the_product_stores_keeps_every_promise(reviewed):
    assert problems() == []
    call_command("check_invariants")


@pytest.mark.parametrize("breach", BREACHES)
def test_a_broken_promise_is_named(reviewed, breach):
    act, said = BREACHES[breach]
    act()
    assert any(said in line for line in problems()), problems()
    with pytest.raises(CommandError):
        call_command("check_invariants")
