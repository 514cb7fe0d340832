"""From a row to a message: text of a template, headers that no name can break out of."""

import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from apps.core.contact import contact_words
from apps.mail.models import Mail

SUBJECT_MAX_CHARS = 200
_NO_BREAK_SPACE = "\u00a0"


def one_line(text: str) -> str:
    """The text without line breaks, control and direction-changing characters.

    Names of people and companies come from outside: a line break in one would add a header to a
    subject, or a paragraph of somebody else's to the text.
    """
    kept = "".join(c if c.isprintable() or c == _NO_BREAK_SPACE else " " for c in text)
    return re.sub(" {2,}", " ", kept).strip(" ")


def message_of(mail: Mail) -> EmailMessage:
    """Render the mail in its language.

    Raises:
        Unrepeatable: what the mail is about, or the person, is gone (from the context function).
    """
    with translation.override(mail.language):
        context = _context(mail)
        subject = _text(f"mail/{mail.template}.subject.txt", context)
        body = _text(f"mail/{mail.template}.txt", context)
    return EmailMessage(
        subject=one_line(subject)[:SUBJECT_MAX_CHARS],
        body=re.sub(r"\n{3,}", "\n\n", body).strip() + "\n",
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[mail.to],
        headers={
            "Message-ID": mail.message_id,
            "Auto-Submitted": "auto-generated",
            "X-Auto-Response-Suppress": "All",
            "Content-Language": mail.language,
        },
    )


def _context(mail: Mail) -> dict[str, Any]:
    values: Mapping[str, Any] = import_string(settings.MAIL_CONTEXTS[mail.template])(mail.params)
    flat = {
        name: one_line(str(value)) if isinstance(value, str | Promise) else value
        for name, value in values.items()
    }
    return {"site_url": settings.SITE_URL.rstrip("/"), "contact": contact_words(), **flat}


def _text(template: str, context: dict[str, Any]) -> str:
    return render_to_string(template, context, using="text")
