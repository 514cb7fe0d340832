"""Names of the lines and of the inputs of a formula, and where an input comes from, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from apps.core.provenance import ORIGINS, PROVENANCE
from apps.estimation.texts import code_word, field_label
from apps.estimation.wording.coefficients import CALIBRATED, CONSTANTS
from apps.estimation.wording.fields import FIELD_LABELS
from apps.estimation.wording.figures import FIGURES
from apps.estimation.wording.formula_inputs import INPUTS

# Beginning of a line's key -> words with the rest of it in place.
_NUMBERED: Final[Mapping[str, Promise]] = {
    "x": pgettext_lazy("figure", "Auxiliary quantity %(number)s"),
    "product": pgettext_lazy("figure", "Matrix product %(number)s of a layer, forward"),
    "weight_product": pgettext_lazy("figure", "Product %(number)s for the gradient of weights"),
    "product_flops": pgettext_lazy("figure", "Operations of product %(number)s"),
}
_CODED: Final[Mapping[str, tuple[str, Promise]]] = {
    "phase": ("phase", pgettext_lazy("figure", "Phase: %(name)s")),
    "sent": ("exchange", pgettext_lazy("figure", "A GPU sends in a step: %(name)s")),
    "layer_bytes": ("exchange", pgettext_lazy("figure", "A GPU sends for a layer: %(name)s")),
    "hours": ("cycle_part", pgettext_lazy("figure", "Cycle: %(name)s")),
    "power": ("power_part", pgettext_lazy("figure", "Power: %(name)s")),
}
_ORIGINS: Final[Mapping[str, tuple[Promise, str]]] = {
    "catalog": (_("catalog"), "catalog"),
    "calibration": (_("calibration"), "catalog"),
    "framework": (_("the framework's own way"), ""),
    "layout": (_("layout of the variant"), "computed"),
    "assumed": (_("assumed: not stated"), ""),
    "computed": (_("computed"), "computed"),
    "pilot": (_("measured on your own runs"), "pilot"),
}
_STATED: Final[Mapping[str, tuple[Promise, str]]] = {
    "client": (PROVENANCE["client"].meaning, "client"),
    "engineer": (PROVENANCE["engineer"].meaning, "engineer"),
    "pilot": (PROVENANCE["pilot"].meaning, "pilot"),
    "catalog": (PROVENANCE["catalog"].meaning, "catalog"),
    **{
        key: (ORIGINS[key].words, "client")
        for key in ("words", "file", "default", "guess", "earlier", "typical")
    },
}


def figure_name(key: str) -> str:
    """What a line is about."""
    if key in FIGURES:
        return str(FIGURES[key])
    beginning, _dot, rest = key.partition(".")
    if beginning in _NUMBERED:
        return str(_NUMBERED[beginning]) % {"number": rest}
    if beginning == "volume":
        return _volume_name(rest)
    kind, words = _CODED[beginning]
    return str(words) % {"name": code_word(kind, rest)}


def _volume_name(rest: str) -> str:
    volume, _dot, part = rest.partition(".")
    name = code_word("volume", volume)
    if not part:
        return pgettext("figure", "Volume “%(name)s”") % {"name": name}
    return pgettext("figure", "Volume “%(name)s”: %(part)s") % {
        "name": name,
        "part": code_word("volume_part", part),
    }


def input_name(key: str, leaf: Mapping[str, Any]) -> str:
    """What a number is; a coefficient that nobody has named goes by its key."""
    if key in INPUTS:
        return str(INPUTS[key])
    coefficient = key.removeprefix("k.")
    for table in (CALIBRATED, CONSTANTS):
        if coefficient in table:
            return str(table[coefficient])
    # A row of a table: `elementwise.plain.hidden`, `family.attention.hf`.
    first, _dot, last = key.partition(".")
    for spelt in (f"{first}.{last.rpartition('.')[2]}", f"{first}.{last.partition('.')[0]}"):
        if spelt in INPUTS:
            return str(INPUTS[spelt])
    if leaf["reference"] in FIELD_LABELS:
        return field_label(leaf["reference"])
    return coefficient


def origin_of(leaf: Mapping[str, Any], stated: Mapping[str, str]) -> tuple[str, str]:
    """Words and the letter of a provenance; `stated` is the provenance by field of the task."""
    if leaf["origin"] == "task":
        words, letter = _STATED[stated.get(leaf["reference"], "client")]
    else:
        words, letter = _ORIGINS[leaf["origin"]]
    return str(words), letter
