"""From the facts to stored bytes: drafts, finals, copies, and everything that may go wrong."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import Error, IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import Role
from apps.core import blobs
from apps.core.errors import Conflict
from apps.documents import handlers, services
from apps.documents.collect import NothingCalculated, snapshot_of
from apps.documents.models import Document
from apps.documents.page import sheet_of
from apps.documents.press import Printed, print_pdf
from apps.documents.selectors import document_runs, job_key
from apps.documents.snapshot import Snapshot
from apps.estimation.models import Calculation
from apps.jobs.models import Job, JobState
from apps.jobs.services import Unrepeatable
from apps.requisitions.models import Annotation, Decision, Revision
from apps.requisitions.workflow import State
from tests.documents.conftest import add_assessment, make_assessed
from tests.factories import make_submitted, make_user
from tests.helpers import claim, run_jobs

pytestmark = pytest.mark.django_db

CONTENT = b"%PDF-1.7 for the test"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def quick_press(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A press that prints at once; returns the sheets it was given."""
    sheets: list[Any] = []

    def press(sheet: Any) -> Printed:
        sheets.append(sheet)
        return Printed(content=CONTENT, page_count=8, refused=(), warnings=())

    monkeypatch.setattr(handlers, "print_pdf", press)
    return sheets


def drafts_of(revision: Revision) -> list[Document]:
    return services.draft_documents_create(revision=revision, actor=revision.engineer)


def printed_drafts(revision: Revision) -> list[Document]:
    documents = drafts_of(revision)
    run_jobs()
    return [Document.objects.get(pk=d.pk) for d in documents]


def approve(revision: Revision, sha256: str) -> Decision:
    Revision.objects.filter(pk=revision.pk).update(state=State.APPROVED)
    revision.refresh_from_db()
    return Decision.objects.create(
        revision=revision,
        kind=Decision.Kind.APPROVE,
        by=make_user(Role.APPROVER, full_name="О. Карельская"),
        comment="Утверждаю",
        document_sha256=sha256,
    )


def test_a_draft_is_asked_for_in_both_languages_and_printed(quick_press: list[Any]) -> None:
    documents = printed_drafts(make_assessed())
    assert {d.language for d in documents} == {"ru", "en"}
    for document in documents:
        assert document.kind == Document.Kind.DRAFT
        assert (document.sha256, document.size_bytes) == (SHA256, len(CONTENT))
        assert document.page_count == 8
        assert blobs.read(document.sha256) == CONTENT
    assert [run.state for run in document_runs(documents)] == ["done", "done"]
    assert len(quick_press) == 2


def test_asking_again_about_the_same_facts_gives_the_same_documents(quick_press: list[Any]) -> None:
    revision = make_assessed()
    first, again = drafts_of(revision), drafts_of(revision)
    assert [d.pk for d in first] == [d.pk for d in again]
    assert Job.objects.filter(kind__startswith="pdf:").count() == 2
    run_jobs()
    drafts_of(revision)
    assert Job.objects.filter(kind__startswith="pdf:").count() == 2
    assert len(quick_press) == 2


def test_new_facts_make_new_documents_and_leave_the_old(quick_press: list[Any]) -> None:
    revision = make_assessed()
    before = printed_drafts(revision)
    revision.annotations.create(
        text="Для клиента", visibility=Annotation.Visibility.CLIENT, author=revision.engineer
    )
    after = printed_drafts(revision)
    assert {d.pk for d in before}.isdisjoint({d.pk for d in after})
    assert Document.objects.count() == 4


def test_what_is_internal_changes_no_document() -> None:
    revision = make_assessed()
    before = drafts_of(revision)
    revision.annotations.create(text="Между нами", author=revision.engineer)
    assert [d.pk for d in drafts_of(revision)] == [d.pk for d in before]
    assert "Между нами" not in before[0].snapshot_text


def test_without_a_calculation_there_is_nothing_to_print() -> None:
    with pytest.raises(NothingCalculated):
        services.draft_documents_create(revision=make_submitted(), actor=None)


def test_while_a_newer_calculation_runs_the_older_is_not_printed() -> None:
    revision = make_assessed()
    newer = add_assessment(revision).calculation
    Calculation.objects.filter(pk=newer.pk).update(state=Calculation.State.RUNNING)
    with pytest.raises(NothingCalculated):
        drafts_of(revision)


def test_a_printed_text_does_not_follow_the_database() -> None:
    revision = make_assessed()
    (document, _english) = drafts_of(revision)
    before = sheet_of(document)
    revision.requisition.company.name = "Переименована"
    revision.requisition.company.save()
    revision.engineer.full_name = "Другой"
    revision.engineer.save()
    revision.open_questions.all().delete()
    add_assessment(revision, {"schema": "podbor.result/1", "status": "insufficient"})
    stored = Document.objects.get(pk=document.pk)
    assert sheet_of(stored) == before
    assert "Переименована" not in before.html


