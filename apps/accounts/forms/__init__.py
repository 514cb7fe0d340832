"""Forms about people: signing in and up, passwords, names, invitations, roles."""

from apps.accounts.forms.entrance import AcceptForm, ConfirmForm, LetterForm, SignInForm, SignUpForm
from apps.accounts.forms.passwords import ChangePasswordForm, NewPasswordForm, ResetForm
from apps.accounts.forms.people import (
    EmailChangeForm,
    InviteForm,
    PeopleForm,
    ProfileForm,
    RolesForm,
    StaffInviteForm,
)

__all__ = [
    "AcceptForm",
    "ChangePasswordForm",
    "ConfirmForm",
    "EmailChangeForm",
    "InviteForm",
    "LetterForm",
    "NewPasswordForm",
    "PeopleForm",
    "ProfileForm",
    "ResetForm",
    "RolesForm",
    "SignInForm",
    "SignUpForm",
    "StaffInviteForm",
]
