"""Exchange between GPUs."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "interconnect.assumption.ring-volumes": _("Volumes of exchange are those of ring collectives."),
    "interconnect.assumption.link": _(
        "Inside a node the GPUs exchange over %(link)s at about %(link_gb_per_s)s."
    ),
    "interconnect.assumption.network": _(
        "The network between nodes was not stated; one usual for such servers is assumed."
    ),
    "interconnect.assumption.scheme": _(
        "The scheme of distribution was not stated; %(scheme)s is assumed."
    ),
    "interconnect.not-counted.topology": _(
        "The place of each GPU on the PCIe switches and processors is not counted."
    ),
    "interconnect.not-counted.shared-network": _(
        "Other traffic on the network between nodes is not counted."
    ),
    "interconnect.reason.one-gpu": _("One GPU: there is nobody to exchange with."),
    "interconnect.reason.long-steps": _(
        "Replicas exchange %(exchange_gb)s a step, which is little beside the computing."
    ),
    "interconnect.reason.large-exchange": _(
        "Replicas exchange %(exchange_gb)s a step: over plain PCIe that would be noticeable beside the computing."
    ),
    "interconnect.reason.tensor-parallel": _(
        "Each layer is split over %(degree)s GPUs, which exchange inside every layer."
    ),
    "interconnect.reason.pipeline-parallel": _(
        "The layers are spread over %(degree)s stages, which pass activations on."
    ),
    "interconnect.reason.context-parallel": _(
        "The sequence is split over %(degree)s GPUs, which exchange inside attention."
    ),
    "interconnect.reason.expert-parallel": _(
        "The experts are spread over %(degree)s GPUs: tokens travel between them in every layer."
    ),
    "interconnect.advice.islands": _(
        "The %(gpus)s of a node form %(islands)s NVLink islands: what goes from one island to another goes over PCIe, so a model is split inside an island only."
    ),
    "interconnect.advice.two-nodes": _(
        "Two nodes are joined back to back or by one switch: %(port_count)s ports in all."
    ),
    "interconnect.advice.one-switch": _(
        "%(port_count)s ports in all: one switch of 64 ports joins %(nodes)s without a bottleneck."
    ),
    "interconnect.advice.several-switches": _(
        "%(port_count)s ports in all: %(nodes)s need switches in two tiers, without a bottleneck between them when states are exchanged every step."
    ),
    "interconnect.advice.rdma": _(
        "The network between nodes has to carry RDMA (InfiniBand or RoCE): over TCP 100 Gbit/s were measured to give 1 to 8 GB/s."
    ),
    "interconnect.advice.sockets": _(
        "The network stated has no RDMA: over TCP 100 Gbit/s were measured to give 1 to 8 GB/s, which training over several nodes does not forgive."
    ),
    "interconnect.reason.several-nodes": _(
        "%(nodes)s take part, so the network between them decides as well."
    ),
}
