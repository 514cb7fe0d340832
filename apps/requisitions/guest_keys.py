"""Links and codes of guests: random, handed out once, kept as hashes.

A token has 256 bits, so its hash needs no secret. A code is short enough to be typed, so it is
hashed with the installation's own key: whoever has read the table cannot try codes at home.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

from django.core import signing
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.accounts.links import absolute
from apps.requisitions.models import GuestInvitation, GuestKey

_TOKEN_BYTES: Final = 32
CODE_DIGITS: Final = 10
_CODE_SALT: Final = "apps.requisitions.guest_keys.code"
_PASS_SALT: Final = "apps.requisitions.guest_keys.pass"  # noqa: S105 - a salt is no secret


@dataclass(frozen=True, slots=True)
class Secret:
    """What a guest is given. It exists while a page or a letter is made, and nowhere else."""

    url: str
    code: str

    @property
    def spaced_code(self) -> str:
        """Two groups: easier to read out and to type."""
        half = CODE_DIGITS // 2
        return f"{self.code[:half]} {self.code[half:]}"


def key_make(invitation: GuestInvitation) -> Secret:
    """One more link to the invitation, with its code."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    code = "".join(secrets.choice("0123456789") for _digit in range(CODE_DIGITS))
    GuestKey.objects.create(
        invitation=invitation, token_hash=_token_hash(token), code_hash=_code_hash(code)
    )
    return Secret(absolute(reverse("intake:guest-link", args=[token])), code)


def key_of_token(token: str) -> GuestKey | None:
    """The key of a link; None for one that was never handed out."""
    return _found("token_hash", _token_hash(token))


def key_of_code(typed: str) -> GuestKey | None:
    """The key of a code, however its digits were spaced; None for a wrong one."""
    digits = re.sub(r"[\s\-\u2010-\u2015]", "", typed)
    if not re.fullmatch(rf"[0-9]{{{CODE_DIGITS}}}", digits):
        return None
    return _found("code_hash", _code_hash(digits))


def pass_of(key: GuestKey) -> str:
    """What a browser shows once its guest has begun."""
    return signing.Signer(salt=_PASS_SALT).sign(key.pk.hex)


def key_of_pass(shown: str, invitation: GuestInvitation) -> GuestKey | None:
    """The key behind a browser's pass, if it belongs to the invitation."""
    try:
        pk = signing.Signer(salt=_PASS_SALT).unsign(shown)
    except signing.BadSignature:
        return None
    return invitation.keys.filter(pk=pk).first()


def _found(field: str, digest: str) -> GuestKey | None:
    key = GuestKey.objects.select_related(
        "invitation__revision__requisition__company", "invitation__invited_by"
    ).filter(**{field: digest})
    found = key.first()
    if found is None or not constant_time_compare(getattr(found, field), digest):
        return None
    return found


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _code_hash(code: str) -> str:
    return salted_hmac(_CODE_SALT, code, algorithm="sha256").hexdigest()
