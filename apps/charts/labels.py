"""The words of the charts: English here, the reader's language through `translated`.

`gettext_noop` only marks a sentence for the catalogue of translations. Named places are filled by
the charts after translation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Self


def gettext_noop(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Labels:
    """A set of words for one chart."""

    def translated(self, translate: Callable[[str], str]) -> Self:
        """The same set in another language: pass Django's `gettext`."""
        return replace(self, **{f.name: translate(getattr(self, f.name)) for f in fields(self)})


@dataclass(frozen=True, slots=True)
class MemoryLabels(Labels):
    title: str = gettext_noop("Memory on one GPU, by variant")
    unit: str = gettext_noop("GiB on one GPU")
    weights: str = gettext_noop("weights")
    gradients: str = gettext_noop("gradients")
    optimizer: str = gettext_noop("optimizer")
    activations: str = gettext_noop("activations")
    buffers: str = gettext_noop("buffers")
    rest: str = gettext_noop("cache and driver")
    available: str = gettext_noop("available %(value)s")
    weights_only: str = gettext_noop("weights only, as in inference: %(value)s")
    weights_only_short: str = gettext_noop("weights only: %(value)s")
    row: str = gettext_noop("%(name)s: %(range)s of %(capacity)s GiB, %(word)s")
    row_without_capacity: str = gettext_noop("%(name)s: %(range)s GiB, %(word)s")


@dataclass(frozen=True, slots=True)
class StorageLabels(Labels):
    title: str = gettext_noop("Storage layout")
    capacity: str = gettext_noop("%(value)s GB")
    unit: str = gettext_noop("GB is a thousand million bytes; width is volume")
    row: str = gettext_noop("%(name)s: needs %(need)s GB, has %(capacity)s GB")


@dataclass(frozen=True, slots=True)
class CycleLabels(Labels):
    title: str = gettext_noop("Cycle time by number of GPUs")
    hours_axis: str = gettext_noop("hours a cycle (logarithmic)")
    gpus_axis: str = gettext_noop("number of GPUs (logarithmic)")
    deadline: str = gettext_noop("client's deadline: %(value)s h")
    feed_floor: str = gettext_noop("data feeding allows no faster")
    too_small: str = gettext_noop("not enough memory")
    band: str = gettext_noop("%(name)s: %(points)s")
    point: str = gettext_noop("%(count)s GPUs, %(low)s–%(high)s h")
    measured: str = gettext_noop("measured in a pilot: %(points)s")
    measured_point: str = gettext_noop("%(name)s on %(count)s GPUs, %(value)s h")


@dataclass(frozen=True, slots=True)
class EfficiencyLabels(Labels):
    title: str = gettext_noop("Efficiency of each GPU as their number grows")
    efficiency_axis: str = gettext_noop("efficiency of each GPU")
    gpus_axis: str = gettext_noop("number of GPUs (logarithmic)")
    inside: str = gettext_noop("in one node")
    between: str = gettext_noop("several nodes")
    over_pcie: str = gettext_noop("the same over PCIe")
    limit: str = gettext_noop("more than %(count)s do not pay")
    percent: str = gettext_noop("%(value)s %%")
    point: str = gettext_noop("%(count)s GPUs: %(value)s")


@dataclass(frozen=True, slots=True)
class TornadoLabels(Labels):
    title: str = gettext_noop("What the open questions change")
    now: str = gettext_noop("now %(value)s %(unit)s")
    deadline: str = gettext_noop("deadline %(value)s %(unit)s")
    less: str = gettext_noop("faster")
    more: str = gettext_noop("longer")
    row: str = gettext_noop("%(key)s %(name)s: %(low)s–%(high)s %(unit)s")


@dataclass(frozen=True, slots=True)
class RackLabels(Labels):
    title: str = gettext_noop("Rack, front view")
    units: str = gettext_noop("%(count)sU")
    outlets: str = gettext_noop("PDU %(feeds)s")
    row: str = gettext_noop("%(name)s: U%(first)s–U%(last)s")


@dataclass(frozen=True, slots=True)
class PowerLabels(Labels):
    title: str = gettext_noop("Power by feed")
    lost: str = gettext_noop("feed lost")
    load: str = gettext_noop("%(value)s kW")
    limit: str = gettext_noop("limit: %(value)s")
    breaker: str = gettext_noop("feed: %(value)s kW")
    row: str = gettext_noop("%(case)s: %(loads)s; %(word)s")
    feed_load: str = gettext_noop("feed %(feed)s %(load)s")


@dataclass(frozen=True, slots=True)
class DimensionLabels(Labels):
    title: str = gettext_noop("Main figures")
    row: str = gettext_noop("%(name)s: %(range)s %(unit)s")
    row_with_limit: str = gettext_noop("%(name)s: %(range)s %(unit)s, %(limit_name)s %(limit)s")


@dataclass(frozen=True, slots=True)
class ServerLabels(Labels):
    title: str = gettext_noop("Server, front view")
    width: str = gettext_noop("19 inches, 482 mm")
    slots: str = gettext_noop("%(count)s GPU slots; a diagram, not a photograph")
    no_slots: str = gettext_noop("a diagram, not a photograph")
    height: str = gettext_noop("%(count)sU")
