"""Read the calibration of the engine: what was measured about frameworks and cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from apps.catalog.readers import FIXTURES
from apps.sizing.calibration import (
    Calibration,
    Dialect,
    EvidenceRun,
    FamilyRow,
    LayerRow,
    LinkRow,
    OptimizerRow,
    StateRecipe,
)

Row = TypeVar("Row")

# Words of a row for its reader, not for the engine.
EVIDENCE: Final = FIXTURES.parent / "evidence" / "runs.json"
_SAID: Final = frozenset({"key", "source", "note"})


def calibration_from(
    document: Mapping[str, Any], evidence: Iterable[Mapping[str, Any]]
) -> Calibration:
    """What was measured about frameworks and cards. Sources and notes stay in the document.

    Args:
        document: `fixtures/catalog/calibration.json`.
        evidence: rows of `evidence_rows`.
    """
    return Calibration(
        constants={row["key"]: float(row["value"]) for row in document["constants"]},
        states=_keyed(document["states"], StateRecipe),
        optimizers=_keyed(document["optimizers"], OptimizerRow),
        quantizations={row["key"]: float(row["bytes"]) for row in document["quantizations"]},
        layers=_keyed(document["layers"], LayerRow),
        elementwise=_keyed(document["elementwise"], LayerRow),
        families=_keyed(_families(document["families"]), FamilyRow),
        links=_keyed(document["links"], LinkRow),
        dialects=_dialects(document["dialects"]),
        dialect_of=document["dialect_of"],
        evidence=tuple(EvidenceRun(**row) for row in evidence),
    )


def evidence_rows(path: Path = EVIDENCE) -> list[dict[str, Any]]:
    """Published runs and what was measured in them, without their recipes: fields of
    `EvidenceRun`."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    titles = [source["title"] for source in document["sources"]]
    return [
        {
            "id": row["id"],
            "source": titles[row["source"]],
            "model": row["task"]["model"]["name"],
            "framework": row["task"]["recipe"]["framework"],
            "accelerator": row["task"]["placement"]["accelerator"],
            "method": row["task"]["method"],
            "params_billion": row["params_billion"],
            "gpus": row["task"]["placement"]["gpus"],
            "memory_gib": row["measured"].get("memory_gib"),
            "step_s": row["measured"].get("step_s"),
        }
        for row in document["runs"]
    ]


def _families(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of families; a release kept earlier has `fitted` as `measured`."""
    return [{("fitted" if k == "measured" else k): v for k, v in row.items()} for row in rows]


def _keyed(rows: list[dict[str, Any]], kind: type[Row]) -> dict[str, Row]:
    return {row["key"]: kind(**{k: v for k, v in row.items() if k not in _SAID}) for row in rows}


def _dialects(rows: list[dict[str, Any]]) -> dict[str, Dialect]:
    """Dialects by key; `like` names the earlier row that a row differs from."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        own = {k: v for k, v in row.items() if k not in ("source", "like")}
        found[row["key"]] = {**found.get(row.get("like", ""), {}), **own}
    return {key: Dialect(**_frozen(fields)) for key, fields in found.items()}


def _frozen(fields: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
