"""Bringing facts in from a file: upload, preview, propose. For the staff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.access import for_roles, person
from apps.catalog.forms import ImportForm
from apps.catalog.import_files import ABOUT, COLUMNS, MAX_BYTES, FileLine, read_import_file
from apps.catalog.imports import PROPOSED, SAME, WRONG, Judged, added_by, import_propose, judge
from apps.catalog.proposal_views import STAFF
from apps.core.errors import DomainError

_SALT: Final = "catalog.import"
_HOURS_KEPT: Final = 12
_MOST_SHOWN: Final = 300


@require_http_methods(["GET", "POST"])
@for_roles(*STAFF)
def import_file(request: HttpRequest) -> HttpResponse:
    """The file is read and shown against the catalog; nothing is stored."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        upload = form.cleaned_data["file"]
        try:
            judged = judge(read_import_file(upload.read(MAX_BYTES + 1)))
        except DomainError as problem:
            form.add_error("file", problem.message)
        else:
            return _preview(request, judged, upload.name, status=200)
    context = {"form": form, "columns": COLUMNS, "about": ABOUT}
    return render(request, "catalog/import.html", context, status=422 if form.errors else 200)


@require_POST
@for_roles(*STAFF)
def propose(request: HttpRequest) -> HttpResponse:
    """The ticked lines of a preview become proposals."""
    try:
        kept = signing.loads(
            request.POST.get("kept", ""), salt=_salt(request), max_age=_HOURS_KEPT * 3600
        )
    except signing.BadSignature:
        messages.error(request, _("The preview is too old. Choose the file again."))
        return redirect("catalog:import")
    lines = [FileLine(**line) for line in kept["lines"]]
    chosen = frozenset(int(n) for n in request.POST.getlist("line") if n.isdecimal())
    reason = request.POST.get("reason", "")[:1500]
    try:
        made = import_propose(
            lines=lines, name=kept["name"], chosen=chosen, reason=reason, actor=person(request)
        )
    except DomainError as problem:
        return _preview(request, judge(lines), kept["name"], status=422, error=problem.message)
    said = ngettext("%(count)s fact is proposed.", "%(count)s facts are proposed.", len(made))
    decides = _("An administrator decides about each.")
    messages.success(request, f"{said % {'count': len(made)}} {decides}")
    return redirect("catalog:proposals")


def _salt(request: HttpRequest) -> str:
    """A preview is of the person who made it."""
    return f"{_SALT}.{person(request).pk}"


def _preview(
    request: HttpRequest, judged: Sequence[Judged], name: str, *, status: int, error: str = ""
) -> HttpResponse:
    shown = [one for one in judged if one.state != SAME]
    lines = [asdict(one.line) for one in judged if one.state in PROPOSED]
    context: dict[str, Any] = {
        "name": name[:100],
        "wrong": [one for one in shown if one.state == WRONG][:_MOST_SHOWN],
        "rows": [one for one in shown if one.state != WRONG][:_MOST_SHOWN],
        "wrong_count": sum(one.state == WRONG for one in judged),
        "added": added_by(judged),
        "same_count": len(judged) - len(shown),
        "count": len(lines),
        "error": error,
        "reason": request.POST.get("reason", "")[:1500],
        "kept": signing.dumps(
            {"name": name[:100], "lines": lines}, salt=_salt(request), compress=True
        ),
    }
    return render(request, "catalog/import_preview.html", context, status=status)
