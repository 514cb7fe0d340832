"""Names of facts, their units and the trust in them, as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FACTS: Final[Mapping[str, Promise]] = {
    "platform_class": _("Class"),
    "rack_units": _("Height in the rack"),
    "height_mm": _("Height"),
    "width_mm": _("Width"),
    "depth_mm": _("Depth"),
    "weight_kg": _("Weight, installed"),
    "weight_empty_kg": _("Weight of the empty chassis"),
    "weight_gross_kg": _("Weight with packaging"),
    "accelerators": _("Accelerators"),
    "accelerators_seen": _("Accelerators seen running in it"),
    "gpu_counts": _("Numbers of GPUs"),
    "gpu_counts_by_width": _("Most cards by slot width"),
    "gpu_form_factor": _("Kind of accelerator"),
    "gpu_link": _("Link between GPUs"),
    "gpu_max_w": _("Most power of one card"),
    "nvlink_island_gpus": _("GPUs in one NVLink island"),
    "cpu_sockets": _("Processors"),
    "cpu_socket": _("Processor socket"),
    "cpu_seen": _("Processors seen in such servers"),
    "cpu_max_tdp_w": _("Most power of one processor"),
    "dimm_slots": _("Memory slots"),
    "memory_channels_per_cpu": _("Memory channels of a processor"),
    "memory_speed_1dpc_mts": _("Memory speed, one module a channel"),
    "memory_speed_2dpc_mts": _("Memory speed, two modules a channel"),
    "memory_max_gb": _("Most memory"),
    "nvme_bays": _("NVMe bays"),
    "sata_bays": _("SATA bays"),
    "pcie_slots": _("PCIe slots"),
    "network_slots": _("Slots left for network cards with every GPU in place"),
    "onboard_nic": _("Network on board"),
    "psu_count": _("Power supplies"),
    "psu_w": _("Power of one supply"),
    "psu_needed": _("Supplies needed at full load"),
    "psu_inlet": _("Inlet of a supply"),
    "psu_min_volts": _("Lowest voltage for full power"),
    "max_input_w": _("Most power drawn, by the maker"),
    "redfish_max_w": _("Most power, as the controller reports"),
    "heat_btu_per_h": _("Heat"),
    "airflow_cfm": _("Airflow"),
    "cooling": _("Cooling"),
    "operating_temp_max_c": _("Highest inlet temperature"),
    "availability": _("Availability"),
    "seen_configurations": _("Configurations seen"),
    "memory_gb": _("Memory"),
    "usable_memory_gib": _("Memory that a program sees"),
    "memory_type": _("Kind of memory"),
    "memory_tb_per_s": _("Memory bandwidth"),
    "bf16_tflops_per_s": _("bf16 rate, dense"),
    "fp16_tflops_per_s": _("fp16 rate, dense"),
    "fp8_tflops_per_s": _("fp8 rate, dense"),
    "fp4_tflops_per_s": _("fp4 rate, dense"),
    "tf32_tflops_per_s": _("TF32 rate, dense"),
    "fp32_tflops_per_s": _("fp32 rate"),
    "tdp_w": _("Power (TDP)"),
    "link": _("Link between GPUs"),
    "link_domain_gpus": _("GPUs in one fast island"),
    "link_gb_per_s": _("Link bandwidth, one direction"),
    "pcie_generation": _("PCIe generation"),
    "slot_width": _("Slots taken"),
    "peer_access": _("Direct access between cards"),
    "bf16_support": _("bf16 in hardware"),
    "product_rate_ratio": _("Share of the family's matrix rate"),
    "attention_rate_ratio": _("Share of the family's attention rate"),
    "socket": _("Socket"),
    "cores": _("Cores"),
    "threads": _("Threads"),
    "base_ghz": _("Base frequency"),
    "memory_channels": _("Memory channels"),
    "ports": _("Ports"),
    "port_gbps": _("Speed of a port"),
    "connector": _("Connector"),
    "protocols": _("Protocols"),
    "host_link": _("Link to the host"),
    "card_form": _("Form of the card"),
    "arm_cores": _("Arm cores"),
    "card_memory_gb": _("Memory of the card"),
    "auxiliary_power": _("Needs a power cable"),
    "gpudirect": _("GPUDirect RDMA"),
    "drive_form": _("Form of the drive"),
    "capacities_seen": _("Capacities seen"),
    "read_mb_per_s": _("Sequential read"),
    "write_mb_per_s": _("Sequential write"),
    "random_read_kiops": _("Random read, thousand operations a second"),
    "capacity_gb": _("Capacity of a module"),
    "memory_generation": _("Memory generation"),
    "module_type": _("Type of the module"),
    "speed_mts": _("Speed of the module"),
    "seen_in": _("Seen in"),
}

# The item's own columns, where a list or a filter shows them like facts.
FORM_FACTOR: Final = _("Form factor")
GPU_MEMORY: Final = _("Memory of one GPU")

UNITS: Final[Mapping[str, Promise]] = {
    "GB/s per direction": _("GB/s"),
    "TFLOP/s": _("TFLOP/s"),
    "MT/s": _("MT/s"),
    "BTU/h": _("BTU/h"),
    "CFM": _("CFM"),
    "mm": _("mm"),
    "kg": _("kg"),
    "U": pgettext_lazy("rack unit", "U"),
    "W": _("W"),
    "V": _("V"),
    "GB": _("GB"),
    "GiB": _("GiB"),
    "TB/s": _("TB/s"),
    "°C": _("°C"),
    "GHz": _("GHz"),
    "Gbit/s": pgettext_lazy("unit", "Gbit/s"),
    "MB/s": _("MB/s"),
}

CONFIDENCE: Final[Mapping[str, Promise]] = {
    "datasheet": _("maker's data sheet"),
    "measurement": _("measured"),
    "secondary": _("second-hand source"),
    "derived": _("derived by us"),
    "unverified": _("not verified"),
}

WORDS: Final[Mapping[str, Promise]] = {
    "air": _("air"),
    "liquid": _("liquid"),
    "current": _("current"),
    "legacy": _("earlier generation"),
    "reference": _("for comparison"),
    "sxm": _("SXM modules of one board"),
    "pcie": _("PCIe cards"),
    "oam": _("OAM modules of one board"),
    "nvl": _("PCIe cards for bridges (NVL)"),
    "nvl72": _("modules of an NVL72 rack"),
    "nvlink": _("NVLink between neighbours"),
    "nvswitch": _("NVLink through NVSwitch"),
    "nvlink-bridge": _("NVLink bridges"),
    "xgmi": _("Infinity Fabric"),
}
# What a word says of a link: cards that only PCIe joins.
LINK_WORDS: Final[Mapping[str, Promise]] = {**WORDS, "pcie": _("PCIe, without NVLink")}
LINKS: Final = frozenset({"link", "gpu_link"})

# One item of a kind.
KINDS: Final[Mapping[str, Promise]] = {
    "server": _("server"),
    "accelerator": _("accelerator"),
    "cpu": _("processor"),
    "nic": _("network card"),
    "drive": _("drive"),
    "dimm": _("memory module"),
}
