"""What may stand together, in words. Parameters come as text already."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

COMPATIBILITY: Final[dict[str, Promise]] = {
    "compatibility.form-factor.module": _(
        "%(accelerator)s is a module of a board; %(server)s does not take that board."
    ),
    "compatibility.form-factor.card": _(
        "%(accelerator)s is a PCIe card; %(server)s takes modules only."
    ),
    "compatibility.listed": _(
        "%(accelerator)s is not among the cards that the maker lists for %(server)s."
    ),
    "compatibility.seen": _(
        "%(accelerator)s has been seen in %(server)s, but the maker's list does not name it: confirm it with the supplier."
    ),
    "compatibility.fixed-count": _(
        "%(server)s comes with a whole board of %(board)s GPUs; %(gpus)s is not possible."
    ),
    "compatibility.card-places": _(
        "%(server)s has places for %(most)s such cards; %(gpus)s do not go in."
    ),
    "compatibility.card-power": _(
        "%(accelerator)s takes %(card_w)s, a place in this server gives %(limit_w)s."
    ),
    "compatibility.thermal": _(
        "%(gpus)s of %(card_w)s fill every place of %(server)s: confirm by the maker's thermal table at which inlet temperature that is allowed."
    ),
    "compatibility.no-nvlink": _("%(accelerator)s has no NVLink: %(gpus)s exchange over PCIe."),
    "compatibility.islands": _(
        "Bridges join %(accelerator)s into islands of %(islands)s; between islands the exchange goes over PCIe."
    ),
    "compatibility.bridges": _(
        "Bridges for islands of %(island_gpus)s %(accelerator)s are ordered separately: confirm that they are in the delivery."
    ),
    "compatibility.supplies.too-weak": _(
        "%(count)s power supplies of %(supply_w)s are not enough: %(needed)s are needed."
    ),
    "compatibility.supplies.no-n-plus-n": _(
        "Of %(count)s power supplies of %(supply_w)s %(needed)s are needed: half of them does not carry everything; in reserve: %(spare)s."
    ),
    "compatibility.supplies.ask-scheme": _(
        "Ask the supplier how the power supplies of %(server)s share the load."
    ),
    "compatibility.sockets-filled": _(
        "%(server)s needs %(sockets)s processors; %(cpus)s were named."
    ),
    "compatibility.socket": _("%(cpu)s has the socket %(has)s, %(server)s needs %(needs)s."),
    "compatibility.cpu-power": _("%(cpu)s takes %(cpu_w)s, the server cools %(limit_w)s."),
    "compatibility.dimm-slots": _(
        "%(server)s has %(slots)s memory slots; %(dimms)s modules do not go in."
    ),
    "compatibility.dimm-population": _(
        "%(dimms)s modules fill the memory channels unevenly; %(one)s or %(two)s would fill them evenly."
    ),
    "compatibility.dimm-slower": _(
        "With two modules a channel the memory runs at %(two_mts)s MT/s instead of %(one_mts)s."
    ),
    "compatibility.dimm-speed": _(
        "%(server)s runs memory at %(most_mts)s MT/s at most; modules of %(said_mts)s MT/s do not make it faster."
    ),
    "compatibility.nic-slots": _(
        "%(nics)s × %(nic)s need %(needed)s slots; beside %(gpus)s in %(server)s there are %(slots)s."
    ),
    "compatibility.nic-connector": _(
        "%(nic)s takes %(has)s only; modules and cables with %(needs)s do not go in."
    ),
    "compatibility.nic-power": _(
        "%(nic)s needs an auxiliary power cable: confirm that the server has one for it."
    ),
    "compatibility.ram-below-vram": _(
        "RAM (%(ram_gb)s) is less than the memory of %(gpus)s of %(card_gb)s each."
    ),
}
