"""The public page that says whether a paper is still valid."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.documents.verification import MISSES, Standing, count_miss, finding_of, may_ask


@require_GET
def verify(request: HttpRequest, code: str = "") -> HttpResponse:
    """By the code on the cover, in the address or typed, or by the SHA-256 of the file."""
    code = (code or request.GET.get("code", ""))[:100]
    sha256 = request.GET.get("sha256", "")[:200]
    if not code.strip() and not sha256.strip():
        return _page(request, {})
    if not may_ask(request):
        response = _page(request, {"too_many": True}, status=429)
        response["Retry-After"] = str(int(MISSES.window.total_seconds()))
        return response
    finding = finding_of(code=code.strip(), sha256=sha256)
    if finding.standing == Standing.UNKNOWN:
        count_miss(request)
    return _page(request, {"finding": finding, "typed": code, "hash": sha256})


def _page(request: HttpRequest, context: dict[str, object], status: int = 200) -> HttpResponse:
    response = render(request, "documents/verify.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response
