"""The usual order of GPU counts for a model's class, beside what was computed, and why they differ.

A start of a conversation: the class never makes a count. Small models are spoken of as one or two
GPUs and as several in one server, so both are said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting

# Billions of parameters between two classes: a model there is of either.
_BORDERS: Final = ((9.0, 12.0), (90.0, 120.0))
_ADAPTERS: Final = frozenset({"lora", "qlora", "dora"})


def size_band_text(result: Mapping[str, Any]) -> str:
    """One paragraph; empty where the size or the recommended variant is not known."""
    band = result.get("size_class")
    chosen = next((v for v in result.get("variants") or () if v["recommended"]), None)
    if not band or chosen is None:
        return ""
    said = _(
        "Order of magnitude, not an estimate: for a %(kind)s model (%(size)s) without any optimisation people name %(band)s. Computed here: %(gpus)s."
    ) % {
        "kind": _kind(band),
        "size": formatting.estimate(band["params_billion"], "params_billion"),
        "band": _band(band),
        "gpus": formatting.quantity(chosen["gpus"], "gpus"),
    }
    return f"{said} {_why(result, band, int(chosen['gpus']))}"


def _kind(band: Mapping[str, Any]) -> str:
    name = {
        "small": pgettext("class of model", "small"),
        "medium": pgettext("class of model", "medium"),
        "large": pgettext("class of model", "large"),
    }[band["class"]]
    size = band["params_billion"]
    if any(low <= size <= high for low, high in _BORDERS):
        return _("%(kind)s, near the border of classes,") % {"kind": name}
    return name


def _band(band: Mapping[str, Any]) -> str:
    return {
        "small": _("1–2 GPUs, up to several in one server"),
        "medium": _("up to 8 GPUs, often one server"),
        "large": _("8 GPUs and more, several nodes"),
    }[band["class"]]


def _why(result: Mapping[str, Any], band: Mapping[str, Any], gpus: int) -> str:
    """Why the two differ, from what the comparison of methods knows."""
    low, high = band["low_gpus"], band["high_gpus"]
    if gpus >= low and (high is None or gpus <= high):
        return _("The two agree.")
    methods = result.get("methods") or {}
    if gpus < low:
        if methods.get("named") in _ADAPTERS:
            return _(
                "Why fewer: adapters train a small part of the weights, so gradients and optimizer states almost vanish."
            )
        return _("Why fewer: the recipe saves memory, and cards hold more than those of the rule.")
    row = next((r for r in methods.get("rows") or () if r["named"]), None)
    fewest = ((row or {}).get("fewest") or {}).get("gpus")
    if fewest is not None and fewest < gpus:
        return _(
            "Why more: by memory %(fewest)s would do; the rest is for the time that is asked for and for room to spare."
        ) % {"fewest": formatting.quantity(fewest, "gpus")}
    return _(
        "Why more: the method, the length and the batch take more memory than the rule supposes."
    )
