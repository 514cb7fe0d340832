"""A result with what engineers added beside it: confirmed part numbers, own lines, another choice.

The document that the engine wrote is never edited; pages and sheets read it through `with_edits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from apps.core.canonical import canonical_json, sha256_of

Edits = Mapping[str, Any]
"""`{"parts": [part], "remarks": [remark]}`, each with the build that it is about.

A part is `{build, number, document, sha256, says, by, at, letter}`, a remark
`{id, key, build, kind, line, text, author, at}`; a build is `[server, accelerator, GPUs, nodes]`.
"""

# Parts of a variant whose computed lines may be hidden, with the kind of own lines beside them.
LINES: Final[Mapping[str, str]] = {"pro": "savings", "con": "risks", "when": "when"}


def build_of(variant: Mapping[str, Any]) -> list[Any]:
    """What a variant is built of: the same build stays confirmed wherever it stands in the list."""
    return [
        variant.get("server") or "",
        variant.get("accelerator") or "",
        variant["gpus"],
        variant["nodes"],
    ]


def line_digest(part: str, message: Mapping[str, Any]) -> str:
    """A computed line by what it says, figures included: another figure is another line."""
    return sha256_of(canonical_json([part, message]))


def with_edits(result: Mapping[str, Any], edits: Edits) -> dict[str, Any]:
    """The result as people read it. Variants gain `part`, `own`, `hidden` and `pick`."""
    shown = dict(result)
    if not edits:
        return shown
    variants = [_edited(variant, edits) for variant in result.get("variants") or ()]
    picked = next((v["key"] for v in variants if v.get("pick")), None)
    if picked is not None:
        computed = next((v["key"] for v in variants if v.get("recommended")), "")
        variants = [_picked(variant, picked, computed) for variant in variants]
    shown["variants"] = variants
    return shown


def _picked(variant: dict[str, Any], picked: str, computed: str) -> dict[str, Any]:
    chosen = variant["key"] == picked
    if chosen:
        variant = variant | {"pick": variant["pick"] | {"computed": computed}}
    return variant | {"recommended": chosen}


def _edited(variant: Mapping[str, Any], edits: Edits) -> dict[str, Any]:
    build = build_of(variant)
    edited = dict(variant)
    part = next((p for p in edits.get("parts", ()) if p["build"] == build), None)
    if part is not None:
        edited |= {"part": part, "needs_confirmation": False}
    remarks = [r for r in edits.get("remarks", ()) if applies(r, variant)]
    edited["own"] = {
        kind: [r for r in remarks if r["kind"] == kind]
        for kind in LINES
        if any(r["kind"] == kind for r in remarks)
    }
    hidden = {r["line"]: r for r in remarks if r["kind"] == "hide"}
    if hidden:
        edited |= _without(variant, hidden)
    pick = next((r for r in remarks if r["kind"] == "pick"), None)
    return edited | {"pick": pick} if pick else edited


def applies(remark: Mapping[str, Any], variant: Mapping[str, Any]) -> bool:
    """A remark is about the variant of its key as long as that is the same build."""
    same = remark["key"] == variant["key"] and list(remark["build"]) == build_of(variant)
    return same and (remark["kind"] != "hide" or remark["line"] in _digests(variant))


def _digests(variant: Mapping[str, Any]) -> set[str]:
    return {digest for _part, _message, digest in computed_lines(variant)}


def computed_lines(
    variant: Mapping[str, Any],
) -> Iterable[tuple[str, Mapping[str, Any], str]]:
    """(part, message, digest) of every line that the engine wrote and that may be hidden."""
    for part in LINES.values():
        for message in variant.get(part) or ():
            yield part, message, line_digest(part, message)


def _without(variant: Mapping[str, Any], hidden: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    lines = list(computed_lines(variant))
    kept: dict[str, Any] = {
        part: [m for p, m, digest in lines if p == part and digest not in hidden]
        for part in LINES.values()
        if variant.get(part)
    }
    kept["hidden"] = [
        {"part": part, "message": message, "remark": hidden[digest]}
        for part, message, digest in lines
        if digest in hidden
    ]
    return kept
