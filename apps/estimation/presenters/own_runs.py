"""The client's own measured runs, beside what the engine says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from apps.core import formatting
from apps.estimation.texts import accelerator_name, code_word, value_text
from apps.estimation.wording.schemes import layout_name
from apps.sizing.transfer import NEAR

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFigure:
    """One measured figure. `state` is a verdict code, `word` says how the two stand."""

    label: str
    measured: str
    said: str
    state: str
    word: str
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRunView:
    """One run. `provenance` is who says so: client or pilot; `about` what ran, `notes` what the
    run says of the recommended variant."""

    name: str
    hardware: str
    about: str
    source: str
    provenance: str
    counted: bool
    figures: tuple[OwnFigure, ...]
    notes: tuple[str, ...]


_NAMES: Final[Mapping[str, Promise]] = {
    "client": gettext_lazy("The client's own run"),
    "file": gettext_lazy("The client's own run, from its log"),
    "pilot": gettext_lazy("A pilot"),
}
_STANDINGS: Final[Mapping[str, tuple[str, Promise]]] = {
    "inside": ("fits", pgettext_lazy("measurement", "inside the range")),
    "outside": ("tight", pgettext_lazy("measurement", "outside the range")),
    "contradicts": ("risk", pgettext_lazy("measurement", "contradicts")),
    "impossible": ("does-not-fit", pgettext_lazy("measurement", "cannot be so")),
    "silent": ("unknown", pgettext_lazy("measurement", "says no more")),
}


def own_runs(result: Block) -> tuple[OwnRunView, ...]:
    """The runs in order; an older result knows of none."""
    rows = (result.get("evidence") or {}).get("own") or ()
    return tuple(_view(row) for row in rows)


def _view(row: Block) -> OwnRunView:
    return OwnRunView(
        name=str(_NAMES[row["origin"]]),
        hardware=_hardware(row),
        about=", ".join(_about(row)),
        source=row["source"],
        provenance="pilot" if row["origin"] == "pilot" else "client",
        counted=row["counted"],
        figures=tuple(_figure(figure) for figure in row["figures"]),
        notes=tuple(_notes(row)),
    )


def _hardware(row: Block) -> str:
    gpus = formatting.number(row["gpus"] or 1)
    return f"{gpus}× {accelerator_name(row['accelerator'])}"


def _about(row: Block) -> Iterator[str]:
    if row["data_parallel"] not in (None, "none"):
        yield layout_name(row["data_parallel"])
    if row["micro_batch"] is not None:
        size = value_text("recipe.micro_batch", row["micro_batch"])
        yield _("micro-batch %(size)s") % {"size": size}
    if row["sequence_length"] is not None:
        yield value_text("recipe.sequence_length", row["sequence_length"])


def _figure(figure: Block) -> OwnFigure:
    state, word = _STANDINGS[figure["standing"]]
    if figure["figure"] == "step_s":
        label = _("Step")
        measured = formatting.duration(figure["measured"])
        said = formatting.duration(figure["said"])
    else:
        label = code_word("memory_figure", figure["figure"])
        measured = formatting.estimate(figure["measured"], "GiB")
        said = formatting.range_text(figure["said"], "GiB")
    if figure["at_least"]:
        measured = _("at least %(size)s") % {"size": measured}
    return OwnFigure(
        label=label,
        measured=measured,
        said=said,
        state=state,
        word=str(word),
        used=figure["used"],
    )


def _notes(row: Block) -> Iterator[str]:
    """How much of the run carries over to the recommended variant."""
    if not row["counted"]:
        yield _("Set aside by the engineer: shown, not counted.")
        return
    counted = (f for f in row["figures"] if f["used"] and f["standing"] != "contradicts")
    used = {figure["figure"] for figure in counted}
    closeness = row["closeness"]
    if used - {"step_s"} and closeness["memory"] is not None:
        yield _carried(closeness["memory"], _MEMORY)
    if "step_s" in used and closeness["step"] is not None:
        yield _carried(closeness["step"], _STEP)


_MEMORY: Final = (
    gettext_lazy("Its memory is really near to that of the recommended variant."),
    gettext_lazy("Its memory carries over to the recommended variant in part."),
    gettext_lazy("Its memory does not carry over to the recommended variant."),
)
_STEP: Final = (
    gettext_lazy("Its step is really near to that of the recommended variant."),
    gettext_lazy("Its step carries over to the recommended variant in part."),
    gettext_lazy("Its step does not carry over to the recommended variant."),
)


def _carried(closeness: float, words: tuple[Promise, Promise, Promise]) -> str:
    near, part, nothing = words
    return str(near if closeness >= NEAR else part if closeness > 0 else nothing)
