"""The client's own part number or offer: how we read it, and what the rules say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.estimation.presenters.variants import Finding, finding_of
from apps.estimation.texts import accelerator_name, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferView:
    """`state` and `word` are the verdict on the parts together; nothing here confirms a delivery."""

    text: str
    parts: tuple[str, ...]
    state: str
    word: str
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]


def offer_of(result: Mapping[str, Any]) -> OfferView | None:
    """The offer of a result document; None when the client has none in mind."""
    block = result.get("offer")
    if not block:
        return None
    state, word = _verdict(block)
    return OfferView(
        text=block["text"],
        parts=tuple(_parts(block)),
        state=state,
        word=word,
        notes=tuple(sentences(block["notes"])),
        findings=tuple(finding_of(f) for f in block["findings"]),
    )


def _verdict(block: Mapping[str, Any]) -> tuple[str, str]:
    if block["valid"] is None:
        unknown = _("the part number is not in the catalog")
        return "unknown", _("cannot be judged yet") if block["known"] else unknown
    if block["valid"]:
        return "info", _("the parts go together; needs confirmation")
    if block.get("checked_with") == "recommended":
        return "tight", _("takes other GPUs than the recommended variant")
    return "does-not-fit", _("the parts do not go together")


def _parts(block: Mapping[str, Any]) -> Iterator[str]:
    """What we understood, part by part."""
    found = block["configuration"] or {}
    if block["sku"]:
        yield block["sku"]
    if found.get("gpu"):
        clear = found["accelerators"] if len(found["accelerators"]) == 1 else []
        name = accelerator_name(clear[0]) if clear else found["gpu"]
        yield _counted(found["gpus"], name)
    if found.get("cpu"):
        yield _counted(found["cpus"], found["cpu"])
    if found.get("dimms"):
        yield _counted(found["dimms"], formatting.quantity(found["module_gb"], "GB"))
    if found.get("nic"):
        yield _counted(found["nics"], found["nic"])


def _counted(count: int | None, name: str) -> str:
    return f"{formatting.number(count)} × {name}" if count else name
