"""CPU and RAM of one node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.documents.sheets.memory import not_calculated
from apps.documents.sheets.storage import Need
from apps.documents.sheets.variants import Block, Variant, picked
from apps.estimation.texts import code_word

_MOST_NAMES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSheet:
    conclusion: str
    rows: tuple[Need, ...]


def host_of(variants: tuple[Variant, ...]) -> HostSheet:
    variant = picked(variants)
    if variant is None:
        return HostSheet(conclusion="", rows=())
    block = variant.block("host")
    if block is None or not block.get("cores"):
        return HostSheet(conclusion=not_calculated(variant, "host"), rows=())
    return HostSheet(conclusion=_conclusion(variant, block), rows=tuple(_host_rows(block)))


def _conclusion(variant: Variant, block: Block) -> str:
    return _("%(variant)s: %(cores)s physical cores and %(ram)s of RAM a node.") % {
        "variant": variant.key,
        "cores": formatting.span_text(block["cores"]),
        "ram": formatting.span_text(block.get("ram_gb"), "GB"),
    }


def _host_rows(block: Block) -> Iterator[Need]:
    yield Need(
        label=_("Physical cores of a node"),
        value=formatting.range_text(block["cores"]),
        verdict=block.get("cores_verdict"),
    )
    names = ", ".join(choice["name"] for choice in (block.get("processors") or ())[:_MOST_NAMES])
    if names:
        yield Need(label=_("Processors that would do"), value=names)
    if block.get("ram_gb"):
        yield Need(
            label=_("RAM of a node"),
            value=_("%(ram)s: %(times)s times the memory of the GPUs")
            % {
                "ram": formatting.range_text(block["ram_gb"], "GB"),
                "times": formatting.span_text(block["ram_to_vram_ratio"]),
            },
        )
        modules = "; ".join(_modules_text(one) for one in block.get("dimms") or ())
        if modules:
            yield Need(label=_("Memory modules"), value=modules)


def _modules_text(modules: Mapping[str, Any]) -> str:
    return _("%(purpose)s %(count)s × %(size)s") % {
        "purpose": code_word("dimm_purpose", modules["purpose"]),
        "count": formatting.number(modules["count"]),
        "size": formatting.quantity(modules["module_gb"], "GB"),
    }
