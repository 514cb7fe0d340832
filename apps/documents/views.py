"""Handing out documents."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import User
from apps.core.downloads import file_to_keep
from apps.documents import services
from apps.documents.models import Document
from apps.documents.selectors import document_get_for, document_runs, leads_to


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
        return render(request, "documents/replaced.html", {"document": document}, status=202)
    if document != asked:
        return redirect("documents:download", document.pk)
    content = services.document_download(document=document, actor=request.user)
    return _file(content, "application/pdf", document.file_name)


@require_POST
@login_required
def print_part(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """Have a part of a document printed: its short version, the protocol of the pilot."""
    assert isinstance(request.user, User), "login_required lets nobody else through"
    asked = document_get_for(request.user, document_id)
    origin = leads_to(request.user, asked, original=False)
    part = services.extract_create(
        origin=origin, kind=request.POST.get("kind", ""), actor=request.user
    )
    return redirect("documents:state", part.pk)


@require_GET
@login_required
def state(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """How far the printing of a document is; htmx asks for the middle of the page again."""
    assert isinstance(request.user, User), "login_required lets nobody else through"
    document = document_get_for(request.user, document_id)
    (run,) = document_runs([document])
    context = {"run": run, "back": _list_of(request.user, document)}
    return render(request, "documents/printing.html", context)


def _list_of(user: User, document: Document) -> str:
    """The page where the documents of the revision are."""
    if user.is_staff_member:
        return reverse("review:document", args=[document.revision_id])
    return reverse("intake:status", args=[document.revision.requisition_id])


@require_GET
@login_required
def data(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """What the document rests on, for a program: nobody has to type it again."""
    assert isinstance(request.user, User), "login_required lets nobody else through"
    document = document_get_for(request.user, document_id)
    content = services.document_data(document=document, actor=request.user)
    name = document.file_name.removesuffix(".pdf") + ".json"
    return _file(content.encode("utf-8"), "application/json", name)


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    """A file to keep, whatever it holds."""
    response = file_to_keep(content, content_type, name)
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