def test_the_final_is_the_draft_with_the_approval(quick_press: list[Any]) -> None:
    revision = make_assessed(State.IN_APPROVAL)
    (draft, _other) = printed_drafts(revision)
    decision = approve(revision, draft.sha256)
    finals = services.final_documents_create(revision=revision, decision=decision)
    assert {d.language for d in finals} == {"ru", "en"}
    assert all(d.snapshot_sha256 == draft.snapshot_sha256 for d in finals)
    approval = Snapshot.read(finals[0].snapshot_text).approval
    assert approval is not None
    assert (approval.by, approval.comment) == ("О. Карельская", "Утверждаю")
    assert approval.document_sha256 == draft.sha256
    run_jobs()
    assert all(Document.objects.get(pk=d.pk).is_ready for d in finals)


def test_approving_a_document_of_another_revision_is_a_conflict(quick_press: list[Any]) -> None:
    foreign = printed_drafts(make_assessed())[0]
    Document.objects.filter(pk=foreign.pk).update(page_count=9)
    revision = make_assessed(State.IN_APPROVAL)
    with pytest.raises(Conflict):
        services.final_documents_create(
            revision=revision, decision=approve(revision, foreign.sha256)
        )


def test_facts_that_changed_after_the_draft_make_the_approval_a_conflict(
    quick_press: list[Any],
) -> None:
    revision = make_assessed(State.IN_APPROVAL)
    (draft, _other) = printed_drafts(revision)
    revision.overrides.create(
        field="recipe.micro_batch", value=2, reason="Опечатка", author=revision.engineer
    )
    with pytest.raises(Conflict):
        services.final_documents_create(revision=revision, decision=approve(revision, draft.sha256))
    assert not Document.objects.filter(kind=Document.Kind.FINAL).exists()


def test_an_unprinted_draft_cannot_be_approved(quick_press: list[Any]) -> None:
    revision = make_assessed(State.IN_APPROVAL)
    drafts_of(revision)
    with pytest.raises(Conflict):
        services.final_documents_create(revision=revision, decision=approve(revision, "0" * 64))


def next_letter(first: Revision, answers_text: str) -> Revision:
    return Revision.objects.create(
        requisition=first.requisition,
        index=2,
        previous=first,
        state=State.IN_REVIEW,
        answers_text=answers_text,
        answers_sha256=hashlib.sha256(answers_text.encode()).hexdigest(),
        submitted_at=first.submitted_at,
        submitted_by=first.submitted_by,
    )


@pytest.mark.parametrize("approved", [True, False])
def test_a_later_letter_is_compared_with_the_one_the_client_has(approved: bool) -> None:
    """Figures of a letter that was never approved have not been shown, and are not compared."""
    first = make_assessed()
    assert snapshot_of(first).changes is None
    state = State.APPROVED if approved else State.SUPERSEDED
    approved_at = timezone.now() if approved else None
    Revision.objects.filter(pk=first.pk).update(state=state, approved_at=approved_at)
    second = next_letter(first, first.answers_text.replace('"2048"', '"4096"'))
    changes = snapshot_of(make_assessed(revision=second)).changes
    assert changes is not None
    assert changes.since == "A"
    assert [(a["key"], a["state"]) for a in changes.answers] == [("sequence_length", "changed")]
    assert (changes.result is not None) == approved


def test_a_later_approval_marks_copies_of_the_earlier_documents(quick_press: list[Any]) -> None:
    first = make_assessed(State.IN_APPROVAL)
    draft = printed_drafts(first)[0]
    services.final_documents_create(revision=first, decision=approve(first, draft.sha256))
    run_jobs()
    Revision.objects.filter(pk=first.pk).update(state=State.APPROVED, approved_at=timezone.now())
    second = make_assessed(State.IN_APPROVAL, revision=next_letter(first, first.answers_text))
    newer = printed_drafts(second)[0]
    Revision.objects.filter(pk=first.pk).update(state=State.SUPERSEDED)
    services.final_documents_create(revision=second, decision=approve(second, newer.sha256))
    run_jobs()
    copies = Document.objects.filter(revision=first, kind=Document.Kind.SUPERSEDED)
    assert {copy.language for copy in copies} == {"ru", "en"}
    assert all(copy.is_ready for copy in copies)
    marked = Snapshot.read(copies[0].snapshot_text).superseded
    assert marked is not None
    assert marked.letter == "B"
    originals = Document.objects.filter(revision=first, kind=Document.Kind.FINAL)
    assert all(original.is_ready for original in originals)


