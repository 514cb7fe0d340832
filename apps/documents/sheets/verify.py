"""Where a reader of the paper asks whether it is still the one that counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import segno
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.core.palette import INK
from apps.core.svg import Paint, document, path
from apps.documents.codes import spaced

_QUIET_MODULES: Final = 4  # a reader needs that much white around, says ISO/IEC 18004
_SIDE: Final = 4.0  # of a module, in the drawing's own units


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """`address` is without its scheme, to be typed; `drawing` holds the whole of it."""

    drawing: str
    address: str
    code: str


def verify_of(code: str) -> Verify | None:
    """None for a document that nobody can ask about, as a sample."""
    if not code:
        return None
    site = settings.SITE_URL.rstrip("/")
    return Verify(
        drawing=qr_drawing(site + reverse("verify-code", args=[code])),
        address=(site + reverse("verify")).split("://", 1)[-1],
        code=spaced(code),
    )


def qr_drawing(text: str) -> str:
    """`text` as a QR code of level M: dark modules as one path, so that nothing shows between."""
    rows = segno.make(text, error="m", micro=False).matrix
    size = (len(rows) + 2 * _QUIET_MODULES) * _SIDE
    commands = [
        f"M{(x + _QUIET_MODULES) * _SIDE:g} {(y + _QUIET_MODULES) * _SIDE:g}"
        f"h{_SIDE:g}v{_SIDE:g}h-{_SIDE:g}z"
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    ]
    title = _("QR code: %(address)s") % {"address": text}
    return document(size, size, path("".join(commands), Paint("c-qr", INK)), title=title)
