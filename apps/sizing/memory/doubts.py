"""What a recipe cannot say about memory, as alternatives to a case.

Each doubt is a behaviour of the software that published runs show both ways: which loss kernel,
whether accumulation synchronises, how 4-bit weights are stored. It yields the case at its own
90 % ends. How wide the rest is stands with the dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.memory.kinds import kind_doubts
from apps.sizing.task import Task

Doubt = tuple[str, tuple[Case, ...]]
# A dialect with fewer measured runs than this is only described, not known.
_FEW_RUNS: Final = 5
# Of the allowed length, the longest micro-batch of instruction data that is cut but not packed:
# the low end. Source: 0.5 to 1 in published runs on Alpaca-like data.
_SHORTER: Final = 0.8


def memory_doubts(case: Case, task: Task) -> Iterator[Doubt]:
    """Every doubt that applies, with the cases at its ends."""
    yield from kind_doubts(case, task)
    if case.shape.sample is not None:
        return
    for cause, doubt in _DOUBTS:
        ends = tuple(doubt(case, task))
        if ends:
            yield cause, ends


def _thin(case: Case) -> bool:
    """Nobody measured the memory of this dialect."""
    return case.dialect.memory_runs < _FEW_RUNS


def _loss_kernel(case: Case, task: Task) -> Iterator[Case]:
    """Copies of the logits differ by version: shifts, upcasts, chunks."""
    if case.megatron or not case.predicts_tokens:
        return
    dialect = case.dialect
    low, high = dialect.loss_low, dialect.loss_high
    if case.fused_loss or case.fused_kernels:
        low, high = dialect.loss_low_fused, dialect.loss_high_fused
    elif dialect.peft and case.adapters is not None:
        low += 1.0  # adapters are measured at 13 bytes, between 10 and 15
    yield case.vary(loss_bytes=max(0.0, case.loss_bytes + low))
    yield case.vary(loss_bytes=case.loss_bytes + high)


def _residual_stream(case: Case, task: Task) -> Iterator[Case]:
    """k-bit preparation may leave the residual stream in fp32."""
    if (
        case.quantization != "none"
        and case.dialect.upcasts_quantised
        and case.layout.kind in ("none", "ddp")
        and case.checkpointing == "full"
        and not case.fused_kernels
    ):
        yield case.vary(residual_bytes=case.residual_bytes + 2.0)


def _accumulation(case: Case, task: Task) -> Iterator[Case]:
    """Under FSDP, gradients of a batch in parts may stay whole until the last part."""
    if case.accumulation == 1 or not case.layout.gathers_weights:
        return
    apply = ("no", "all") if case.adapters is not None else ("no", "full", "full-precision")
    for other in case.dialect.no_sync_doubts:
        if other in apply and other != case.no_sync:
            yield case.vary(no_sync=other)


def _pipeline_weights(case: Case, task: Task) -> Iterator[Case]:
    """With a pipeline, sharded weights and gradients may stay whole over a step."""
    if case.layout.pipeline > 1 and case.layout.data > 1 and _thin(case):
        other = 0.0 if case.dialect.pipeline_unsharded else 6.0
        yield case.vary(dialect=replace(case.dialect, pipeline_unsharded=other))


def _trained_type(case: Case, task: Task) -> Iterator[Case]:
    """ "bf16" may mean weights in fp32 under autocast or in bf16 altogether."""
    stated = task.recipe.master_weights is not None or not case.precision.endswith("-mixed")
    # Under FSDP accelerate casts what is trained to fp32, whatever it was loaded in.
    cast = case.dialect.peft and case.layout.gathers_weights
    if case.dialect.states_known or case.adapters is not None or stated or cast:
        return
    other = "pure" if case.states.weights == 4 else "amp"
    yield case.vary(states=case.calibration.states[other])


def _quantised_storage(case: Case, task: Task) -> Iterator[Case]:
    """Scales may be stored plainly, vocabulary matrices in fp32, the base whole under FSDP."""
    if case.quantization == "none":
        return
    if case.layout.kind == "zero3" and case.layout.shard > 1:
        # DeepSpeed shards packed 4-bit weights only if they are stored in the type of the rest.
        yield case.vary(base_sharded=False)
    if not _thin(case):
        return
    if case.quantization == "nf4":
        yield case.vary(base_bytes=0.5625)
    if case.dialect.upcasts_quantised:
        yield case.vary(vocabulary_bytes=4.0)
    if case.layout.gathers_weights and not case.dialect.peft:
        yield case.vary(base_sharded=False)


def _gathered_units(case: Case, task: Task) -> Iterator[Case]:
    """How many layers FSDP has whole at a time depends on prefetching."""
    if _thin(case) and case.layout.gathers_weights and case.dialect.stack == "torch":
        yield case.vary(dialect=replace(case.dialect, unit_count=1.0))
        yield case.vary(dialect=replace(case.dialect, unit_count=3.0))


def _buckets(case: Case, task: Task) -> Iterator[Case]:
    """DeepSpeed's buckets: 5e8 elements by its own default, hidden² where HF fills in "auto",
    twice the default where reduction overlaps (DeepSpeed documentation).
    """
    if case.deepspeed and case.layout.gradient_shards > 1:
        yield case.vary(dialect=replace(case.dialect, bucket_ratio=0.1))
        yield case.vary(dialect=replace(case.dialect, bucket_ratio=2.5))


def _adapter_backward(case: Case, task: Task) -> Iterator[Case]:
    """Backward of a layer with adapters may hold what PEFT's holds."""
    own_loop = not case.dialect.peft and case.dialect.stack == "torch"
    if own_loop and case.adapters is not None and case.checkpointing != "none":
        yield case.vary(dialect=replace(case.dialect, peft=True))


