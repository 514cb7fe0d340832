"""Two volumes, what lies on them and how fast each must be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from apps.charts import StorageLabels, Volume, VolumePart, storage_chart
from apps.charts.textures import Texture
from apps.core import formatting
from apps.documents.sheets.memory import not_calculated
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Block, Variant, picked, range_of
from apps.estimation.presenters.detail_lines import Line, backup_lines, interval_lines
from apps.estimation.texts import code_word, sentences
from apps.sizing.ranges import Range

_TEXTURES: Final[Mapping[str, Texture]] = {
    "raw": "solid",
    "unpacked": "falling",
    "copy": "rising",
    "intermediate": "falling",
    "tokens": "dots",
    "intermediate-states": "falling",
    "final": "solid",
    "in-flight": "rising",
    "reserve": "lines",
}
_HERE: Final = "disk_bytes"
_SHARED: Final = frozenset({"nfs", "san", "object"})
_MOST_ADVICE: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One line of a table of needs."""

    label: str
    value: str
    verdict: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageSheet:
    conclusion: str
    drawing: str
    rows: tuple[Need, ...]
    advice: tuple[str, ...]


def storage_of(reading: Reading, variants: tuple[Variant, ...]) -> StorageSheet:
    variant = picked(variants)
    block = variant.block("storage") if variant else None
    if variant is None or block is None:
        reason = not_calculated(variant, "storage") if variant else ""
        return StorageSheet(conclusion=reason, drawing="", rows=(), advice=())
    return StorageSheet(
        conclusion=_conclusion(variant, block),
        drawing=_drawing(reading, block),
        rows=tuple(_rows(block)),
        advice=tuple(sentences(block.get("advice") or ())[:_MOST_ADVICE]),
    )


def _conclusion(variant: Variant, block: Block) -> str:
    if variant.storage_gb is None:
        return _(
            "Only a part of the storage can be counted: the open questions say what is missing."
        )
    volumes = {volume["key"]: volume for volume in block.get("volumes") or ()}
    return _("Two volumes: %(data)s for the data and %(saves)s for the checkpoints.") % {
        "data": formatting.span_text(range_of(volumes.get("dataset"), "capacity_gb"), "GB"),
        "saves": formatting.span_text(range_of(volumes.get("checkpoints"), "capacity_gb"), "GB"),
    }


def disk_gb(reading: Reading) -> float | None:
    """What the client has for data and checkpoints together, GB."""
    size_bytes = (reading.snapshot.context.get("storage") or {}).get(_HERE)
    return size_bytes / 1e9 if size_bytes else None


def missing_gb(reading: Reading, variant: Variant | None) -> float | None:
    """How much the client's disk lacks for the typical need; None when that cannot be said."""
    here, need = disk_gb(reading), variant.storage_gb if variant else None
    if here is None or need is None:
        return None
    return max(need.typical - here, 0.0)


def _drawing(reading: Reading, block: Block) -> str:
    volumes = [
        _volume(volume, _class_and_rate(reading, block, volume["key"]))
        for volume in block.get("volumes") or ()
    ]
    here = disk_gb(reading)
    if here is not None and len(volumes) == 2:
        volumes.append(_present(here, volumes))
    if not volumes:
        return ""
    return storage_chart(
        volumes, labels=StorageLabels().translated(gettext), number=formatting.approximate
    ).wide


def _class_and_rate(reading: Reading, block: Block, key: str) -> str:
    """What kind of volume it is and how fast it has to be; empty where the rate is not known."""
    if key == "checkpoints":
        rate = range_of(block, "save", "write_gb_per_s")
        found = (block.get("checkpoint") or {}).get("save_class")
        return "" if rate is None or not found else _rate_note("save_class", found["class"], rate)
    rate = range_of(block, "read", "gb_per_s")
    location = (reading.snapshot.task.get("data") or {}).get("location")
    if rate is None:
        return ""
    if location in _SHARED:
        return _("over the network, %(rate)s") % {"rate": rate_text(Range.exact(rate.typical))}
    return _rate_note("read_class", block["read"]["io_class"], rate)


