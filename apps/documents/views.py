"""Handing out documents."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from apps.accounts.models import User
from apps.documents import services
from apps.documents.selectors import document_get_for, leads_to


@require_GET
@login_required
def download(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """The PDF as a file to keep; a browser that opens it all the same runs nothing in it.

    `?original` asks for an approved document as it was before another revision replaced it.
    """
    assert isinstance(request.user, User), "login_required lets nobody else through"
    asked = document_get_for(request.user, document_id)
    document = leads_to(request.user, asked, original="original" in request.GET)
    if not document.is_ready:
        if document == asked:
            raise Http404
        return render(request, "documents/printing.html", {"document": document}, status=202)
    if document != asked:
        return redirect("documents:download", document.pk)
    content = services.document_download(document=document, actor=request.user)
    response = HttpResponse(content, content_type="application/pdf")
    disposition = content_disposition_header(as_attachment=True, filename=document.file_name)
    response["Content-Disposition"] = disposition or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
