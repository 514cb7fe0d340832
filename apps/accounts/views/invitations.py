"""The page behind an invitation's link."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from apps.accounts import links, services
from apps.accounts.errors import AddressTaken, LinkSpent
from apps.accounts.forms import AcceptForm
from apps.accounts.models import Invitation
from apps.accounts.views.common import enter, link_page, page_of_ours


@sensitive_post_parameters("password1", "password2")
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Opening the link does nothing: programs that look through mail open links too."""
    row = links.row_of(Invitation, token)
    if row is None:
        return link_page(request, "broken", status=404)
    if not row.is_open:
        return _over(request, row)
    form = AcceptForm(
        request.POST or None,
        email=row.email,
        initial={"full_name": row.full_name, "language": get_language()},
    )
    if request.method == "POST" and form.is_valid():
        return _accepted(request, row, form)
    return render(request, "accounts/invitation.html", {"form": form, "invitation": row})


def _accepted(request: HttpRequest, row: Invitation, form: AcceptForm) -> HttpResponse:
    said = form.cleaned_data
    try:
        person = services.invitation_accept(
            invitation=row,
            full_name=said["full_name"],
            password=said["password1"],
            language=said["language"],
        )
    except LinkSpent:
        row.refresh_from_db()
        return _over(request, row)
    except AddressTaken:
        return link_page(request, "taken", status=409)
    welcome = _("The invitation is accepted. Welcome!")
    return enter(request, person, welcome, page_of_ours(request, row.next_path))


def _over(request: HttpRequest, row: Invitation) -> HttpResponse:
    if row.accepted_at:
        return link_page(request, "accepted", status=200)
    return link_page(request, "revoked" if row.revoked_at else "old-invitation", status=410)
