"""Own, rent or cloud: the hours of the GPUs as a table and a few sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.estimation.texts import accelerator_name, field_label, sentence, sentences

PERIODS: Final = ("month", "quarter", "year", "horizon")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRow:
    """One platform. Texts with units, «not specified» where an unknown is needed.

    `run` is one run, `used` and `owned` the GPU-hours by the view's `periods`, `ratio` the share
    of the hours of an own server that the stated runs take.
    """

    key: str
    hardware: str
    run: str
    used: tuple[str, ...]
    owned: tuple[str, ...]
    ratio: str
    periods: tuple[str, ...]

    @property
    def by_period(self) -> tuple[tuple[str, str], ...]:
        """What is used under the head of its column: on a narrow screen a row becomes a card."""
        return tuple(zip(self.periods, self.used, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnView:
    """`conclusion` is one sentence; `formula` how the break-even share is counted; `trigger` when
    to buy; `lines` what else there is to say; `missing` the labels of answers that are lacking.

    `rows` are the platforms whose run could be timed; `periods` the heads of the columns of `OwnRow.used` and `OwnRow.owned`.
    """

    conclusion: str
    periods: tuple[str, ...]
    rows: tuple[OwnRow, ...]
    formula: str
    lines: tuple[str, ...]
    trigger: str
    missing: tuple[str, ...]


def own_of(result: Mapping[str, Any]) -> OwnView | None:
    """The view of `own_or_rent`; None when the client has decided already."""
    block = result.get("own_or_rent")
    if not block:
        return None
    periods = [name for name in PERIODS if name != "horizon" or block["horizon"]]
    heads = tuple(_period(name, block) for name in periods)
    said = sentences(block["messages"])
    return OwnView(
        conclusion=_conclusion(block),
        periods=heads,
        rows=tuple(_row(row, periods, heads) for row in block["rows"] if row["run_gpu_hours"]),
        formula=said[0],
        lines=tuple(said[1:]),
        trigger=sentence(block["trigger"]),
        missing=tuple(field_label(field) for field in block["missing"]),
    )


def _period(name: str, block: Mapping[str, Any]) -> str:
    if name == "horizon":
        years = formatting.span_text(block["horizon"]["years"])
        return _("over the horizon, %(years)s years") % {"years": years}
    return {"month": _("a month"), "quarter": _("a quarter"), "year": _("a year")}[name]


def _conclusion(block: Mapping[str, Any]) -> str:
    known = [row for row in block["rows"] if row["utilisation_ratio"]]
    if not known:
        return _(
            "The use of an own server cannot be counted yet: answer the questions named below."
        )
    first = known[0]
    return _("%(key)s: the stated runs take %(share)s of the hours of an own server.") % {
        "key": first["variant"],
        "share": share_text(first["utilisation_ratio"]),
    }


def share_text(ratio: Mapping[str, float]) -> str:
    """10–15 %: two digits, as every share."""
    low, high = (formatting.approximate(100 * ratio[end], 2) for end in ("low", "high"))
    return formatting.with_unit(low if low == high else f"{low}{formatting.DASH}{high}", "percent")


def _row(row: Mapping[str, Any], periods: list[str], heads: tuple[str, ...]) -> OwnRow:
    used, owned = row["used_gpu_hours"], row["owned_gpu_hours"]
    ratio = row["utilisation_ratio"]
    return OwnRow(
        key=row["variant"],
        hardware=f"{row['gpus']}× {accelerator_name(row['accelerator'])}",
        run=formatting.range_text(row["run_gpu_hours"], "GPU_h"),
        used=tuple(formatting.range_text((used or {}).get(name), "GPU_h") for name in periods),
        owned=tuple(_hours(owned[name]) for name in periods),
        ratio=share_text(ratio) if ratio else formatting.not_given(),
        periods=heads,
    )


def _hours(owned: Mapping[str, float]) -> str:
    """What a calendar gives is known: one figure, to the digits worth reading."""
    if owned["low"] == owned["high"]:
        return formatting.estimate(owned["typical"], "GPU_h")
    return formatting.range_text(owned, "GPU_h")
