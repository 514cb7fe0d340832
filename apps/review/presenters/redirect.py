"""The engineer's page of the other ways: which one, and what the client will read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.forms import Form

from apps.questionnaire.sentences import Text
from apps.questionnaire.ways import WAYS, why_of
from apps.requisitions.outcomes import OtherWay
from apps.review.dossier import Dossier


@dataclass(frozen=True, slots=True, kw_only=True)
class WayOption:
    value: str
    label: str
    why: Text
    checked: bool


def redirect_page(dossier: Dossier, form: Form) -> dict[str, Any]:
    """The way that the client's own answers lead to is chosen before anything was posted."""
    chosen = form.data.get("way", "") if form.is_bound else dossier.evaluated.gate.way
    return {
        "ways": [
            WayOption(
                value=way.value,
                label=str(way.label),
                why=why_of(WAYS[way.value], at_gate=False),
                checked=way.value == chosen,
            )
            for way in OtherWay
        ],
        "way_error": _first(form, "way"),
        "error": _first(form, "comment"),
        "comment": form.data.get("comment", ""),
    }


def _first(form: Form, name: str) -> str:
    return str(form.errors[name][0]) if form.is_bound and name in form.errors else ""
