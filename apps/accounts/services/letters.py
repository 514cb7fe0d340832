"""Queueing the letters of this app. What each says is decided when it is sent: `accounts.letters`."""

import uuid
from typing import Any

from apps.mail.services import mail_queue

KEY_PREFIX = "account"


def letter_queue(template: str, *, to: str, language: str, **params: Any) -> None:
    """One more letter. `params` get the mail's own `key`, by which the letter finds its address:
    so asking for a letter costs the same whether the address is known or not.
    """
    key = f"{KEY_PREFIX}:{uuid.uuid4().hex}"
    mail_queue(key=key, to=to, language=language, template=template, params=params | {"key": key})
