"""Files of the client: uploads are rows of their own, and go out as downloads only."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.configs.secrets import stripped
from apps.core import blobs, formatting
from apps.core.downloads import file_to_keep
from apps.core.errors import DomainError, NotAllowed
from apps.intake.access import person, signed_in
from apps.intake.logs import found_in_log
from apps.intake.navigation import section_url
from apps.intake.selectors import Draft
from apps.intake.views.common import with_draft
from apps.questionnaire.sections import SECTION_OF
from apps.requisitions import services as requisitions
from apps.requisitions.models import Attachment
from apps.requisitions.selectors import attachment_get_for, attachments_of
from apps.requisitions.services.answers import CLIENT_KINDS, MAX_FILE_BYTES, MAX_FILES

PASTED_NAME = "pasted-settings.txt"
MEASURED_NAME = "measured-run.txt"
_RECIPE = SECTION_OF["measured_run"]


@require_GET
@with_draft
def files(request: HttpRequest, draft: Draft) -> HttpResponse:
    context = {
        "draft": draft,
        "attachments": attachments_of(draft.requisition),
        "kinds": [(kind.value, kind.label) for kind in CLIENT_KINDS],
        "most_files": MAX_FILES,
        "most_size": formatting.binary_size(MAX_FILE_BYTES),
    }
    return render(request, "intake/files.html", context)


@require_POST
@with_draft
def attach(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Keep what was chosen; one bad file does not stop the others, but it is not passed over."""
    going_on = "then" in request.POST
    for uploaded in request.FILES.getlist("file"):
        try:
            _attach_one(request, draft, uploaded)
        except NotAllowed:
            raise
        except DomainError as problem:
            messages.error(request, problem.message)
            going_on = False
    if not request.FILES and not going_on:
        messages.error(request, _("Choose a file first."))
    return redirect("intake:check" if going_on else "intake:files", draft.requisition.pk)


def _attach_one(request: HttpRequest, draft: Draft, uploaded: UploadedFile[bytes]) -> None:
    # Never read more than may be kept: the size is known before the content.
    content = stripped(uploaded.read(MAX_FILE_BYTES + 1))
    attachment = requisitions.attachment_add(
        requisition=draft.requisition,
        revision=draft.revision,
        name=uploaded.name or "",
        kind=request.POST.get("kind", ""),
        content=content,
        actor=person(request),
    )
    messages.success(request, _("The file “%(name)s” is kept.") % {"name": attachment.name})


@require_POST
@with_draft
def paste(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Keep pasted settings as a file of their own, then show what they say."""
    text = request.POST.get("text", "").strip()
    if not text:
        messages.error(request, _("Paste the settings first."))
        return redirect("intake:files", draft.requisition.pk)
    attachment = requisitions.attachment_add(
        requisition=draft.requisition,
        revision=draft.revision,
        name=PASTED_NAME,
        kind=Attachment.Kind.SETTINGS,
        content=stripped(text.encode("utf-8")),
        actor=person(request),
    )
    return redirect("intake:fill", draft.requisition.pk, attachment.pk)


@require_POST
@with_draft
def measure(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Keep the log or the report of a run as a file, then show what it says."""
    uploaded = request.FILES.get("log")
    text = request.POST.get("text", "").strip()
    name = (uploaded.name if uploaded else None) or MEASURED_NAME
    content = stripped(uploaded.read(MAX_FILE_BYTES + 1) if uploaded else text.encode("utf-8"))
    if found_in_log(content, source=name) is None:
        text = _(
            "There is nothing measured in this text that we know. Paste the lines with the time of a step, the speed or the memory, whole."
        )
        messages.error(request, text)
        return HttpResponseRedirect(section_url(draft.requisition.pk, _RECIPE, page="measured"))
    attachment = requisitions.attachment_add(
        requisition=draft.requisition,
        revision=draft.revision,
        name=name,
        kind=Attachment.Kind.PROFILE,
        content=content,
        actor=person(request),
    )
    return redirect("intake:fill", draft.requisition.pk, attachment.pk)


@require_POST
@with_draft
def detach(request: HttpRequest, draft: Draft, *, attachment_id: UUID) -> HttpResponse:
    attachment = attachment_get_for(person(request), attachment_id)
    if attachment.requisition_id != draft.requisition.pk:
        raise Http404
    requisitions.attachment_remove(
        attachment=attachment, revision=draft.revision, actor=person(request)
    )
    messages.success(request, _("The file “%(name)s” is removed.") % {"name": attachment.name})
    return HttpResponseRedirect(reverse("intake:files", args=[draft.requisition.pk]))


@require_GET
@signed_in
def download(request: HttpRequest, requisition_id: UUID, attachment_id: UUID) -> HttpResponse:
    """The bytes, never shown in the page: a client's file is hostile until proved otherwise."""
    attachment = attachment_get_for(person(request), attachment_id)
    if attachment.requisition_id != requisition_id:
        raise Http404
    content = blobs.read(attachment.sha256)
    response = file_to_keep(content, "application/octet-stream", attachment.name)
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response
