"""What a layer keeps for backward, and what the loss keeps.

Coefficients per token were counted by saved-tensor accounting of PyTorch code; the parallel
forms follow Korthikanti et al. 2022 (arXiv 2205.05198). Bytes everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.sizing.calibration import LayerRow
from apps.sizing.cases import Case
from apps.sizing.memory.beside import tower_kept_bytes, tower_working_bytes
from apps.sizing.samples import SampleCost
from apps.sizing.settling_kinds import ENCODERS

# Width of an attention head in nearly all models of images.
_IMAGE_HEAD_DIM: Final = 64.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Activations:
    """`kept` stays from forward to backward, `working` is one layer while it is processed.

    `loss` lives at the end of forward; `in_flight` is how many micro-batches `kept` counts.
    """

    kept: float
    working: float
    loss: float
    in_flight: float


def activations(case: Case) -> Activations:
    """Activations of the heaviest pipeline stage for one micro-batch in each slot."""
    if case.shape.sample is not None:
        return _image_activations(case, case.shape.sample)
    per_layer = layer_bytes_per_token(case)
    temporaries = _temporaries_per_token(case)
    layers, tokens = case.stage_layers, case.tokens
    flight = micro_batches_in_flight(case)
    inputs = tokens * case.residual_bytes * case.shape.hidden * layers / case.sequence_shards
    if case.checkpointing == "full":
        kept = inputs * flight
        working = tokens * (per_layer + temporaries) + _backward_residual(case) * flight
    elif case.checkpointing == "selective" and case.dialect.selects_layers:
        # Every second layer is run again, the others keep everything.
        kept = (tokens * per_layer * layers + inputs) / 2 * flight
        working = tokens * (per_layer + temporaries)
    elif case.checkpointing == "selective" and not case.megatron:
        kept = tokens * _operator_bytes_per_token(case) * layers * flight
        working = tokens * (per_layer + temporaries)
    else:
        kept = tokens * per_layer * layers * flight
        working = tokens * temporaries
    on_host = case.dialect.checkpoints_on_host and case.checkpointing == "full"
    if case.offload == "activations" or on_host:
        # Checkpoints wait on the host; two layers' inputs are on the card at a time.
        kept = min(kept, 2 * kept / max(1, layers))
    if case.shape.tower is not None:
        kept += tower_kept_bytes(case)
        working = max(working, tower_working_bytes(case))
    return Activations(kept=kept, working=working, loss=loss_bytes(case), in_flight=flight)


def _image_activations(case: Case, sample: SampleCost) -> Activations:
    """Activations of images; checkpointing keeps block inputs and one block's own."""
    kept = image_bytes(case, sample) * case.micro_batch
    working = kept * case.constants["images.working"]
    if case.checkpointing != "none":
        inputs = sample.input_ratio
        ratio = case.constants["images.checkpointed"] if inputs is None else inputs
        # "Selective" leaves about half of the blocks as they are.
        kept *= ratio if case.checkpointing == "full" else (1.0 + ratio) / 2
    loss = sample.loss_bytes * case.micro_batch
    return Activations(kept=kept, working=working, loss=loss, in_flight=1.0)


def image_bytes(case: Case, sample: SampleCost) -> float:
    """What one image keeps for backward without recomputation.

    Frozen weights keep no input of their own; what adapters and pointwise layers need stays.
    """
    if case.precision == "fp32":
        each = sample.full_bytes
    elif case.precision.endswith("-pure") or case.adapters is not None:
        each = sample.half_bytes
    else:
        each = sample.mixed_bytes
    if case.eager:
        # Probabilities in fp32 and what multiplies the values; heads of 64, 4 operations a score.
        scores = sample.score_flops / (4.0 * _IMAGE_HEAD_DIM)
        each += case.constants["activations.eager_scores"] * scores * case.compute_bytes / 2.0
    if case.adapters is None:
        return each
    return each * case.constants["images.adapters_dense" if sample.dense else "images.adapters"]


def micro_batches_in_flight(case: Case) -> float:
    """1F1B: the first stage holds as many micro-batches as there are stages.

    Interleaving adds the share 1 + (p - 1)/(p·v) (Korthikanti et al. 2022, section 4.2.3).
    """
    layout = case.layout
    if layout.pipeline == 1:
        return 1.0
    held = 1.0 * min(layout.pipeline, case.accumulation)
    if layout.chunks > 1:
        held *= 1 + (layout.pipeline - 1) / (layout.pipeline * layout.chunks)
    return held


