"""The transformer behind a model description: every width known, every guess named.

Parameter counts follow the usual layer arithmetic: attention h·q + 2·h·κ + q·h, a gated MLP 3·h·f
(2·h·f otherwise), two norms a layer, embedding and head V·h each unless tied.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from apps.sizing.architectures import complete_model, find_architecture
from apps.sizing.companions import Companions, Tower, companions_of, tower_of
from apps.sizing.facts import Architecture, Catalog
from apps.sizing.samples import SampleCost, sample_cost
from apps.sizing.task import Model

# What a model most often is when nobody says: widths per layer of published decoders grow such
# that hidden ≈ 128 × layers; heads are 128 wide; gated MLP is 3.5 hidden wide; the vocabulary of
# current multilingual tokenizers is about 128 thousand. Source: the catalog's own decoders.
_HIDDEN_PER_LAYER: Final = 128
_HEAD_DIM: Final = 128
_USUAL_HEADS: Final = 32
_GATED_RATIO: Final = 3.5
_PLAIN_RATIO: Final = 4.0
_TYPICAL_VOCAB: Final = 128_000
_SMALL_VOCAB: Final = 50_000
_SMALL_MODEL_BILLION: Final = 2.0
_CLASSES: Final = 1000
_TIED_SHARE: Final = 1 / 3
_GROUPED_HEADS: Final = 8
_ROUND: Final = 128
# From this ratio of all parameters of the MLPs to those that work on, a model is a mixture; from
# the second on its experts are many and narrow. Source: the catalog's own mixtures.
_MIXTURE_RATIO: Final = 1.5
_FINE_RATIO: Final = 5.0
_COARSE_EXPERTS: Final = 2
_FINE_EXPERTS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """The mixture-of-experts part: `ffn` is one expert's width, `shared_ffn` always runs."""

    count: int
    per_token: int
    ffn: int
    shared_ffn: int
    dense_layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Widths in elements, parameters as counts. `assumed` names the model fields guessed.

    `sample` is what an image costs; a model of text has none. `companions` are frozen models that
    a diffusion model needs beside it, `tower` the image encoder inside a model of text and images.
    `score_maps`: plain maps of scores that each attention makes whatever the kernel (position
    biases that no fused kernel takes); 0 where one may take it.
    """

    kind: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    gated: bool
    tied: bool
    query: int
    key_value: int
    attention_params: float
    mlp_params: float
    total_params: float
    experts: Experts | None = None
    logits_upcast: bool = True
    sample: SampleCost | None = None
    companions: Companions | None = None
    tower: Tower | None = None
    score_maps: int = 0
    assumed: tuple[str, ...] = ()

    @property
    def layer_norm(self) -> bool:
        """The GPT family: LayerNorm and a plain MLP go together."""
        return not self.gated

    @property
    def embedding_params(self) -> float:
        """One vocabulary matrix."""
        return 1.0 * self.vocab * self.hidden

    @property
    def embedding_count(self) -> int:
        return 1 if self.tied else 2

    @property
    def block_params(self) -> float:
        """All layers together, without the vocabulary matrices."""
        return max(0.0, self.total_params - self.embedding_params * self.embedding_count)

    @property
    def layer_params(self) -> float:
        """One layer; of a mixture, its active part."""
        if self.experts is None:
            return self.block_params / self.layers
        return self.attention_params + 3 * self.hidden * self.active_ffn + 2 * self.hidden

    @property
    def active_ffn(self) -> int:
        """MLP width a token passes through."""
        if self.experts is None:
            return self.ffn
        return self.experts.shared_ffn + self.experts.per_token * self.experts.ffn

    @property
    def active_params(self) -> float:
        """Parameters that take part in one token's forward pass."""
        if self.experts is None:
            return self.total_params
        return self.layer_params * self.layers + self.embedding_params * self.embedding_count


