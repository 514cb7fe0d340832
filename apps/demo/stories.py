"""The demo stories as data: what each client asked for, and what became of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One story. `steps` are played in order; `do` names the step, the rest are its words.

    `who` and `when` say who will find out what the client does not know, and by when.
    """

    key: str
    client: str
    answers: Mapping[str, Any]
    who: str
    when: str
    steps: tuple[Mapping[str, Any], ...]


@lru_cache(maxsize=1)
def told_stories() -> dict[str, Told]:
    """Every story by its key. One that builds on a script of answers names it in `script`."""
    folder = Path(settings.FIXTURES_DIR) / "demo"
    rows = json.loads((folder / "stories.json").read_text(encoding="utf-8"))
    return {row["key"]: _told(folder, row) for row in rows}


def _told(folder: Path, row: Mapping[str, Any]) -> Told:
    script: Mapping[str, Any] = {}
    if "script" in row:
        script = json.loads((folder / row["script"]).read_text(encoding="utf-8"))
    unknown = script.get("unknown", {}) | row.get("unknown", {})
    answers = script.get("answers", {}) | row.get("answers", {})
    return Told(
        key=row["key"],
        client=row["client"],
        # A null takes an answer of the script away.
        answers={key: value for key, value in answers.items() if value is not None},
        who=unknown.get("who", ""),
        when=unknown.get("when", ""),
        steps=tuple(row["steps"]),
    )
