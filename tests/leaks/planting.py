"""Requisitions full of what a client must not see yet, in every state that they pass through."""

from collections.abc import Callable
from dataclasses import dataclass

from apps.accounts.models import User
from apps.catalog.services import catalog_sync
from apps.estimation.models import Assessment, EstimateResult
from apps.requisitions.models import Decision, Override, Revision
from apps.requisitions.outcomes import OtherWay, Refusal
from apps.requisitions.services import annotation_add, revision_take, revision_transition
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import Action, State
from apps.review import services
from tests.helpers import run_jobs
from tests.review.samples import (
    make_approver,
    make_engineer,
    make_estimating,
    print_documents,
)

SKU = "SYS-420PLANT-TNR"
ACCELERATOR = "Plantacell-9000"
NOTE = "Пометка-внутренняя-7731: клиенту не показывать"
PLANTED = (SKU, ACCELERATOR, "Пометка-внутренняя-7731")
INTERNAL = f"{NOTE}; {SKU}, 8 × {ACCELERATOR}"


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part. `owner` and `colleague` ask; `stranger` is another company's client."""

    owner: User
    colleague: User
    stranger: User
    engineer: User
    approver: User


def estimated(cast: Cast) -> Revision:
    """In review, with an engineer; its stored estimates name the planted hardware."""
    revision = make_estimating(cast.owner)
    run_jobs()
    calculation = revision.calculations.get()
    for row in EstimateResult.objects.filter(calculation=calculation):
        _plant(row, "output_text")
    _plant(Assessment.objects.get(calculation=calculation), "result_text")
    revision.refresh_from_db()
    revision_take(revision=revision, actor=cast.engineer)
    return revision


def _plant(row: EstimateResult | Assessment, name: str) -> None:
    """Add words to a stored text where nothing that reads its known fields meets them."""
    text = getattr(row, name)
    assert text.startswith("{")
    row.__class__._default_manager.filter(pk=row.pk).update(
        **{name: f'{{"also":"{SKU} {ACCELERATOR}",{text[1:]}'}
    )


def annotated(cast: Cast) -> Revision:
    """With the engineer's internal remark and a value whose reason names hardware."""
    revision = estimated(cast)
    annotation_add(revision=revision, actor=cast.engineer, text=INTERNAL, visibility="internal")
    Override.objects.create(
        revision=revision,
        field="recipe.micro_batch",
        value=1,
        reason=f"На {SKU} с {ACCELERATOR} иначе не помещается",
        author=cast.engineer,
    )
    revision.refresh_from_db()
    return revision


def still_estimating(cast: Cast) -> Revision:
    revision = annotated(cast)
    Revision.objects.filter(pk=revision.pk).update(state=State.ESTIMATING)
    return revision


def with_changes_requested(cast: Cast) -> Revision:
    revision = annotated(cast)
    services.clarification_request(
        revision=revision,
        actor=cast.engineer,
        asks=[Ask(text="Какая длина последовательности?", key="sequence_length")],
        comment="",
        expected_version=revision.version,
    )
    return revision


def in_approval(cast: Cast) -> Revision:
    """The engineer's words to the approver are internal; the drafts are printed."""
    revision = annotated(cast)
    Override.objects.filter(revision=revision).delete()  # it would ask for another calculation
    revision_transition(
        revision=revision, action=Action.SEND_TO_APPROVAL, actor=cast.engineer, comment=INTERNAL
    )
    services.drafts_print(revision=revision, actor=cast.engineer)
    print_documents(revision)
    revision.refresh_from_db()
    return revision


def returned(cast: Cast) -> Revision:
    revision = in_approval(cast)
    services.revision_return(
        revision=revision,
        actor=cast.approver,
        comment=INTERNAL,
        expected_version=revision.version,
    )
    return revision


def rejected(cast: Cast) -> Revision:
    revision = in_approval(cast)
    services.revision_reject(
        revision=revision,
        actor=cast.approver,
        refusal=next(iter(Refusal)),
        comment="Такие задачи мы не берём.",
        expected_version=revision.version,
    )
    run_jobs()  # the document with the reason
    return revision


def redirected(cast: Cast) -> Revision:
    revision = annotated(cast)
    services.redirect_elsewhere(
        revision=revision,
        actor=cast.engineer,
        way=next(iter(OtherWay)),
        reason="Сначала проверьте поиск по базе знаний.",
        expected_version=revision.version,
    )
    run_jobs()  # the document with the advice
    return revision


def withdrawn(cast: Cast) -> Revision:
    revision = annotated(cast)
    revision_transition(
        revision=revision, action=Action.WITHDRAW, actor=cast.owner, comment="Передумали"
    )
    return revision


BEFORE_APPROVAL: dict[str, Callable[[Cast], Revision]] = {
    "estimating": still_estimating,
    "in review": annotated,
    "changes requested": with_changes_requested,
    "in approval": in_approval,
    "returned": returned,
    "rejected": rejected,
    "redirected": redirected,
    "withdrawn": withdrawn,
}


def approved(cast: Cast) -> Revision:
    """Approved, its final documents really printed."""
    revision = in_approval(cast)
    draft = revision.documents.filter(kind="draft").first()
    assert draft is not None
    services.revision_approve(
        revision=revision,
        actor=cast.approver,
        comment="",
        document_sha256=draft.sha256,
        expected_version=revision.version,
    )
    assert Decision.objects.filter(revision=revision, kind="approve").exists()
    run_jobs()
    return revision


def make_cast(owner: User, colleague: User, stranger: User) -> Cast:
    catalog_sync()
    return Cast(owner, colleague, stranger, make_engineer(), make_approver())