def layer_bytes_per_token(case: Case) -> float:
    """Everything one layer keeps for backward, per token, without checkpointing."""
    if case.megatron:
        return _megatron_layer(case)
    if case.shape.kind in ENCODERS and case.adapters is None:
        return _encoder_layer(case)
    if case.adapters is not None and case.checkpointing == "none":
        kept = _weigh(case, _adapter_row(case)) / case.layout.tensor
        return kept + _decomposed_outputs(case)
    row = _dense_row(case)
    kept = _weigh(case, row)
    if case.precision == "fp32":
        kept *= case.constants["activations.fp32"]
    if case.eager:
        kept += case.constants["activations.eager_scores"] * case.shape.heads * case.sequence
    kept /= case.layout.tensor
    if case.adapters is not None and case.dialect.peft:
        kept += _adapter_backward(case)
    if case.adapters is not None and case.dropout:
        kept += _dropped_inputs(case)
    if case.adapters is not None:
        kept += _decomposed_outputs(case)
    return kept


def _encoder_layer(case: Case) -> float:
    """A layer of an encoder, or the mean one of an encoder and its decoder, with their dropout.

    Counted of BERT and T5: fp32 takes twice as much, autocast adds norms in fp32. Plain attention
    keeps its scores, and what dropout left of them.
    """
    constants, shape = case.constants, case.shape
    kept = _weigh(case, case.calibration.layers[shape.kind])
    scores = constants["encoder.scores_pure"]
    if case.precision == "fp32":
        kept, scores = 2.0 * kept, constants["encoder.scores_full"]
    elif _autocasts(case):
        kept += constants["encoder.autocast_hidden"] * shape.hidden
        scores = constants["encoder.scores_mixed"]
    if case.eager:
        attentions = 1.5 if shape.kind == "encoder-decoder" else 1.0
        maps = attentions * max(1, shape.score_maps)
        kept += maps * scores * shape.heads * case.sequence
    return kept / case.layout.tensor


def _weigh(case: Case, row: LayerRow) -> float:
    shape = case.shape
    return (
        row.hidden * shape.hidden
        + row.query * shape.query
        + row.key_value * shape.key_value
        + row.ffn * shape.active_ffn
        + row.heads * shape.heads
    )


def _dense_row(case: Case) -> LayerRow:
    """Weights trained, or adapters whose layer is run again: the same tensors are alive."""
    dialect, shape = case.dialect, case.shape
    if shape.kind in ENCODERS:
        return case.calibration.layers[shape.kind]
    lean = case.fused_kernels or case.compiled
    hidden = dialect.norm_hidden_fused if lean else dialect.norm_hidden
    if shape.layer_norm:
        hidden = dialect.layernorm_hidden
    if _autocasts(case) or case.residual_bytes > case.compute_bytes:
        hidden += case.constants["activations.autocast_hidden"]
    ffn = dialect.ffn_gated if shape.gated else dialect.ffn_plain
    if shape.gated and case.fused_kernels and case.fused_loss:
        ffn = dialect.ffn_gated_fused
    if shape.gated and case.compiled:
        ffn = dialect.ffn_gated_compiled
    return LayerRow(hidden=hidden, query=4, key_value=4, ffn=ffn, heads=4)


def _autocasts(case: Case) -> bool:
    """torch autocast over whole fp32 weights keeps casts of inputs and weights."""
    return (
        case.dialect.stack == "torch"
        and case.precision.endswith("-mixed")
        and case.adapters is None
        and case.states.weights == 4
        and case.layout.kind in ("none", "ddp")
    )


def autocast_weight_copies(case: Case) -> float:
    """Half-precision copies of whole fp32 weights that autocast keeps until backward, bytes."""
    if not _autocasts(case):
        return 0.0
    return 2.0 * case.shape.block_params / case.layout.tensor / case.layout.pipeline


