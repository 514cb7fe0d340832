"""What the launcher says, in the language of the terminal (LC_ALL, LC_MESSAGES, LANG)."""

import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path


class Problem(Exception):
    """Something the person at the terminal can mend. `remedy` is the command that mends it."""

    def __init__(self, key: str, remedy: str = "", **params: object) -> None:
        super().__init__(text(key, **params))
        self.remedy = remedy


def language(environ: Mapping[str, str] = os.environ) -> str:
    """Return "ru" or "en": the first locale variable that is set decides, as POSIX has it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return "ru" if environ[name].lower().startswith("ru") else "en"
    return "en"


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Every text by its key, then by language."""
    path = Path(__file__).with_name("texts.json")
    loaded: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def text(key: str, **params: object) -> str:
    """Return the text of `key` with its named places filled."""
    return catalogue()[key][language()].format(**params)


def say(key: str, **params: object) -> None:
    """Print the text of `key` at once, also into a pipe."""
    print(text(key, **params), flush=True)


def note(key: str, **params: object) -> None:
    """Print progress to stderr: the output of a command that follows stays its own."""
    print(text(key, **params), file=sys.stderr, flush=True)


def complain(problem: Problem) -> None:
    """Print what is wrong to stderr and, on a line of its own, the command that mends it."""
    print(f"podbor: {problem}", file=sys.stderr)
    if problem.remedy:
        print(f"  {text('remedy')}  {problem.remedy}", file=sys.stderr)
    sys.stderr.flush()
