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

CONFIDENCES: Final = frozenset(
    {"datasheet", "measurement", "secondary", "derived", "unverified", "high", "medium", "low"}
)


class CatalogError(ValueError):
    """A row of the catalog is not fit for use; the message names the row and the fact."""


@dataclass(frozen=True, slots=True)
class FactSpec:
    """What a fact of one key looks like.

    `form` is `number` (positive), `count` (positive and whole), `word`, `words`, `counts` (list of
    counts) or `counts-by-word`. `unit` is the only unit accepted.
    """

    form: str
    unit: str


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
    note: str = ""
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


SERVER_FACTS: Final[Mapping[str, FactSpec]] = {
    "platform_class": FactSpec("word", "text"),
    "availability": FactSpec("word", "word"),
    "rack_units": FactSpec("count", "U"),
    "height_mm": FactSpec("number", "mm"),
    "width_mm": FactSpec("number", "mm"),
    "depth_mm": FactSpec("number", "mm"),
    "weight_kg": FactSpec("number", "kg"),
    "weight_empty_kg": FactSpec("number", "kg"),
    "weight_gross_kg": FactSpec("number", "kg"),
    "accelerators": FactSpec("words", "ids"),
    "accelerators_seen": FactSpec("words", "ids"),
    "gpu_counts": FactSpec("counts", "GPU"),
    "gpu_counts_by_width": FactSpec("counts-by-word", "GPU by slot width"),
    "gpu_form_factor": FactSpec("word", "word"),
    "gpu_max_w": FactSpec("number", "W"),
    "gpu_link": FactSpec("word", "word"),
    "nvlink_island_gpus": FactSpec("count", "GPU"),
    "cpu_sockets": FactSpec("count", "sockets"),
    "cpu_socket": FactSpec("word", "word"),
    "cpu_max_tdp_w": FactSpec("number", "W"),
    "cpu_seen": FactSpec("words", "names"),
    "dimm_slots": FactSpec("count", "slots"),
    "memory_channels_per_cpu": FactSpec("count", "channels"),
    "memory_speed_1dpc_mts": FactSpec("number", "MT/s"),
    "memory_speed_2dpc_mts": FactSpec("number", "MT/s"),
    "memory_max_gb": FactSpec("number", "GB"),
    "nvme_bays": FactSpec("count", "bays"),
    "sata_bays": FactSpec("count", "bays"),
    "pcie_slots": FactSpec("count", "slots"),
    "onboard_nic": FactSpec("word", "text"),
    "psu_count": FactSpec("count", "power supplies"),
    "psu_w": FactSpec("number", "W"),
    "psu_needed": FactSpec("count", "power supplies"),
    "psu_inlet": FactSpec("word", "word"),
    "psu_min_volts": FactSpec("number", "V"),
    "max_input_w": FactSpec("number", "W"),
    "redfish_max_w": FactSpec("number", "W"),
    "heat_btu_per_h": FactSpec("number", "BTU/h"),
    "airflow_cfm": FactSpec("number", "CFM"),
    "operating_temp_max_c": FactSpec("number", "°C"),
    "cooling": FactSpec("word", "word"),
    "seen_configurations": FactSpec("words", "texts"),
}

CPU_FACTS: Final[Mapping[str, FactSpec]] = {
    "socket": FactSpec("word", "word"),
    "cores": FactSpec("count", "cores"),
    "threads": FactSpec("count", "threads"),
    "base_ghz": FactSpec("number", "GHz"),
    "tdp_w": FactSpec("number", "W"),
    "memory_channels": FactSpec("count", "channels"),
    "memory_speed_1dpc_mts": FactSpec("number", "MT/s"),
}

SERVER_REQUIRED: Final = (
    "rack_units",
    "accelerators",
    "gpu_counts",
    "gpu_form_factor",
    "cpu_sockets",
    "cooling",
    "availability",
)
CPU_REQUIRED: Final = ("socket", "cores", "memory_channels")


def parse_row(
    document: Mapping[str, Any],
    kind: str,
    specs: Mapping[str, FactSpec],
    required: Sequence[str] = (),
) -> Row:
    """Check one row of `kind` and return it.

    Raises:
        CatalogError: a field is missing, unknown, without source or date, or cannot be true.
    """
    slug = str(document.get("slug") or "a row without a slug")
    if document.get("kind") != kind:
        raise CatalogError(f"{slug}: kind is {document.get('kind')!r}, not {kind!r}")
    _refuse_unknown(document, {"slug", "kind", "name", "vendor", "family", "facts"}, slug)
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
    return parse_row(document, "server", SERVER_FACTS, SERVER_REQUIRED)


def parse_cpu(document: Mapping[str, Any]) -> Row:
    """Check one processor row."""
    return parse_row(document, "cpu", CPU_FACTS, CPU_REQUIRED)


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
    return Fact(
        key=key,
        value=document["value"],
        unit=spec.unit,
        source=_text(document, "source", where),
        source_ref=_text(document, "source_ref", where),
        as_of=_date(document.get("as_of"), "as_of", where),
        confidence=_confidence(document, where),
        note=str(document.get("note") or ""),
        superseded=bool(document.get("superseded")),
    )


def _check_value(value: object, form: str, where: str) -> None:
    if form in ("number", "count"):
        _positive(value, where, whole=form == "count")
        return
    if form == "word":
        if not isinstance(value, str) or not value.strip():
            raise CatalogError(f"{where}: the value is text, not {value!r}")
        return
    if form == "counts-by-word":
        if not isinstance(value, Mapping) or not value:
            raise CatalogError(f"{where}: the value is a table of counts, not {value!r}")
        members: Sequence[object] = list(value.values())
    else:
        if not isinstance(value, list) or not value:
            raise CatalogError(f"{where}: the value is a list, not {value!r}")
        members = value
    for member in members:
        if form == "words":
            _check_value(member, "word", where)
        else:
            _positive(member, where, whole=True)


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
