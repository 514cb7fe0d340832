"""What a run says of the memory it used: an out-of-memory message, nvidia-smi, torch's own summary.

Everything is read as it stands; what a text does not hold stays None. Units: PyTorch and
nvidia-smi count by 1024 whatever they print (`MB` in `torch.cuda.memory_summary` is 2**20 bytes,
see `_format_size` there), so every figure here is bytes.

Sources of the formats: PyTorch `c10/cuda/CUDACachingAllocator.cpp` (the message of versions 1.0 to
2.9) and `torch/cuda/memory.py` (the summary); `nvidia-smi --help-query-gpu` (the CSV).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

MAX_CHARACTERS: Final = 200_000
"""Only so much of a text is looked at: a log of a whole run is longer, its end is what counts."""

Kind: TypeAlias = Literal["oom", "nvidia-smi", "summary", "log"]

_MOST_CARDS: Final = 256
_LONGEST_NAME: Final = 80
_LARGEST_BYTES: Final = 2**50
_UNITS: Final = {"B": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_SIZE: Final = r"([0-9]{1,15}(?:\.[0-9]{1,9})?)\s{0,4}(bytes|[KMGT]i?B|B)\b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One GPU as nvidia-smi lists it."""

    index: int
    name: str
    total_bytes: int
    in_use_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReport:
    """One text about one GPU; of several GPUs the fullest one, which is where training fails.

    Attributes:
        count: how many messages of this kind the text holds; the figures are the first one's.
        in_use_bytes: of the whole card, by everybody. `own_bytes` is this process, with its
            context; `others_bytes` other processes.
        reserved_bytes: what PyTorch holds of the card; `unallocated_bytes` is its part without
            a tensor in it.
        requested_bytes: what the allocation that failed asked for.
        limit_bytes: a cap that the program set for itself.
        peak_allocated_bytes, peak_reserved_bytes: the largest since the start, or since a reset.
        ambiguous_unit: a log wrote GB or MB without saying by which it divides; read by 1024.
    """

    kind: Kind
    count: int = 1
    index: int | None = None
    card: str | None = None
    total_bytes: int | None = None
    free_bytes: int | None = None
    in_use_bytes: int | None = None
    own_bytes: int | None = None
    others_bytes: int | None = None
    allocated_bytes: int | None = None
    reserved_bytes: int | None = None
    unallocated_bytes: int | None = None
    requested_bytes: int | None = None
    limit_bytes: int | None = None
    peak_allocated_bytes: int | None = None
    peak_reserved_bytes: int | None = None
    ambiguous_unit: bool = False
    cards: tuple[Card, ...] = ()


def memory_reports(text: str) -> tuple[MemoryReport, ...]:
    """Every report that the text holds, at most one of each kind, in the order of the kinds.

    Never raises, whatever the text is.
    """
    shown = text[-MAX_CHARACTERS:]
    found = (_oom(shown), _nvidia_smi(shown) or _query(shown), _summary(shown), _log(shown))
    return tuple(report for report in found if report is not None)


def _bytes(number: str, unit: str) -> int | None:
    """`76.56`, `GiB` in bytes; None for what no card of this world holds."""
    letter = "B" if unit == "bytes" else unit[0].upper()
    size = round(float(number) * 2 ** _UNITS[letter])
    return size if size <= _LARGEST_BYTES else None


def _sized(pattern: str) -> re.Pattern[str]:
    """A pattern in which SIZE is a number with its unit, as two groups."""
    return re.compile(pattern.replace("SIZE", _SIZE), re.IGNORECASE)


