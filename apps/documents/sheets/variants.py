"""The variants of a result, opened for reading. The only module that knows a variant's fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.documents.sheets.reading import Reading
from apps.estimation.texts import code_word, sentence, sentences, variant_name
from apps.estimation.wording.schemes import scheme_text
from apps.sizing.ranges import Range
from apps.sizing.variants import GIVEN

Block = Mapping[str, Any]


def range_of(block: Block | None, *path: str) -> Range | None:
    """The range at `path`, or None when any step of it is missing."""
    node: Any = block
    for name in path:
        if not isinstance(node, Mapping):
            return None
        node = node.get(name)
    return Range.from_dict(node) if isinstance(node, dict) and "typical" in node else None


@dataclass(frozen=True)
class Variant:
    """One way to build it. A block is None when its estimator said nothing about it."""

    document: Block
    reading: Reading

    @property
    def key(self) -> str:
        """V0 to V3; a word for the platform that the task itself names."""
        key = str(self.document["key"])
        return pgettext("variant", "As given") if key == GIVEN else key

    @property
    def name(self) -> str:
        key = str(self.document["key"])
        return (
            pgettext("variant", "The platform of the task") if key == GIVEN else variant_name(key)
        )

    @property
    def rented(self) -> bool:
        return bool(self.document.get("rented"))

    @property
    def recommended(self) -> bool:
        return bool(self.document.get("recommended"))

    @property
    def server(self) -> str | None:
        """SKU, None when the catalog has no server for the card."""
        return self.document.get("server")

    @property
    def accelerator(self) -> str | None:
        return self.document.get("accelerator")

    @property
    def gpus(self) -> int:
        return int(self.document["gpus"])

    @property
    def nodes(self) -> int:
        return int(self.document["nodes"])

    @cached_property
    def hardware(self) -> str:
        """4× NVIDIA H200 NVL 141GB."""
        return f"{formatting.number(self.gpus)}×{formatting.NBSP}{self.card}"

    @property
    def card(self) -> str:
        """Name of the accelerator."""
        slug = self.accelerator or ""
        return self.reading.names.get(slug, slug) or _("the card is open")

    @property
    def layout(self) -> str:
        """How the model is spread over the GPUs."""
        return scheme_text(str((self.document.get("layout") or {}).get("name") or ""))

    @property
    def intra_node_link(self) -> str | None:
        return (self.document.get("link") or {}).get("intra_node")

    @property
    def link_text(self) -> str:
        """How the GPUs of a node, and the nodes, are joined."""
        if self.gpus == 1:
            return _("one GPU, no exchange")
        inside = code_word("link", self.intra_node_link)
        between = (self.document.get("link") or {}).get("inter_node")
        return f"{inside}, {between}" if self.nodes > 1 and between else inside

    def block(self, estimator: str) -> Block | None:
        found = self.document.get(estimator)
        return found if isinstance(found, Mapping) and found else None

    def reason(self, estimator: str) -> str:
        """Why a block is missing, as a sentence; empty when nobody said."""
        block = self.document.get(estimator)
        said = block.get("reason") if isinstance(block, Mapping) else None
        reasons = self.document.get("reasons") or {}
        cycle = reasons.get("cycle") if estimator == "time" else None
        return sentence(said or reasons.get(estimator) or cycle)

    def messages(self, part: str) -> list[str]:
        """`savings`, `risks` or `when` as sentences."""
        return sentences(self.document.get(part) or ())

    @property
    def device_gib(self) -> Range | None:
        return range_of(self.block("memory"), "device_gib")

    @property
    def capacity_gib(self) -> float | None:
        block = self.block("memory") or {}
        return block.get("capacity_gib")

    @property
    def hours(self) -> Range | None:
        return range_of(self.block("time"), "cycle", "hours")

    @property
    def load_kw(self) -> Range | None:
        return range_of(self.block("rack"), "power", "load_kw")

    @property
    def feed_kw(self) -> float | None:
        """What one feed of the site carries."""
        power = (self.block("rack") or {}).get("power") or {}
        return power.get("feed_capacity_kw")

    @property
    def storage_gb(self) -> Range | None:
        return range_of(self.block("storage"), "total_gb")

    def verdict(self, name: str) -> str | None:
        """`memory`, `time`, `storage`, `rack` or `overall`."""
        found = (self.document.get("verdicts") or {}).get(name)
        return str(found) if found else None


def variants_of(reading: Reading) -> tuple[Variant, ...]:
    return tuple(Variant(document, reading) for document in reading.result.get("variants") or ())


def picked(variants: tuple[Variant, ...]) -> Variant | None:
    """The recommended variant, else the first that is not rented, else whatever there is."""
    return _first(variants, lambda v: v.recommended, lambda v: not v.rented, lambda v: True)


def piloted(variants: tuple[Variant, ...]) -> Variant | None:
    """The variant to try first: the rented one, else the one the result speaks of."""
    return _first(variants, lambda v: v.rented) or picked(variants)


def placed(variants: tuple[Variant, ...]) -> Variant | None:
    """The variant whose place in the client's rack is judged: the recommended one if it stands
    there, else the first that passes, else the first that stands there."""
    standing = tuple(v for v in variants if v.block("rack"))
    return _first(
        standing,
        lambda v: v.recommended,
        lambda v: v.verdict("rack") in ("fits", "tight"),
        lambda v: True,
    )


def _first(variants: tuple[Variant, ...], *wanted: Callable[[Variant], bool]) -> Variant | None:
    """The first variant that meets the earliest of the wishes that any meets."""
    return next((v for wish in wanted for v in variants if wish(v)), None)
