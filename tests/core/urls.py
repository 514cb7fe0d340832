"""The addresses that the frame of a page names, without the apps behind them."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse("")


def _names(namespace: str, **addresses: str) -> object:
    pages = [
        path(address, nothing, name=name.replace("_", "-")) for name, address in addresses.items()
    ]
    return include((pages, namespace))


ACCOUNTS = {
    "sign_in": "sign-in/",
    "sign_out": "sign-out/",
    "profile": "profile/",
    "company": "company/",
    "people": "people/",
}
urlpatterns = [
    path("", nothing, name="home"),
    path("", _names("intake", list="requisitions/")),
    path("", _names("review", queue="q/", approvals="a/", board="m/")),
    path("catalog/", _names("catalog", list="")),
    path("accounts/", _names("accounts", **ACCOUNTS)),
    path("verify/", nothing, name="verify"),
    path("calendar/", _names("worktime", calendar="")),
    path("notices/", _names("notices", list="")),
    path("preferences/theme/", nothing, name="set-theme"),
    path("preferences/language/", nothing, name="set-language"),
]
