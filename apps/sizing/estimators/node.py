"""One node of a platform as parts, from what the catalog knows of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from apps.sizing.estimators.power import NodeParts, NodePower, node_power
from apps.sizing.facts import Accelerator, Catalog, Server
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task

# Network cards beside the rails between nodes: one for storage, one for the house.
_HOUSE_CARDS: Final = 2
_DRIVES: Final = Range(2, 4, 8)
# Without a server in the catalog: the board every source has, two sockets of eight channels.
_USUAL_SOCKETS: Final = 2
_USUAL_CHANNELS: Final = 8
_MODULE_FORM_FACTORS: Final = frozenset({"sxm", "oam"})
# A tower or a server of so many cards at most: large slow fans, cards on the CPUs' own roots, a
# house network of up to 100 Gbit/s, processors for its few loaders.
_SMALL_CHASSIS_GPUS: Final = 4
# One processor is enough for so many cards where no server says otherwise.
_ONE_SOCKET_GPUS: Final = 2


def is_module(accelerator: Accelerator) -> bool:
    """Whether the GPU is a module of an indivisible board rather than a card."""
    return accelerator.form_factor in _MODULE_FORM_FACTORS


def network_cards(platform: Platform, accelerator: Accelerator, catalog: Catalog) -> int:
    """Network cards in a node: rails between nodes where there are several, and the house's."""
    if platform.nodes == 1:
        return _HOUSE_CARDS
    key = "network.nic_per_gpu_hgx" if is_module(accelerator) else "network.nic_per_gpu_pcie_285"
    rails = math.ceil(catalog.constants[key].typical * platform.gpus_per_node)
    return rails + _HOUSE_CARDS


def server_of(platform: Platform, catalog: Catalog) -> Server | None:
    return catalog.servers.get(platform.server) if platform.server else None


def accelerator_of(platform: Platform, catalog: Catalog) -> Accelerator | None:
    return catalog.accelerators.get(platform.accelerator) if platform.accelerator else None


def is_liquid(server: Server | None) -> bool:
    return server is not None and server.cooling == "liquid"


def is_small(accelerator: Accelerator, server: Server | None, gpus: int) -> bool:
    """Whether the chassis takes a few cards only, as a tower does."""
    if is_module(accelerator):
        return False
    return (max(server.gpu_counts) if server else gpus) <= _SMALL_CHASSIS_GPUS


def sockets_of(server: Server | None) -> int:
    return server.cpu_sockets if server else _USUAL_SOCKETS


def channels_of(server: Server | None) -> int:
    """Memory channels of one socket."""
    channels = server.extra.get("memory_channels_per_cpu") if server else None
    return int(channels or _USUAL_CHANNELS)


def installed_gpus(platform: Platform, server: Server | None) -> int:
    """GPUs that stand in a node: a board of modules comes whole, whatever the task uses."""
    needed = platform.gpus_per_node
    if server is None:
        return needed
    return min((n for n in server.gpu_counts if n >= needed), default=needed)


def power_of(
    task: Task,
    platform: Platform,
    catalog: Catalog,
    *,
    gpus: int | None = None,
    cards: int | None = None,
) -> NodePower | None:
    """Power of one node; None when the accelerator or its rated power is not known.

    `gpus` asks the same chassis with another number of GPUs (growth), `cards` with another
    number of network cards.
    """
    accelerator = accelerator_of(platform, catalog)
    if accelerator is None or accelerator.tdp_w is None:
        return None
    server = server_of(platform, catalog)
    return _power(
        catalog,
        accelerator.id,
        server.sku if server else None,
        gpus=gpus or installed_gpus(platform, server),
        cards=network_cards(platform, accelerator, catalog) if cards is None else cards,
        busy_cpus=task.data.preprocessing == "heavy",
    )


