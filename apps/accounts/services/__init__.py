"""Everything that changes people, companies, roles and ways in."""

from apps.accounts.services.housekeeping import leftovers_purge
from apps.accounts.services.invitations import (
    contact_create,
    invitation_accept,
    invitation_create,
    invitation_revoke,
    invitation_send_again,
    invitations_lead_home,
    staff_invite,
)
from apps.accounts.services.making import company_create, user_create
from apps.accounts.services.people import person_switch_off, person_switch_on, roles_set
from apps.accounts.services.profile import (
    email_change_ask,
    email_change_confirm,
    language_seen,
    language_set,
    password_set,
    profile_save,
    reset_letter_queue,
    sessions_end,
)
from apps.accounts.services.sign_up import sign_up_ask, sign_up_confirm, sign_up_letter_again

__all__ = [
    "company_create",
    "contact_create",
    "email_change_ask",
    "email_change_confirm",
    "invitation_accept",
    "invitation_create",
    "invitation_revoke",
    "invitation_send_again",
    "invitations_lead_home",
    "language_seen",
    "language_set",
    "leftovers_purge",
    "password_set",
    "person_switch_off",
    "person_switch_on",
    "profile_save",
    "reset_letter_queue",
    "roles_set",
    "sessions_end",
    "sign_up_ask",
    "sign_up_confirm",
    "sign_up_letter_again",
    "staff_invite",
    "user_create",
]
