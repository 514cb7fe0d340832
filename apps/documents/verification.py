"""What anybody may learn about a paper they hold: whether it counts. Nothing of what it says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import TextChoices
from django.http import HttpRequest
from django.utils.translation import pgettext_lazy

from apps.accounts import throttle
from apps.documents.codes import read_code, read_sha256
from apps.documents.letters import replaced_by
from apps.documents.models import Document
from apps.requisitions.workflow import State

# Only what was not found counts: an office behind one address may check a pile of papers.
MISSES: Final = throttle.Limit("verify", 20, throttle.SIGN_IN.window)


class Standing(TextChoices):
    """What a paper is worth now."""

    VALID = "valid", pgettext_lazy("paper", "valid")
    SUPERSEDED = "superseded", pgettext_lazy("paper", "replaced by a later revision")
    COPY = "copy", pgettext_lazy("paper", "copy marked as replaced")
    DRAFT = "draft", pgettext_lazy("paper", "draft, not approved")
    UNKNOWN = "unknown", pgettext_lazy("paper", "not found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The answer to one question. Of what is not found nothing but that is said."""

    standing: Standing
    number: str = ""
    letter: str = ""
    kind: str = ""
    at: datetime | None = None
    replaced_by: str = ""


_NOTHING: Final = Finding(standing=Standing.UNKNOWN)


def finding_of(*, code: str, sha256: str) -> Finding:
    """What is known of the paper with this code, or of the file with this hash."""
    read = {"code": read_code(code)} if code else {"sha256": read_sha256(sha256)}
    if not all(read.values()):
        return _NOTHING
    printed = Document.objects.exclude(sha256="").select_related("revision__requisition", "origin")
    document = printed.filter(**read).first()
    return _about(document) if document else _NOTHING


def _about(document: Document) -> Finding:
    whole, revision = document.origin or document, document.revision
    later = ""
    if revision.state == State.SUPERSEDED:
        later = replaced_by(revision, list(revision.requisition.revisions.order_by("index")))
    return Finding(
        standing=_standing(whole, replaced=bool(later)),
        number=revision.requisition.display_number,
        letter=revision.letter,
        kind=str(Document.Kind(document.kind).label),
        at=(revision.approved_at if whole.kind != Document.Kind.DRAFT else None)
        or whole.created_at,
        replaced_by=later if whole.kind != Document.Kind.DRAFT else "",
    )


def _standing(whole: Document, *, replaced: bool) -> Standing:
    if whole.kind == Document.Kind.DRAFT:
        return Standing.DRAFT
    if whole.kind == Document.Kind.SUPERSEDED:
        return Standing.COPY
    return Standing.SUPERSEDED if replaced else Standing.VALID


def may_ask(request: HttpRequest) -> bool:
    """False after too many questions about what does not exist."""
    return not throttle.is_blocked(MISSES, _key(request))


def count_miss(request: HttpRequest) -> None:
    throttle.record(_key(request))


def _key(request: HttpRequest) -> str:
    return MISSES.key(throttle.client_address(request))
