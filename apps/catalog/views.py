"""The catalog's pages: open to everybody, read only, without prices."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from apps.accounts.models import Role, User
from apps.catalog.cards import confirmed, groups_of
from apps.catalog.comparing import compare
from apps.catalog.exports import FORMS
from apps.catalog.filters import MOST_CHOSEN, listing_of, slugs_in
from apps.catalog.fits import fits_of, is_measured
from apps.catalog.freshness import fact_age_days, oldest_fresh_day
from apps.catalog.listing import heads_of, rows_of, selects_of, tabs_of
from apps.catalog.misfits import misfits_of
from apps.catalog.releases import present_contents
from apps.catalog.selectors import item_get, items_named, items_of, uses_count
from apps.catalog.values import day_text, value_text
from apps.core.downloads import file_to_keep
from apps.core.formatting import not_given
from apps.core.paging import page_of

_MOST_FITS: Final = 40


@require_GET
def catalog_list(request: HttpRequest) -> HttpResponse:
    listing = listing_of(request.GET)
    page = page_of(request, items_of(listing))
    rows = rows_of(listing, page)
    context = {
        "listing": listing,
        "query": listing.query(),
        "page": page,
        "rows": rows,
        "heads": heads_of(listing),
        "tabs": tabs_of(listing),
        "selects": selects_of(listing),
        "elsewhere": [s for s in listing.chosen if s not in {row.slug for row in rows}],
        "most": MOST_CHOSEN,
    }
    return render(request, "catalog/list.html", context)


@require_GET
def catalog_compare(request: HttpRequest) -> HttpResponse:
    """Two to four items of one kind, named in the address."""
    slugs = slugs_in(request.GET)
    found = items_named(slugs)
    same = [item for item in found if item.kind == found[0].kind]
    shown = same[:MOST_CHOSEN]
    only = request.GET.get("only") == "differing"
    context = {
        "items": shown,
        "left_out": [item for item in found if item not in shown],
        "unknown": [slug for slug in slugs if slug not in {item.slug for item in found}],
        "only": only,
        "listing": listing_of(request.GET),
        "comparison": compare(shown, only_differing=only) if len(shown) > 1 else None,
        "most": MOST_CHOSEN,
    }
    return render(request, "catalog/compare.html", context)


@require_GET
def catalog_item(request: HttpRequest, slug: str) -> HttpResponse:
    item = item_get(slug, drafts=_is_staff(request))
    contents = present_contents()
    fits = fits_of(item, contents)
    context = {
        "item": item,
        "form": value_text(item.form_factor, ""),
        "newest_fact": day_text(item.newest_fact) if item.newest_fact else not_given(),
        "groups": groups_of(item, oldest_fresh_day(contents.catalog)),
        "age_days": fact_age_days(contents.catalog),
        "confirmed": confirmed(item),
        "measured": is_measured(item, contents.catalog),
        "fits": fits[:_MOST_FITS],
        "fits_left": max(0, len(fits) - _MOST_FITS),
        "misfits": misfits_of(slug, contents.catalog),
        "uses": uses_count(slug) if _is_staff(request) else None,
        "where_used": _where_used(request, slug),
    }
    return render(request, "catalog/item.html", context)


@require_GET
def catalog_export(request: HttpRequest, form: str) -> HttpResponse:
    """The filtered list as a file, every page of it."""
    if form not in FORMS:
        raise Http404
    write, content_type = FORMS[form]
    items = items_of(listing_of(request.GET)).prefetch_related("facts")
    return file_to_keep(write(items), content_type, f"catalog.{form}")


def _is_staff(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_staff_member


def _where_used(request: HttpRequest, slug: str) -> str:
    """The address of the requisitions that rest on the item; "" for those who see none of them."""
    if not isinstance(request.user, User):
        return ""
    may = any(request.user.has_role(r) for r in (Role.ENGINEER, Role.APPROVER, Role.MANAGER))
    return reverse("review:where-used", args=[slug]) if may else ""
