"""Full training, LoRA and QLoRA side by side, for pages and documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.estimation.texts import accelerator_name, sentence, sentences, value_text
from apps.estimation.wording.schemes import keeps_whole, scheme_text

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodRow:
    """One method. With a `reason` it does not apply and nothing else is filled.

    `memory` is a range dict of one GPU of the platform that is compared on, GiB; `fewest` the
    fewest GPUs of its card that hold the method, with the layout in `fewest_about`. `mark` says of
    the method that the result stands on whether the client stated it or it is assumed.
    """

    key: str
    name: str
    named: bool
    mark: str = ""
    reason: str = ""
    trained: str = ""
    memory: Block | None = None
    capacity_gib: float | None = None
    verdict: str = "unknown"
    layout: str = ""
    fewest: str = ""
    fewest_about: str = ""
    step: str = ""
    run: str = ""
    resume: str = ""
    final: str = ""
    costs: tuple[str, ...] = ()
    checks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsView:
    """`conclusion` in one sentence, `hardware` the platform that memory and time are of.

    `layouts` says why the methods are laid out differently there; empty where they are not.
    """

    conclusion: str
    hardware: str
    rows: tuple[MethodRow, ...]
    layouts: str = ""
    reason: str = ""


def methods_of(result: Block) -> MethodsView | None:
    """The comparison of methods; only its reason where there is none, None for an older result."""
    if "methods" not in result:
        return None
    block = result["methods"]
    if block is None:
        reason = sentence((result.get("reasons") or {}).get("methods"))
        return MethodsView(conclusion="", hardware="", rows=(), reason=reason)
    mark = pgettext("method", "assumed") if block["assumed"] else pgettext("method", "stated")
    rows = tuple(_row(row, mark if row["named"] else "") for row in block["rows"])
    return MethodsView(
        conclusion=_conclusion(block, rows),
        hardware=hardware_text(block),
        rows=rows,
        layouts=_layouts(block),
    )


def hardware_text(block: Block) -> str:
    """4× NVIDIA H200 NVL."""
    return f"{formatting.number(block['gpus'])}× {accelerator_name(block['accelerator'])}"


def _conclusion(block: Block, rows: tuple[MethodRow, ...]) -> str:
    """How many GPUs of the card each method needs at least: what a change of method is worth."""
    needs = [
        pgettext("method and GPUs", "%(method)s: %(fewest)s")
        % {"method": row.name, "fewest": row.fewest}
        for row in rows
        if not row.reason
    ]
    if len(needs) < 2:
        return _("For this task there is one method; the others do not apply.")
    pattern = (
        _("No method is stated; assumed: %(named)s. GPUs needed at least: %(needs)s.")
        if block["assumed"]
        else _("Stated method: %(named)s. GPUs needed at least: %(needs)s.")
    )
    return pattern % {"named": value_text("method", block["named"]), "needs": "; ".join(needs)}


def _layouts(block: Block) -> str:
    """Why one method is split over the GPUs where another keeps a copy on each."""
    schemes = {
        value_text("method", row["method"]): row["here"]["layout"]
        for row in block["rows"]
        if row.get("here")
    }
    if len(set(schemes.values())) < 2:
        return ""
    split = {name: scheme for name, scheme in schemes.items() if not keeps_whole(scheme)}
    whole = {name: scheme for name, scheme in schemes.items() if keeps_whole(scheme)}
    why = _("The layouts differ: each method stands in the simplest one that holds it.")
    if not split or not whole:
        return why
    because = _(
        "Split over the GPUs: %(split)s, because the weights, gradients and optimizer states take more than one card. A copy on each GPU: %(whole)s, it fits so and exchanges less."
    )
    return f"{why} " + because % {"split": _with_layout(split), "whole": _with_layout(whole)}


def _with_layout(schemes: Mapping[str, str]) -> str:
    return "; ".join(f"{name} ({scheme_text(scheme)})" for name, scheme in schemes.items())


def _row(row: Block, mark: str) -> MethodRow:
    name = value_text("method", row["method"])
    if row["reason"]:
        return MethodRow(
            key=row["method"],
            name=name,
            named=row["named"],
            mark=mark,
            reason=sentence(row["reason"]),
        )
    here, saved = row["here"], row["checkpoint"]
    return MethodRow(
        key=row["method"],
        name=name,
        named=row["named"],
        mark=mark,
        trained=_trained(row),
        memory=here["device_gib"] if here else None,
        capacity_gib=here["capacity_gib"] if here else None,
        verdict=here["verdict"] if here else "unknown",
        layout=scheme_text(here["layout"]) if here else "",
        **_fewest(row["fewest"]),
        step=_step(here),
        run=_run(here),
        resume=formatting.span_text(saved["resume_gb"], "GB"),
        final=formatting.span_text(saved["final_gb"], "GB"),
        costs=tuple(sentences(row["costs"])),
        checks=_checks(row["checks"]),
    )


def _checks(messages: Iterable[Mapping[str, Any]]) -> str:
    """What to settle before hardware is bought, in one sentence."""
    things = "; ".join(sentences(messages))
    return _("To settle before buying: %(things)s.") % {"things": things} if things else ""


def _trained(row: Block) -> str:
    """42 M of parameters, and what share of the model that is."""
    typical = row["trained_params"]["typical"]
    unit = "params_billion" if typical >= 1e9 else ""
    count = (
        formatting.estimate(typical / 1e9, unit)
        if unit
        else pgettext("parameters", "%(count)s M")
        % {"count": formatting.approximate(typical / 1e6)}
    )
    if row["trained_ratio"] == 1:
        return _("%(count)s, the whole model") % {"count": count}
    return _("%(count)s, %(share)s of the model") % {
        "count": count,
        "share": formatting.percent(row["trained_ratio"]),
    }


def _fewest(block: Block | None) -> dict[str, str]:
    if block is None:
        return {"fewest": _("none of the catalog is enough"), "fewest_about": ""}
    parts = [scheme_text(block["layout"]), formatting.range_text(block["device_gib"], "GiB")]
    if block["nodes"] > 1:
        parts.insert(0, formatting.quantity(block["nodes"], "nodes"))
    elif block["sold_gpus"] > block["gpus"]:
        sold = formatting.quantity(block["sold_gpus"], "gpus")
        parts.append(_("sold together: %(gpus)s") % {"gpus": sold})
    return {
        "fewest": formatting.quantity(block["gpus"], "gpus"),
        "fewest_about": ", ".join(parts),
    }


def _step(here: Block | None) -> str:
    if not here or not here["step_s"]:
        return _("does not run there")
    return _span(here["step_s"], 1)


def _run(here: Block | None) -> str:
    if not here or not here["step_s"]:
        return ""
    if not here["hours"]:
        return _("the length of the run is not known")
    pattern = _("%(hours)s an epoch") if here["scope"] == "epoch" else _("%(hours)s a run")
    return pattern % {"hours": _span(here["hours"], 3600)}


def _span(found: Block, seconds: float) -> str:
    """A duration from low to high in the unit that suits it."""
    return formatting.duration_span([found[end] * seconds for end in ("low", "typical", "high")])
