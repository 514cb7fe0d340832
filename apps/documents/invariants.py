"""Promises about stored data, each as a function that names what breaks it.

They hold at every instant, whatever crashed: `manage.py check_invariants` may run on a live
product. Each check yields one line a problem.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone

from apps.audit.models import AuditEvent
from apps.audit.selectors import chain_problems
from apps.audit.services import subject_key
from apps.catalog.invariants import CHECKS as CATALOG_CHECKS
from apps.core import blobs
from apps.core.canonical import sha256_of
from apps.documents.models import LANGUAGES, Document
from apps.estimation.models import Assessment, Calculation
from apps.jobs.models import Job, JobState
from apps.mail.models import Mail
from apps.requisitions.invariants import CHECKS as GUEST_CHECKS
from apps.requisitions.models import Attachment, Decision, Requisition, Revision
from apps.requisitions.workflow import UNDER_WAY, Action, State
from apps.sizing.estimators.registry import ESTIMATORS

Check = Callable[[], Iterator[str]]
_FROZEN_TABLES = (
    "audit_auditevent",
    "catalog_release",
    "requisitions_revision",
    "documents_document",
)
_ALONE = {"drafts": {State.DRAFT}, "worked on": UNDER_WAY, "approved": {State.APPROVED}}
_ENDED = frozenset({State.REDIRECTED, State.REJECTED})
_STEPS = tuple(f"requisition.{action.value}" for action in Action)


def answers_are_what_was_sent() -> Iterator[str]:
    for revision in Revision.objects.exclude(answers_sha256="").iterator():
        if sha256_of(revision.answers_text) != revision.answers_sha256:
            yield f"{revision}: the answers do not hash to what was recorded"


def letters_have_no_gap() -> Iterator[str]:
    for requisition in Requisition.objects.prefetch_related("revisions"):
        indices = [r.index for r in requisition.revisions.all()]
        if indices != list(range(1, len(indices) + 1)):
            yield f"{requisition}: revisions are numbered {indices}"


def one_revision_counts() -> Iterator[str]:
    """One draft and it is the latest, one that is worked on, one that is approved."""
    for requisition in Requisition.objects.prefetch_related("revisions"):
        revisions = list(requisition.revisions.all())
        for name, states in _ALONE.items():
            count = sum(r.state in states for r in revisions)
            if count > 1:
                yield f"{requisition}: {count} revisions are {name}"
        if any(r.is_draft for r in revisions[:-1]):
            yield f"{requisition}: the draft is not the latest revision"
        if revisions and revisions[-1].state == State.SUPERSEDED:
            yield f"{requisition}: the latest revision is superseded by none"


def states_follow_from_the_audit_trail() -> Iterator[str]:
    for revision in Revision.objects.iterator():
        steps = AuditEvent.objects.filter(subject=subject_key(revision), action__in=_STEPS)
        last = steps.order_by("seq").last()
        told = json.loads(last.payload_text)["target"] if last else State.DRAFT
        if told != revision.state:
            yield f"{revision}: is {revision.state}, the audit trail says {told}"


def approvals_name_an_approver_and_a_document() -> Iterator[str]:
    approved = Revision.objects.filter(state=State.APPROVED).prefetch_related("decisions")
    for revision in approved:
        decisions = [d for d in revision.decisions.all() if d.kind == "approve"]
        if len(decisions) != 1:
            yield f"{revision}: approved by {len(decisions)} decisions"
            continue
        hands = {revision.engineer_id, revision.submitted_by_id, revision.requisition.owner_id}
        if decisions[0].by_id in hands and not settings.APPROVE_OWN_WORK:
            yield f"{revision}: approved by somebody who worked on it"
        if revision.approved_at is None:
            yield f"{revision}: approved, and not when"
        if not revision.documents.filter(kind=Document.Kind.FINAL).exists():
            yield f"{revision}: approved without a final document"


def endings_have_their_document() -> Iterator[str]:
    """Another way and a refusal are told on paper, with a number and in every language."""
    ended = Decision.objects.exclude(category="").select_related("revision__requisition")
    for decision in ended.iterator():
        revision = decision.revision
        if revision.requisition.number is None:
            yield f"{revision}: {decision.kind}, and it has no number"
        notes = revision.documents.filter(kind=Document.Kind.NOTE)
        languages = set(notes.values_list("language", flat=True))
        if languages != set(LANGUAGES):
            yield f"{revision}: {decision.kind}, told in {sorted(languages)}"
        if revision.state not in _ENDED:
            yield f"{revision}: {decision.kind} was decided, and it is {revision.state}"


def calculations_add_up() -> Iterator[str]:
    for calculation in Calculation.objects.annotate(done=Count("results")).iterator():
        if calculation.pending_count + calculation.done != len(ESTIMATORS):
            yield f"{calculation}: {calculation.done} results, {calculation.pending_count} pending"
        if sha256_of(calculation.input_text) != calculation.input_sha256:
            yield f"{calculation}: the input does not hash to what was recorded"
        assessed = Assessment.objects.filter(calculation=calculation).exists()
        if assessed != (calculation.state == Calculation.State.DONE):
            yield f"{calculation}: is {calculation.state}, with an assessment: {assessed}"


def assessments_are_whole() -> Iterator[str]:
    for assessment in Assessment.objects.iterator():
        if sha256_of(assessment.result_text) != assessment.result_sha256:
            yield f"{assessment}: the result does not hash to what was recorded"


def a_revision_under_way_has_somebody_at_work() -> Iterator[str]:
    waiting = Revision.objects.filter(state=State.ESTIMATING)
    for revision in waiting:
        calculations = Calculation.objects.filter(
            revision=revision, state=Calculation.State.RUNNING
        )
        keys = [str(c.pk) for c in calculations]
        live = Job.objects.filter(state__in=[JobState.READY, JobState.RUNNING])
        if not any(live.filter(key__contains=key).exists() for key in keys):
            yield f"{revision}: is being estimated, and no job is left for it"


def no_job_is_forgotten() -> Iterator[str]:
    long_ago = timezone.now() - timedelta(seconds=2 * settings.JOB_LEASE_S)
    for job in Job.objects.filter(state=JobState.RUNNING, lease_until__lt=long_ago):
        yield f"{job}: its lease ran out at {job.lease_until} and nobody took it"
    for job in Job.objects.filter(state=JobState.FAILED, last_error=""):
        yield f"{job}: failed without a reason"


def files_are_there_and_whole() -> Iterator[str]:
    named = [(str(a), a.sha256) for a in Attachment.objects.filter(removed_at__isnull=True)]
    named += [(str(d), d.sha256) for d in Document.objects.exclude(sha256="")]
    for owner, sha256 in named:
        try:
            blobs.read(sha256)
        except blobs.BlobDamaged as problem:
            yield f"{owner}: {problem}"


def the_audit_trail_is_whole() -> Iterator[str]:
    yield from chain_problems()


def a_mail_is_sent_when_its_job_is_done() -> Iterator[str]:
    done = Q(job__state=JobState.DONE)
    broken = (done & Q(sent_at=None)) | (~done & Q(sent_at__isnull=False))
    for mail in Mail.objects.filter(broken).select_related("job"):
        yield f"{mail}: its job is {mail.job.state}, sent: {mail.sent_at is not None}"


def the_database_guards_what_is_frozen() -> Iterator[str]:
    query = (
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        if connection.vendor == "sqlite"
        else "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        present = {row[0] for row in cursor.fetchall()}
    for table in _FROZEN_TABLES:
        if f"{table}_frozen" not in present:
            yield f"the trigger {table}_frozen is missing"


CHECKS: tuple[Check, ...] = (
    answers_are_what_was_sent,
    letters_have_no_gap,
    one_revision_counts,
    states_follow_from_the_audit_trail,
    approvals_name_an_approver_and_a_document,
    endings_have_their_document,
    calculations_add_up,
    assessments_are_whole,
    a_revision_under_way_has_somebody_at_work,
    no_job_is_forgotten,
    files_are_there_and_whole,
    the_audit_trail_is_whole,
    a_mail_is_sent_when_its_job_is_done,
    the_database_guards_what_is_frozen,
    *GUEST_CHECKS,
    *CATALOG_CHECKS,
)


def problems() -> list[str]:
    """Every broken promise, in words; empty when all hold."""
    return [line for check in CHECKS for line in check()]