class _Widths(NamedTuple):
    """What every layer has, with the names of those that were guessed."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    assumed: tuple[str, ...]


@lru_cache(maxsize=4096)
def resolve_shape(model: Model, catalog: Catalog) -> Shape | None:
    """The shape of `model`, or None when not even its size is known."""
    known = complete_model(model, catalog)
    if known.kind is None and known.vocab is None and known.image_size is not None:
        known = replace(known, kind="vision")  # nothing else is given a size in pixels by itself
    widths = _widths(known)
    if widths is None:
        return None
    architecture = find_architecture(model, catalog)
    extra = architecture.extra if architecture else {}
    shape = replace(_build(known, widths, extra), score_maps=int(extra.get("score_maps", 0)))
    sample = sample_cost(known, architecture, shape.total_params, catalog)
    if sample is not None:
        companions = companions_of(known, architecture, shape.total_params)
        return replace(shape, sample=sample, companions=companions)
    if known.kind == "encoder-decoder":
        return _with_decoder(shape, architecture)
    return replace(shape, tower=tower_of(known, architecture))


def _widths(model: Model) -> _Widths | None:
    """Known widths, and guesses from the size for those that are not."""
    billion = model.active_params_billion or model.params_billion
    layers, hidden = model.layers, model.hidden
    if layers is None and hidden is None and billion is None:
        return None
    if layers is None:
        layers = _layers_of_size(billion * 1e9) if hidden is None and billion else None
    if layers is None:
        layers = max(1, round((hidden or _ROUND) / _HIDDEN_PER_LAYER))
    hidden = hidden or _rounded(_HIDDEN_PER_LAYER * layers)
    heads = model.heads or _usual_heads(hidden, model.head_dim)
    head_dim = model.head_dim or max(1, hidden // heads)
    grouped = heads > _GROUPED_HEADS and model.gated_ffn is not False and _is_decoder(model)
    return _Widths(
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=model.kv_heads or (_GROUPED_HEADS if grouped else heads),
        head_dim=head_dim,
        vocab=model.vocab or _typical_vocab(model, billion),
        assumed=tuple(
            name
            for name in ("layers", "hidden", "heads", "kv_heads", "vocab")
            if getattr(model, name) is None
        ),
    )


def _usual_heads(hidden: int, head_dim: int | None) -> int:
    """Heads are 64 wide in small models, 128 in large ones; between them 32 heads grow wider."""
    if head_dim:
        return max(1, round(hidden / head_dim))
    wide = max(_USUAL_HEADS, hidden / _HEAD_DIM)
    return max(1, round(min(2 * hidden / _HEAD_DIM, wide)))


def _is_decoder(model: Model) -> bool:
    return model.kind in (None, "decoder", "moe-decoder", "vlm")


def _typical_vocab(model: Model, billion: float | None) -> int:
    if not _is_decoder(model):
        return _CLASSES if model.kind in ("vision", "diffusion") else _SMALL_VOCAB
    return (
        _TYPICAL_VOCAB
        if (billion or _SMALL_MODEL_BILLION) >= _SMALL_MODEL_BILLION
        else _SMALL_VOCAB
    )


def _layers_of_size(params: float) -> int:
    """Layers of a decoder with `params`: 12·L·h² parameters with h = 128·L."""
    return max(1, round(math.cbrt(params / (12 * _HIDDEN_PER_LAYER**2))))


def _rounded(width: float) -> int:
    return max(_ROUND, round(width / _ROUND) * _ROUND)


def _build(model: Model, widths: _Widths, extra: Mapping[str, Any]) -> Shape:
    hidden, heads, head_dim = widths.hidden, widths.heads, widths.head_dim
    query, key_value = heads * head_dim, widths.kv_heads * head_dim
    attention = float(2 * hidden * query + 2 * hidden * key_value)
    latent = extra.get("mla")
    if latent:
        query, key_value, attention = _latent_attention(hidden, heads, latent)
    experts = _experts(model, hidden, extra) or _guessed_experts(model, widths, attention)
    target = (model.params_billion or 0.0) * 1e9
    counted = 0.0 if experts else target
    ffn = model.ffn or _fitting_ffn(model, widths, attention, counted)
    gated, tied = _fitting_flags(model, widths, ffn, attention, counted)
    shape = Shape(
        kind=model.kind or ("moe-decoder" if experts else "decoder"),
        layers=widths.layers,
        hidden=hidden,
        heads=heads,
        kv_heads=widths.kv_heads,
        head_dim=head_dim,
        ffn=ffn,
        vocab=widths.vocab,
        gated=gated,
        tied=tied,
        query=query,
        key_value=key_value,
        attention_params=attention,
        mlp_params=float((3 if gated else 2) * hidden * ffn),
        total_params=0.0,
        experts=experts,
        logits_upcast=bool(extra.get("logits_upcast", True)),
        assumed=widths.assumed + (() if model.ffn or target else ("ffn",)),
    )
    return replace(shape, total_params=target or _counted_params(shape))


def _with_decoder(shape: Shape, architecture: Architecture | None) -> Shape:
    """An encoder with a decoder of its own: half the layers have a second (cross) attention."""
    extra = architecture.extra if architecture else {}
    layers = shape.layers + int(extra.get("decoder_layers") or shape.layers)
    both = replace(shape, layers=layers, attention_params=1.5 * shape.attention_params)
    stated = architecture is not None and architecture.params == shape.total_params
    return both if stated else replace(both, total_params=_counted_params(both))


def _latent_attention(
    hidden: int, heads: int, latent: Mapping[str, int | None]
) -> tuple[int, int, float]:
    """Multi-head latent attention (DeepSeek): query and key widths, and parameters."""
    nope, rope, value = (latent[k] or 0 for k in ("nope", "rope", "v"))
    kv_rank, q_rank = latent["kv_lora"] or 0, latent["q_lora"]
    query = heads * (nope + rope)
    q_params = hidden * q_rank + q_rank * query if q_rank else hidden * query
    kv_params = hidden * (kv_rank + rope) + kv_rank * heads * (nope + value)
    return query, query, float(q_params + kv_params + heads * value * hidden)


def _experts(model: Model, hidden: int, extra: Mapping[str, Any]) -> Experts | None:
    if not model.experts or model.experts < 2:
        return None
    return Experts(
        count=model.experts,
        per_token=model.experts_per_token or min(2, model.experts),
        ffn=model.moe_ffn or model.ffn or round(_GATED_RATIO * hidden),
        shared_ffn=int(extra.get("shared_expert_ffn") or 0),
        dense_layers=int(extra.get("dense_layers") or 0),
    )


def _guessed_experts(model: Model, widths: _Widths, attention: float) -> Experts | None:
    """Experts of a mixture of which only both sizes are known: with attention and vocabulary they
    give those that work and all there are. Two work in coarse mixtures, eight in fine ones.
    """
    if not model.params_billion or not model.active_params_billion:
        return None
    other = widths.layers * attention + 2.0 * widths.vocab * widths.hidden
    whole, active = (
        max(0.0, billion * 1e9 - other) / (3 * widths.hidden * widths.layers)
        for billion in (model.params_billion, model.active_params_billion)
    )
    if active <= 0 or whole < _MIXTURE_RATIO * active:
        return None
    per_token = _FINE_EXPERTS if whole > _FINE_RATIO * active else _COARSE_EXPERTS
    return Experts(
        count=round(per_token * whole / active),
        per_token=per_token,
        ffn=max(1, round(active / per_token)),
        shared_ffn=0,
        dense_layers=0,
    )


def _fitting_ffn(model: Model, widths: _Widths, attention: float, target: float) -> int:
    """The MLP width solved from the parameter count, or the usual ratio to hidden."""
    gated = _is_decoder(model) if model.gated_ffn is None else model.gated_ffn
    if not target:
        return round((_GATED_RATIO if gated else _PLAIN_RATIO) * widths.hidden)
    vocabulary = widths.vocab * widths.hidden * (1 if _small_vocabulary(model, widths) else 2)
    per_layer = (target - vocabulary) / widths.layers - attention
    # Narrower than hidden is not usual: then another guess is at fault, not this one.
    return max(widths.hidden, round(per_layer / ((3 if gated else 2) * widths.hidden)))


def _small_vocabulary(model: Model, widths: _Widths) -> bool:
    """Small models share one matrix: two would be a third of them."""
    if model.tied_embeddings is not None:
        return model.tied_embeddings
    two = 2.0 * widths.vocab * widths.hidden
    return not _is_decoder(model) or two > _TIED_SHARE * (model.params_billion or 0.0) * 1e9


def _fitting_flags(
    model: Model, widths: _Widths, ffn: int, attention: float, target: float
) -> tuple[bool, bool]:
    """(gated, tied): as given, else the pair whose parameter count comes nearest the stated one.

    Without a stated count: what decoders usually are, or what encoders are.
    """
    usual = (True, False) if _is_decoder(model) else (False, True)
    if model.ffn is None and target:
        # The width was solved for the count: nothing is left to fit.
        gated = usual[0] if model.gated_ffn is None else model.gated_ffn
        return gated, _small_vocabulary(model, widths)
    best, best_error = usual, float("inf")
    hidden = widths.hidden
    for gated in (True, False) if model.gated_ffn is None else (model.gated_ffn,):
        for tied in (False, True) if model.tied_embeddings is None else (model.tied_embeddings,):
            layer = attention + (3 if gated else 2) * hidden * ffn + 2 * hidden
            count = widths.layers * layer + widths.vocab * hidden * (1 if tied else 2)
            error = abs(count / target - 1) if target else float((gated, tied) != usual)
            if error < best_error - 1e-4:
                best, best_error = (gated, tied), error
    return best


def _counted_params(shape: Shape) -> float:
    """Parameters by layer arithmetic, for a model whose size is not stated."""
    embeddings = shape.embedding_params * shape.embedding_count
    layer = shape.attention_params + 2 * shape.hidden
    experts = shape.experts
    if experts is None:
        return shape.layers * (layer + shape.mlp_params) + embeddings
    dense = min(experts.dense_layers, shape.layers)
    mixture = (
        3 * shape.hidden * (experts.shared_ffn + experts.count * experts.ffn)
        + shape.hidden * experts.count
    )
    return (
        shape.layers * layer
        + dense * shape.mlp_params
        + (shape.layers - dense) * mixture
        + embeddings
    )
