"""The product's addresses and some that break in every way."""

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.http import require_POST

from apps.core.errors import Conflict, DomainError, NotAllowed

handler400 = "apps.core.error_views.bad_request"
handler403 = "apps.core.error_views.permission_denied"
handler404 = "apps.core.error_views.page_not_found"
handler500 = "apps.core.error_views.server_error"


def broken(request: HttpRequest, kind: str) -> HttpResponse:
    raise {
        "400": BadRequest("no"),
        "403": PermissionDenied(),
        "409": Conflict("Эту заявку уже отправили."),
        "500": RuntimeError("a secret of ours"),
        "mistake": DomainError("Файл пуст."),
        "refused": NotAllowed("Это решает другой человек."),
    }[kind]


@require_POST
def form(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.POST.get("text", ""))


urlpatterns = [
    path("broken/<str:kind>/", broken),
    path("form/", form),
    path("", include("config.urls")),
]
