"""A file as the recognisers see it, whatever notation it was written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from apps.configs.readers.python_reader import Call

Notation = Literal["yaml", "json", "toml", "shell", "python"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`tree` is the file's mapping; of a command, its own flags and `key=value` overrides.

    Of commands there are also `program` (the words that are no flags), `launch` (the flags of the
    launcher in front of it) and `environment` (what the text assigns, the command's own included).
    Of Python scripts there are `calls`, and `tree` holds the options' defaults and constants.
    `comments` is the file's text where comments may say what keys do not.
    """

    notation: Notation
    name: str = ""
    tree: Mapping[str, Any]
    repeated: tuple[str, ...] = ()
    comments: str = ""
    program: tuple[str, ...] = ()
    launch: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()
