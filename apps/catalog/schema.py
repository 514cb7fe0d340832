"""What a row of the catalog must hold before anybody may rely on it.

Every fact carries its unit, its source, the date and how far it is to be trusted. A row that
does not is refused with a message naming the row and the fact. No ORM: the same check serves the
fixture files and whatever is loaded into the database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from apps.catalog.fact_specs import SPECS, FactSpec

CONFIDENCES: Final = frozenset(
    {"datasheet", "measurement", "secondary", "derived", "unverified", "high", "medium", "low"}
)


class CatalogError(ValueError):
    """A row of the catalog is not fit for use; the message names the row and the fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One value with where it comes from. A superseded one is kept to be shown, never used."""

    key: str
    value: Any
    unit: str
    source: str
    source_ref: str
    as_of: date
    confidence: str
    value_ru: Any = None
    note: str = ""
    note_ru: str = ""
    superseded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One item of the catalog with its facts."""

    slug: str
    kind: str
    name: str
    vendor: str
    facts: tuple[Fact, ...]

    def values(self) -> dict[str, Any]:
        """Value by key, of the facts in force."""
        return {fact.key: fact.value for fact in self.facts if not fact.superseded}


def parse_row(document: Mapping[str, Any], kind: str) -> Row:
    """Check one row of `kind` and return it.

    Raises:
        CatalogError: a field is missing, unknown, without source or date, or cannot be true.
    """
    specs, required = SPECS[kind]
    slug = str(document.get("slug") or "a row without a slug")
    if document.get("kind") != kind:
        raise CatalogError(f"{slug}: kind is {document.get('kind')!r}, not {kind!r}")
    _refuse_unknown(
        document, {"slug", "kind", "name", "vendor", "family", "form_factor", "facts"}, slug
    )
    for name in ("slug", "name", "vendor"):
        _text(document, name, slug)
    facts = tuple(_fact(fact, specs, slug) for fact in document.get("facts") or ())
    in_force = [fact.key for fact in facts if not fact.superseded]
    twice = sorted({key for key in in_force if in_force.count(key) > 1})
    if twice:
        raise CatalogError(f"{slug}: two values in force for {', '.join(twice)}")
    missing = [key for key in required if key not in in_force]
    if missing:
        raise CatalogError(f"{slug}: nothing is stated for {', '.join(missing)}")
    return Row(
        slug=document["slug"],
        kind=kind,
        name=document["name"],
        vendor=document["vendor"],
        facts=facts,
    )


def parse_server(document: Mapping[str, Any]) -> Row:
    """Check one server row."""
    return parse_row(document, "server")


def parse_cpu(document: Mapping[str, Any]) -> Row:
    """Check one processor row."""
    return parse_row(document, "cpu")


def check_rows(document: Mapping[str, Any]) -> None:
    """Check every row of a catalog document that has facts, and every constant.

    Raises:
        CatalogError: a row is not fit for use.
    """
    parts = {
        "servers": "server",
        "accelerators": "accelerator",
        "cpus": "cpu",
        "nics": "nic",
        "drives": "drive",
        "dimms": "dimm",
    }
    for part, kind in parts.items():
        for row in document[part]:
            parse_row(row, kind)
    for row in document["constants"]:
        parse_constant(row)


def parse_fact(document: Mapping[str, Any], kind: str, slug: str) -> Fact:
    """Check one fact of an item of `kind`.

    Raises:
        CatalogError: it is unknown, without source or date, or cannot be true.
    """
    return _fact(document, SPECS[kind][0], slug)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantRow:
    """One constant of the engine: a range with its source. `source_url` may be empty for
    arithmetic and for judgement, which then says so in `source_title`."""

    key: str
    low: float
    typical: float
    high: float
    unit: str
    source_title: str
    source_url: str
    retrieved: date
    confidence: str
    note: str = ""
    note_ru: str = ""


