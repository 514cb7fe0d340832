"""Who says a figure: a letter beside every value, and where a filled-in value came from."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Provenance:
    """`css` is the letter of the class `prov-…`; `letter` and `meaning` are what a person reads."""

    css: str
    letter: Promise
    meaning: Promise


@dataclass(frozen=True, slots=True)
class Origin:
    """A chip: `css` of `origin-…` (may be empty), icon name (may be empty), words."""

    css: str
    icon: str
    words: Promise


_CLIENT: Final = Provenance("k", pgettext_lazy("provenance", "C"), _("stated by the client"))

PROVENANCE: Final[dict[str, Provenance]] = {
    "client": _CLIENT,
    "catalog": Provenance("c", pgettext_lazy("provenance", "S"), _("catalog, with its source")),
    "computed": Provenance("r", pgettext_lazy("provenance", "F"), _("computed by a formula")),
    "engineer": Provenance("i", pgettext_lazy("provenance", "E"), _("corrected by an engineer")),
    "pilot": Provenance("p", pgettext_lazy("provenance", "P"), _("measured in a pilot")),
    # However a value got into the form, it was the client who left it there.
    "words": _CLIENT,
    "file": _CLIENT,
    "default": _CLIENT,
    "guess": _CLIENT,
    "earlier": _CLIENT,
    "typical": _CLIENT,
}

ORIGINS: Final[dict[str, Origin]] = {
    "words": Origin("file", "file", _("from the text of the request")),
    "file": Origin("file", "file", _("from the file")),
    "default": Origin("default", "check", _("framework default")),
    "guess": Origin("guess", "", _("a guess, please confirm")),
    "earlier": Origin("", "", _("taken from requisition")),
    "typical": Origin("", "", _("a typical value")),
    "none": Origin("", "", _("not in the file")),
}
