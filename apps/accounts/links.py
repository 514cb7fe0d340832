"""Links that letters carry: the signature of a row's id. Whether one still works, the row says."""

from __future__ import annotations

import uuid
from typing import Final, TypeVar

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.db import models
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from apps.accounts.models import EmailChange, Invitation, SignUp, User

Row = TypeVar("Row", SignUp, Invitation, EmailChange)

# One key a kind: a link of one kind never opens another.
_VIEWS: Final[dict[type[models.Model], str]] = {
    SignUp: "accounts:confirm",
    Invitation: "accounts:invitation",
    EmailChange: "accounts:email-confirm",
}


def _signer(model: type[models.Model]) -> signing.Signer:
    return signing.Signer(salt=f"apps.accounts.links.{model.__name__}")


def token_of(row: SignUp | Invitation | EmailChange) -> str:
    return _signer(type(row)).sign(row.pk.hex)


def row_of(model: type[Row], token: str) -> Row | None:
    """The row that a token names; None when the token is forged or the row is gone."""
    try:
        pk = uuid.UUID(_signer(model).unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    found: Row | None = model._default_manager.filter(pk=pk).first()
    return found


def absolute(path: str) -> str:
    """Never from the Host header: a letter must not lead where its sender's request pointed."""
    return settings.SITE_URL.rstrip("/") + path


def link_to(row: SignUp | Invitation | EmailChange) -> str:
    return absolute(reverse(_VIEWS[type(row)], kwargs={"token": token_of(row)}))


def reset_link(person: User) -> str:
    """Django's own token: dead once the password, the address or the last sign-in changes."""
    place = {
        "uidb64": urlsafe_base64_encode(force_bytes(person.pk)),
        "token": default_token_generator.make_token(person),
    }
    return absolute(reverse("accounts:reset-confirm", kwargs=place))
