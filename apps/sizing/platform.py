"""A way to build it: which GPUs, how many, in which server, in which layout."""

from __future__ import annotations

from dataclasses import dataclass

from apps.sizing.task import Placement


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """One candidate, the unit every estimator reports by.

    `key` is stable for the same choice: results are kept under it. `server` is a SKU of the
    catalog, None when the catalog has no server for the accelerator. `accelerator` is a catalog
    id, None when the task's placement does not say. `gpus` counts all nodes together. The
    layout stands in `placement`, which also repeats the accelerator, the counts and the links.
    """

    key: str
    server: str | None
    accelerator: str | None
    gpus: int
    nodes: int
    placement: Placement

    def __post_init__(self) -> None:
        if not 1 <= self.nodes <= self.gpus:
            raise ValueError(f"a platform has at least one GPU a node: {self}")

    @property
    def gpus_per_node(self) -> int:
        """GPUs in the fullest node."""
        return -(-self.gpus // self.nodes)

    @property
    def intra_node_link(self) -> str | None:
        return self.placement.intra_node_link

    @property
    def inter_node_link(self) -> str | None:
        return self.placement.inter_node_link
