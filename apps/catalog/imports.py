"""Facts of a file become proposals: first a preview against the catalog in force, then proposals
that an administrator decides about one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.catalog.additions import draft_store, drafted, lacking
from apps.catalog.cards import label_of
from apps.catalog.fact_specs import SPECS
from apps.catalog.import_files import FileLine, is_formula
from apps.catalog.models import HARDWARE, Fact, Item, Proposal
from apps.catalog.proposals import Correction, correction_check, proposal_make
from apps.catalog.schema import CONFIDENCES
from apps.catalog.typed import written
from apps.catalog.values import fact_text, value_text
from apps.core.errors import DomainError, NotAllowed

NEW: Final = "new"
CHANGES: Final = "changes"
CONFIRMS: Final = "confirms"
SAME: Final = "same"
WAITING: Final = "waiting"
WRONG: Final = "wrong"
# Those that become proposals.
PROPOSED: Final = (NEW, CHANGES, CONFIRMS)
MOST_PROPOSED: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A line against the catalog. `problem` says what is wrong and how to mend it."""

    line: FileLine
    state: str
    label: str
    was: str = ""
    becomes: str = ""
    problem: str = ""
    item: Item | None = None
    correction: Correction | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """What the lines are judged against, asked for once."""

    items: Mapping[str, Item]
    waiting: Sequence[tuple[int, str, object]] = field(default_factory=tuple)


def judge(lines: Sequence[FileLine]) -> list[Judged]:
    """Every line of a file against the catalog in force, in the file's order.

    Raises:
        DomainError: more would be proposed than an administrator can read.
    """
    known = _known(lines)
    seen: set[tuple[str, str]] = set()
    judged = []
    for line in lines:
        twice = (line.slug, line.key) in seen
        seen.add((line.slug, line.key))
        judged.append(_judged(line, known, twice))
    if sum(one.state in PROPOSED for one in judged) > MOST_PROPOSED:
        limit = {"limit": MOST_PROPOSED}
        raise DomainError(_("More than %(limit)s facts would be proposed. Split the file.") % limit)
    return judged


def _known(lines: Iterable[FileLine]) -> _Known:
    in_force = Q(retired=False) | Q(draft=True)
    rows = Item.objects.filter(in_force, kind__in=HARDWARE).prefetch_related("facts")
    items = {item.slug: item for item in rows.filter(slug__in={line.slug for line in lines})}
    items |= _described(lines, items)
    stored = [item for item in items.values() if item.pk]
    waiting = Proposal.objects.filter(state=Proposal.State.OPEN, item__in=stored)
    return _Known(items=items, waiting=list(waiting.values_list("item_id", "key", "value")))


def _described(lines: Iterable[FileLine], known: Mapping[str, Item]) -> dict[str, Item]:
    """Items that the catalog does not have, as the first line of each describes them."""
    found: dict[str, Item] = {}
    for line in lines:
        if line.kind and line.slug not in known and line.slug not in found:
            with suppress(DomainError):  # the line itself says what is wrong
                found[line.slug] = drafted(line)
    return found


def _judged(line: FileLine, known: _Known, twice: bool) -> Judged:
    item = known.items.get(line.slug)
    label = label_of(line.key)
    problem = _("The file states this fact twice. Keep one line.") if twice else ""
    if item is None:
        problem = _no_item(line)
    elif not problem:
        try:
            return _against(item, label, _correction(line, item), line, known)
        except DomainError as found:
            problem = found.message
    return Judged(line=line, state=WRONG, label=label, becomes=line.value, problem=problem)


def _against(
    item: Item, label: str, correction: Correction, line: FileLine, known: _Known
) -> Judged:
    """A line that could be true, beside what the catalog says.

    Raises:
        DomainError: it could not.
    """
    value = correction_check(item, correction)["value"]
    facts = item.facts.all() if item.pk else ()
    present = next((f for f in facts if f.key == line.key and not f.superseded), None)
    if present is not None and written(present.value) == line.value:
        value = present.value
    elif line.has_inner_comma:
        raise DomainError(_("A value of the list has a comma inside. Write it without one."))
    return Judged(
        line=line,
        state=_state(present, value, correction, (item.pk, line.key, value) in known.waiting),
        label=label,
        was=fact_text(present) if present else "",
        becomes=value_text(value, SPECS[item.kind][0][line.key].unit, line.key),
        item=item,
        correction=correction,
    )


