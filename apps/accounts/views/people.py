"""The administrator's list of people: who is there, what they may do, who is invited."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import services, throttle
from apps.accounts.access import for_roles, person
from apps.accounts.errors import AddressTaken
from apps.accounts.forms import PeopleForm, RolesForm, StaffInviteForm
from apps.accounts.history import history_of
from apps.accounts.models import STAFF_ROLES, Role
from apps.accounts.selectors import invitations_for, people_for, person_get_for
from apps.accounts.views.common import letters_folder, too_many
from apps.core.errors import NotAllowed
from apps.core.paging import FilterLink, page_of, query_with

_INVITATIONS_SHOWN = 50


@require_GET
@for_roles(Role.ADMINISTRATOR)
def people(request: HttpRequest) -> HttpResponse:
    user = person(request)
    search, kind = PeopleForm(request.GET).chosen()
    context = {
        "page": page_of(request, people_for(user, search=search, kind=kind)),
        "search": search,
        "filters": _filters(request, search, kind),
        "kind": kind,
        "query": query_with(request.GET),
        "invitations": invitations_for(user)[:_INVITATIONS_SHOWN],
    }
    return render(request, "accounts/people.html", context)


def _filters(request: HttpRequest, search: str, kind: str) -> list[FilterLink]:
    labels = {
        "": pgettext("people", "All"),
        "staff": pgettext("people", "Staff"),
        "clients": pgettext("people", "Clients"),
        "off": pgettext("people", "Switched off"),
    }
    return [
        FilterLink(
            label=label,
            count=people_for(person(request), search=search, kind=code).count(),
            query=query_with(request.GET, kind=code),
            current=code == kind,
        )
        for code, label in labels.items()
    ]


@require_http_methods(["GET", "POST"])
@for_roles(Role.ADMINISTRATOR)
def invite(request: HttpRequest) -> HttpResponse:
    form = StaffInviteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if not throttle.may_send_letter(person(request).pk):
            return too_many(request, "letters")
        try:
            services.staff_invite(**form.cleaned_data, actor=person(request))
        except AddressTaken as problem:
            form.add_error("email", problem.message)
        else:
            said = _("The invitation to %(email)s is on its way.")
            messages.success(request, said % {"email": form.cleaned_data["email"]})
            return redirect("accounts:people")
    context = {"form": form, "letters_folder": letters_folder()}
    return render(request, "accounts/people_invite.html", context)


@require_http_methods(["GET", "POST"])
@for_roles(Role.ADMINISTRATOR)
def one(request: HttpRequest, number: int) -> HttpResponse:
    """A person; the form is their roles."""
    shown = person_get_for(person(request), number)
    held = [role.value for role in shown.roles & STAFF_ROLES]
    form = RolesForm(request.POST if request.method == "POST" else None, initial={"roles": held})
    if request.method == "POST" and form.is_valid():
        try:
            services.roles_set(
                person=shown, roles=form.cleaned_data["roles"], actor=person(request)
            )
        except NotAllowed as problem:
            form.add_error("roles", problem.message)
        else:
            messages.success(request, _("The roles are saved and in force at once."))
            return redirect("accounts:person", number)
    context = {"shown": shown, "form": form, "history": history_of(shown)}
    return render(request, "accounts/person.html", context)


@require_POST
@for_roles(Role.ADMINISTRATOR)
def switch_off(request: HttpRequest, number: int) -> HttpResponse:
    shown = person_get_for(person(request), number)
    services.person_switch_off(person=shown, actor=person(request))
    messages.success(request, _("The person is switched off: their sessions have ended."))
    return redirect("accounts:person", number)


@require_POST
@for_roles(Role.ADMINISTRATOR)
def switch_on(request: HttpRequest, number: int) -> HttpResponse:
    shown = person_get_for(person(request), number)
    services.person_switch_on(person=shown, actor=person(request))
    messages.success(request, _("The person can sign in again."))
    return redirect("accounts:person", number)
