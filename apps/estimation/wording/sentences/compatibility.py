"""What may stand together, and configurations as people write them."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.catalog.compatibility_words import COMPATIBILITY

SENTENCES: Final[dict[str, Promise]] = {
    **COMPATIBILITY,
    "configuration.needs-confirmation": _(
        "The text was understood, which confirms nothing: the supplier's document does."
    ),
    "configuration.not-understood": _("Not understood: %(text)s."),
    "configuration.ask-form-factor": _(
        "“%(name)s” means several devices: say which form factor it is (%(choices)s)."
    ),
    "configuration.ask-which": _("“%(name)s” means several devices: say which (%(choices)s)."),
    "configuration.ram-total": _("RAM: %(dimms)s × %(module_gb)s is %(ram_gb)s."),
}
