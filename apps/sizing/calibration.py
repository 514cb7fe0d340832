"""What has been measured about frameworks and cards, as values.

The formulas of the engine are general; how a framework keeps its weights, what a kernel reaches of
a card's peak and how far an estimate may be off is read from rows (`fixtures/catalog/
calibration.json`), each with its source. Fields are coefficients in bytes per element unless the
name says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRecipe:
    """Bytes a trained parameter takes before sharding, by where a framework keeps it.

    `moment` is one optimizer moment; `step_temporary` the copy that torch's foreach step makes,
    or, if `step_always`, that every step makes.
    """

    weights: float
    gradients: float
    master: float
    moment: float
    step_temporary: float
    step_always: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizerRow:
    """Moments an optimizer keeps per trained parameter.

    `moments` of the state recipe's moment type, plus `fixed_bytes` whatever that type is.
    `foreach` says whether torch's default step copies one gradient-sized list, `matrix_temporary`
    how many bytes per element a step takes for one matrix at a time. `width` widens the range of
    memory: the relative uncertainty of the optimizer's own states.
    """

    moments: float
    fixed_bytes: float = 0.0
    foreach: bool = True
    matrix_temporary: float = 0.0
    width: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRow:
    """Bytes per token of one layer, as multiples of its widths."""

    hidden: float
    query: float
    key_value: float
    ffn: float
    heads: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRow:
    """What a family of cards reaches of its data sheet.

    Ratios are of the dense bf16 peak. `attention` is by kernel generation. `fitted` says
    whether the row was fitted to published runs of the family, which need not ship (see
    `evidence` for what does); `time_width` is added to both sides of a duration.
    `overlap_usual`: Megatron on several nodes of such cards is recent enough to hide its exchange.
    """

    gemm_ratio: float
    attention: Mapping[str, float]
    low_precision_gain: Mapping[str, float]
    context_gib: float
    network_gbit: float
    fitted: bool
    time_width: float
    overlap_usual: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRow:
    """Bandwidth of a collective over one kind of link.

    `ratio` is of the catalog's link bandwidth; `gb_per_s` (per GPU and direction) stands alone
    where the catalog gives none. `low` and `high` are factors on the result: a 90 % range.
    """

    ratio: float | None = None
    gb_per_s: float | None = None
    low: float = 0.85
    high: float = 1.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one framework carries out a recipe. `calibration.json` has the source of each row.

    `stack` is torch, deepspeed or megatron: who owns the weights. `peft` says that adapters are
    those of the PEFT library.
    """

    key: str
    stack: str = "torch"
    peft: bool = True
    deepspeed_dialect: str | None = None
    # What it does unless the recipe says otherwise.
    mixed_states: str = "amp"
    alone_states: str | None = None
    states_known: bool = True
    default_step: str = "foreach"
    default_kind: str = "ddp"
    # Its plain data parallelism is `default_kind` too: there is no other.
    always_shards: bool = False
    default_checkpointing: str = "none"
    default_checkpointing_sharded: str = "none"
    # Its scripts for fine-tuning under FSDP recompute every layer and have no switch for it.
    recomputes_tuning: bool = False
    # What "selective" means: some operators of each layer, or some layers whole.
    selects_layers: bool = False
    default_adapter_targets: tuple[str, ...] | str = "all-linear"
    default_dropout: bool = False
    default_paged_8bit: bool = False
    default_fused_kernels: bool = False
    default_fused_loss: bool = False
    always_fused_kernels: bool = False
    checkpoints_on_host: bool = False
    # Activations: multiples of hidden and ffn, see `LayerRow`.
    norm_hidden: float = 16
    norm_hidden_fused: float = 8
    layernorm_hidden: float = 10
    ffn_gated: float = 8
    ffn_gated_fused: float = 8
    ffn_gated_compiled: float = 6
    ffn_plain: float = 6
    activation_ratio: float = 1.0
    adapter_row: str | None = None
    # Loss: bytes per logit and per hidden element of each token.
    loss_bytes: float = 12
    loss_bytes_adapters: float = 12
    loss_bytes_fused: float = 8
    loss_bytes_compiled: float = 12
    loss_bytes_fused_loss: float = 0
    loss_low: float = -3
    loss_high: float = 3
    loss_low_fused: float = 0
    loss_high_fused: float = 2
    # What is whole while it is in use.
    unit_count: float = 1.3
    bucket_ratio: float = 1.0
    # Flat copies of gradients on their way, in buckets of the usual size.
    flat_buckets: float = 0
    # Whole layers are its units of FSDP, adapters and all: its source says so.
    wraps_layers: bool = False
    no_sync: str = "no"
    no_sync_doubts: tuple[str, ...] = ()
    pipeline_unsharded: float = 0
    layer_transient: float = 0
    gradient_copy: float = 0
    gradients_early: bool = False
    # Preparation of a quantised base widens norms to fp32, and with them the residual stream.
    upcasts_quantised: bool = False
    quantises_head: bool = False
    nf4_bytes: float | None = None
    # Allocator: held beyond what is allocated.
    allocator: str = "ratio"
    reserved_ratio: float = 1.08
    reserved_ratio_alone: float = 1.03
    # Time.
    gemm_gain: float = 1.0
    attention: str = "flash"
    elementwise: str = "plain"
    kernels_per_layer: float = 24
    host_ratio: float = 1.0
    tensor_parallel_hidden: bool = False
    gradient_overlap: float = 0.6
    # Ranges: relative half-widths of a 90 % range around the typical figure.
    memory_width: float = 0.12
    step_phase_width: float | None = None
    time_low: float = 0.20
    time_high: float = 0.25
    memory_runs: int = 0
    time_runs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRun:
    """A published run with what was measured in it: what an estimate is compared with."""

    id: str
    source: str
    model: str
    framework: str
    accelerator: str
    method: str
    params_billion: float
    gpus: int
    memory_gib: float | None
    step_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """All rows. `constants` are keyed `group.name`. Compared by identity, as the catalog is."""

    constants: Mapping[str, float] = field(default_factory=dict)
    states: Mapping[str, StateRecipe] = field(default_factory=dict)
    optimizers: Mapping[str, OptimizerRow] = field(default_factory=dict)
    quantizations: Mapping[str, float] = field(default_factory=dict)
    layers: Mapping[str, LayerRow] = field(default_factory=dict)
    elementwise: Mapping[str, LayerRow] = field(default_factory=dict)
    families: Mapping[str, FamilyRow] = field(default_factory=dict)
    links: Mapping[str, LinkRow] = field(default_factory=dict)
    dialects: Mapping[str, Dialect] = field(default_factory=dict)
    dialect_of: Mapping[str, str] = field(default_factory=dict)
    evidence: tuple[EvidenceRun, ...] = ()
