"""«Your company»: the people who see each other's requisitions, and those who are invited."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts import services, throttle
from apps.accounts.access import for_company_people, person
from apps.accounts.forms import InviteForm
from apps.accounts.models import Role
from apps.accounts.selectors import colleagues_of, invitation_get_for, invitations_for
from apps.accounts.views.common import letters_folder, too_many


@require_http_methods(["GET", "POST"])
@for_company_people
def company(request: HttpRequest) -> HttpResponse:
    user = person(request)
    form = InviteForm(request.POST or None, person=user)
    if request.method == "POST" and form.is_valid():
        return _invite(request, form)
    context = {
        "form": form,
        "company": user.company,
        "people": colleagues_of(user),
        "invitations": invitations_for(user).filter(company=user.company),
        "letters_folder": letters_folder(),
    }
    return render(request, "accounts/company.html", context)


def _invite(request: HttpRequest, form: InviteForm) -> HttpResponse:
    user = person(request)
    assert user.company is not None
    if not throttle.may_send_letter(user.pk):
        return too_many(request, "letters")
    email = form.cleaned_data["email"]
    services.invitation_create(company=user.company, email=email, actor=user)
    messages.success(request, _("The invitation to %(email)s is on its way.") % {"email": email})
    return redirect("accounts:company")


@require_POST
@login_required
def invitation_again(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    user = person(request)
    row = invitation_get_for(user, invitation_id)
    if not throttle.may_send_letter(user.pk):
        return too_many(request, "letters")
    services.invitation_send_again(invitation=row, actor=user)
    said = _("The invitation to %(email)s is on its way once more.") % {"email": row.email}
    messages.success(request, said)
    return redirect(_list_of(request))


@require_POST
@login_required
def invitation_revoke(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    user = person(request)
    row = invitation_get_for(user, invitation_id)
    services.invitation_revoke(invitation=row, actor=user)
    said = _("The invitation to %(email)s is revoked: its link opens nothing.")
    messages.success(request, said % {"email": row.email})
    return redirect(_list_of(request))


def _list_of(request: HttpRequest) -> str:
    """The page whose buttons these are."""
    user = person(request)
    if user.has_role(Role.ADMINISTRATOR):
        return "accounts:people"
    return "accounts:company" if user.has_role(Role.CLIENT) else "home"
