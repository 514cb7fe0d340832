"""What each open question does to the result: in words with figures, as a drawing, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext
from django.utils.translation import gettext as _

from apps.charts import Drawing, Swing, TornadoLabels, tornado_chart
from apps.core import formatting
from apps.estimation.texts import field_label, sentence, value_text
from apps.questionnaire.to_task import TASK_FIELDS

Block = Mapping[str, Any]

# A swing below this is not worth a bar.
_LEAST_BAR: Final = 0.02
_MOST_BARS: Final = 8
_SAME_TIME_RATIO: Final = 0.02
# A capacity farther away would squeeze the bars into a corner.
_NEAR: Final = 2.0
_FLIPS: Final[Mapping[str, Promise]] = {
    "memory": gettext_lazy("It decides whether the training fits on the GPU."),
    "deadline": gettext_lazy("It decides whether the deadline is kept."),
    "rack": gettext_lazy("It decides whether this can stand in the rack."),
}
_ON_ONE: Final = gettext_lazy("It decides whether the training fits on one GPU.")


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceRow:
    """One unknown. `ends` are its two plausible values, `memory`, `time` and `energy` what the
    result spans between them, empty where it does not move; `words` say all that in a sentence.
    """

    field: str
    question_key: str
    ball: str
    label: str
    ends: str
    memory: str
    time: str
    energy: str
    decides: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceView:
    """The strongest first. The drawings are None where nothing moves; `reason` is why there is
    nothing at all."""

    rows: tuple[InfluenceRow, ...] = ()
    conclusion: str = ""
    memory: Drawing | None = None
    time: Drawing | None = None
    reason: str = ""

    def words_of(self, field: str) -> str:
        """The sentence of one field; empty for one that moves nothing here."""
        return next((row.words for row in self.rows if row.field == field), "")

    @property
    def head(self) -> list[dict[str, str]]:
        """Of the table of all figures; a column that nothing fills is left out."""
        return [{"text": name} for name, _values in self._columns]

    @property
    def table(self) -> list[dict[str, Any]]:
        """The rows, as `partials/ledger.html` takes them."""
        columns = self._columns[1:]
        return [
            {
                "head": row.label,
                "cells": [
                    {"text": values[at] or formatting.DASH, "heading": name}
                    for name, values in columns
                ],
            }
            for at, row in enumerate(self.rows)
        ]

    @property
    def _columns(self) -> list[tuple[str, list[str]]]:
        rows = self.rows
        found = [
            (_("Open question"), [row.label for row in rows]),
            (pgettext("column", "plausible values"), [row.ends for row in rows]),
            (_("memory of one GPU"), [row.memory for row in rows]),
            (pgettext("column", "time"), [row.time for row in rows]),
            (pgettext("column", "energy of a run"), [row.energy for row in rows]),
        ]
        return [column for column in found if any(column[1])]


def influence_of(result: Block, *, balls: Mapping[str, int] | None = None) -> InfluenceView | None:
    """Of a result; only the reason where there is none, None for an older result.

    Args:
        balls: number of the balloon by field.
    """
    if "sensitivity" not in result:
        return None
    block = result["sensitivity"]
    if block is None:
        return InfluenceView(reason=sentence((result.get("reasons") or {}).get("sensitivity")))
    return influence_view(block, balls=balls or {}, on_platform=True)


def influence_view(block: Block, *, balls: Mapping[str, int], on_platform: bool) -> InfluenceView:
    """Of the block itself. Without a platform time is said as a ratio and no card is judged but
    the largest there is."""
    fields = list(block["fields"])
    if not on_platform:
        fields = [f for f in fields if f["swing"] >= _LEAST_BAR or "memory" in f["flips"]]
    now = block["now"]
    rows = tuple(_row(f, now, balls, on_platform=on_platform) for f in fields)
    bars = [f for f in fields if f["swing"] >= _LEAST_BAR][:_MOST_BARS]
    return InfluenceView(
        rows=rows,
        conclusion=_conclusion(rows),
        memory=_memory_drawing(bars, block, balls),
        time=_time_drawing(bars, block, balls) if on_platform and now["hours"] else None,
    )


def _conclusion(rows: Sequence[InfluenceRow]) -> str:
    if not rows:
        return _("No open question moves the memory or the time noticeably.")
    return _("“%(question)s” moves the result most.") % {"question": rows[0].label}


def _row(moved: Block, now: Block, balls: Mapping[str, int], *, on_platform: bool) -> InfluenceRow:
    field = moved["field"]
    memory = _spanned([now["device_gib"], *(e["device_gib"] for e in moved["ends"])], "GiB")
    time = _time(moved, now, on_platform=on_platform)
    energy = _all_spanned(moved, now, "run_kwh", "kWh") if on_platform else ""
    decides = " ".join(_decides(moved, now, on_platform=on_platform))
    said = [
        _("memory of one GPU %(span)s") % {"span": memory} if memory else "",
        _("time %(span)s") % {"span": time} if time else "",
        _("energy of a run %(span)s") % {"span": energy} if energy else "",
    ]
    figures = ", ".join(part for part in said if part)
    words = f"{_supposed(moved)}: {figures}." if figures else ""
    return InfluenceRow(
        field=field,
        question_key=TASK_FIELDS.get(field, ""),
        ball=_ball(balls, field),
        label=field_label(field),
        ends=_ends(moved),
        memory=memory,
        time=time,
        energy=energy,
        decides=decides,
        words=" ".join(part for part in (words, decides) if part),
    )


def _ball(balls: Mapping[str, int], field: str) -> str:
    number = balls.get(field)
    if number is None:
        return formatting.DASH
    return pgettext("balloon", "Q%(number)s") % {"number": number}


def _values(moved: Block) -> list[str]:
    """512 tokens, 8,192 tokens."""
    of = moved["sets"]
    named = [value_text(of, end["value"]) for end in moved["ends"]]
    if of == moved["field"]:
        return named
    return [f"{field_label(of)}: {name}" for name in named]


def _ends(moved: Block) -> str:
    return f" {formatting.DASH} ".join(dict.fromkeys(_values(moved)))


def _supposed(moved: Block) -> str:
    values = _values(moved)
    if len(values) == 1:
        return _("If “%(one)s”") % {"one": values[0]}
    return _("If “%(one)s” or “%(other)s”") % {"one": values[0], "other": values[-1]}


def _spanned(ranges: Sequence[Block], unit: str) -> str:
    """From the least typical figure to the largest; empty where they read the same."""
    values = sorted(float(r["typical"]) for r in ranges)
    if values[-1] <= values[0] * (1 + _LEAST_BAR):
        return ""
    return formatting.span_text((values[0], values[0], values[-1]), unit)


def _all_spanned(moved: Block, now: Block, figure: str, unit: str) -> str:
    """The same of a figure that may not be there."""
    ranges = [now[figure], *(end[figure] for end in moved["ends"])]
    known = [r for r in ranges if r is not None]
    return _spanned(known, unit) if len(known) == len(ranges) else ""


def _time(moved: Block, now: Block, *, on_platform: bool) -> str:
    if on_platform and now["hours"]:
        return _all_spanned(moved, now, "hours", "h")
    ratios = [1.0, *(e["time_ratio"] for e in moved["ends"] if e["time_ratio"] is not None)]
    low, high = min(ratios), max(ratios)
    if high - low < _SAME_TIME_RATIO:
        return ""
    return _("×%(low)s–%(high)s of now") % {
        "low": formatting.approximate(low, 2),
        "high": formatting.approximate(high, 2),
    }


def _decides(moved: Block, now: Block, *, on_platform: bool) -> list[str]:
    if not on_platform:
        return [str(_ON_ONE)] if "memory" in moved["flips"] else []
    found = [str(_FLIPS[name]) for name in moved["flips"]]
    load = now["load_kw"]
    if "rack" in moved["flips"] and load:
        found.append(
            _("It takes %(load)s from a feed.") % {"load": formatting.range_text(load, "kW")}
        )
    return found


def _memory_drawing(
    fields: Sequence[Block], block: Block, balls: Mapping[str, int]
) -> Drawing | None:
    now = block["now"]["device_gib"]["typical"]
    swings = [_swing(f, now, [e["device_gib"] for e in f["ends"]], balls) for f in fields]
    capacity = block.get("capacity_gib")
    top = max([now, *(s.high for s in swings)])
    labels = TornadoLabels(
        title=gettext_noop("What the open questions change in the memory of one GPU"),
        deadline=gettext_noop("the GPU has %(value)s %(unit)s"),
        less=gettext_noop("less"),
        more=gettext_noop("more"),
    )
    near = capacity if capacity and capacity <= top * _NEAR else None
    return _drawn(swings, now, near, "GiB", labels)


def _time_drawing(
    fields: Sequence[Block], block: Block, balls: Mapping[str, int]
) -> Drawing | None:
    now = block["now"]["hours"]["typical"]
    ranges = [[e["hours"] for e in f["ends"] if e["hours"]] for f in fields]
    swings = [_swing(f, now, found, balls) for f, found in zip(fields, ranges, strict=True)]
    target = block.get("target_hours")
    top = max([now, *(s.high for s in swings)])
    near = target if target and target <= top * _NEAR else None
    return _drawn(swings, now, near, "h", TornadoLabels())


def _swing(moved: Block, now: float, ranges: Sequence[Block], balls: Mapping[str, int]) -> Swing:
    values = [now, *(float(r["typical"]) for r in ranges)]
    return Swing(
        key=_ball(balls, moved["field"]),
        name=field_label(moved["field"]),
        note=_ends(moved),
        low=min(values),
        high=max(values),
    )


def _drawn(
    swings: Sequence[Swing],
    now: float,
    limit: float | None,
    unit: str,
    labels: TornadoLabels,
) -> Drawing | None:
    wide = [s for s in swings if s.width >= _LEAST_BAR * now]
    if not wide:
        return None
    return tornado_chart(
        wide,
        typical=now,
        deadline=limit,
        unit=formatting.unit_name(unit),
        labels=labels.translated(gettext),
        number=formatting.approximate,
    )