def _size_in(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return _bytes(found.group(1), found.group(2)) if found else None


# the message of an allocation that failed -------------------------------------------------------

_OOM: Final = _sized(r"(?:CUDA|HIP|XPU) out of memory\.\s{1,4}Tried to allocate SIZE")
# A message is one paragraph; what stands further on belongs to something else.
_OOM_LENGTH: Final = 1500
_OOM_INDEX: Final = re.compile(r"\bGPU ([0-9]{1,3})(?:;| has a total)")
_OOM_TOTAL: Final = (_sized(r"total capaci?ty of SIZE"), _sized(r"SIZE total capaci?ty"))
_OOM_FREE: Final = (_sized(r"of which SIZE is free"), _sized(r"SIZE free;"))
_OOM_ALLOCATED: Final = (
    _sized(r"allocated memory SIZE is allocated by PyTorch"),
    _sized(r"SIZE already allocated"),
)
_OOM_UNALLOCATED: Final = (
    _sized(r"SIZE is reserved by PyTorch but unallocated"),
    _sized(r"SIZE cached\)"),  # up to 1.3: what is cached beyond the allocated
)
_OOM_RESERVED: Final = (_sized(r"SIZE reserved in total by PyTorch"),)
_OOM_LIMIT: Final = (_sized(r"SIZE allowed"),)
_OOM_OWN: Final = (_sized(r"this process has SIZE memory in use"),)
_OOM_PROCESS: Final = _sized(r"\bProcess [0-9]{1,10} has SIZE memory in use")


def _first_size(patterns: tuple[re.Pattern[str], ...], text: str) -> int | None:
    sizes = (_size_in(pattern, text) for pattern in patterns)
    return next((size for size in sizes if size is not None), None)


def _oom(text: str) -> MemoryReport | None:
    starts = list(_OOM.finditer(text))
    if not starts:
        return None
    first = starts[0]
    end = starts[1].start() if len(starts) > 1 else len(text)
    message = " ".join(text[first.start() : min(end, first.start() + _OOM_LENGTH)].split())
    index = _OOM_INDEX.search(message)
    allocated = _first_size(_OOM_ALLOCATED, message)
    unallocated = _first_size(_OOM_UNALLOCATED, message)
    reserved = _first_size(_OOM_RESERVED, message)
    if reserved is None and allocated is not None and unallocated is not None:
        reserved = allocated + unallocated
    if unallocated is None and allocated is not None and reserved is not None:
        unallocated = max(0, reserved - allocated)
    own, others = _processes(message, reserved)
    return MemoryReport(
        kind="oom",
        count=len(starts),
        index=int(index.group(1)) if index else None,
        total_bytes=_first_size(_OOM_TOTAL, message),
        free_bytes=_first_size(_OOM_FREE, message),
        own_bytes=own,
        others_bytes=others,
        allocated_bytes=allocated,
        reserved_bytes=reserved,
        unallocated_bytes=unallocated,
        requested_bytes=_bytes(first.group(1), first.group(2)),
        limit_bytes=_first_size(_OOM_LIMIT, message),
    )


def _processes(message: str, reserved: int | None) -> tuple[int | None, int | None]:
    """What this process and the others have in use.

    Inside a container a process does not find itself in the driver's list: then the only process
    that is listed is this one if it holds at least what PyTorch has reserved. Of several
    nothing is said.
    """
    own = _first_size(_OOM_OWN, message)
    sizes = [_bytes(*found.groups()) for found in _OOM_PROCESS.finditer(message)]
    listed = [size for size in sizes if size is not None]
    if own is not None:
        return own, sum(listed) or None  # a process that is not listed may be there all the same
    if len(listed) == 1 and reserved is not None and listed[0] >= reserved:
        return listed[0], None
    return None, None


# nvidia-smi ---------------------------------------------------------------------------------------

_SMI_NAME: Final = re.compile(r"^\|\s{1,8}([0-9]{1,3})\s{1,4}(\S.{0,60}?)\s{1,40}(?:On|Off|N/A)\s")
_SMI_MEMORY: Final = re.compile(r"\b([0-9]{1,9})MiB\s{0,4}/\s{0,4}([0-9]{1,9})MiB")


def _nvidia_smi(text: str) -> MemoryReport | None:
    cards: list[Card] = []
    named: tuple[int, str] | None = None
    for line in text.splitlines():
        name = _SMI_NAME.match(line[:200])
        memory = _SMI_MEMORY.search(line[:200])
        if name:
            named = int(name.group(1)), " ".join(name.group(2).split())
        elif memory and named and len(cards) < _MOST_CARDS:
            used, total = (_bytes(part, "MiB") for part in memory.groups())
            if used is not None and total:
                cards.append(_card(named, total, used))
            named = None
    return _of_cards(cards)


def _card(named: tuple[int, str], total: int, used: int) -> Card:
    index, name = named
    return Card(index=index, name=name[:_LONGEST_NAME], total_bytes=total, in_use_bytes=used)


def _of_cards(cards: list[Card]) -> MemoryReport | None:
    if not cards:
        return None
    fullest = max(cards, key=lambda card: card.in_use_bytes)
    return MemoryReport(
        kind="nvidia-smi",
        count=len(cards),
        index=fullest.index,
        card=fullest.name,
        total_bytes=fullest.total_bytes,
        in_use_bytes=fullest.in_use_bytes,
        free_bytes=max(0, fullest.total_bytes - fullest.in_use_bytes),
        cards=tuple(cards),
    )


_QUERY_UNIT: Final = re.compile(r"\[([KMGT]i?B)\]", re.IGNORECASE)
_QUERY_CELL: Final = re.compile(r"([0-9]{1,12})\s{0,4}([KMGT]i?B)?", re.IGNORECASE)


def _query(text: str) -> MemoryReport | None:
    """`nvidia-smi --query-gpu=… --format=csv`. Without its head nobody can tell the columns."""
    columns: dict[str, int] | None = None
    head: list[str] = []
    cards: list[Card] = []
    for line in text.splitlines():
        cells = _cells(line)
        if columns is None:
            columns, head = _columns(cells), cells
        elif len(cards) < _MOST_CARDS:
            card = _queried(cells, columns, head, len(cards))
            if card is not None:
                cards.append(card)
    return _of_cards(cards)


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line[:1000]]), [])]
    except csv.Error:
        return []


