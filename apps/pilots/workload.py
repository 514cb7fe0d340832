"""The fingerprint of what ran: a measurement counts for the same workload only.

`WORKLOAD` are the fields that the protocol fixes, equal for every supplier; `RECORD` are all seven
of a verification record, with the quality, the versions and the time of one run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.core.canonical import canonical_json, sha256_of

WARMUP_STEPS: Final = 20
MEASURED_STEPS: Final = 50

WORKLOAD: Final = ("model", "dataset", "parameters", "steps")
RECORD: Final = (*WORKLOAD, "quality", "versions", "time")

Document = Mapping[str, Any]


def fingerprint(record: Document, names: tuple[str, ...] = WORKLOAD) -> str:
    """SHA-256 over the canonical JSON of the named fields; empty values are left out, so that a
    field nobody knows and one nobody asks for are the same."""
    return sha256_of(canonical_json({name: _said(record.get(name)) for name in names}))


def record_sha256(record: Document) -> str:
    """The hash of a whole verification record: it changes when any of the seven does."""
    return fingerprint(record, RECORD)


def differences(expected: Document, record: Document) -> tuple[str, ...]:
    """Paths of what the run does not share with the protocol: `parameters.sequence_length`.

    Every field that the protocol fixes counts, and nothing else.
    """
    return tuple(_differing(expected, record))


def _differing(expected: Document, record: Document) -> Iterator[str]:
    for name in WORKLOAD:
        wanted, found = _said(expected.get(name)), _said(record.get(name))
        if not isinstance(wanted, Mapping) or not isinstance(found, Mapping):
            if wanted != found:
                yield name
            continue
        for key in sorted(wanted.keys() | found.keys()):
            if wanted.get(key) != found.get(key):
                yield name if name == "dataset" else f"{name}.{key}"
                if name == "dataset":
                    break


def _said(value: Any) -> Any:
    """Without what is empty; a whole number is one whether it was written 2 or 2.0."""
    if isinstance(value, Mapping):
        return {k: _said(v) for k, v in value.items() if v not in (None, "", {}, [])}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return " ".join(value.split())
    return value
