"""How a model is spread over GPUs, in words: `fsdp-8+tp-2` is FSDP over 8 GPUs and TP over 2."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core import formatting

SINGLE: Final = "single"
# The field's own abbreviations; they are the same in every language.
_NAMES: Final = {
    "ddp": "DDP",
    "zero1": "ZeRO-1",
    "zero2": "ZeRO-2",
    "zero3": "ZeRO-3",
    "fsdp": "FSDP",
    "hsdp": "HSDP",
    "tp": "TP",
    "pp": "PP",
    "cp": "CP",
    "ep": "EP",
}


def layout_name(kind: str) -> str:
    """`fsdp` as it is written."""
    return _NAMES.get(kind, kind)


def scheme_text(scheme: str) -> str:
    """The layout of a result document for a reader; the engine's word where it is a new one."""
    if not scheme:
        return formatting.not_given()
    if scheme == SINGLE:
        return _("nothing is split")
    return " + ".join(_part_text(part) for part in scheme.split("+"))


def keeps_whole(scheme: str) -> bool:
    """Every GPU keeps the whole model: nothing is split, or each has a copy."""
    return scheme == SINGLE or (scheme.startswith("ddp") and "+" not in scheme)


def _part_text(part: str) -> str:
    kind, _dash, degree = part.partition("-")
    if not degree.isdigit():
        return part
    count = int(degree)
    return ngettext("%(name)s over %(count)s GPU", "%(name)s over %(count)s GPUs", count) % {
        "name": _NAMES.get(kind, kind),
        "count": formatting.number(count),
    }