def _state(present: Fact | None, value: object, correction: Correction, waiting: bool) -> str:
    if waiting:
        return WAITING
    if present is None:
        return NEW
    if present.value != value:
        return CHANGES
    dated = (present.source, present.as_of)
    return SAME if dated == (correction.source, correction.as_of) else CONFIRMS


def _correction(line: FileLine, item: Item) -> Correction:
    """The line as somebody would type it.

    Raises:
        DomainError: a part of it cannot be true; the message says how to mend it.
    """
    specs = SPECS[item.kind][0]
    if line.key not in specs:
        near = get_close_matches(line.key, specs, n=1)
        raise DomainError(_instead(_("Such an item has no fact “%(name)s”."), line.key, near))
    if line.unit and line.unit != specs[line.key].unit:
        raise DomainError(_("The unit is %(unit)s.") % {"unit": specs[line.key].unit})
    if any(map(is_formula, (line.value, line.source, line.source_ref))):
        raise DomainError(_("This is a formula of a spreadsheet. Write the value itself."))
    if not line.source:
        raise DomainError(_("Name the source: a fact without one is not taken."))
    if line.confidence not in CONFIDENCES:
        names = ", ".join(sorted(CONFIDENCES))
        raise DomainError(_("The trust is one of: %(names)s.") % {"names": names})
    return Correction(
        key=line.key,
        value=line.value,
        source=line.source,
        source_ref=line.source_ref,
        as_of=_day(line.as_of),
        confidence=line.confidence,
        reason="",
    )


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise DomainError(_("Write the date of the source as 2026-11-30.")) from None
    if day > timezone.localdate():
        raise DomainError(_("This day is still to come."))
    return day


def _no_item(line: FileLine) -> str:
    if line.kind:
        try:
            drafted(line)
        except DomainError as found:
            return found.message
    slug = line.slug
    slugs = Item.objects.filter(kind__in=HARDWARE, retired=False).values_list("slug", flat=True)
    near = get_close_matches(slug, list(slugs), n=1)
    return _instead(_("The catalog has no item “%(name)s”."), slug[:100], near)


def _instead(template: str, name: str, near: Sequence[str]) -> str:
    said = template % {"name": name}
    return f"{said} " + _("Is it %(near)s?") % {"near": near[0]} if near else said


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """An item that the file would add; `missing` are facts without which it stays unused."""

    item: Item
    missing: tuple[str, ...]


def added_by(judged: Iterable[Judged]) -> list[Added]:
    """Items of the file that the catalog does not have, in the file's order."""
    keys: dict[str, set[str]] = {}
    items: dict[str, Item] = {}
    for one in judged:
        if one.item is not None and one.item.draft and one.correction is not None:
            items.setdefault(one.item.slug, one.item)
            keys.setdefault(one.item.slug, set()).add(one.correction.key)
    return [
        Added(item=item, missing=tuple(lacking(item.kind, keys[slug] | _stated(item))))
        for slug, item in items.items()
    ]


def _stated(item: Item) -> set[str]:
    facts = item.facts.all() if item.pk else ()
    return {fact.key for fact in facts if not fact.superseded}


@transaction.atomic
def import_propose(
    *, lines: Sequence[FileLine], name: str, chosen: frozenset[int], reason: str, actor: User
) -> list[Proposal]:
    """Propose the chosen lines of a file, as far as they still say something to the catalog.

    Args:
        name: the file's; it stands in the reason of each proposal, with the line.

    Raises:
        NotAllowed: clients propose nothing.
        DomainError: no reason is given, or no line is left to propose.
    """
    if not actor.is_staff_member:
        raise NotAllowed(_("Only the staff corrects the catalog."))
    if not reason.strip():
        raise DomainError(_("Say why: the administrator who decides reads this."))
    made = []
    for judged in judge(lines):
        if judged.item is None or judged.correction is None:
            continue
        if judged.state in PROPOSED and judged.line.number in chosen:
            words = f"{reason.strip()}\n{name}: {judged.line.number}"
            correction = replace(judged.correction, reason=words)
            item = judged.item if judged.item.pk else draft_store(judged.item)
            made.append(proposal_make(item=item, correction=correction, actor=actor))
    if not made:
        raise DomainError(_("There is nothing to propose: tick a line that is new or changes."))
    return made
