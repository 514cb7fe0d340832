"""The task document `podbor.task/1` as values.

Every field may be None: an unknown, which widens the result and becomes an open question. The
vocabulary of each field stands in `vocabulary`; reading a document is `task_reader.parse_task`.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """What is trained. Widths are of the transformer: `hidden`, `ffn` in elements."""

    name: str | None = None
    kind: str | None = None
    params_billion: float | None = None
    active_params_billion: float | None = None
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
    image_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How it is trained. `micro_batch` is samples on one GPU in one pass."""

    stage: str | None = None
    framework: str | None = None
    precision: str | None = None
    adapter_precision: str | None = None
    master_weights: str | None = None
    quantization: str | None = None
    optimizer: str | None = None
    optimizer_step: str | None = None
    sequence_length: int | None = None
    average_length: float | None = None
    packing: bool | None = None
    micro_batch: float | None = None
    grad_accumulation: int | None = None
    global_batch: int | None = None
    activation_checkpointing: str | None = None
    attention: str | None = None
    lora_rank: int | None = None
    lora_targets: tuple[str, ...] | str | None = None
    lora_dropout: float | None = None
    modules_to_save: tuple[str, ...] | None = None
    reduce_precision: str | None = None
    trainable_params_million: float | None = None
    offload: str | None = None
    fused_kernels: bool | None = None
    fused_cross_entropy: bool | None = None
    compile: bool | None = None
    epochs: float | None = None
    steps: int | None = None
    save_every_steps: int | None = None
    saves_kept: int | None = None
    save_kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """What it is trained on. `bytes` is the raw volume, `unpacked_bytes` what training reads where
    that is another one; `regenerated`: made anew between epochs, on disk; `prepared_per_s` the
    samples that one node was seen to prepare in a second."""

    bytes: float | None = None
    files: int | None = None
    samples: int | None = None
    tokens: float | None = None
    bytes_per_sample: float | None = None
    kind: str | None = None
    preprocessing: str | None = None
    location: str | None = None
    unpacked_bytes: float | None = None
    intermediate_bytes: float | None = None
    regenerated: bool | None = None
    prepared_per_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """When it must be ready: `target_hours` for one `scope`."""

    target_hours: float | None = None
    scope: str | None = None
    runs_per_quarter: float | None = None
    parallel_runs: int | None = None
    hard: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizon:
    """How long it will be used. `growth` is the factor expected over the horizon (1 = none)."""

    use: str | None = None
    growth: float | None = None
    sharing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where it would stand. Power is per feed; with two feeds each must carry everything."""

    kw_usable: float | None = None
    amps: float | None = None
    phases: int | None = None
    volts: float | None = None
    feeds: int | None = None
    cooling: str | None = None
    rack_units: int | None = None
    depth_mm: float | None = None
    floor_kg: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """On what it runs, in which layout. `gpus` counts all nodes together."""

    accelerator: str | None = None
    gpus: int | None = None
    nodes: int | None = None
    data_parallel: str | None = None
    shard_degree: int | None = None
    tensor_parallel: int | None = None
    sequence_parallel: bool | None = None
    pipeline_parallel: int | None = None
    virtual_pipeline: int | None = None
    context_parallel: int | None = None
    expert_parallel: int | None = None
    intra_node_link: str | None = None
    inter_node_link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One training task. `placement` is None when the hardware is still open."""

    id: str | None = None
    strategy: str | None = None
    method: str | None = None
    model: Model = field(default_factory=Model)
    recipe: Recipe = field(default_factory=Recipe)
    data: Data = field(default_factory=Data)
    cycle: Cycle = field(default_factory=Cycle)
    horizon: Horizon = field(default_factory=Horizon)
    site: Site = field(default_factory=Site)
    placement: Placement | None = None
