"""How each kind of item is laid out: groups of a card, columns of a list, orders of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.catalog.models import Kind

Group = tuple[Promise, tuple[str, ...]]

# In the order of the card. A fact that no group names stands in the last one.
GROUPS: Final[Mapping[str, tuple[Group, ...]]] = {
    Kind.SERVER: (
        (
            _("Accelerators"),
            (
                "gpu_form_factor",
                "gpu_counts",
                "gpu_counts_by_width",
                "gpu_max_w",
                "gpu_link",
                "nvlink_island_gpus",
                "accelerators",
                "accelerators_seen",
            ),
        ),
        (
            _("Processors and memory"),
            (
                "cpu_sockets",
                "cpu_socket",
                "cpu_max_tdp_w",
                "cpu_seen",
                "dimm_slots",
                "memory_channels_per_cpu",
                "memory_speed_1dpc_mts",
                "memory_speed_2dpc_mts",
                "memory_max_gb",
            ),
        ),
        (
            _("Drives, slots, network"),
            ("nvme_bays", "sata_bays", "pcie_slots", "network_slots", "onboard_nic"),
        ),
        (
            _("Power and cooling"),
            (
                "psu_count",
                "psu_w",
                "psu_needed",
                "psu_inlet",
                "psu_min_volts",
                "max_input_w",
                "redfish_max_w",
                "heat_btu_per_h",
                "airflow_cfm",
                "cooling",
                "operating_temp_max_c",
            ),
        ),
        (
            _("Size and delivery"),
            (
                "rack_units",
                "height_mm",
                "width_mm",
                "depth_mm",
                "weight_kg",
                "weight_empty_kg",
                "weight_gross_kg",
                "platform_class",
                "availability",
                "seen_configurations",
            ),
        ),
    ),
    Kind.ACCELERATOR: (
        (_("Memory"), ("memory_gb", "usable_memory_gib", "memory_tb_per_s", "memory_type")),
        (
            _("Rates"),
            (
                "bf16_tflops_per_s",
                "fp16_tflops_per_s",
                "fp8_tflops_per_s",
                "fp4_tflops_per_s",
                "tf32_tflops_per_s",
                "fp32_tflops_per_s",
                "bf16_support",
                "product_rate_ratio",
                "attention_rate_ratio",
            ),
        ),
        (
            _("Exchange"),
            ("link", "link_domain_gpus", "link_gb_per_s", "pcie_generation", "peer_access"),
        ),
        (_("Power and place"), ("tdp_w", "slot_width")),
    ),
    Kind.CPU: (
        (
            _("Processor"),
            (
                "socket",
                "cores",
                "threads",
                "base_ghz",
                "tdp_w",
                "memory_channels",
                "memory_speed_1dpc_mts",
            ),
        ),
    ),
    Kind.NIC: ((_("Network card"), ()),),
    Kind.DRIVE: ((_("Drive"), ()),),
    Kind.DIMM: ((_("Memory module"), ()),),
}

# Facts that a list shows as columns.
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    Kind.SERVER: (
        "gpu_form_factor",
        "gpu_counts",
        "gpu_link",
        "cooling",
        "rack_units",
        "availability",
    ),
    Kind.ACCELERATOR: ("memory_gb", "memory_tb_per_s", "bf16_tflops_per_s", "tdp_w", "link"),
    Kind.CPU: ("socket", "cores", "memory_channels", "tdp_w"),
    Kind.NIC: ("ports", "port_gbps", "connector", "host_link"),
    Kind.DRIVE: ("host_link", "read_mb_per_s", "write_mb_per_s"),
    Kind.DIMM: ("capacity_gb", "memory_generation", "module_type", "speed_mts"),
}
# What says most of an item in a list of all kinds.
IN_SHORT: Final[Mapping[str, tuple[str, ...]]] = {
    Kind.SERVER: ("gpu_form_factor", "gpu_counts", "rack_units", "cooling"),
    Kind.ACCELERATOR: ("memory_gb", "bf16_tflops_per_s", "link"),
    Kind.CPU: ("socket", "cores"),
    Kind.NIC: ("ports", "port_gbps", "connector"),
    Kind.DRIVE: ("host_link", "read_mb_per_s"),
    Kind.DIMM: ("capacity_gb", "module_type", "speed_mts"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order of a list: by the number of a fact, or by a column of the item."""

    key: str
    label: Promise
    fact: str = ""
    column: str = ""
    descending: bool = False


_BY_NAME: Final = Order(key="name", label=_("by name"), column="name")
_FRESHEST: Final = Order(
    key="freshest", label=_("freshest facts first"), column="newest_fact", descending=True
)
ORDERS: Final[Mapping[str, tuple[Order, ...]]] = {
    "": (_BY_NAME, _FRESHEST),
    Kind.SERVER: (
        Order(key="height", label=_("lowest first"), fact="rack_units"),
        Order(
            key="memory", label=_("most GPU memory first"), column="gpu_memory_gb", descending=True
        ),
        Order(key="power", label=_("least power first"), fact="max_input_w"),
        _BY_NAME,
        _FRESHEST,
    ),
    Kind.ACCELERATOR: (
        Order(key="memory", label=_("most memory first"), column="gpu_memory_gb", descending=True),
        Order(
            key="rate", label=_("fastest in bf16 first"), fact="bf16_tflops_per_s", descending=True
        ),
        Order(key="power", label=_("least power first"), fact="tdp_w"),
        _BY_NAME,
        _FRESHEST,
    ),
    Kind.CPU: (
        Order(key="cores", label=_("most cores first"), fact="cores", descending=True),
        Order(key="power", label=_("least power first"), fact="tdp_w"),
        _BY_NAME,
    ),
    Kind.NIC: (
        Order(key="speed", label=_("fastest port first"), fact="port_gbps", descending=True),
        _BY_NAME,
    ),
    Kind.DRIVE: (
        Order(key="read", label=_("fastest read first"), fact="read_mb_per_s", descending=True),
        _BY_NAME,
    ),
    Kind.DIMM: (
        Order(key="capacity", label=_("largest first"), fact="capacity_gb", descending=True),
        Order(key="speed", label=_("fastest first"), fact="speed_mts", descending=True),
        _BY_NAME,
    ),
}