# A chassis is asked about by several estimators and by every task of a batch.
@lru_cache(maxsize=1024)
def _power(
    catalog: Catalog,
    accelerator_id: str,
    sku: str | None,
    *,
    gpus: int,
    cards: int,
    busy_cpus: bool,
) -> NodePower:
    accelerator = catalog.accelerators[accelerator_id]
    server = catalog.servers[sku] if sku else None
    assert accelerator.tdp_w is not None
    constants = catalog.constants
    ratio = constants["power.feed_planning_ratio"]
    if is_liquid(server):
        fans, liquid = constants["power.fan_share"], constants["power.fan_share_liquid"]
        ratio = ratio * ((1 + liquid.typical) / (1 + fans.typical))
    elif is_small(accelerator, server, gpus):
        # The nameplates behind the ratio are of boards of eight; here the parts say more.
        ratio = Range(1.0, 1.0, 1.0)
    rating = (
        server.psu_count * server.psu_w if server and server.psu_count and server.psu_w else None
    )
    peak, average = (
        _parts(accelerator, server, gpus, cards, constants, use, busy_cpus=busy_cpus)
        for use in ("peak", "average")
    )
    return node_power(
        peak,
        average,
        gpu_rating_w=gpus * accelerator.tdp_w,
        rating_w=rating,
        max_input_w=server.max_input_w if server else None,
        planning_ratio=ratio,
        constants=constants,
    )


_GPU_USE: Final[Mapping[str, str]] = {
    "peak": "power.gpu_utilisation_power_factor_peak",
    "average": "power.gpu_utilisation_power_factor_avg_llm",
}


def _parts(
    accelerator: Accelerator,
    server: Server | None,
    gpus: int,
    cards: int,
    constants: Mapping[str, Range],
    use: str,
    *,
    busy_cpus: bool,
) -> NodeParts:
    assert accelerator.tdp_w is not None
    small = is_small(accelerator, server, gpus)
    sockets = _sockets(server, gpus)
    slots = sockets.typical * channels_of(server)
    slots_high = max(slots, (server.dimm_slots if server else None) or 2 * slots)
    modules = Range(slots / 2, slots, slots) if small else Range(slots, slots, slots_high)
    return NodeParts(
        gpus_w=constants[_GPU_USE[use]] * (gpus * accelerator.tdp_w),
        cpus_w=_cpu_w(server, constants, busy=busy_cpus, small=small) * sockets,
        memory_w=constants["power.dimm_ddr5_rdimm"] * modules,
        drives_w=constants["power.nvme_u2"] * _DRIVES,
        network_w=_card_w(constants, small=small) * cards,
        board_w=_board_w(accelerator, gpus, constants, small=small),
        fan_ratio=constants[_fans(server, small=small)],
    )


def _sockets(server: Server | None, gpus: int) -> Range:
    """Processors of a node; one or two for a few cards in a chassis that is not known."""
    if server is None and gpus <= _ONE_SOCKET_GPUS:
        return Range(1, 1, _USUAL_SOCKETS)
    return Range.exact(sockets_of(server))


def _fans(server: Server | None, *, small: bool) -> str:
    if is_liquid(server):
        return "power.fan_share_liquid"
    return "power.fan_share_small" if small else "power.fan_share"


def _card_w(constants: Mapping[str, Range], *, small: bool) -> Range:
    if small:
        return constants["power.nic_house"]
    return constants["power.nic_connectx7_400g"] + constants["power.optic_400g"]


def _cpu_w(
    server: Server | None, constants: Mapping[str, Range], *, busy: bool, small: bool
) -> Range:
    """Watts of one CPU; decoding images and video keeps it busy."""
    rated = constants["power.cpu_small_tdp" if small else "power.cpu_default_tdp"]
    ceiling = server.extra.get("cpu_max_tdp_w") if server else None
    if ceiling is not None:
        rated = rated.capped(float(ceiling))
    factor = constants["power.cpu_power_factor_training"]
    if busy:
        factor = Range(factor.typical, factor.high, factor.high)
    return rated * factor


def _board_w(
    accelerator: Accelerator, gpus: int, constants: Mapping[str, Range], *, small: bool
) -> Range:
    base = constants["power.base_board_bmc_misc"]
    if small:
        return base
    if is_module(accelerator):
        # The figure is of a board of eight; half a board has half the switches.
        return base + constants["power.nvswitch_and_baseboard_hgx"] * (gpus / 8)
    return base + constants["power.pcie_switch_board"]
