"""A decoder of a given shape on random tokens: what probe.py trains when no workload is given."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


class Linear(nn.Module):  # type: ignore[misc] # torch is not here to be read
    """A linear layer, with an adapter of LoRA beside it when a rank is given."""

    def __init__(self, fan_in: int, fan_out: int, rank: int) -> None:
        super().__init__()
        self.base = nn.Linear(fan_in, fan_out, bias=False)
        self.rank = rank
        if rank:
            self.base.requires_grad_(requires_grad=False)
            self.down = nn.Linear(fan_in, rank, bias=False)
            self.up = nn.Linear(rank, fan_out, bias=False)
            nn.init.zeros_(self.up.weight)

    def forward(self, x: Any) -> Any:
        return self.base(x) + self.up(self.down(x)) if self.rank else self.base(x)


class Block(nn.Module):  # type: ignore[misc] # torch is not here to be read
    """Attention with grouped keys, and a gated feed-forward."""

    def __init__(self, shape: dict[str, int], rank: int) -> None:
        super().__init__()
        hidden, ffn = shape["hidden"], shape["ffn"]
        self.heads, self.kv, self.width = shape["heads"], shape["kv_heads"], shape["head_dim"]
        query, key = self.heads * self.width, self.kv * self.width
        self.first, self.second = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.q, self.o = Linear(hidden, query, rank), Linear(query, hidden, rank)
        self.k, self.v = Linear(hidden, key, rank), Linear(hidden, key, rank)
        self.gate, self.up = Linear(hidden, ffn, rank), Linear(hidden, ffn, rank)
        self.down = Linear(ffn, hidden, rank)

    def forward(self, x: Any) -> Any:
        y = self.first(x)
        q = self._split(self.q(y), self.heads)
        k, v = (self._split(part(y), self.kv) for part in (self.k, self.v))
        k, v = (part.repeat_interleave(self.heads // self.kv, dim=1) for part in (k, v))
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(mixed.transpose(1, 2).flatten(2))
        y = self.second(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))

    def _split(self, x: Any, heads: int) -> Any:
        return x.unflatten(2, (heads, self.width)).transpose(1, 2)


class Decoder(nn.Module):  # type: ignore[misc] # torch is not here to be read
    """Tokens in, logits out."""

    def __init__(self, plan: dict[str, Any]) -> None:
        super().__init__()
        shape, self.rank, self.recompute = plan["shape"], plan["rank"], plan["recompute"]
        self.embed = nn.Embedding(shape["vocab"], shape["hidden"])
        self.blocks = nn.ModuleList(Block(shape, self.rank) for _ in range(shape["layers"]))
        self.norm = nn.LayerNorm(shape["hidden"])
        self.head = nn.Linear(shape["hidden"], shape["vocab"], bias=False)
        if self.rank:
            for part in (self.embed, self.norm, self.head):
                part.requires_grad_(requires_grad=False)

    def forward(self, tokens: Any) -> Any:
        x = self.embed(tokens)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.recompute else block(x)
        return self.head(self.norm(x))


def synthetic(plan: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Model, endless batches, loss, and the class of its layers."""
    size = (plan["micro_batch"], plan["length"] + 1)

    def batches() -> Iterator[Any]:
        while True:
            yield torch.randint(plan["shape"]["vocab"], size)

    def loss(network: Any, batch: Any) -> Any:
        logits = network(batch[:, :-1]).flatten(0, 1).float()
        return functional.cross_entropy(logits, batch[:, 1:].flatten())

    return Decoder(plan), batches(), loss, Block
