"""The first page, for everybody, with an example that the engine computes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext, gettext_noop
from django.views.decorators.http import require_GET

from apps.catalog.facts import fixture_catalog
from apps.charts import Drawing, MemoryBar, MemoryLabels, memory_drawing
from apps.core import formatting
from apps.core.verdict_words import verdict_word
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.task import Placement
from apps.sizing.task_reader import parse_task

_RECIPE: Final[dict[str, Any]] = {
    "framework": "trl",
    "stage": "sft",
    "precision": "bf16-mixed",
    "optimizer": "adamw",
    "sequence_length": 2048,
    "micro_batch": 1,
    "grad_accumulation": 8,
    "packing": True,
    "activation_checkpointing": "full",
    "attention": "flash",
    "fused_cross_entropy": False,
    "offload": "none",
}
_ADAPTERS: Final[dict[str, Any]] = {"lora_rank": 16, "lora_targets": "all-linear"}
# The same model on the same card, by three methods: the method matters before the card does.
_EXAMPLES: Final = (
    (gettext_noop("All weights"), "full", {"quantization": "none"}),
    ("LoRA", "lora", {"quantization": "none", **_ADAPTERS}),
    ("QLoRA", "qlora", {"quantization": "nf4-double", **_ADAPTERS}),
)
# Half of a wide page, and a phone: the drawing is made for both, never shrunk.
_COLUMN_PX: Final = 540
_PHONE_PX: Final = 328
_MODEL: Final = "meta-llama/Meta-Llama-3.1-8B"
_PLACE: Final = Placement(accelerator="H100-SXM5-80", gpus=1, nodes=1, data_parallel="none")


@require_GET
def landing(request: HttpRequest) -> HttpResponse:
    language = get_language() or "ru"
    context = {"drawing": example_drawing(language), "sample": f"sample/podbor-{language}.pdf"}
    return render(request, "intake/landing.html", context)


@lru_cache(maxsize=4)
def example_drawing(language: str) -> Drawing:
    """Memory of one GPU by method, in the active language (`language` is the cache's key)."""
    bars, weights_gib = list(_bars()), _weights_gib()
    labels = MemoryLabels().translated(gettext)
    wide, narrow = (
        memory_drawing(
            bars,
            width,
            weights_only_gib=weights_gib,
            labels=labels,
            number=formatting.approximate,
        )
        for width in (_COLUMN_PX, _PHONE_PX)
    )
    return Drawing(wide=wide, narrow=narrow)


def _bars() -> Iterator[MemoryBar]:
    catalog = fixture_catalog()
    for name, method, recipe in _EXAMPLES:
        task = parse_task({"method": method, "model": {"name": _MODEL}, "recipe": _RECIPE | recipe})
        estimate = estimate_memory(task, catalog, _PLACE)
        assert estimate is not None, "the example model is in the catalog"
        yield MemoryBar(
            key=gettext(name),
            name="",
            hardware="",
            components_gib=estimate.components_gib,
            device_gib=estimate.device_gib,
            capacity_gib=estimate.capacity_gib,
            status=estimate.verdict,
            word=verdict_word(estimate.verdict),
        )


def _weights_gib() -> float:
    """What the weights alone take in 16 bits: the figure inference is often sized by."""
    return fixture_catalog().architectures[_MODEL].params * 2 / 2**30
