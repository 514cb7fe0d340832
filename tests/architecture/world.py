"""One of everything that an address may name, and one person of every kind."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.http import urlsafe_base64_encode

from apps.accounts import links
from apps.accounts.models import Invitation, Role, User
from apps.catalog.models import Proposal
from apps.catalog.services import catalog_sync
from apps.core import blobs
from apps.documents.models import Document
from apps.estimation.models import VariantRemark
from apps.estimation.presenters import variants_of
from apps.estimation.selectors import result_of
from apps.estimation.services import calculation_start
from apps.notices.models import Notice
from apps.offers.models import Offer
from apps.offers.services import offer_add
from apps.pilots.models import PilotRun
from apps.requisitions import services
from apps.requisitions.guest_keys import key_make
from apps.requisitions.models import (
    Annotation,
    Attachment,
    GuestInvitation,
    GuestKey,
    OpenQuestion,
    Override,
    Revision,
)
from apps.requisitions.workflow import State
from tests.factories import (
    ANSWERS,
    make_client,
    make_company,
    make_draft,
    make_email_change,
    make_in_state,
    make_invitation,
    make_proposal,
    make_sign_up,
    make_submitted,
    make_user,
)
from tests.helpers import run_jobs
from tests.pilots.samples import make_run

TASK = {
    "schema": "podbor.task/1",
    "method": "lora",
    "model": {"name": "Llama-3.1-8B"},
    "recipe": {"sequence_length": 2048, "micro_batch": 4},
}
COLUMNS = (
    "anonymous",
    "owner",
    "colleague",
    "stranger",
    "engineer",
    "approver",
    "manager",
    "administrator",
    "switched-off",
    "guest",  # has begun by a link to a section of the draft, and is signed in nowhere
)


@dataclass(frozen=True, slots=True)
class World:
    people: dict[str, User | None]
    draft: Revision
    reviewed: Revision
    changed: Revision
    attachment: Attachment
    question: OpenQuestion
    drafted: Document
    notice: Notice
    invitation: Invitation
    guest: GuestInvitation
    guest_key: GuestKey
    proposal: Proposal
    comment: Annotation  # of the owner, about what is reviewed
    pilot: PilotRun
    offer: Offer  # of an approved revision
    value: Override  # the engineer's, beside an answer of `reviewed`
    line: VariantRemark  # of the reviewed one
    forgetful: User  # never signs in: that would end the link for a new password

    def arguments(self, names: set[str], view: str) -> dict[str, Any]:
        """Values for the places of an address: the client's pages are about the draft."""
        requisition = self.reviewed if view in _ABOUT_SENT else self.draft
        requisition = self.changed if view == "intake:changes" else requisition
        revision = self.changed if view == "review:changes" else self.reviewed
        revision = self.offer.revision if view.startswith("offers:") else revision
        values = {
            "requisition_id": requisition.requisition_id,
            "revision_id": revision.pk,
            "old": "A",
            "new": "B",
            "attachment_id": self.attachment.pk,
            "question_id": self.question.pk,
            "document_id": self.drafted.pk,
            "code": "0" * 16,
            "notice_id": self.notice.pk,
            "section_key": "model",
            "key": "dataset_bytes",
            "slug": "SYS-821GE-TNHR",
            "form": "csv",
            "paper": "docx",
            "comment_id": self.comment.pk,
            "proposal_id": self.proposal.pk,
            "run_id": self.pilot.pk,
            "offer_id": self.offer.pk,
            "variant_key": self.line.key,
            "remark_id": self.line.pk,
            "override_id": self.value.pk,
            "invitation_id": (self.guest if "guest" in view else self.invitation).pk,
            "number": self.draft.requisition.owner_id,
            "uidb64": urlsafe_base64_encode(str(self.forgetful.pk).encode()),
            "token": self._token(view),
        }
        return {name: values[name] for name in names}

    def _token(self, view: str) -> str:
        """The part of a letter's link, made anew: opening some links uses them up."""
        if view == "accounts:invitation":
            return links.token_of(self.invitation)
        if view == "intake:guest-link":
            return key_make(self.guest).url.rstrip("/").rpartition("/")[2]
        if view == "accounts:confirm":
            return links.token_of(make_sign_up())
        if view == "accounts:email-confirm":
            return links.token_of(make_email_change(self.draft.requisition.owner))
        return default_token_generator.make_token(self.forgetful)


