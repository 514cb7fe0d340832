"""Words out: the specification made from the answers, and the draft as a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET

from apps.core.downloads import file_to_keep
from apps.intake.access import person, signed_in
from apps.intake.draft_files import draft_text
from apps.intake.selectors import Draft, client_requisition_for, draft_of
from apps.intake.views.common import with_readable_draft
from apps.phrases.docx import as_docx
from apps.phrases.outputs import as_json, as_markdown
from apps.phrases.specification import Specification, specification_of
from apps.requisitions.selectors import current_revision, letter_get


@dataclass(frozen=True, slots=True)
class Form:
    content_type: str
    write: Callable[[Specification], str | bytes]


FORMS: Final = {
    "docx": Form(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document", as_docx
    ),
    "md": Form("text/markdown; charset=utf-8", as_markdown),
    "json": Form("application/json", as_json),
}


@require_GET
@signed_in
def specification(request: HttpRequest, requisition_id: UUID, paper: str) -> HttpResponse:
    """The specification of the latest letter, or of `?letter=`; `?language=` is the page's."""
    requisition = client_requisition_for(person(request), requisition_id)
    letter = request.GET.get("letter")
    draft = draft_of(letter_get(requisition, letter) if letter else current_revision(requisition))
    written = FORMS.get(paper)
    language = request.GET.get("language") or translation.get_language() or ""
    if written is None or language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):
        content = written.write(_of(draft, language))
        name = "-".join(t for t in (_("specification"), draft.requisition.display_number) if t)
    return file_to_keep(content, written.content_type, f"{name}.{paper}")


def _of(draft: Draft, language: str) -> Specification:
    sent_at = draft.revision.submitted_at
    return specification_of(
        draft.evaluated,
        language=language,
        number=draft.requisition.display_number,
        letter=draft.revision.letter,
        company=draft.requisition.company.name,
        day=timezone.localdate(sent_at) if sent_at else timezone.localdate(),
    )


@require_GET
@with_readable_draft
def draft_file(request: HttpRequest, draft: Draft) -> HttpResponse:
    """The draft as JSON: opened as a new requisition, it is the same."""
    name = pgettext("file name", "draft")
    return file_to_keep(draft_text(draft), "application/json", f"{name}.json")