def test_a_changed_answer_is_told_from_one_revision_to_the_next() -> None:
    first = make_assessed()
    Revision.objects.filter(pk=first.pk).update(state=State.SUPERSEDED)
    second = next_letter(first, first.answers_text.replace('"2048"', '"4096"'))
    snapshot = snapshot_of(make_assessed(revision=second))
    assert [(e.letter, e.changed) for e in snapshot.editions] == [
        ("A", ()),
        ("B", ("sequence_length",)),
    ]


def test_comments_between_engineer_and_approver_stay_inside() -> None:
    revision = make_assessed()
    for kind in (Decision.Kind.SEND_TO_APPROVAL, Decision.Kind.RETURN):
        revision.decisions.create(kind=kind, by=revision.engineer, comment="между нами")
    snapshot = snapshot_of(revision)
    assert [step.kind for step in snapshot.steps] == ["send-to-approval"]
    assert "между нами" not in snapshot.text()


def test_a_final_exists_once_a_language() -> None:
    revision = make_assessed()
    draft = drafts_of(revision)[0]
    values = {
        "revision": revision,
        "calculation": draft.calculation,
        "kind": Document.Kind.FINAL,
        "language": "ru",
        "template_version": "1",
        "snapshot_text": "{}",
    }
    Document.objects.create(snapshot_sha256="a" * 64, **values)
    with pytest.raises(IntegrityError), transaction.atomic():
        Document.objects.create(snapshot_sha256="b" * 64, **values)


def test_what_a_document_says_and_is_cannot_be_changed(quick_press: list[Any]) -> None:
    document = printed_drafts(make_assessed())[0]
    for change in ({"snapshot_text": "{}"}, {"snapshot_sha256": "0" * 64}, {"sha256": "0" * 64}):
        with pytest.raises(Error), transaction.atomic():
            Document.objects.filter(pk=document.pk).update(**change)


def script(folder: Path, text: str) -> Path:
    path = folder / "child.py"
    path.write_text(text, encoding="utf-8")
    return path


def replace_child(monkeypatch: pytest.MonkeyPatch, child: Path, wall_s: float = 60) -> None:
    monkeypatch.setattr(handlers, "print_pdf", partial(print_pdf, child=child, wall_s=wall_s))


@pytest.mark.parametrize(
    ("text", "wall_s", "reason"),
    [
        ("import os; os.kill(os.getpid(), 9)", 60, "stopped by SIGKILL"),
        ("import time; time.sleep(600)", 0.5, "did not finish within 0.5 s"),
        ("raise MemoryError('too much')", 60, "MemoryError: too much"),
    ],
)
def test_a_dying_child_fails_the_job_with_its_reason_and_the_worker_goes_on(
    text: str,
    wall_s: float,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    settings.JOB_MAX_ATTEMPTS = 1
    replace_child(monkeypatch, script(tmp_path, text), wall_s)
    documents = drafts_of(make_assessed())
    assert run_jobs("pdf:") == 2
    for run in document_runs(documents):
        assert run.state == "failed"
        assert reason in run.reason
    assert not Document.objects.exclude(sha256="").exists()


def test_a_document_that_failed_is_tried_again_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.JOB_MAX_ATTEMPTS = 1
    replace_child(monkeypatch, script(tmp_path, "raise SystemExit(1)"))
    revision = make_assessed()
    drafts_of(revision)
    run_jobs()
    printing = Job.objects.filter(kind__startswith="pdf:")
    assert set(printing.values_list("state", flat=True)) == {JobState.FAILED}
    monkeypatch.setattr(
        handlers,
        "print_pdf",
        lambda sheet: Printed(content=CONTENT, page_count=1, refused=(), warnings=()),
    )
    assert all(document.is_ready for document in printed_drafts(revision))


def test_what_is_no_pdf_fails_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_child(monkeypatch, script(tmp_path, "print('<html>')"))
    (document, _other) = drafts_of(make_assessed())
    job = Job.objects.get(key=job_key(document))
    with pytest.raises(Unrepeatable, match="not a PDF"):
        handlers.render(job, claim(job))


def test_a_worker_that_lost_its_claim_stores_nothing(quick_press: list[Any]) -> None:
    (document, _other) = drafts_of(make_assessed())
    job = Job.objects.get(key=job_key(document))
    held = claim(job)
    Job.objects.filter(pk=job.pk).update(token="somebody else's")
    with pytest.raises(Exception, match="job"):
        handlers.render(job, held)
    assert not Document.objects.get(pk=document.pk).is_ready


def test_a_document_that_is_printed_already_is_not_printed_again(quick_press: list[Any]) -> None:
    document = printed_drafts(make_assessed())[0]
    Job.objects.filter(key=job_key(document)).update(state=JobState.READY, attempts=0)
    run_jobs()
    assert len(quick_press) == 2
    assert Job.objects.get(key=job_key(document)).state == JobState.DONE
