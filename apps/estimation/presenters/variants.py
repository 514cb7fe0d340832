"""The variants of a result side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, npgettext

from apps.core import formatting
from apps.estimation.edited import LINES
from apps.estimation.presenters.cells import PARTS, Cell, cell_of
from apps.estimation.texts import (
    accelerator_name,
    code_word,
    sentence,
    sentences,
    variant_name,
)
from apps.estimation.wording.schemes import scheme_text

_COUNTED: Final = {
    "gpus": gettext_lazy("GPUs: %(counts)s"),
    "cpus": gettext_lazy("processors: %(counts)s"),
    "dimms": gettext_lazy("memory modules: %(counts)s"),
    "nics": gettext_lazy("network cards: %(counts)s"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule of compatibility says; `severity` is refused, warning or confirm."""

    severity: str
    text: str
    source: str
    source_url: str
    instead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLine:
    """What an engineer added: a line, or the reason of a hiding or of a recommendation.

    `hidden` is the computed line that is not shown any more, `computed` the key of the variant that
    the engine had recommended; "" where there is none.
    """

    id: str
    text: str
    author: str
    at: datetime
    hidden: str = ""
    computed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """The document behind a part number; `letter` is the revision in which it was confirmed."""

    number: str
    document: str
    says: str
    by: str
    at: datetime
    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantView:
    """One variant. `block` is its part of the result document, for drawings.

    `growth_reason` says whether GPUs can be added and why not, `reserves` are (of what, share left
    free by the high end), `lifts` how to get round what the site does not carry. `layout` is empty
    when no scheme is named: such a variant could not be built. `confirmed` says that the
    supplier's document (`part`) stands behind the part numbers; the engine never says so. `own` are
    the engineer's lines by kind, `hidden` the computed lines that they hid, `pick` their reason to
    recommend it.
    """

    key: str
    name: str
    hardware: str
    accelerator: str
    server: str
    gpus: int
    nodes: int
    layout: str
    link: str
    recommended: bool
    rented: bool
    measured: bool
    confirmed: bool
    overall: str
    cells: tuple[Cell, ...]
    growth: str
    growth_reason: str
    reserves: tuple[tuple[str, str], ...]
    lifts: tuple[str, ...]
    savings: tuple[str, ...]
    risks: tuple[str, ...]
    when: str
    findings: tuple[Finding, ...]
    part: PartView | None
    own: Mapping[str, tuple[OwnLine, ...]]
    hidden: tuple[OwnLine, ...]
    pick: OwnLine | None
    block: Mapping[str, Any]

    @property
    def refusals(self) -> list[str]:
        return [f.text for f in self.findings if f.severity == "refused"]

    def cell(self, part: str) -> Cell:
        return next(cell for cell in self.cells if cell.key == part)


def variants_of(result: Mapping[str, Any]) -> list[VariantView]:
    """The variants in the document's order."""
    return [_view(block) for block in result.get("variants", ())]


def _view(block: Mapping[str, Any]) -> VariantView:
    reasons = block.get("reasons") or {}
    card = accelerator_name(block.get("accelerator"))
    scheme = (block.get("layout") or {}).get("name") or ""
    return VariantView(
        key=block["key"],
        name=variant_name(block["key"]),
        hardware=f"{block['gpus']}× {card}",
        accelerator=card,
        server=block.get("server") or "",
        gpus=block["gpus"],
        nodes=block["nodes"],
        layout=scheme_text(scheme) if scheme else "",
        link=_link(block.get("link") or {}),
        recommended=block.get("recommended", False),
        rented=block.get("rented", False),
        measured=block.get("measured", False),
        confirmed=not block.get("needs_confirmation", True),
        overall=(block.get("verdicts") or {}).get("overall", "unknown"),
        cells=tuple(_cell(part, block, reasons) for part in PARTS),
        growth=_growth(block),
        growth_reason=" ".join(sentences(block.get("grows", ()))),
        reserves=tuple(reserve_rows(block)),
        lifts=tuple(sentences(block.get("lifts", ()))),
        savings=tuple(sentences(block.get("savings", ()))),
        risks=tuple(sentences(block.get("risks", ()))),
        when=" ".join(sentences(block.get("when", ()))),
        findings=tuple(finding_of(f) for f in block.get("compatibility", ())),
        part=part_of(block),
        own=own_lines(block),
        hidden=hidden_lines(block),
        pick=_own_line(block["pick"], block["pick"]["computed"]) if block.get("pick") else None,
        block=block,
    )


