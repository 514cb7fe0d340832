"""How many parameters the dimensions of an own architecture make."""

from __future__ import annotations

from typing import Any, Final

from apps.questionnaire.question import Answers
from apps.sizing.facts import Catalog
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Model

_NEEDED: Final = ("layers", "hidden", "vocab")
_USED: Final = (*_NEEDED, "heads", "kv_heads", "ffn", "experts", "experts_per_token")
# An own architecture is in no catalog.
_NO_CATALOG: Final = Catalog(accelerators={}, servers={}, architectures={}, constants={})


def params_of_dimensions(answers: Answers) -> float | None:
    """Counted from layers and widths; None while one that it needs is not known."""
    if answers.get("model_source") != "own" and answers.get("strategy") != "from-scratch":
        return None
    given = {k: v for k in _USED if isinstance(v := answers.get(k), int | float)}
    if not given.keys() >= set(_NEEDED):
        return None
    kind = answers.get("model_kind")
    whole: dict[str, Any] = {name: int(value) for name, value in given.items()}
    model = Model(kind=kind if isinstance(kind, str) else None, **whole)
    shape = resolve_shape(model, _NO_CATALOG)
    return shape.total_params if shape else None
