"""The programme of acceptance: what is shown on the delivered hardware, and who signs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.documents.sheets.variants import Variant, picked
from apps.pilots.acceptance import Check
from apps.pilots.acceptance import acceptance_of as checks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceSheet:
    """Left out where no variant is named. `signers` are the roles that sign."""

    conclusion: str
    checks: tuple[Check, ...]
    signers: tuple[str, ...]


def acceptance_of(variants: tuple[Variant, ...]) -> AcceptanceSheet:
    variant = picked(variants)
    if variant is None or variant.device_gib is None:
        return AcceptanceSheet(conclusion="", checks=(), signers=())
    return AcceptanceSheet(
        conclusion=_(
            "The contractor shows, the client accepts: on the delivered hardware, with the client's own configuration."
        ),
        checks=checks_of(_facts(variant)),
        signers=(
            pgettext("who signs", "Shown by: contractor"),
            pgettext("who signs", "Accepted by: client"),
        ),
    )


def _facts(variant: Variant) -> Mapping[str, Any]:
    """What the checks are held against, from the frozen result: the ranges of step and peak, and
    whether the optimizer has a state to be restored."""
    memory, time = variant.block("memory") or {}, variant.block("time") or {}
    return {
        "estimates": {"step_s": time.get("step_s"), "device_gib": memory.get("device_gib")},
        "keeps_state": bool((memory.get("components_gib") or {}).get("optimizer")),
    }