_ABOUT_SENT = {
    "intake:status",
    "intake:runs",
    "intake:withdraw",
    "intake:open-next",
    "intake:new-from-earlier",
    "intake:value-reply",
}


def build_world() -> World:
    catalog_sync()
    people = _people()
    owner, colleague = people["owner"], people["colleague"]
    assert owner is not None
    assert colleague is not None
    draft = make_draft(owner)
    reviewed = _reviewed(owner)
    asked = services.Wish(section="data", name="Guest")
    guest = services.guest_invite(revision=draft, wish=asked, actor=owner)
    key_make(guest)
    return World(
        people=people,
        draft=draft,
        reviewed=reviewed,
        changed=_changed(colleague),
        attachment=services.attachment_add(
            requisition=draft.requisition, revision=draft, name="a.txt", content=b"a", actor=owner
        ),
        question=reviewed.open_questions.get(),
        drafted=_drafted(reviewed),
        notice=owner.notices.get(event="receipt"),
        invitation=make_invitation(owner),
        guest=guest,
        guest_key=guest.keys.get(),
        comment=services.annotation_add(
            revision=reviewed, actor=owner, text="When?", visibility="client"
        ),
        proposal=make_proposal(people["engineer"]),
        pilot=make_run(reviewed, people["engineer"]),
        offer=_offered(owner),
        value=_value(reviewed, people["engineer"]),
        line=_written(reviewed, people["engineer"]),
        forgetful=make_client(),
    )


def _people() -> dict[str, User | None]:
    company = make_company()
    off = make_user(Role.ENGINEER)
    off.is_active = False
    off.save()
    return {
        "anonymous": None,
        "owner": make_client(company=company),
        "colleague": make_client(company=company),
        "stranger": make_client(),
        "switched-off": off,
        "guest": None,
        **{r.value: make_user(r) for r in Role if r != Role.CLIENT},
    }


def _changed(owner: User) -> Revision:
    """The second letter of a requisition."""
    draft = services.revision_open_next(revision=make_submitted(owner), actor=owner)
    return services.revision_submit(revision=draft, actor=owner, effective=ANSWERS, title="t")


def _offered(owner: User) -> Offer:
    revision = make_in_state(State.APPROVED, owner)
    Revision.objects.filter(pk=revision.pk).update(approved_at=revision.submitted_at)
    revision.refresh_from_db()
    return offer_add(revision=revision, values={"supplier": "Alpha"}, actor=owner)


def _reviewed(owner: User) -> Revision:
    """A revision in review with an assessment and without an engineer."""
    revision = make_submitted(owner)
    calculation_start(revision=revision, task=TASK, context={}, actor=owner)
    run_jobs()
    revision.refresh_from_db()
    assert revision.state == State.IN_REVIEW
    return revision


def _value(revision: Revision, engineer: User | None) -> Override:
    return Override.objects.create(
        revision=revision, field="recipe.lora_rank", value=16, reason="Usual", author=engineer
    )


def _written(revision: Revision, engineer: User | None) -> VariantRemark:
    """What an engineer added to the first variant."""
    variant = variants_of(result_of(revision.calculations.get().assessment))[0]
    return VariantRemark.objects.create(
        revision=revision,
        key=variant.key,
        gpu_count=variant.gpus,
        node_count=variant.nodes,
        kind=VariantRemark.Kind.PRO,
        text="Known to the team.",
        position=1,
        author=engineer,
    )


def _drafted(revision: Revision) -> Document:
    """A draft document with bytes that only look like a PDF: access is decided on the row."""
    content = b"%PDF-1.7 for the test"
    return Document.objects.create(
        revision=revision,
        calculation=revision.calculations.get(),
        kind=Document.Kind.DRAFT,
        language="ru",
        template_version="test",
        snapshot_text="{}",
        snapshot_sha256="ab" * 32,
        sha256=blobs.write(content),
        size_bytes=len(content),
        page_count=1,
    )


def every_address() -> dict[str, set[str]]:
    """Name of every address of the product -> names of its places."""
    found: dict[str, set[str]] = {}

    def walk(patterns: list[URLPattern | URLResolver], namespace: str) -> None:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                walk(
                    pattern.url_patterns,
                    f"{pattern.namespace}:" if pattern.namespace else namespace,
                )
            else:
                found[f"{namespace}{pattern.name}"] = set(pattern.pattern.converters)

    walk(get_resolver().url_patterns, "")
    return found
