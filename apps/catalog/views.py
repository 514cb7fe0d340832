"""The catalog, for the integrator's people: clients see no SKU before an approval."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.accounts.models import User
from apps.catalog.cards import KINDS, card_of, cards


def staff_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """404 for clients: what is not for them does not exist for them."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        assert isinstance(request.user, User)
        if not request.user.is_staff_member:
            raise Http404
        return view(request, *args, **kwargs)

    return login_required(guarded)


@require_GET
@staff_only
def catalog_list(request: HttpRequest) -> HttpResponse:
    kind = request.GET.get("kind", "")
    search = request.GET.get("search", "")[:100]
    context = {
        "kind": kind if kind in KINDS else "",
        "search": search,
        "cards": cards(kind=kind if kind in KINDS else "", search=search),
    }
    return render(request, "catalog/list.html", context)


@require_GET
@staff_only
def catalog_item(request: HttpRequest, slug: str) -> HttpResponse:
    card = card_of(slug)
    if card is None:
        raise Http404
    fits = [other for other in map(card_of, card.fits) if other is not None]
    return render(request, "catalog/item.html", {"card": card, "fits": fits})
