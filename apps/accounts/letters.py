"""What each letter of this app says, found out when it is sent: `settings.MAIL_CONTEXTS`.

Pages never say whether an address has an account; the letter to that address does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from apps.accounts import links
from apps.accounts.models import EmailChange, Invitation, User
from apps.accounts.services.sign_up import waiting_sign_ups
from apps.jobs.services import Unrepeatable
from apps.mail.models import Mail


def _address(params: Mapping[str, Any]) -> str:
    return Mail.objects.get(key=params["key"]).to


def _account_at(email: str) -> User | None:
    return User.objects.filter(email=email).first()


def _until(moment: Any) -> str:
    return date_format(timezone.localtime(moment), "j E Y, H:i")


def sign_up(params: Mapping[str, Any]) -> dict[str, Any]:
    """`case`: confirm, invited, account, switched-off, nothing."""
    email = _address(params)
    person = _account_at(email)
    if person is not None:
        return _case_of(person) | {"reset_url": links.absolute(_reset_path())}
    waiting = waiting_sign_ups(email)
    if not waiting:
        return {"case": "nothing"}
    return {
        "case": "confirm",
        "url": links.link_to(waiting[0]),
        "until": _until(waiting[0].expires_at),
    }


def _reset_path() -> str:
    return reverse("accounts:reset")


def _case_of(person: User) -> dict[str, Any]:
    if person.confirmed_at:
        return {"case": "account" if person.is_active else "switched-off"}
    open_one = person.invitations.filter(accepted_at=None, revoked_at=None).first()
    if open_one is None or open_one.is_expired:
        return {"case": "invitation-over"}
    return {"case": "invited", "url": links.link_to(open_one), "until": _until(open_one.expires_at)}


def password_reset(params: Mapping[str, Any]) -> dict[str, Any]:
    """`case`: reset, invited, invitation-over, switched-off, nothing."""
    person = _account_at(_address(params))
    if person is None:
        return {"case": "nothing"}
    found = _case_of(person)
    if found["case"] != "account":
        return found
    return {"case": "reset", "url": links.reset_link(person)}


def invitation(params: Mapping[str, Any]) -> dict[str, Any]:
    """`case`: invited, or account when the address has one that an invitation cannot move."""
    row = Invitation.objects.select_related("invited_by").filter(pk=params["invitation"]).first()
    if row is None or not row.is_open:
        raise Unrepeatable("the invitation is not open any more")
    person = _account_at(row.email)
    # The confirmed address says who it is; a name could say anything to somebody who never asked.
    said = {"inviter": row.invited_by.email, "until": _until(row.expires_at)}
    if person is not None and person.pk != row.person_id:
        return said | {"case": "account"}
    waiting = {"waiting": bool(row.next_path)}
    return said | waiting | {"case": "invited", "url": links.link_to(row)}


def email_change(params: Mapping[str, Any]) -> dict[str, Any]:
    """`case`: confirm, or account when the new address has one."""
    row = EmailChange.objects.filter(pk=params["change"]).first()
    if row is None or not row.is_open:
        raise Unrepeatable("the change of address is not open any more")
    if _account_at(row.email) is not None:
        return {"case": "account"}
    return {"case": "confirm", "url": links.link_to(row), "until": _until(row.expires_at)}


def email_changed(params: Mapping[str, Any]) -> dict[str, Any]:
    return {"new_email": EmailChange.objects.get(pk=params["change"]).email}


def password_changed(params: Mapping[str, Any]) -> dict[str, Any]:
    return {"reset_url": links.absolute(_reset_path())}