def _columns(cells: list[str]) -> dict[str, int] | None:
    found = {cell.split(" ")[0].lower(): place for place, cell in enumerate(cells)}
    return found if {"memory.used", "memory.total"} <= found.keys() else None


def _queried(cells: list[str], columns: dict[str, int], head: list[str], place: int) -> Card | None:
    if len(cells) != len(head):
        return None
    used, total = (
        _queried_size(cells[columns[name]], head[columns[name]])
        for name in ("memory.used", "memory.total")
    )
    if used is None or not total:
        return None
    index = cells[columns["index"]] if "index" in columns else ""
    number = int(index) if index.isascii() and index.isdigit() and len(index) <= 3 else place
    name = cells[columns["name"]] if "name" in columns else ""
    return _card((number, name), total, used)


def _queried_size(cell: str, head: str) -> int | None:
    """The unit stands beside the number, or with `nounits` in the head."""
    number, unit = _QUERY_CELL.fullmatch(cell), _QUERY_UNIT.search(head)
    if number is None:
        return None
    written = number.group(2) or (unit.group(1) if unit else None)
    return _bytes(number.group(1), written) if written else None


# torch.cuda.memory_summary ------------------------------------------------------------------------

_SUMMARY: Final = re.compile(r"PyTorch (?:CUDA|HIP|XPU) memory summary, device ID ([0-9]{1,3})")
_ROW: Final = r"^\|\s{0,4}%s\s{1,30}\|\s{0,20}SIZE\s{0,4}\|\s{0,20}SIZE\s{0,4}\|"


def _row(name: str) -> re.Pattern[str]:
    pattern = (_ROW % name).replace("SIZE", _SIZE)
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


