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


def recoded(data: bytes, dice: random.Random) -> bytes:
    """The same text as other programs write it."""
    text = data.decode(errors="replace")
    return dice.choice(
        (
            lambda: b"\xef\xbb\xbf" + data,
            lambda: text.replace("\n", "\r\n").encode(),
            lambda: text.replace("\n", "\r").encode(),
            lambda: text.encode("utf-16"),
            lambda: text.encode("utf-32"),
            lambda: ("# настройки\n" + text).encode("cp1251", errors="replace"),
            lambda: data.replace(b" ", b"\0"),
            lambda: text.replace("  ", "\t").encode(),
            lambda: text.replace(" ", "\u00a0").encode(),
        )
    )()


def bombed(data: bytes, dice: random.Random) -> bytes:
    """Aliases that multiply, several documents, keys given twice, more than a file may hold."""
    aliases = "a0: &a0 [x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, dice.randint(2, 12))
    )
    return dice.choice(
        (
            lambda: aliases.encode() + data,
            lambda: data + b"\n---\n" + data,
            lambda: data + b"\n" + data,
            lambda: data * (1 + 2**20 // max(1, len(data))),
            lambda: data + b"\n#" + b" " * dice.choice((2**17, 2**20)),
            lambda: b"<<: [*x, *x]\n" + data,
        )
    )()


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flipped,
    cut,
    shuffled,
    with_extremes,
    repeated,
    nested,
    retyped,
    recoded,
    bombed,
)
