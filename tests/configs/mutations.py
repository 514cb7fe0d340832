"""Ways in which a file arrives broken, by accident or on purpose."""

import json
import random
from collections.abc import Callable

from apps.configs.errors import ConfigError
from apps.configs.readers.yaml_reader import read_yaml

_EXTREMES = [
    "-1",
    "0",
    "1e999",
    "-1e-999",
    "NaN",
    ".inf",
    "99999999999999999999999999",
    "1_0",
    "0x7f",
    "1:30",
    "${a.b}",
    "${..}",
    "???",
    "*a",
    "&a",
    "!!python/name:os.system",
    "!x",
    "[]",
    "{}",
    "null",
    "~",
    "''",
    '"',
    "[[[[[[",
    "}}}}",
    "<<:",
    "*x",
    "---",
    "...",
    "$((9**9))",
    "`x`",
    "$(x",
]
_VALUES = (
    None,
    True,
    -1,
    0,
    1.5,
    10**30,
    "",
    "no",
    "auto",
    [],
    {},
    [[]],
    [{"a": 1}],
    "x" * 500,
    "-",
)


def flipped(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _time in range(dice.randint(1, 12)):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


def cut(data: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(data))
    return data[:start] if dice.random() < 0.5 else data[start:]


def shuffled(data: bytes, dice: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    dice.shuffle(lines)
    return b"".join(lines)


def with_extremes(data: bytes, dice: random.Random) -> bytes:
    """Some words replaced by what no file should hold."""
    words = data.decode(errors="replace").split(" ")
    for _time in range(dice.randint(1, 6)):
        words[dice.randrange(len(words))] = dice.choice(_EXTREMES)
    return " ".join(words).encode()


def repeated(data: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(data))
    piece = data[start : start + dice.randint(1, 80)]
    return data[:start] + piece * dice.randint(2, 2000) + data[start:]


def nested(data: bytes, dice: random.Random) -> bytes:
    mark = dice.choice(
        ["[", "{", "(", "- ", "a.", "a: {b", "$(", "${", "'", '"', "\\", "#", "<<E "]
    )
    start = dice.randrange(len(data))
    return data[:start] + (mark * dice.randint(10, 4000)).encode() + data[start:]


def retyped(data: bytes, dice: random.Random) -> bytes:
    """A tree with some values of another type; files that are no tree are cut instead."""
    try:
        tree, _repeated = read_yaml(data.decode(errors="replace"))
    except ConfigError:
        return cut(data, dice)
    if not isinstance(tree, dict):
        return cut(data, dice)
    _retype(tree, dice)
    return json.dumps(tree, default=str).encode()


def _retype(node: object, dice: random.Random) -> None:
    pairs = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in list(pairs):
        if dice.random() < 0.25:
            node[key] = dice.choice(_VALUES)
        else:
            _retype(value, dice)


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flipped,
    cut,
    shuffled,
    with_extremes,
    repeated,
    nested,
    retyped,
)
