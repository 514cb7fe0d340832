"""What the log of a training says of its speed, and of the memory that trainers print with it.

Nothing is run; a line is looked at by its first characters only, every pattern is bounded, and
what a text does not hold stays None. Never raises.

Formats, each from what the program prints: Hugging Face Trainer (the dictionary at the end,
`train_steps_per_second`), axolotl and ms-swift (dictionaries with memory in GiB and a speed),
torchtune (`tokens_per_second_per_gpu`, `peak_memory_alloc` in GiB), torchtitan (`tps`, of one
device, `memory: …GiB`, reserved), Megatron-LM (`elapsed time per iteration (ms)`), DeepSpeed
(`MaxMemAllocated`, divided by 1024 thrice), llm-foundry (`throughput/device/tokens_per_sec`), NeMo
(`train_step_timing in s`), timm and mmengine (time and data time of a batch), and the progress bar
of tqdm that Lightning and others show.
"""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from apps.configs.memory_reports import MAX_CHARACTERS

_LONGEST_LINE: Final = 2000
_MOST_VALUES: Final = 20_000
# The first steps compile, allocate and warm up: they are left out where there are enough others.
_WARM_UP_RATIO: Final = 0.1
_ENOUGH: Final = 4
_LONGEST_STEP_S: Final = 86_400.0
_MOST_TOKENS_PER_S: Final = 1e8
_GIB: Final = 2**30
_MOST_GIB: Final = 4096.0

_NUMBER: Final = r"([0-9]{1,12}(?:,[0-9]{3}){0,3}(?:\.[0-9]{1,12})?(?:e[-+]?[0-9]{1,2})?)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace("NUM", _NUMBER), re.IGNORECASE)