def parse_constant(document: Mapping[str, Any]) -> ConstantRow:
    """Check one constant.

    Raises:
        CatalogError: a field is missing, unknown, out of order or negative.
    """
    key = str(document.get("key") or "a constant without a key")
    fields = set(ConstantRow.__dataclass_fields__)
    _refuse_unknown(document, fields, key)
    if "." not in key:
        raise CatalogError(f"{key}: a key is section.name")
    figures = [_number(document.get(name), name, key) for name in ("low", "typical", "high")]
    if figures != sorted(figures):
        raise CatalogError(f"{key}: low, typical and high are not in order")
    return ConstantRow(
        key=key,
        low=figures[0],
        typical=figures[1],
        high=figures[2],
        unit=_text(document, "unit", key),
        source_title=_text(document, "source_title", key),
        source_url=str(document.get("source_url") or ""),
        retrieved=_date(document.get("retrieved"), "retrieved", key),
        confidence=_confidence(document, key),
        note=str(document.get("note") or ""),
        note_ru=str(document.get("note_ru") or ""),
    )


def _fact(document: Mapping[str, Any], specs: Mapping[str, FactSpec], slug: str) -> Fact:
    key = str(document.get("key"))
    where = f"{slug}, fact {key}"
    _refuse_unknown(document, set(Fact.__dataclass_fields__), where)
    spec = specs.get(key)
    if spec is None:
        raise CatalogError(f"{where}: no such fact is known")
    if document.get("unit") != spec.unit:
        raise CatalogError(f"{where}: the unit is {spec.unit!r}, not {document.get('unit')!r}")
    _check_value(document.get("value"), spec.form, where)
    if document.get("value_ru") is not None:
        _check_value(document["value_ru"], spec.form, where)
    return Fact(
        key=key,
        value=document["value"],
        unit=spec.unit,
        source=_text(document, "source", where),
        source_ref=_reference(document, where),
        as_of=_date(document.get("as_of"), "as_of", where),
        confidence=_confidence(document, where),
        value_ru=document.get("value_ru"),
        note=str(document.get("note") or ""),
        note_ru=str(document.get("note_ru") or ""),
        superseded=bool(document.get("superseded")),
    )


def _check_value(value: object, form: str, where: str) -> None:
    if form in ("number", "count"):
        _positive(value, where, whole=form == "count")
    elif form == "flag":
        if not isinstance(value, bool):
            raise CatalogError(f"{where}: the value is true or false, not {value!r}")
    elif form == "word":
        if not isinstance(value, str) or not value.strip():
            raise CatalogError(f"{where}: the value is text, not {value!r}")
    else:
        member_form = "word" if form == "words" else "count"
        for member in _members(value, form, where):
            _check_value(member, member_form, where)


def _members(value: object, form: str, where: str) -> Sequence[object]:
    if form == "counts-by-word":
        if not isinstance(value, Mapping) or not value:
            raise CatalogError(f"{where}: the value is a table of counts, not {value!r}")
        return list(value.values())
    if not isinstance(value, list) or not value:
        raise CatalogError(f"{where}: the value is a list, not {value!r}")
    return value


def _number(value: object, name: str, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise CatalogError(f"{where}: {name} is a number from zero up, not {value!r}")
    return float(value)


def _positive(value: object, where: str, *, whole: bool) -> None:
    figure = _number(value, "the value", where)
    if figure == 0 or (whole and figure != int(figure)):
        kind = "whole number" if whole else "number"
        raise CatalogError(f"{where}: the value is a {kind} above zero, not {value!r}")


def _text(document: Mapping[str, Any], name: str, where: str) -> str:
    value = document.get(name)
    if not isinstance(value, str) or not value.strip():
        raise CatalogError(f"{where}: {name} is missing")
    return value


def _reference(document: Mapping[str, Any], where: str) -> str:
    """Where the source is. Empty for what is common knowledge, arithmetic or judgement."""
    if not isinstance(document.get("source_ref"), str):
        raise CatalogError(f"{where}: source_ref is missing")
    return str(document["source_ref"])


def _date(value: object, name: str, where: str) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise CatalogError(f"{where}: {name} is a date (YYYY-MM-DD), not {value!r}") from None


def _confidence(document: Mapping[str, Any], where: str) -> str:
    confidence = _text(document, "confidence", where)
    if confidence not in CONFIDENCES:
        raise CatalogError(f"{where}: confidence {confidence!r} is none of ours")
    return confidence


def _refuse_unknown(document: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(document) - known)
    if unknown:
        raise CatalogError(f"{where}: unknown fields {', '.join(unknown)}")
