"""How far the estimates are from measured runs, in words and tables, and what nobody measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from apps.catalog.accuracy import Accuracy, Summary, accuracy_summary
from apps.catalog.facts import fixture_catalog
from apps.catalog.one_run import predicted_by_one_run
from apps.core import formatting
from apps.estimation.texts import value_text
from apps.questionnaire.sections import QUESTIONS
from apps.sizing.evidence import Gap, covered_by, every_gap
from apps.sizing.facts import Catalog

_GITHUB: Final = "https://github.com/"
_QUANTITIES: Final = {
    "memory": gettext_lazy("Memory of one GPU"),
    "step time": gettext_lazy("Time of a step"),
}
_PLACES: Final = {
    "1 GPU": pgettext_lazy("kind of run", "one GPU"),
    "1 node": pgettext_lazy("kind of run", "one node"),
    "multi-node": pgettext_lazy("kind of run", "several nodes"),
}
_KINDS: Final = {
    "framework": gettext_lazy("Software without measured runs (named below)"),
    "framework-unknown": gettext_lazy("Software that is not named"),
    "card": gettext_lazy("Cards without measured runs (named below): GeForce, MI300 and others"),
    "card-of-family": gettext_lazy(
        "Cards without measured runs (named below) whose speed follows published runs of their family"
    ),
    "card-untimed": gettext_lazy("Cards on which only memory was measured (marked below)"),
    "pcie-exchange": gettext_lazy("Exchange between several PCIe or NVL cards"),
    "optimizer": gettext_lazy("Other optimizers than AdamW, 8-bit ones among them"),
    "quantization": gettext_lazy("Bases in INT8, AWQ or fp8"),
    "mixture": gettext_lazy("Models with experts (MoE)"),
    "guessed-shape": gettext_lazy("Models of which only the size is known"),
    "encoder": gettext_lazy("Encoders, encoders with decoders"),
    "multimodal": gettext_lazy("Models of text and images"),
    "images": gettext_lazy("Vision and diffusion: the order of magnitude only"),
    "preference": gettext_lazy("Training on preferences: DPO, KTO, ORPO, reward models"),
    "online": gettext_lazy("Reinforcement with generation: PPO, GRPO"),
    "frozen-part": gettext_lazy("A part of the layers frozen"),
    "decomposed": gettext_lazy("DoRA adapters"),
    "offload": gettext_lazy("Offload of weights or activations to the host"),
    "low-precision": gettext_lazy("fp8 and lower, outside Megatron"),
    "eager": gettext_lazy("The plain attention kernel"),
}
_NO_BIAS_RATIO: Final = 0.001
# The share of measurements that a range promises to hold.
PROMISED_RATIO: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyRow:
    """One group of runs. `short` says that fewer than the promised share lies inside."""

    name: str
    address: str
    count: int
    median: str
    p90: str
    bias: str
    inside: str
    half_width: str
    total: bool
    short: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One quantity: `words` say what its tables mean, `withheld_words` what the last one does."""

    key: str
    title: str
    words: str
    kinds: tuple[AccuracyRow, ...]
    sources: tuple[AccuracyRow, ...]
    withheld: tuple[AccuracyRow, ...]
    withheld_words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A kind of run without measurements, and by how much its ranges are wider for that."""

    text: str
    memory: str
    time: str


def accuracy_page() -> dict[str, Any]:
    """The context of the page."""
    found = accuracy_summary()
    catalog = fixture_catalog()
    covered = covered_by(catalog.calibration)
    names = {card.id: card.name for card in catalog.accelerators.values()}
    return {
        "parts": [_part(quantity, found) for quantity in _QUANTITIES],
        "one_run": _one_run_words(),
        "run_count": found.run_count,
        "source_count": len({row.name for rows in found.sources.values() for row in rows[1:]}),
        "unknown": [_unknown(_with_dialect(gap, catalog)) for gap in every_gap()],
        "measured_cards": _counted({key: found.accelerators[key] for key in covered.cards}, names),
        "untimed_cards": [names[key] for key in sorted(covered.cards - covered.timed_cards)],
        "unmeasured_cards": [name for key, name in names.items() if key not in covered.cards],
        "measured_frameworks": _counted(found.frameworks, _framework_names()),
        "unmeasured_frameworks": [
            name for key, name in _framework_names().items() if key not in covered.frameworks
        ],
    }


def _part(quantity: str, found: Summary) -> Part:
    kinds, sources = found.kinds[quantity], found.sources[quantity]
    withheld = found.withheld[quantity]
    return Part(
        key=quantity.replace(" ", "-"),
        title=str(_QUANTITIES[quantity]),
        words=_words(kinds[0]),
        kinds=tuple(_rows(kinds, _kind_name, {})),
        sources=tuple(_rows(sources, str, found.references)),
        withheld=tuple(_rows(withheld, str, found.references)),
        withheld_words=_withheld_words(withheld[0]),
    )


def _words(total: Accuracy) -> str:
    return _(
        "Half of the %(count)s measured figures lie within %(median)s of our typical one, nine of ten within %(p90)s. Our range, which promises 90%%, holds %(inside)s of them; it is ±%(half_width)s wide at the median."
    ) % {
        "count": formatting.number(total.count),
        "median": formatting.percent(total.median_error_ratio),
        "p90": formatting.percent(total.p90_error_ratio),
        "inside": formatting.percent(total.inside_ratio),
        "half_width": formatting.percent(total.half_width_ratio),
    }


def _withheld_words(total: Accuracy) -> str:
    return _(
        "If the engine is not told by which software the same runs were made, half of them lie within %(median)s and nine of ten within %(p90)s; the ranges grow to ±%(half_width)s at the median and hold %(inside)s."
    ) % {
        "median": formatting.percent(total.median_error_ratio),
        "p90": formatting.percent(total.p90_error_ratio),
        "half_width": formatting.percent(total.half_width_ratio),
        "inside": formatting.percent(total.inside_ratio),
    }


def _one_run_words() -> str:
    """What one measured run is worth: a run of a source says of its near ones."""
    near = {row.quantity: row for row in predicted_by_one_run() if row.near}
    memory, step = near["memory"], near["step"]
    return _(
        "One measured run of yours says more than any table. On published runs that are near to each other it lowers the median error of memory from %(memory_without)s to %(memory_with)s and of the step from %(step_without)s to %(step_with)s; the ranges narrow and still hold %(memory_inside)s and %(step_inside)s of the measurements."
    ) % {
        "memory_without": formatting.percent(memory.median_without),
        "memory_with": formatting.percent(memory.median_with),
        "step_without": formatting.percent(step.median_without),
        "step_with": formatting.percent(step.median_with),
        "memory_inside": formatting.percent(memory.inside_with),
        "step_inside": formatting.percent(step.inside_with),
    }


def _rows(
    rows: Sequence[Accuracy], name_of: Any, references: Mapping[str, str]
) -> Iterable[AccuracyRow]:
    for place, row in enumerate(rows):
        total = place == 0
        yield AccuracyRow(
            name=_("All runs") if total else name_of(row.name),
            address=_address(references.get(row.name, "")),
            count=row.count,
            median=formatting.percent(row.median_error_ratio),
            p90=formatting.percent(row.p90_error_ratio),
            bias=_signed(row.bias_ratio),
            inside=formatting.percent(row.inside_ratio),
            half_width=f"±{formatting.percent(row.half_width_ratio)}",
            total=total,
            short=row.inside_ratio < PROMISED_RATIO,
        )


def _signed(ratio: float) -> str:
    """A bias reads with its sign; one that rounds to nothing has none."""
    if abs(ratio) < _NO_BIAS_RATIO:
        return formatting.percent(0)
    sign = "+" if ratio > 0 else formatting.MINUS
    return f"{sign}{formatting.percent(abs(ratio))}"


def _kind_name(group: str) -> str:
    method, _comma, place = group.partition(", ")
    words = str(_PLACES[place]) if place in _PLACES else place
    return capfirst(f"{value_text('method', method)}, {words}")


def _address(reference: str) -> str:
    """`owner/repository@commit path § part` where it can be read; "" for another kind."""
    repository, at, rest = reference.partition("@")
    commit, _space, path = rest.partition(" ")
    if not at or repository.count("/") != 1 or " " in repository:
        return ""
    return f"{_GITHUB}{repository}/blob/{commit}/{path.split(' ')[0]}"


def _with_dialect(gap: Gap, catalog: Catalog) -> Gap:
    """Unmeasured software has no width of its own in the table: its whole dialect is wider."""
    if gap.reason not in ("framework", "framework-unknown"):
        return gap
    unknown = catalog.calibration.dialects["unknown"]
    return replace(gap, memory_width=unknown.memory_width, time_width=unknown.time_high)


def _unknown(gap: Gap) -> Unknown:
    def wider(width: float) -> str:
        return f"±{formatting.percent(width)}" if width else "–"

    return Unknown(
        text=str(_KINDS.get(gap.reason, gap.reason)),
        memory=wider(gap.memory_width),
        time=wider(gap.time_width),
    )


def _framework_names() -> dict[str, str]:
    return {
        option.value: str(option.label)
        for option in QUESTIONS["framework"].options
        if option.value != "other"
    }


def _counted(counts: Mapping[str, int], names: Mapping[str, str]) -> list[tuple[str, int]]:
    """(name, runs), the most first; a framework that no question offers stays as it is written."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(names.get(key, key), count) for key, count in ordered if key]
