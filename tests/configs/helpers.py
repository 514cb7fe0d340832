"""Fixtures of this folder, and what an import of one is expected to say."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.configs.imported import Imported
from apps.configs.importer import read_config

FIXTURES = Path(__file__).parent / "fixtures"
EVERY_FIXTURE = sorted(path.name for path in FIXTURES.iterdir())


def imported(name: str) -> Imported:
    return read_config(name, (FIXTURES / name).read_bytes())


def of_text(text: str, name: str = "config.yaml") -> Imported:
    return read_config(name, text.encode())


def values(found: Imported) -> dict[str, Any]:
    return {name: one.value for name, one in found.fields.items()}


@dataclass(frozen=True)
class Says:
    """What a file states, what its framework adds, what is guessed; `unknown` must stay unknown."""

    format: str
    stated: dict[str, Any]
    default: dict[str, Any] = field(default_factory=dict)
    guess: dict[str, Any] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def check(self, found: Imported) -> None:
        assert found.format == self.format
        for origin, expected in (
            ("file", self.stated),
            ("framework default", self.default),
            ("guess", self.guess),
        ):
            got = {n: f.value for n, f in found.fields.items() if f.origin == origin}
            assert {name: got.get(name) for name in expected} == expected
        assert not set(self.unknown) & set(found.fields)
