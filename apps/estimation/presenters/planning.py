"""What else there is: the ways worth choosing between and the nearest rejected, for pages and
documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import npgettext, pgettext

from apps.core import formatting
from apps.estimation.presenters.methods import hardware_text
from apps.estimation.texts import sentence, sentences
from apps.estimation.wording.schemes import scheme_text

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """One way. `hours` and `memory` are range dicts; `pace` stands where there are no hours.

    `marks` are the keys of the variants that it is, `notes` what it rests on, `near` the sets that
    are within its range and no smaller, `lacks` is filled for a rejected one.
    """

    number: int
    hardware: str
    server: str
    layout: str
    power: str
    load: Block | None
    hours: Block | None
    pace: str
    memory: Block
    capacity_gib: float
    free: str
    time_verdict: str
    memory_verdict: str
    measured: bool
    marks: tuple[str, ...] = ()
    why: str = ""
    notes: tuple[str, ...] = ()
    near: str = ""
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """`considered` says how much was looked at and where it was left out, `rule` what makes a row,
    `standings` how the variants that are no row stand to the rows."""

    conclusion: str
    considered: str = ""
    rule: str = ""
    timed: bool = False
    target_hours: float | None = None
    rows: tuple[PlanRow, ...] = ()
    rejected: tuple[PlanRow, ...] = ()
    standings: tuple[str, ...] = ()
    reason: str = ""

    @property
    def top_hours(self) -> float:
        """One scale for the rows, so that the drawings compare."""
        ends = [float(row.hours["high"]) for row in self.rows if row.hours]
        return max((*ends, self.target_hours or 0.0)) * 1.05


def plan_of(result: Block) -> PlanView | None:
    """The plan; only its reason where there is none, None for an older result."""
    if "plan" not in result:
        return None
    block = result["plan"]
    if block is None:
        reason = sentence((result.get("reasons") or {}).get("plan"))
        return PlanView(conclusion="", reason=reason)
    front = block["front"]
    rows = tuple(_row(number, row) for number, row in enumerate(front, start=1))
    return PlanView(
        conclusion=_conclusion(block),
        considered=_considered(block["considered"]),
        rule=_rule() if rows else "",
        timed=any(row.hours for row in rows),
        target_hours=block["target_hours"],
        rows=rows,
        rejected=tuple(_row(0, row) for row in block["rejected"]),
        standings=tuple(_standings(block["variants"])),
    )


def _conclusion(block: Block) -> str:
    front = block["front"]
    if not front:
        return sentence(block["reason"])
    if len(front) == 1:
        return _("One way is worth a choice: %(hardware)s.") % {"hardware": hardware_text(front[0])}
    first, last = hardware_text(front[0]), hardware_text(front[-1])
    pattern = npgettext(
        "ways",
        "%(count)s way is worth a choice: from %(first)s to %(last)s.",
        "%(count)s ways are worth choosing between: from %(first)s to %(last)s.",
        len(front),
    )
    return pattern % {"count": formatting.number(len(front)), "first": first, "last": last}


def _considered(found: Block) -> str:
    said = _(
        "Looked at: accelerators on sale: %(accelerators)s, servers: %(servers)s, ways by number of GPUs, nodes and layout: %(ways)s."
    )
    left = [
        (_("by memory: %(count)s"), found["by_states"] + found["by_memory"]),
        (_("by the deadline: %(count)s"), found["by_time"]),
        (_("by the site: %(count)s"), found["by_site"]),
        (_("no better than a smaller one: %(count)s"), found["worse"]),
        (_("between two that are shown: %(count)s"), found["not_shown"]),
    ]
    parts = [text % {"count": formatting.number(count)} for text, count in left if count]
    counts = {k: formatting.number(found[k]) for k in ("accelerators", "servers", "ways")}
    lines = [said % counts]
    if parts:
        lines.append(_("Left out: %(parts)s.") % {"parts": "; ".join(parts)})
    return " ".join(lines)


def _rule() -> str:
    return _(
        "A larger way is a row only where by its own high end it is faster than every smaller row typically is; memory is a reason only where the smaller row leaves less than a third of the card free. The smaller row stands for all others, and on the same GPUs the simplest layout. Size: fewer nodes, then less power of the GPUs, then less memory on them; there are no prices here. A kind that was measured gives way to measured ones only."
    )


def _row(number: int, row: Block) -> PlanRow:
    hours = row["hours"]
    return PlanRow(
        number=number,
        hardware=hardware_text(row),
        server=_server(row),
        layout=_layout(row),
        power=formatting.estimate(row["gpu_rating_kw"], "kW"),
        load=row["load_kw"],
        hours=hours,
        pace="" if hours else _pace(row["sample_s"]),
        memory=row["device_gib"],
        capacity_gib=row["capacity_gib"],
        free=formatting.percent(row["free_ratio"]) if row["free_ratio"] >= 0 else _("none"),
        time_verdict=row["verdicts"]["time"],
        memory_verdict=row["verdicts"]["memory"],
        measured=row["measured"],
        marks=tuple(row.get("variants", ())),
        why=sentence(row.get("why")),
        notes=tuple(_notes(row)),
        near=_near(row),
        lacks=tuple(sentences(row.get("lacks", ()))),
    )


def _server(row: Block) -> str:
    """The server, and how many others would do."""
    server = row["server"] or pgettext("part number", "none in the catalog")
    others = len(row["other_servers"])
    if not others:
        return str(server)
    more = npgettext("servers", "or %(count)s other server", "or %(count)s other servers", others)
    return f"{server}, {more % {'count': formatting.number(others)}}"


def _layout(row: Block) -> str:
    parts = [scheme_text(row["layout"])]
    if row["nodes"] > 1:
        parts.insert(0, formatting.quantity(row["nodes"], "nodes"))
    return ", ".join(parts)


def _pace(sample_s: Block | None) -> str:
    """Where the length of the run is not known: seconds a sample."""
    if sample_s is None:
        return formatting.not_given()
    ends = [sample_s[end] for end in ("low", "typical", "high")]
    return _("%(duration)s a sample") % {"duration": formatting.duration_span(ends)}


def _notes(row: Block) -> Iterator[str]:
    yield from sentences(row["savings"])
    if row.get("splits"):
        yield _("The model itself is split: the framework has to be able to.")


def _near(row: Block) -> str:
    sets = [hardware_text(other) for other in row.get("near", ())]
    return _("No smaller and about as fast: %(sets)s.") % {"sets": ", ".join(sets)} if sets else ""


def _standings(found: Mapping[str, Block]) -> Iterator[str]:
    """A line for every variant that is no row."""
    for key in sorted(found):
        standing = found[key]
        said = _standing(key, standing)
        if said:
            yield said


def _standing(key: str, standing: Block) -> str:
    row = standing["row"]
    words = {"variant": key, "row": formatting.number(row + 1) if row is not None else ""}
    relation = standing["relation"]
    if relation == "lacks":
        said = _("%(variant)s does not pass: %(lacks)s")
        return said % {**words, "lacks": " ".join(sentences(standing["lacks"]))}
    if relation == "rented":
        said = _("%(variant)s is rented; at your site it would lack: %(lacks)s")
        return said % {**words, "lacks": " ".join(sentences(standing["lacks"]))}
    pattern = _patterns().get(relation)
    return pattern % words if pattern and row is not None else ""


def _patterns() -> dict[str, str]:
    """What is said of a variant that is no row, by its relation to the nearest one."""
    return {
        "alike": _(
            "%(variant)s is no row: row %(row)s is no larger, and by their ranges the two cannot be told apart."
        ),
        "faster": _(
            "%(variant)s is no row: row %(row)s is no larger and faster by more than its range."
        ),
        "ample": _(
            "%(variant)s is no row: row %(row)s is no larger and about as fast, and leaves enough of the card free."
        ),
        "roomier": _(
            "%(variant)s is no row: row %(row)s is no larger, by their ranges as fast, and leaves more of the card free."
        ),
        "better": _(
            "%(variant)s is no row: row %(row)s is no larger, faster, and leaves more of the card free."
        ),
        "left-out": _("%(variant)s meets everything too; the row nearest to it is %(row)s."),
    }