def _rate_note(group: str, code: str, rate: Range) -> str:
    return _("%(drives)s, %(rate)s") % {
        "drives": code_word(group, code),
        "rate": rate_text(Range.exact(rate.typical)),
    }


def _volume(volume: Mapping[str, Any], rate_note: str) -> Volume:
    parts = [
        VolumePart(code_word("volume_part", name), part["typical"], _TEXTURES.get(name, "lines"))
        for name, part in volume["parts_gb"].items()
        if part["typical"] > 0
    ]
    capacity = Range.from_dict(volume["capacity_gb"])
    # The unit is said once, by the span: terabytes for both or for neither.
    _fitted, _unit, size = formatting.fitted_range(capacity, "GB")
    note = _("%(span)s, typical %(typical)s") % {
        "span": formatting.span_text(capacity, "GB"),
        "typical": formatting.approximate(capacity.typical / size),
    }
    return Volume(
        name=code_word("volume", volume["key"]),
        notes=[note, rate_note] if rate_note else [note],
        parts=parts,
        capacity_gb=None,
        status="info",
        word="",
    )


def _present(here_gb: float, volumes: list[Volume]) -> Volume:
    """The disk of today under everything that would have to lie on it."""
    need_gb = sum(volume.need_gb for volume in volumes)
    enough = need_gb <= here_gb
    textures: tuple[Texture, ...] = ("rising", "falling")
    word = (
        _("enough")
        if enough
        else _("%(missing)s short") % {"missing": formatting.estimate(need_gb - here_gb, "GB")}
    )
    return Volume(
        name=_("What there is now"),
        notes=[_("data and checkpoints together")],
        parts=[
            VolumePart(volume.name, volume.need_gb, texture)
            for volume, texture in zip(volumes, textures, strict=True)
        ],
        capacity_gb=here_gb,
        status="ok" if enough else "blocked",
        word=word,
    )


def _rows(block: Block) -> Iterator[Need]:
    read = range_of(block, "read", "gb_per_s")
    if read:
        yield Need(label=_("Reading while training"), value=rate_text(read))
    checkpoint = block.get("checkpoint") or {}
    for label, name in (
        (_("One checkpoint that resumes"), "full_gb"),
        (_("Finished weights or adapter"), "final_gb"),
        (_("What is saved each time"), "saved_gb"),
    ):
        size = range_of(checkpoint, name)
        if size and not (name == "saved_gb" and size == range_of(checkpoint, "full_gb")):
            yield Need(label=label, value=formatting.byte_size(size * 1e9))
    write = range_of(block, "save", "write_gb_per_s")
    if write:
        yield Need(label=_("Writing a checkpoint"), value=rate_text(write))
    yield from (Need(label=one.label, value=one.value) for one in _saves_and_backup(block))
    drives = block.get("drives") or {}
    if drives.get("dataset"):
        yield Need(
            label=_("NVMe drives of a node: data and checkpoints"),
            value=_drives_text(drives),
            verdict=drives.get("verdict"),
        )


def _saves_and_backup(block: Block) -> Iterator[Line]:
    if block.get("save"):
        yield from interval_lines(block["save"])
    yield from backup_lines(block.get("backup"))


def _drives_text(drives: Mapping[str, Any]) -> str:
    counts = {
        "data": formatting.span_text(drives["dataset"]),
        "saves": formatting.span_text(drives["checkpoints"]),
    }
    if drives.get("bays") is None:
        return _("%(data)s and %(saves)s") % counts
    bays = formatting.number(drives["bays"])
    return _("%(data)s and %(saves)s, the node takes %(bays)s") % (counts | {"bays": bays})


def rate_text(rate_gb_per_s: Range) -> str:
    """A rate in the unit that suits it; two ends, because nobody plans by the middle."""
    values = rate_gb_per_s * 1e9
    if values.low == values.high:
        return _("%(size)s a second") % {"size": formatting.byte_size(values.typical)}
    return _("%(size)s a second") % {"size": formatting.byte_size(values)}