_ALLOCATED_ROW: Final = _row("Allocated memory")
_RESERVED_ROW: Final = _row("GPU reserved memory")


def _summary(text: str) -> MemoryReport | None:
    titles = list(_SUMMARY.finditer(text))
    if not titles:
        return None
    end = titles[1].start() if len(titles) > 1 else len(text)
    table = text[titles[0].end() : end]
    allocated, peak_allocated = _now_and_peak(_ALLOCATED_ROW, table)
    reserved, peak_reserved = _now_and_peak(_RESERVED_ROW, table)
    if peak_allocated is None and peak_reserved is None:
        return None
    return MemoryReport(
        kind="summary",
        count=len(titles),
        index=int(titles[0].group(1)),
        allocated_bytes=allocated,
        reserved_bytes=reserved,
        peak_allocated_bytes=peak_allocated,
        peak_reserved_bytes=peak_reserved,
    )


def _now_and_peak(row: re.Pattern[str], table: str) -> tuple[int | None, int | None]:
    found = row.search(table)
    if found is None:
        return None, None
    return _bytes(found.group(1), found.group(2)), _bytes(found.group(3), found.group(4))


# lines of a log -----------------------------------------------------------------------------------

_PEAK: Final = r"\bmax[ _](?:gpu[ _])?(?:memory[ _])?%s(?:[ _]memory)?(?:\(\w{0,20}\))?['\"]?"
_FIGURE: Final = r"\s{0,4}[:=|]?\s{0,4}([0-9]{1,18}(?:\.[0-9]{1,9})?)\s{0,4}([KMGT]i?B\b|bytes\b)?"
_PEAK_ALLOCATED: Final = re.compile(_PEAK % "allocated" + _FIGURE, re.IGNORECASE)
_PEAK_RESERVED: Final = re.compile(_PEAK % "(?:reserved|cached)" + _FIGURE, re.IGNORECASE)
# Megatron names the unit once, before its figures, and divides by 1024 twice.
_MEGATRON: Final = re.compile(r"memory \((M|G)B\)\s{0,4}\|", re.IGNORECASE)
# A bare number is bytes only when it cannot be anything else.
_LEAST_BARE_BYTES: Final = 2**20


def _log(text: str) -> MemoryReport | None:
    found = [*_logged(text)]
    allocated = max((size for name, size, _ in found if name == "allocated"), default=None)
    reserved = max((size for name, size, _ in found if name == "reserved"), default=None)
    if allocated is None and reserved is None:
        return None
    return MemoryReport(
        kind="log",
        count=max(sum(name == kind for name, _, _ in found) for kind in ("allocated", "reserved")),
        peak_allocated_bytes=allocated,
        peak_reserved_bytes=reserved,
        ambiguous_unit=any(ambiguous for _, _, ambiguous in found),
    )


def _logged(text: str) -> Iterator[tuple[str, int, bool]]:
    """(which peak, bytes, whether the unit is ambiguous) of every figure; the largest counts."""
    for line in text.splitlines():
        if "max" not in line[:2000].lower():
            continue
        megatron = _MEGATRON.search(line[:2000])
        for name, pattern in (("allocated", _PEAK_ALLOCATED), ("reserved", _PEAK_RESERVED)):
            for figure in pattern.finditer(line[:2000]):
                number, unit = figure.group(1), figure.group(2)
                unit = unit or (f"{megatron.group(1)}iB" if megatron else None)
                size = _bytes(number, unit) if unit else _bare(number)
                if size is not None:
                    yield name, size, _is_ambiguous(unit)


def _bare(number: str) -> int | None:
    value = float(number)
    whole = value == int(value) and value >= _LEAST_BARE_BYTES
    return int(value) if whole and value <= _LARGEST_BYTES else None


def _is_ambiguous(unit: str | None) -> bool:
    return unit is not None and unit.upper() in ("KB", "MB", "GB", "TB")