def _step_copies(case: Case, task: Task) -> Iterator[Case]:
    """The optimizer's step with or without a list of temporaries: HF Trainer's default became the
    fused one with torch 2.8, of other frameworks little is known.
    """
    open_question = _thin(case) or case.dialect.peft
    unsaid = task.recipe.optimizer_step is None
    if unsaid and open_question and case.dialect.stack == "torch":
        yield case.vary(step="fused" if case.step == "foreach" else "foreach")


def _selection(case: Case, task: Task) -> Iterator[Case]:
    """ "Selective" may mean some operators of each layer or some layers whole."""
    if case.checkpointing == "selective" and not case.megatron and _thin(case):
        yield case.vary(checkpointing="full")
        yield case.vary(checkpointing="none")


def _offloaded(case: Case, task: Task) -> Iterator[Case]:
    """ZeRO-3 "with offload" may mean the optimizer or the weights as well."""
    if case.deepspeed and case.layout.kind == "zero3" and case.offload == "optimizer":
        yield case.vary(offload="params")


def _lengths(case: Case, task: Task) -> Iterator[Case]:
    """Samples that nobody packs may all be shorter than the length that is allowed."""
    recipe = task.recipe
    tuned = case.adapters is not None or task.strategy != "from-scratch"
    said = recipe.packing is not None or recipe.average_length is not None
    if tuned and not said and _thin(case) and recipe.stage != "pretrain":
        yield case.vary(tokens=case.tokens * _SHORTER)


def _adapter_dropout(case: Case, task: Task) -> Iterator[Case]:
    """Dropout of adapters keeps masks and inputs, where it is not nought."""
    open_question = _thin(case) or case.dialect.default_dropout
    if task.recipe.lora_dropout is None and case.adapters is not None and open_question:
        yield case.vary(dropout=not case.dropout)


def _paging(case: Case, task: Task) -> Iterator[Case]:
    """8-bit optimizers come paged or not; what is paged the allocator does not count."""
    eight_bit = (task.recipe.optimizer or "").endswith("-8bit")
    if eight_bit and task.recipe.optimizer_step != "paged" and case.layout.gpus == 1:
        yield case.vary(paged=not case.paged)


def _checkpoint_home(case: Case, task: Task) -> Iterator[Case]:
    """Checkpoints wait on the host by a framework's newer default, on the card by the older."""
    if case.dialect.checkpoints_on_host and case.checkpointing == "full":
        yield case.vary(dialect=replace(case.dialect, checkpoints_on_host=False))


def _optimizer_states(case: Case, task: Task) -> Iterator[Case]:
    """What the same name of an optimizer keeps by its settings and by who wraps it."""
    row = case.optimizer
    if task.recipe.optimizer == "sgd":
        # Without momentum, torch's default, it keeps nothing.
        yield case.vary(optimizer=replace(row, moments=0.0))
    if case.adapters is None and case.dialect.peft and task.recipe.optimizer == "adamw-8bit":
        # Newer versions of HF Trainer keep the states of embeddings in fp32.
        share = case.shape.embedding_params / case.shape.total_params
        yield case.vary(optimizer=replace(row, fixed_bytes=row.fixed_bytes + 6.0 * share))


def _engine_buffers(case: Case, task: Task) -> Iterator[Case]:
    """Megatron's own buffers by its age: copies of gradients, transients of a layer."""
    if not case.megatron or case.adapters is not None:
        return
    dialect, states = case.dialect, case.states
    if _thin(case) and case.layout.kind != "none":
        yield case.vary(states=replace(states, gradients=2.0 if states.gradients > 2 else 4.0))
    if task.strategy == "finetune":
        # Its precision-aware optimizer keeps moments in half precision, usual in fine-tuning.
        yield case.vary(states=replace(states, moment=2.0))
    if dialect.layer_transient:
        yield case.vary(dialect=replace(dialect, layer_transient=0.0))
    if dialect.always_shards and case.layout.shard > case.layout.gpus_per_node:
        # Its documentation advises to cut the states of smaller models within a node.
        inside = max(1, case.layout.gpus_per_node // (case.layout.tensor * case.layout.pipeline))
        yield case.vary(layout=replace(case.layout, shard=inside))
    if not dialect.gradient_copy and (case.eager or case.precision.startswith("fp16")):
        yield case.vary(dialect=replace(dialect, gradient_copy=2.0))


_DOUBTS: Final[tuple[tuple[str, Callable[[Case, Task], Iterator[Case]]], ...]] = (
    ("loss-kernel", _loss_kernel),
    ("residual-stream", _residual_stream),
    ("accumulation", _accumulation),
    ("pipeline-weights", _pipeline_weights),
    ("trained-type", _trained_type),
    ("quantised-storage", _quantised_storage),
    ("gathered-units", _gathered_units),
    ("buckets", _buckets),
    ("adapter-backward", _adapter_backward),
    ("step-copies", _step_copies),
    ("selection", _selection),
    ("offloaded", _offloaded),
    ("lengths", _lengths),
    ("adapter-dropout", _adapter_dropout),
    ("paging", _paging),
    ("optimizer-states", _optimizer_states),
    ("checkpoint-home", _checkpoint_home),
    ("engine-buffers", _engine_buffers),
)
