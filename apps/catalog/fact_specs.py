"""Which facts each kind of item may state: their form and their unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FactSpec:
    """What a fact of one key looks like.

    `form` is `number` (positive), `count` (positive and whole), `word`, `words`, `counts` (list of
    counts), `counts-by-word` or `flag`. `unit` is the only unit accepted.
    """

    form: str
    unit: str


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
    "network_slots": FactSpec("count", "slots"),
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

ACCELERATOR_FACTS: Final[Mapping[str, FactSpec]] = {
    "memory_gb": FactSpec("number", "GB"),
    "usable_memory_gib": FactSpec("number", "GiB"),
    "memory_type": FactSpec("word", "word"),
    "memory_tb_per_s": FactSpec("number", "TB/s"),
    "bf16_tflops_per_s": FactSpec("number", "TFLOP/s"),
    "fp16_tflops_per_s": FactSpec("number", "TFLOP/s"),
    "fp8_tflops_per_s": FactSpec("number", "TFLOP/s"),
    "fp4_tflops_per_s": FactSpec("number", "TFLOP/s"),
    "tf32_tflops_per_s": FactSpec("number", "TFLOP/s"),
    "fp32_tflops_per_s": FactSpec("number", "TFLOP/s"),
    "tdp_w": FactSpec("number", "W"),
    "link": FactSpec("word", "word"),
    "link_domain_gpus": FactSpec("count", "GPU"),
    "link_gb_per_s": FactSpec("number", "GB/s per direction"),
    "pcie_generation": FactSpec("count", "generation"),
    "slot_width": FactSpec("count", "slots"),
    "peer_access": FactSpec("flag", "flag"),
    "bf16_support": FactSpec("flag", "flag"),
    "product_rate_ratio": FactSpec("number", "ratio"),
    "attention_rate_ratio": FactSpec("number", "ratio"),
}

NIC_FACTS: Final[Mapping[str, FactSpec]] = {
    "ports": FactSpec("count", "ports"),
    "port_gbps": FactSpec("number", "Gbit/s"),
    "connector": FactSpec("word", "word"),
    "protocols": FactSpec("words", "names"),
    "host_link": FactSpec("word", "word"),
    "card_form": FactSpec("word", "word"),
    "arm_cores": FactSpec("count", "cores"),
    "card_memory_gb": FactSpec("number", "GB"),
    "slot_width": FactSpec("count", "slots"),
    "auxiliary_power": FactSpec("flag", "flag"),
    "gpudirect": FactSpec("flag", "flag"),
}

DRIVE_FACTS: Final[Mapping[str, FactSpec]] = {
    "host_link": FactSpec("word", "word"),
    "drive_form": FactSpec("word", "word"),
    "capacities_seen": FactSpec("words", "texts"),
    "read_mb_per_s": FactSpec("number", "MB/s"),
    "write_mb_per_s": FactSpec("number", "MB/s"),
    "random_read_kiops": FactSpec("number", "thousand IOPS"),
}

DIMM_FACTS: Final[Mapping[str, FactSpec]] = {
    "capacity_gb": FactSpec("number", "GB"),
    "memory_generation": FactSpec("word", "word"),
    "module_type": FactSpec("word", "word"),
    "speed_mts": FactSpec("number", "MT/s"),
    "seen_in": FactSpec("words", "texts"),
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
ACCELERATOR_REQUIRED: Final = (
    "memory_gb",
    "usable_memory_gib",
    "memory_tb_per_s",
    "link",
    "link_domain_gpus",
)
NIC_REQUIRED: Final = ("ports", "port_gbps", "host_link")
DRIVE_REQUIRED: Final = ("host_link",)
DIMM_REQUIRED: Final = ("capacity_gb", "memory_generation", "module_type", "speed_mts")

# Kind of a row -> what its facts look like, and which of them it cannot do without.
SPECS: Final[Mapping[str, tuple[Mapping[str, FactSpec], tuple[str, ...]]]] = {
    "server": (SERVER_FACTS, SERVER_REQUIRED),
    "accelerator": (ACCELERATOR_FACTS, ACCELERATOR_REQUIRED),
    "cpu": (CPU_FACTS, CPU_REQUIRED),
    "nic": (NIC_FACTS, NIC_REQUIRED),
    "drive": (DRIVE_FACTS, DRIVE_REQUIRED),
    "dimm": (DIMM_FACTS, DIMM_REQUIRED),
}
