"""Sources of the catalog that are its own words, not titles: they speak the reader's language."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

_FITTED: Final = re.compile(r"fitted to (\d+) published runs")
OWN_WORDS: Final = frozenset(
    {
        gettext_noop("saved-tensor accounting of PyTorch code on the meta device"),
        gettext_noop("custom of the field"),
        gettext_noop("no usable run; set between neighbouring families"),
        gettext_noop("published NeMo runs"),
        gettext_noop("published timm and NVIDIA DeepLearningExamples throughput"),
        gettext_noop("DeepSpeed documentation"),
        gettext_noop("transformers source: mixtures run expert after expert"),
        gettext_noop("ImageNet: 150 GB for 1.28 million images"),
        gettext_noop("arithmetic: read and write of weights, gradient and two moments"),
        gettext_noop("half of 11 to 12 GB/s that one card alone reaches"),
        gettext_noop("half of 24 to 26 GB/s that one card alone reaches"),
        gettext_noop("half of 50 to 55 GB/s that one card alone reaches"),
        gettext_noop("taken as generation 5; not measured"),
        gettext_noop("between block inputs only and every second block"),
        gettext_noop("arithmetic, as of language models"),
        gettext_noop("250 to 400 images/s a core"),
        gettext_noop("100 to 150 images/s a core"),
        gettext_noop("NVIDIA data sheets"),
        gettext_noop("QLoRA paper"),
        gettext_noop("taken as AdamW"),
        gettext_noop("one byte and scales"),
        gettext_noop("4 bits, group 128"),
        gettext_noop("4 bits, group 128: scale and zero point"),
        gettext_noop("LLM.int8: one byte and outliers"),
        gettext_noop("taken as Blackwell"),
        gettext_noop("mean of the measured families"),
        gettext_noop("25 to 40 GB/s, eight GPUs with peer access"),
        gettext_noop("scaled from generation 5; not measured"),
        gettext_noop("scaled from generation 4"),
        gettext_noop("through host memory, no peer access; scaled from generation 4"),
        gettext_noop("5 to 9 GB/s"),
        gettext_noop("5 to 12 GB/s: GeForce without peer access"),
        gettext_noop("two moments of a low-rank projection; depends on the rank"),
        gettext_noop("one moment on matrices, AdamW on vocabulary matrices"),
        gettext_noop("torch: one moment with momentum, none without it; updates in place"),
        gettext_noop("QLoRA paper: 4 bits and double-quantised scales; measured runs load so"),
        gettext_noop("TRL documentation; runs as HF Trainer does"),
        gettext_noop(
            "LLaMA-Factory documentation and source: trained weights in fp32 unless"
            " pure_bf16, norms in fp32 only when asked"
        ),
        gettext_noop("ms-swift documentation: weights in the checkpoint's own type"),
        gettext_noop("published example of FSDP with 4-bit weights"),
        gettext_noop("Unsloth documentation: checkpoints wait on the host, own loss kernel"),
        gettext_noop("published ZeRO runs of stas00; DeepSpeed documentation"),
        gettext_noop("published torchtitan runs"),
        gettext_noop("published llm-foundry runs"),
        gettext_noop("published Megatron-Core runs; Megatron-LM source"),
        gettext_noop("published BLOOM trials"),
        gettext_noop("PyTorch FSDP2 documentation"),
        gettext_noop(
            "fused kernels, PEFT and HF Trainer: published runs of fms-acceleration, Qwen, PEFT"
        ),
        gettext_noop("ms-swift documentation; bf16 optimizer states are common there"),
        gettext_noop("a model that is split by a framework nobody measured"),
        gettext_noop(
            "a model split by PyTorch's own parallelism in a framework nobody measured: as"
            " torchtitan"
        ),
        gettext_noop("an unfamiliar framework is taken as HF Trainer, with a wide range"),
        gettext_noop("timm's train script: autocast over fp32 weights, DDP"),
        gettext_noop(
            "diffusers training scripts: weights in fp32 under autocast, frozen parts in half"
            " precision, adapters on attention"
        ),
        gettext_noop("kohya sd-scripts documentation: as diffusers' scripts"),
        gettext_noop(
            "ultralytics documentation: autocast over fp32 weights, DDP, batch of all GPUs"
            " together, a moving average of the weights"
        ),
        gettext_noop("Arithmetic"),
        gettext_noop("Engineering judgement"),
        gettext_noop("Engineering judgement, no source found"),
        gettext_noop("CPU rows of this catalog"),
        gettext_noop("Capacities of the drives of this catalog's sources"),
        gettext_noop("Servers of this catalog (own arithmetic on their weights and heights)"),
        gettext_noop("NVIDIA DGX A100, H100, B200 user guides (own arithmetic on their figures)"),
        gettext_noop("Nameplates of DGX A100, H100, B200 against their GPU TDP (own arithmetic)"),
        gettext_noop("Inference of this catalog"),
        gettext_noop("Total memory in nvidia-smi output in public logs"),
        gettext_noop("Total memory that the driver reports for this card, general knowledge"),
        gettext_noop("Attention over the family, against the halved peak; judgement"),
        gettext_noop(
            "Products over the family: GeForce cards reach their halved peak, workstation and"
            " inference cards are held by their power limit; judgement"
        ),
        gettext_noop("GeForce drivers give no peer access over PCIe"),
        gettext_noop("500 W limit: fitted to published torchtitan runs"),
        gettext_noop(
            "NVIDIA/AMD data-centre GPU spec research, dense vs sparse separated (2026-09-18)"
        ),
        gettext_noop("data sheet tensor rate halved to dense; verify"),
        gettext_noop(
            "architecture values as commonly published; not found in a primary file; verify"
        ),
    }
)


def source_title(title: str) -> str:
    """A title as it was published; what the catalog says itself, in the language of the reader."""
    fitted = _FITTED.fullmatch(title)
    if fitted is not None:
        return pgettext("source", "fitted to published runs: %(count)s") % {"count": fitted[1]}
    return _(title) if title in OWN_WORDS else title
