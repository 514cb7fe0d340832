"""What a name of a person or a company may hold. Names stand in other people's pages and lists."""

import re
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# Whoever signs up with a link for a name wants the product to carry it to somebody else.
_LINK: Final = re.compile(r"://|\bwww\.|\w\.\w{2,}/", re.IGNORECASE)


def plain_name(value: str) -> None:
    """Refuse control and direction-changing characters, links, and names of signs only."""
    if not value.isprintable() and not value.replace("\u00a0", " ").isprintable():
        raise ValidationError(_("Remove the line breaks and invisible signs."))
    if _LINK.search(value):
        raise ValidationError(_("Write the name without an address of a page."))
    if not any(c.isalnum() for c in value):
        raise ValidationError(_("Write the name with letters."))
