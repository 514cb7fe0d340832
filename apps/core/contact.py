"""Whom to write to: the house's address where it has set one, else a word about whom to ask."""

from __future__ import annotations

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


def contact_words() -> str:
    """A whole sentence, for letters and for the errors of a form."""
    address = settings.CONTACT_EMAIL
    if address:
        return _("Write to us: %(email)s.") % {"email": address}
    return _("Tell whoever works with you on our side.")


def contact_html() -> SafeString:
    """The same sentence for a page, with the address to click."""
    address = settings.CONTACT_EMAIL
    if not address:
        return format_html("{}", contact_words())
    link = format_html('<a href="mailto:{0}">{0}</a>', address)
    return format_html(_("Write to us: %(email)s.") % {"email": "{}"}, link)
