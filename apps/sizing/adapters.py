"""Low-rank adapters: which linears carry one and how many parameters that trains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.sizing.shapes import Shape

Dims = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """The adapted linears of one layer as (inputs, outputs), and what they train.

    `trained_params` counts the adapters of all layers; `trained_modules_params` the matrices that
    are trained whole beside them (`modules_to_save`).
    """

    linears: tuple[Dims, ...]
    rank: int
    mlp: bool
    trained_params: float
    trained_modules_params: float

    @property
    def count(self) -> int:
        return len(self.linears)


def _attention_dims(shape: Shape) -> tuple[Dims, ...]:
    h, q, kv = shape.hidden, shape.query, shape.key_value
    return ((h, q), (h, kv), (h, kv), (q, h))


def _mlp_dims(shape: Shape) -> tuple[Dims, ...]:
    up = ((shape.hidden, shape.active_ffn),) * (2 if shape.gated else 1)
    return (*up, (shape.active_ffn, shape.hidden))


def _every_linear(shape: Shape) -> tuple[Dims, ...]:
    return (*_attention_dims(shape), *_mlp_dims(shape))


def _fused_qkv(shape: Shape) -> tuple[Dims, ...]:
    return ((shape.hidden, shape.query + 2 * shape.key_value),)


def _up(shape: Shape) -> tuple[Dims, ...]:
    return ((shape.hidden, shape.active_ffn),)


def _down(shape: Shape) -> tuple[Dims, ...]:
    return ((shape.active_ffn, shape.hidden),)


def _query(shape: Shape) -> tuple[Dims, ...]:
    return ((shape.hidden, shape.query),)


def _key(shape: Shape) -> tuple[Dims, ...]:
    return ((shape.hidden, shape.key_value),)


def _out(shape: Shape) -> tuple[Dims, ...]:
    return ((shape.query, shape.hidden),)


def _first_of_mlp(shape: Shape) -> tuple[Dims, ...]:
    """Megatron writes a gate and its up projection as one matrix."""
    return _gate_up(shape) if shape.gated else _up(shape)


def _both_projections(shape: Shape) -> tuple[Dims, ...]:
    """GPT-2 and Qwen call the output of attention and of the MLP alike."""
    return (*_out(shape), *_down(shape))


def _gate_up(shape: Shape) -> tuple[Dims, ...]:
    return ((shape.hidden, 2 * shape.active_ffn),)


# Last part of a module's name -> what it is. Families differ only in what they call it.
_MODULES: Final[dict[str, Callable[[Shape], tuple[Dims, ...]]]] = {
    **dict.fromkeys(("q_proj", "q", "query", "wq", "to_q"), _query),
    **dict.fromkeys(
        ("k_proj", "v_proj", "k", "v", "key", "value", "wk", "wv", "to_k", "to_v"), _key
    ),
    **dict.fromkeys(("o_proj", "o", "out_proj", "wo", "output_proj", "to_out", "dense"), _out),
    **dict.fromkeys(("c_attn", "wqkv", "qkv_proj", "query_key_value", "qkv", "w_pack"), _fused_qkv),
    "c_proj": _both_projections,
    **dict.fromkeys(("gate_proj", "up_proj", "w1", "w2", "fc1", "c_fc", "dense_h_to_4h"), _up),
    **dict.fromkeys(("wi_0", "wi_1", "wi", "gate", "up"), _up),
    **dict.fromkeys(("down_proj", "w3", "fc2", "dense_4h_to_h", "down"), _down),
    "gate_up_proj": _gate_up,
    # Words of torchtune, LitGPT, NeMo and Megatron for the same parts.
    "mlp": _mlp_dims,
    **dict.fromkeys(("attn", "attention", "self_attn"), _attention_dims),
    **dict.fromkeys(("all", "linear", "all-linear", "all linear", "all_linear"), _every_linear),
    "projection": _out,
    **dict.fromkeys(("attention_qkv", "linear_qkv"), _fused_qkv),
    **dict.fromkeys(("attention_dense", "linear_proj"), _out),
    **dict.fromkeys(("mlp_fc1", "linear_fc1"), _first_of_mlp),
    **dict.fromkeys(("mlp_fc2", "linear_fc2"), _down),
}
_MLP_BUILDERS: Final = frozenset({_up, _down, _gate_up, _first_of_mlp, _mlp_dims, _every_linear})
_WHOLE_ATTENTION: Final = frozenset({"c_attn"})


@lru_cache(maxsize=1024)
def resolve_adapters(
    shape: Shape,
    targets: tuple[str, ...] | str,
    rank: int,
    trained_params: float | None,
    trained_modules: tuple[str, ...],
) -> Adapters:
    """Adapters of rank `rank` on `targets`. A stated count of trained parameters wins.

    A name that is not known counts as nothing: the caller says so as an assumption.
    """
    if isinstance(targets, str):
        linears, mlp = _every_linear(shape), True
    else:
        names = [t.rsplit(".", maxsplit=1)[-1].lower() for t in targets]
        # A fused projection listed beside its parts names the same weights twice.
        names = [n for n in names if not (n in _WHOLE_ATTENTION and "q_proj" in names)]
        builders = [_MODULES[n] for n in names if n in _MODULES]
        linears = tuple(dims for build in builders for dims in build(shape))
        mlp = any(b in _MLP_BUILDERS for b in builders)
    counted = float(sum(rank * (i + o) for i, o in linears) * shape.layers)
    return Adapters(
        linears=linears,
        rank=rank,
        mlp=mlp,
        trained_params=trained_params if trained_params is not None else counted,
        trained_modules_params=_whole_modules(shape, trained_modules),
    )


def _whole_modules(shape: Shape, names: tuple[str, ...]) -> float:
    """Parameters of vocabulary matrices that are trained whole."""
    matrices = {
        "head" if any(w in name.lower() for w in ("head", "output")) else "embedding"
        for name in names
        if any(w in name.lower() for w in ("embed", "wte", "head", "output", "word"))
    }
    return shape.embedding_params * min(len(matrices), shape.embedding_count)