def _adapter_row(case: Case) -> LayerRow:
    rows, adapters = case.calibration.layers, case.adapters
    assert adapters is not None
    if case.shape.layer_norm:
        return rows["adapters-layernorm"]
    wide = "adapters-all" if adapters.mlp else "adapters-attention"
    if case.adapter_bytes == 4:
        row = rows[f"{wide}-fp32"]
    elif case.dialect.adapter_row is not None:
        return rows[case.dialect.adapter_row]
    else:
        row = rows[wide]
    saved = case.dialect.norm_hidden - case.dialect.norm_hidden_fused
    less = saved if case.fused_kernels or case.compiled else 0.0
    more = case.constants["activations.dropout_hidden"] if case.dropout else 0.0
    return LayerRow(
        hidden=row.hidden - less + more,
        query=row.query,
        key_value=row.key_value,
        ffn=row.ffn,
        heads=row.heads,
    )


def _dropped_inputs(case: Case) -> float:
    """Dropout keeps, for each adapted linear, a mask and the input that is left, per token."""
    assert case.adapters is not None
    inputs = sum(inputs for inputs, _ in case.adapters.linears)
    return (1.0 + case.adapter_bytes) * inputs / case.layout.tensor


def _decomposed_outputs(case: Case) -> float:
    """DoRA scales what the base and the adapter put out, and keeps both for the gradient of the
    magnitudes, per token (PEFT source; measured: 1.9 GiB of a 3-billion model)."""
    if case.method != "dora":
        return 0.0
    assert case.adapters is not None
    outputs = sum(outputs for _, outputs in case.adapters.linears)
    return (case.compute_bytes + case.adapter_bytes) * outputs / case.layout.tensor


def _adapter_backward(case: Case) -> float:
    """Temporaries that PEFT's adapters hold while a layer is run backward, per token."""
    constants, hidden = case.constants, case.shape.hidden
    if case.layout.kind in ("none", "ddp"):
        return constants["adapters.backward_hidden"] * hidden
    kept = constants["adapters.backward_hidden_sharded"] * hidden
    if case.quantization == "none":
        kept += constants["adapters.backward_hidden_plain_base"] * hidden
    return kept


def _backward_residual(case: Case) -> float:
    """A further copy of each layer's input that FSDP with adapters holds during backward."""
    if case.adapters is None or not case.dialect.peft or not case.layout.gathers_weights:
        return 0.0
    each = case.constants["adapters.sharded_residual"]
    return case.tokens * each * case.shape.hidden * case.stage_layers / case.sequence_shards


def _megatron_layer(case: Case) -> float:
    """Megatron core: fused norms and MLP; without sequence parallelism the norms are whole."""
    dialect, shape, layout = case.dialect, case.shape, case.layout
    ffn = dialect.ffn_gated if shape.gated else dialect.ffn_plain
    row = LayerRow(hidden=dialect.norm_hidden, query=4, key_value=4, ffn=ffn, heads=4)
    if layout.sequence or layout.tensor == 1:
        kept = _weigh(case, row) / layout.tensor
        if shape.experts is not None:
            routed = 4 * shape.experts.per_token * shape.hidden + 8 * shape.experts.count
            kept += routed / layout.tensor
    else:
        whole = (row.hidden + 2) * shape.hidden
        kept = whole + (_weigh(case, row) - row.hidden * shape.hidden) / layout.tensor
    kept *= dialect.activation_ratio
    if case.eager and case.checkpointing != "selective":
        scores = case.constants["activations.megatron_scores"] * shape.heads * case.sequence
        kept += scores / layout.context / layout.tensor
    return kept


def _operator_bytes_per_token(case: Case) -> float:
    """Selective checkpointing by operator, per layer."""
    return _weigh(case, case.calibration.layers["operators"]) / case.layout.tensor


def _temporaries_per_token(case: Case) -> float:
    constants, shape = case.constants, case.shape
    hidden = constants["activations.temporaries_hidden"] * shape.hidden
    ffn = constants["activations.temporaries_ffn"] * shape.active_ffn
    return (hidden + ffn) / case.layout.tensor


def loss_bytes(case: Case) -> float:
    """Logits, their fp32 copies and gradient at the loss; the head's own gradient if fused."""
    shape, constants = case.shape, case.constants
    if not case.predicts_tokens:
        return 0.0  # a head of a few outputs
    per_token = shape.vocab * case.loss_bytes / case.layout.tensor
    fused = constants["loss.hidden_fused" if case.fused_kernels else "loss.hidden"]
    wide = case.residual_bytes / case.compute_bytes
    kept = case.tokens * (per_token + fused * wide * shape.hidden)
    if case.fused_loss and not case.megatron and case.adapters is None:
        kept += 2 * shape.embedding_params / case.layout.tensor
    return kept
