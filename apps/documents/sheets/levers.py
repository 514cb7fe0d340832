"""Levers of memory with what they cost, and inference beside training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core import formatting
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Variant
from apps.estimation.texts import code_word, value_text
from apps.sizing.ranges import Range
from apps.sizing.units import GIB

_BF16_BYTES: Final = 2
# Memory, computing, exchange: what a lever does to each. Signs only: how much is in the ladder.
_EFFECTS: Final = {
    "accumulation": ("↓", "=", "↓"),
    "checkpointing": ("↓", "↑", "="),
    "sharding": ("↓", "=", "↑"),
    "precision": ("↓", "↓", "↓"),
}
_NAMES: Final = {
    "accumulation": gettext_lazy("Accumulation: smaller micro-batch, more passes"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """`effects` are signs for memory, computing and exchange; `here` is how it stands."""

    name: str
    effects: tuple[str, str, str]
    here: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Inference of the same model: parts in GiB as text."""

    weights: str
    activations: str
    cache: str


def levers_of(reading: Reading, variant: Variant | None) -> tuple[Lever, ...]:
    """The four levers; none where no memory was calculated."""
    if variant is None or variant.device_gib is None:
        return ()
    recipe = reading.snapshot.task.get("recipe") or {}
    here = _here(recipe, variant)
    return tuple(
        Lever(
            name=str(_NAMES.get(key) or code_word("lever", key)),
            effects=effects,
            here=here[key],
        )
        for key, effects in _EFFECTS.items()
    )


def _here(recipe: Mapping[str, Any], variant: Variant) -> dict[str, str]:
    """How each lever stands in the recipe; what is not stated is said to be so."""
    passes = recipe.get("grad_accumulation")
    return {
        "accumulation": _("in the recipe: passes a step %(count)s")
        % {"count": formatting.number(passes)}
        if passes
        else _("not stated"),
        "checkpointing": _stated("recipe.activation_checkpointing", recipe),
        "sharding": variant.layout if variant.gpus > 1 else _("not used: one GPU"),
        "precision": _stated("recipe.precision", recipe),
    }


def _stated(field: str, recipe: Mapping[str, Any]) -> str:
    value = recipe.get(field.removeprefix("recipe."))
    if value is None:
        return _("not stated")
    return _("in the recipe: %(value)s") % {"value": value_text(field, value)}


def multiple_text(variant: Variant) -> str:
    """How many times the weights on a GPU the training takes there."""
    block, device = variant.block("memory"), variant.device_gib
    weights = ((block or {}).get("components_gib") or {}).get("weights")
    if not weights or device is None:
        return ""
    ratio = Range(device.low / weights, device.typical / weights, device.high / weights)
    return _(
        "Training takes on one GPU ×%(ratio)s of the weights that lie there. The multiple depends on the optimizer, the precision, the length and the layout: it is no rule for another task."
    ) % {"ratio": formatting.range_text(ratio)}


def contrast_of(reading: Reading) -> Contrast | None:
    """Weights in 16 bits, activations and cache of one request of the stated length.

    The cache holds a key and a value for each layer and token: 2 · layers · width · length · bytes
    (as in the documentation of any server for inference). Its widths are those that the
    calculation of the training used; without them there is no contrast.
    """
    kept = (reading.snapshot.derivation or {}).get("explanation") or {}
    inputs = {k: one.get("value") for k, one in (kept.get("inputs") or {}).items()}
    inputs["length"] = (reading.snapshot.task.get("recipe") or {}).get("sequence_length")
    params = inputs.get("params")
    if not params or not inputs.get("key_value") or not inputs["length"]:
        return None  # a model without attention over tokens keeps no cache
    weights_gib = float(params) * _BF16_BYTES / GIB
    return Contrast(
        weights=_in_two_digits(weights_gib),
        activations=_gib_of(inputs, "hidden", "length", times=_BF16_BYTES),
        cache=_gib_of(inputs, "layers", "key_value", "length", times=2 * _BF16_BYTES),
    )


def _gib_of(inputs: Mapping[str, Any], *names: str, times: float) -> str:
    product = float(times)
    for name in names:
        product *= float(inputs[name])
    return _in_two_digits(product / GIB)


def _in_two_digits(value_gib: float) -> str:
    """A contrast, no figure to buy by: two digits whatever the rest of the document has."""
    shown = formatting.approximate(value_gib, 2)
    return f"{shown}{formatting.NBSP}{formatting.unit_name('GiB')}"