# (figure, pattern, factor, whether the figure is one over the number)
_ROWS: Final = (
    ("step_s", _pattern(r"elapsed time per iteration \(ms\):\s{0,8}NUM"), 1e-3, False),
    ("step_s", _pattern(r"train_steps_per_second['\"]?\s{0,4}[:=]\s{0,4}['\"]?NUM"), 1.0, True),
    ("step_s", _pattern(r"train_speed\(s/it\)['\"]?\s{0,4}[:=]\s{0,4}NUM"), 1.0, False),
    ("step_s", _pattern(r"train_speed\(iter/s\)['\"]?\s{0,4}[:=]\s{0,4}NUM"), 1.0, True),
    ("step_s", _pattern(r"train_step_timing in s['\"]?\s{0,4}[:=]\s{0,4}NUM"), 1.0, False),
    (
        "tokens_per_s_per_gpu",
        _pattern(
            r"(?:tokens_per_second_per_gpu|tokens/train_per_sec_per_gpu"
            r"|throughput/device/tokens_per_sec)['\"]?\s{0,4}[:=]\s{0,4}NUM"
        ),
        1.0,
        False,
    ),
    ("tokens_per_s_per_gpu", _pattern(r"\btps:\s{0,4}(?:\x1b\[[0-9;]{1,8}m)?NUM"), 1.0, False),
    ("allocated_gib", _pattern(r"\bpeak_memory_alloc['\"]?\s{0,4}[:=]\s{0,4}NUM"), 1.0, False),
    ("allocated_gib", _pattern(r"\bMaxMemAllocated=NUM\s{0,4}GB"), 1.0, False),
    (
        "allocated_gib",
        _pattern(r"memory/max_mem(?:ory)?_allocated(?:\s?\(gib\))?['\"]?\s{0,4}[:=]\s{0,4}NUM"),
        1.0,
        False,
    ),
    (
        "reserved_gib",
        _pattern(r"memory/device_mem(?:ory)?_reserved(?:\s?\(gib\))?['\"]?\s{0,4}[:=]\s{0,4}NUM"),
        1.0,
        False,
    ),
    ("reserved_gib", _pattern(r"\bpeak_memory_reserved['\"]?\s{0,4}[:=]\s{0,4}NUM"), 1.0, False),
    ("reserved_gib", _pattern(r"\bmemory\(GiB\)['\"]?\s{0,4}[:=]\s{0,4}NUM"), 1.0, False),
    (
        "reserved_gib",
        _pattern(r"\bmemory:\s{0,4}(?:\x1b\[[0-9;]{1,8}m)?NUM\s{0,2}GiB\("),
        1.0,
        False,
    ),
)
_DATA_WAIT: Final = (
    # mmengine: time: 0.4512  data_time: 0.0123
    _pattern(r"\btime:\s{0,4}NUM\s{1,4}data_time:\s{0,4}NUM"),
    # timm: Time: 0.451s, 567.1/s (0.500s, 511.2/s) … Data: 0.010 (0.055)
    _pattern(r"\bTime:\s{0,4}NUMs?,.{0,120}?\bData:\s{0,4}NUM"),
)
_BAR: Final = _pattern(r"\|\s{0,4}[0-9]{1,9}/[0-9]{1,9}\s\[[^\]]{0,40}?,\s{0,4}NUM\s?(s/it|it/s)")
_LARGEST: Final = frozenset({"allocated_gib", "reserved_gib"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLog:
    """The steady figures of one log.

    `step_s` is the time of a step of the optimizer; `bar_s` that of an iteration as a progress
    bar shows it, which may be a pass of several; `data_wait_ratio` the share of it that waits for
    data. `steps_count` is how many lines the speed was read from.
    """

    step_s: float | None = None
    bar_s: float | None = None
    tokens_per_s_per_gpu: float | None = None
    data_wait_ratio: float | None = None
    allocated_bytes: int | None = None
    reserved_bytes: int | None = None
    steps_count: int = 0

    @property
    def empty(self) -> bool:
        return self == RunLog()


def run_log(text: str) -> RunLog:
    """What the text says; an empty one when it is no log."""
    found: dict[str, list[float]] = defaultdict(list)
    # A progress bar rewrites its line.
    for line in text[-MAX_CHARACTERS:].replace("\r", "\n").split("\n"):
        for figure, value in _figures(line[:_LONGEST_LINE]):
            if len(found[figure]) < _MOST_VALUES:
                found[figure].append(value)
    steady = {name: _steady(values) for name, values in found.items() if name not in _LARGEST}
    speeds = ("step_s", "tokens_per_s_per_gpu", "bar_s")
    return RunLog(
        step_s=steady.get("step_s"),
        bar_s=steady.get("bar_s"),
        tokens_per_s_per_gpu=steady.get("tokens_per_s_per_gpu"),
        data_wait_ratio=steady.get("data_wait_ratio"),
        allocated_bytes=_largest(found, "allocated_gib"),
        reserved_bytes=_largest(found, "reserved_gib"),
        steps_count=max((len(found[name]) for name in speeds if name in found), default=0),
    )


def _figures(line: str) -> Iterator[tuple[str, float]]:
    for figure, pattern, factor, inverted in _ROWS:
        for match in pattern.finditer(line):
            number = _number(match.group(1))
            value = number * factor if number is not None else None
            if inverted and value:
                value = 1.0 / value
            if value is not None and 0 < value <= _MOST[figure]:
                yield figure, value
    bar = _BAR.search(line)
    if bar is not None:
        speed = _number(bar.group(1))
        if speed:
            value = speed if bar.group(2).lower() == "s/it" else 1.0 / speed
            if value <= _LONGEST_STEP_S:
                yield "bar_s", value
    yield from _waits(line)


_MOST: Final[Mapping[str, float]] = {
    "step_s": _LONGEST_STEP_S,
    "tokens_per_s_per_gpu": _MOST_TOKENS_PER_S,
    "allocated_gib": _MOST_GIB,
    "reserved_gib": _MOST_GIB,
}


def _waits(line: str) -> Iterator[tuple[str, float]]:
    for pattern in _DATA_WAIT:
        match = pattern.search(line)
        if match is None:
            continue
        whole, waiting = (_number(part) for part in match.groups()[:2])
        if whole and waiting is not None and waiting < whole <= _LONGEST_STEP_S:
            yield "bar_s", whole
            yield "data_wait_ratio", waiting / whole
            return


def _number(text: str) -> float | None:
    return float(text.replace(",", "")) if text else None


def _steady(values: list[float]) -> float:
    """The median without the beginning."""
    warm_up = max(1, round(len(values) * _WARM_UP_RATIO)) if len(values) >= _ENOUGH else 0
    return statistics.median(values[warm_up:])


def _largest(found: Mapping[str, list[float]], name: str) -> int | None:
    return round(max(found[name]) * _GIB) if found.get(name) else None
