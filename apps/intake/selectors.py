"""Reading a requisition the way its client fills it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.catalog.published import published_model
from apps.core.canonical import canonical_json, sha256_of
from apps.phrases.sentence import request_sentence
from apps.questionnaire.alone import section_alone
from apps.questionnaire.answers import Evaluated, RawAnswer, evaluate
from apps.questionnaire.answers import raw_answers as read_raw
from apps.requisitions import policy
from apps.requisitions.authors import AuthorName, authors_of
from apps.requisitions.models import GuestInvitation, OpenQuestion, Requisition, Revision
from apps.requisitions.selectors import (
    current_revision,
    leading_revision,
    open_questions_of,
    raw_answers,
    requisition_get_for,
)


@dataclass(frozen=True)
class Draft:
    """A revision with its answers as typed and as understood; read once for a page.

    `stored` also holds the version of each answer, which a save is compared with. With a `guest`
    it is read for somebody who sees one section of it and nothing else.
    """

    revision: Revision
    stored: Mapping[str, Mapping[str, Any]]
    guest: GuestInvitation | None = None

    @property
    def requisition(self) -> Requisition:
        return self.revision.requisition

    @cached_property
    def raw(self) -> dict[str, RawAnswer]:
        return read_raw(self.stored)

    @cached_property
    def evaluated(self) -> Evaluated:
        today = timezone.localdate()
        evaluated = evaluate(self.raw, today=today, published=published_model)
        if self.guest is None:
            return evaluated
        return section_alone(evaluated, self.guest.section, today=today)

    def again(self) -> Draft:
        """The same as it is stored now, for the same reader."""
        return draft_of(self.revision, self.guest)

    @cached_property
    def authors(self) -> Mapping[str, AuthorName]:
        return authors_of(self.revision)

    @property
    def sentence(self) -> str:
        """The request in one sentence of the active language; empty while little is answered."""
        return request_sentence(self.evaluated)

    @property
    def digest(self) -> str:
        """Changes with every answer: what was checked is what is sent."""
        document = {key: answer.as_dict() for key, answer in sorted(self.raw.items())}
        return sha256_of(canonical_json(document))

    def version(self, key: str) -> int:
        version: int = self.stored.get(key, {}).get("version", 0)
        return version


def draft_of(revision: Revision, guest: GuestInvitation | None = None) -> Draft:
    return Draft(revision, raw_answers(revision), guest)


def client_revision_for(user: User, requisition_id: UUID) -> Revision:
    """The latest revision of a requisition whose client the user is, or 404."""
    return current_revision(client_requisition_for(user, requisition_id))


def client_requisition_for(user: User, requisition_id: UUID) -> Requisition:
    """A requisition whose client the user is, or 404."""
    requisition = requisition_get_for(user, requisition_id)
    if not policy.acts_for_client(user, requisition):
        raise Http404
    return requisition


def last_sent_of(company: Company) -> Revision | None:
    """The latest revision that a company has sent, whatever became of it."""
    sent = Revision.objects.filter(requisition__company=company, submitted_at__isnull=False)
    return sent.select_related("requisition").order_by("submitted_at").last()


def asked_by_engineer(revision: Revision) -> list[OpenQuestion]:
    """What the engineer wants to know: asked about the revision before this draft, or about it."""
    if revision.is_draft and revision.previous_id is None:
        return []  # nobody has read anything before it
    asked_about = leading_revision(revision.requisition) if revision.is_draft else revision
    origin = OpenQuestion.Origin.ENGINEER
    return list(open_questions_of(asked_about).filter(origin=origin))


def blank_draft() -> Draft:
    """The questionnaire before anything is stored."""
    return Draft(Revision(), {})