def part_of(block: Mapping[str, Any]) -> PartView | None:
    """What confirms the part number of an edited variant (see `estimation.edited`)."""
    part = block.get("part")
    if part is None:
        return None
    texts = {name: part[name] for name in ("number", "document", "says", "by", "letter")}
    return PartView(at=datetime.fromisoformat(part["at"]), **texts)


def own_lines(block: Mapping[str, Any]) -> dict[str, tuple[OwnLine, ...]]:
    """The engineer's lines of every kind, `pro`, `con` and `when`."""
    own = block.get("own") or {}
    return {kind: tuple(_own_line(row) for row in own.get(kind, ())) for kind in LINES}


def hidden_lines(block: Mapping[str, Any]) -> tuple[OwnLine, ...]:
    """Computed lines that the engineer hid, with the reason."""
    return tuple(
        replace(_own_line(row["remark"]), hidden=sentence(row["message"]))
        for row in block.get("hidden") or ()
    )


def _own_line(row: Mapping[str, Any], computed: str = "") -> OwnLine:
    return OwnLine(
        id=row["id"],
        text=row["text"],
        author=row["author"],
        at=datetime.fromisoformat(row["at"]),
        computed=computed,
    )


def _cell(part: str, block: Mapping[str, Any], reasons: Mapping[str, Any]) -> Cell:
    """A rented server's drives are the landlord's: nothing here can judge them."""
    cell = cell_of(part, block.get(part), reasons.get(part))
    if part == "storage" and block.get("rented") and not cell.missing:
        return replace(cell, state="", word="", limit_text=_("ask the landlord"))
    return cell


def _link(link: Mapping[str, Any]) -> str:
    inside = link.get("intra_node")
    parts = [code_word("link", inside)] if inside else []
    if link.get("inter_node"):
        parts.append(_("between nodes: %(link)s") % {"link": link["inter_node"]})
    return ", ".join(parts)


def _growth(block: Mapping[str, Any]) -> str:
    """Where it can grow, in a few words."""
    if block.get("rented"):
        return _("prolong the rent")
    slots = block.get("free_gpu_slots")
    if slots is None:
        return formatting.not_given()
    if not slots:
        return _("a second node")
    return npgettext("growth", "%(count)s more GPU", "%(count)s more GPUs", slots) % {
        "count": slots
    }


def reserve_rows(block: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the high end leaves free, by resource; a shortage says so instead of a minus."""
    names = {
        "memory_ratio": _("memory of a GPU"),
        "power_ratio": _("power of a feed beside its own reserve"),
        "time_ratio": _("time to the deadline"),
    }
    reserves = block.get("reserves") or {}
    for key, name in names.items():
        ratio = reserves.get(key)
        if ratio is not None:
            yield name, formatting.percent(ratio) if ratio >= 0 else _("none")


def finding_of(found: Mapping[str, Any]) -> Finding:
    source = found.get("source") or {}
    return Finding(
        severity=found["severity"],
        text=sentence(found["message"]),
        source=source.get("source", ""),
        source_url=source.get("source_url", ""),
        instead="; ".join(_instead(found)),
    )


def _instead(found: Mapping[str, Any]) -> Iterator[str]:
    """What would be valid: each of these alone is enough."""
    if servers := found.get("servers"):
        yield _("server %(names)s") % {"names": _any_of(servers)}
    if cards := [accelerator_name(a) for a in found.get("accelerators", ())]:
        yield _("GPU %(names)s") % {"names": _any_of(cards)}
    if cpus := found.get("processors"):
        yield _("processor %(names)s") % {"names": _any_of(cpus)}
    if nics := found.get("network_cards"):
        yield _("network card %(names)s") % {"names": _any_of(nics)}
    if counts := found.get("counts"):
        numbers = _any_of([formatting.number(count) for count in counts])
        yield str(_COUNTED[found["counted"]]) % {"counts": numbers}


def _any_of(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return _("%(names)s or %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}
