"""Facts about hardware and models as the engine takes them.

Values only: where a fact came from (source, date, confidence) stays with the rows outside, which
build these. None means that nobody has found the fact; the engine then says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apps.sizing.calibration import Calibration
from apps.sizing.ranges import Range

if TYPE_CHECKING:
    from apps.sizing.transfer import Transfer


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """One GPU. Rates are dense, per direction where a direction exists.

    `family` groups cards that share calibrated constants (a row of calibration data, not a guess
    from the name). `form_factor` is `sxm`, `pcie`, `nvl` or `oam`.
    """

    id: str
    name: str
    vendor: str
    family: str
    form_factor: str
    memory_gb: float
    usable_memory_gib: float
    memory_tb_per_s: float
    bf16_tflops_per_s: float | None
    fp8_tflops_per_s: float | None = None
    tdp_w: float | None = None
    link: str = "pcie"
    link_domain_gpus: int = 1
    pcie_generation: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """One server platform (SKU)."""

    sku: str
    vendor: str
    rack_units: int
    depth_mm: float | None
    weight_kg: float | None
    accelerators: tuple[str, ...]
    gpu_counts: tuple[int, ...]
    cpu_sockets: int
    dimm_slots: int | None
    nvme_bays: int | None
    psu_count: int | None
    psu_w: float | None
    psu_needed: int | None
    max_input_w: float | None
    cooling: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Processor:
    """One CPU. `cores` are physical, `memory_channels` are of one socket."""

    id: str
    name: str
    vendor: str
    socket: str
    cores: int
    memory_channels: int
    tdp_w: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkCard:
    """One network card. `port_gbps` is of one port; `slots` are those it takes in the server.

    `connector` is the cage of its ports; None when nobody has found it.
    """

    id: str
    name: str
    vendor: str
    ports: int
    port_gbps: float
    connector: str | None = None
    slots: int = 1
    auxiliary_power: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """One published model architecture; `params` are counts, not billions."""

    name: str
    kind: str
    params: float
    active_params: float
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    ffn: int | None = None
    gated_ffn: bool | None = None
    vocab: int | None = None
    tied_embeddings: bool | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    moe_ffn: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalog:
    """Everything the engine may look up, keyed by id. `constants` are keyed `section.key`.

    `measured` are the client's own runs, in a catalog made for one task (see `measured`).
    Compared by identity, so that what is derived from a catalog can be kept per catalog.
    """

    accelerators: Mapping[str, Accelerator]
    servers: Mapping[str, Server]
    architectures: Mapping[str, Architecture]
    constants: Mapping[str, Range]
    calibration: Calibration = field(default_factory=Calibration)
    processors: Mapping[str, Processor] = field(default_factory=dict)
    network_cards: Mapping[str, NetworkCard] = field(default_factory=dict)
    measured: Transfer | None = None
