"""Documents of a revision as rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core.formatting import byte_size
from apps.documents.models import Document
from apps.documents.selectors import DocumentRun
from apps.requisitions.workflow import State


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """One PDF. `href` is empty until it is made; `state` as in `partials/runs.html`."""

    kind: str
    language: str
    state: str
    href: str
    file_name: str
    about: str
    sha256: str
    reason: str
    at: datetime

    @property
    def in_language(self) -> str:
        """«на русском»."""
        words = {
            "ru": pgettext("document", "in Russian"),
            "en": pgettext("document", "in English"),
        }
        return words.get(self.language, self.language)

    @property
    def waiting(self) -> bool:
        return self.state in ("queued", "running")


def document_rows(runs: Iterable[DocumentRun]) -> list[DocumentRow]:
    return [_row(run) for run in runs]


def _row(run: DocumentRun) -> DocumentRow:
    document = run.document
    return DocumentRow(
        kind=str(Document.Kind(document.kind).label),
        language=document.language,
        state=run.state,
        href=_href(document),
        file_name=document.file_name,
        about=_about(document),
        sha256=document.sha256,
        reason=run.reason,
        at=document.created_at,
    )


def _href(document: Document) -> str:
    """Of what was replaced the original too: the reader of this page knows which one it is."""
    if not document.is_ready:
        return ""
    address = reverse("documents:download", args=[document.pk])
    replaced = document.revision.state == State.SUPERSEDED
    return f"{address}?original" if replaced and document.kind == Document.Kind.FINAL else address


def _about(document: Document) -> str:
    if not document.is_ready:
        return ""
    return _("%(pages)s pp., %(size)s") % {
        "pages": document.page_count,
        "size": byte_size(document.size_bytes),
    }
