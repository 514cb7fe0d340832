"""What the GPUs of a layout exchange in a step, how long it takes, and which link that asks for.

The need follows from the profile of exchange, not from the number of GPUs:
A - replicas of a model whose steps are long beside their exchange: standard links will often do;
B - replicas or sharded states with frequent or large exchange: a fast link inside the node pays;
C - the model itself is split (tensor, pipeline, context, expert): the link is critical;
D - several nodes: the network between them decides as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from apps.sizing.cases import Case, placed_case
from apps.sizing.estimators.network import network_advice, network_block, node_islands
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.ranges import Range
from apps.sizing.task import Placement, Task
from apps.sizing.timing.links import Links
from apps.sizing.timing.steps import StepTime, step_time
from apps.sizing.units import GB

Profile = Literal["A", "B", "C", "D"]
LinkFit = Literal["suits", "limits", "not-recommended"]

# Exchange over a plain PCIe link, as a share of computing, from which replicas are of profile B.
_LARGE_EXCHANGE: Final = 0.25
# Exposed exchange, as a share of the step, from which a link holds the step back.
_LIMITING_SHARE: Final = 0.15
_PCIE_REFERENCE: Final = "pcie/4"


@dataclass(frozen=True, slots=True, kw_only=True)
class InterconnectEstimate:
    """Bytes a GPU sends in one step by purpose, and what its links make of them.

    `time_per_step_s` is the exchange alone, `exposed_s` what computing does not hide,
    `exposed_pcie_s` the same over PCIe inside the node: the price of the slower link.
    """

    profile: Profile
    reason: Message
    scheme: str
    bytes_per_step: Mapping[str, float]
    time_per_step_s: Range
    exposed_s: Range
    communication_share: Range
    exposed_pcie_s: float
    step_pcie_ratio: float
    link: str
    link_gb_per_s: Range
    network_gbit_per_s: float | None
    link_fit: LinkFit
    islands: list[int]
    network: Mapping[str, Any] | None
    advice: tuple[Message, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "profile": self.profile,
            "reason": self.reason.as_dict(),
            "scheme": self.scheme,
            "bytes_per_step": dict(self.bytes_per_step),
            "time_per_step_s": self.time_per_step_s.as_dict(),
            "exposed_s": self.exposed_s.as_dict(),
            "communication_share": self.communication_share.as_dict(),
            "exposed_pcie_s": self.exposed_pcie_s,
            "step_pcie_ratio": self.step_pcie_ratio,
            "link": self.link,
            "link_gb_per_s": self.link_gb_per_s.as_dict(),
            "network_gbit_per_s": self.network_gbit_per_s,
            "link_fit": self.link_fit,
            "islands": self.islands,
            "network": self.network,
            "advice": [m.as_dict() for m in self.advice],
        }


def estimate_interconnect(
    task: Task, catalog: Catalog, place: Placement | None = None
) -> InterconnectEstimate | None:
    """Exchange of `task` on `place`, or on its own placement; None without a model size.

    Raises:
        TaskError: there is no placement, or its accelerator is not in the catalog.
    """
    found = placed_case(task, catalog, place)
    return interconnect_of(found[0], catalog.constants) if found else None


def interconnect_of(case: Case, constants: Mapping[str, Range]) -> InterconnectEstimate:
    """Exchange of a settled case; `constants` are those of the catalog."""
    slow = step = fast = over_pcie = step_time(case)
    links = step.links
    if case.layout.gpus > 1:
        slow, fast = (step_time(case, link_factor=f) for f in (links.low, links.high))
        over_pcie = step_time(case, intra_bytes_per_s=_pcie_bytes_per_s(case, links))
    volumes = bytes_per_step(case, step)
    profile, reason = classify(case, step, volumes["total"])
    share = step.exposed_s / step.total_s
    network, found = network_block(case, constants), node_islands(case)
    return InterconnectEstimate(
        profile=profile,
        reason=reason,
        scheme=scheme_of(case),
        bytes_per_step=volumes,
        time_per_step_s=_ordered(*(exchange_s(case, s) for s in (fast, step, slow))),
        exposed_s=_ordered(fast.exposed_s, step.exposed_s, slow.exposed_s),
        communication_share=_ordered(
            fast.exposed_s / fast.total_s, share, slow.exposed_s / slow.total_s
        ),
        exposed_pcie_s=over_pcie.exposed_s,
        step_pcie_ratio=over_pcie.total_s / step.total_s,
        link=links.kind,
        link_gb_per_s=Range.spanning(
            links.intra / GB, (links.intra / GB * links.low, links.intra / GB * links.high)
        ),
        network_gbit_per_s=case.layout.inter_gbit,
        link_fit=_link_fit(profile, links, share),
        islands=found,
        network=network,
        advice=tuple(network_advice(case, found, network)),
    )


def _ordered(low: float, typical: float, high: float) -> Range:
    return Range.spanning(typical, (low, high))


def _pcie_bytes_per_s(case: Case, links: Links) -> float:
    rows = case.calibration.links
    row = rows.get(f"pcie/{case.card.pcie_generation}", rows[_PCIE_REFERENCE])
    return min(links.intra, (row.gb_per_s or 0.0) * GB)


def bytes_per_step(case: Case, step: StepTime) -> dict[str, float]:
    """Bytes one GPU sends in an optimizer step, by purpose; `total` sums them.

    With full recomputation the exchange inside layers happens a second time.
    """
    layer, passes = step.layer, case.accumulation
    inside = (3.0 if case.checkpointing == "full" else 2.0) * step.layers * passes
    neighbours = 0.0
    if case.layout.pipeline > 1:
        message = 2.0 * case.tokens * case.padding * case.shape.hidden / case.layout.tensor
        neighbours = 2 * message * passes
    parts = {
        "gradients": step.step.gradients_bytes,
        "weights": layer.weights_bytes * step.layers * passes,
        "tensor": layer.tensor_bytes * inside,
        "context": layer.context_bytes * inside,
        "expert": layer.expert_bytes * inside,
        "pipeline": neighbours,
    }
    return {**parts, "total": sum(parts.values())}


def exchange_s(case: Case, step: StepTime) -> float:
    """Seconds of all exchange of a step if nothing ran beside it."""
    layer = step.layer
    twice = 3.0 if case.checkpointing == "full" else 2.0
    inside = (layer.tensor_s + layer.context_s + layer.expert_s) * twice
    each = layer.weights_forward_s + layer.weights_backward_s + inside
    return each * step.layers * case.accumulation + step.step.gradients_s


def classify(case: Case, step: StepTime, total_bytes: float) -> tuple[Profile, Message]:
    """The profile of exchange and the sentence that explains it."""
    layout = case.layout
    if layout.nodes > 1:
        return "D", Message("interconnect.reason.several-nodes", {"nodes": layout.nodes})
    split = {
        "tensor": layout.tensor,
        "pipeline": layout.pipeline,
        "context": layout.context,
        "expert": layout.expert if case.shape.experts else 1,
    }
    for name, degree in split.items():
        if degree > 1:
            return "C", Message(f"interconnect.reason.{name}-parallel", {"degree": degree})
    if layout.gpus == 1:
        return "A", Message("interconnect.reason.one-gpu")
    reference = case.calibration.links[_PCIE_REFERENCE].gb_per_s or 1.0
    ratio = total_bytes / (reference * GB) / step.compute_s
    params = {"exchange_gb": total_bytes / GB, "share": ratio}
    if ratio > _LARGE_EXCHANGE:
        return "B", Message("interconnect.reason.large-exchange", params)
    return "A", Message("interconnect.reason.long-steps", params)


def scheme_of(case: Case) -> str:
    """The scheme of distribution as `fsdp-8+tp-2`: kind and number of GPUs; `single` for one."""
    layout = case.layout
    parts = []
    if layout.kind != "none":
        degree = layout.shard if layout.shard > 1 else layout.data
        parts.append(f"{layout.kind}-{degree}")
    for name, degree in (
        ("tp", layout.tensor),
        ("pp", layout.pipeline),
        ("cp", layout.context),
        ("ep", layout.expert),
    ):
        if degree > 1:
            parts.append(f"{name}-{degree}")
    return "+".join(parts) or "single"


def _link_fit(profile: Profile, links: Links, share: float) -> LinkFit:
    """A split model over PCIe is not recommended; else the exposed share decides."""
    if profile == "C" and links.kind == "pcie":
        return "not-recommended"
    return "limits" if share > _LIMITING_SHARE else "suits"
