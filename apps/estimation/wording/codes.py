"""Words for the codes of the result document and of the parameters of messages.

The key is the name of the parameter or of the field that holds the code.
"""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

_COOLING: Final[dict[str, Promise]] = {
    "air": pgettext_lazy("cooling", "air"),
    "room-air": pgettext_lazy("cooling", "room air"),
    "containment": pgettext_lazy("cooling", "contained aisles"),
    "in-row": pgettext_lazy("cooling", "in-row units"),
    "rear-door-passive": pgettext_lazy("cooling", "passive rear doors"),
    "rear-door-active": pgettext_lazy("cooling", "active rear doors"),
    "direct-to-chip": pgettext_lazy("cooling", "liquid to the chips"),
    "immersion": pgettext_lazy("cooling", "immersion"),
}

CODES: Final[dict[str, dict[str, Promise]]] = {
    "cooling_method": _COOLING,
    "feed_case": {
        "all-feeds": pgettext_lazy("feeds", "all feeds work"),
        "feed-lost": pgettext_lazy("feeds", "one feed is lost"),
    },
    "save_class": {
        "sata-ssd": pgettext_lazy("drives", "SATA SSD"),
        "nvme": pgettext_lazy("drives", "NVMe"),
        "several-nvme": pgettext_lazy("drives", "several NVMe drives or a sharded save"),
    },
    "read_class": {
        "light": pgettext_lazy("drives", "any SSD"),
        "moderate": pgettext_lazy("drives", "SATA or SAS SSD"),
        "intensive": pgettext_lazy("drives", "NVMe"),
    },
    "io_class": {
        "light": pgettext_lazy("reading", "light"),
        "moderate": pgettext_lazy("reading", "moderate"),
        "intensive": pgettext_lazy("reading", "intensive"),
    },
    "volume": {
        "dataset": pgettext_lazy("volume", "Dataset"),
        "checkpoints": pgettext_lazy("volume", "Checkpoints"),
    },
    "volume_part": {
        "raw": pgettext_lazy("part of a volume", "raw data"),
        "unpacked": pgettext_lazy("part of a volume", "unpacked data"),
        "copy": pgettext_lazy("part of a volume", "copy"),
        "intermediate": pgettext_lazy("part of a volume", "intermediate files"),
        "tokens": pgettext_lazy("part of a volume", "tokens"),
        "reserve": pgettext_lazy("part of a volume", "reserve"),
        "intermediate-states": pgettext_lazy("part of a volume", "saves that are kept"),
        "final": pgettext_lazy("part of a volume", "finished weights"),
        "in-flight": pgettext_lazy("part of a volume", "being written"),
    },
    "ratio_status": {
        "below-vram": pgettext_lazy("RAM", "less than the memory of the GPUs"),
        "lean": pgettext_lazy("RAM", "lean"),
        "comfortable": pgettext_lazy("RAM", "comfortable"),
    },
    "dimm_purpose": {
        "least": pgettext_lazy("RAM", "at least"),
        "comfortable": pgettext_lazy("RAM", "comfortable"),
    },
    "link": {
        "nvswitch": pgettext_lazy("link", "NVLink with NVSwitch"),
        "nvlink-bridge": pgettext_lazy("link", "NVLink bridges"),
        "xgmi": pgettext_lazy("link", "xGMI"),
        "pcie": pgettext_lazy("link", "PCIe"),
    },
    "phase": {
        "load": pgettext_lazy("phase", "loading of the weights"),
        "loss": pgettext_lazy("phase", "end of the forward pass, the loss"),
        "backward": pgettext_lazy("phase", "start of the backward pass"),
        "step": pgettext_lazy("phase", "the optimizer's step"),
        "encode": pgettext_lazy("phase", "encoding of images into latents"),
    },
    "bound_by": {
        "compute": pgettext_lazy("bottleneck", "computing"),
        "kernel-launches": pgettext_lazy("bottleneck", "launching of kernels by the CPU"),
        "communication": pgettext_lazy("bottleneck", "exchange between GPUs"),
        "data": pgettext_lazy("bottleneck", "feeding of data"),
        "host-offload": pgettext_lazy("bottleneck", "offload to the host"),
        "pipeline-bubble": pgettext_lazy("bottleneck", "idle stages of the pipeline"),
    },
    "profile": {
        "A": pgettext_lazy("profile", "A: little exchange"),
        "B": pgettext_lazy("profile", "B: frequent or large exchange"),
        "C": pgettext_lazy("profile", "C: the model itself is split"),
        "D": pgettext_lazy("profile", "D: several nodes"),
    },
    "link_fit": {
        "suits": pgettext_lazy("link", "the link suits"),
        "limits": pgettext_lazy("link", "the link holds the step back"),
        "not-recommended": pgettext_lazy("link", "the link is not recommended"),
    },
    "exchange": {
        "gradients": pgettext_lazy("exchange", "gradients"),
        "weights": pgettext_lazy("exchange", "weights"),
        "tensor": pgettext_lazy("exchange", "inside layers"),
        "context": pgettext_lazy("exchange", "inside attention"),
        "expert": pgettext_lazy("exchange", "between experts"),
        "pipeline": pgettext_lazy("exchange", "between stages"),
        "total": pgettext_lazy("exchange", "in all"),
    },
    "cycle_part": {
        "steps": pgettext_lazy("part of the cycle", "steps"),
        "start": pgettext_lazy("part of the cycle", "start"),
        "evaluation": pgettext_lazy("part of the cycle", "evaluation"),
        "saves": pgettext_lazy("part of the cycle", "checkpoints"),
        "restarts": pgettext_lazy("part of the cycle", "restarts"),
    },
    "power_part": {
        "gpu": pgettext_lazy("part of the power", "GPUs"),
        "cpu_and_memory": pgettext_lazy("part of the power", "CPUs and memory"),
        "drives_and_network": pgettext_lazy("part of the power", "drives and network"),
        "board": pgettext_lazy("part of the power", "board"),
        "fans_and_losses": pgettext_lazy("part of the power", "fans and losses"),
    },
    # What the software may do either way: the range holds both.
    "cause": {
        "links": pgettext_lazy("cause", "speed of the link"),
        "attention-kernel": pgettext_lazy("cause", "attention kernel"),
        "loss-kernel": pgettext_lazy("cause", "how the loss is computed"),
        "residual-stream": pgettext_lazy("cause", "precision of the residual stream"),
        "accumulation": pgettext_lazy("cause", "when accumulated gradients are exchanged"),
        "pipeline-weights": pgettext_lazy("cause", "whether a stage keeps its weights whole"),
        "trained-type": pgettext_lazy("cause", "in which type the trained weights are kept"),
        "quantised-storage": pgettext_lazy("cause", "how quantised weights are stored"),
        "gathered-units": pgettext_lazy("cause", "how many layers are gathered ahead"),
        "adapter-backward": pgettext_lazy("cause", "what adapters keep for the backward pass"),
        "step-copies": pgettext_lazy("cause", "temporary copies of the optimizer's step"),
        "loading": pgettext_lazy("cause", "how the weights are loaded"),
        "selection": pgettext_lazy("cause", "what “selective” recomputation leaves out"),
        "adapter-dropout": pgettext_lazy("cause", "dropout of the adapters"),
        "offloaded": pgettext_lazy("cause", "what is moved to the host"),
        "wrapped-adapters": pgettext_lazy("cause", "how adapters are wrapped for sharding"),
        "lengths": pgettext_lazy("cause", "samples shorter than the length allowed"),
        "interleaving": pgettext_lazy("cause", "whether the pipeline interleaves its stages"),
        "network": pgettext_lazy("cause", "network adapters of a node"),
        "paging": pgettext_lazy("cause", "whether optimizer states are paged by the driver"),
        "optimizer-states": pgettext_lazy("cause", "what the optimizer keeps by its settings"),
        "checkpoint-home": pgettext_lazy(
            "cause", "whether saved inputs of layers wait on the host"
        ),
        "engine-buffers": pgettext_lazy("cause", "buffers of the training engine"),
        "buckets": pgettext_lazy("cause", "size of the exchange buffers"),
        "host": pgettext_lazy("cause", "speed of the host CPU"),
        "overlap": pgettext_lazy("cause", "whether exchange runs beside computing"),
        "reduction": pgettext_lazy("cause", "in which type gradients are exchanged"),
        "pointwise": pgettext_lazy("cause", "how norms and activations are computed"),
        "tensor-cores": pgettext_lazy("cause", "whether fp32 products use tensor cores"),
        "head-alignment": pgettext_lazy("cause", "head width that is no multiple of 8"),
        "weight-average": pgettext_lazy("cause", "whether a moving average of the weights is kept"),
        "cached-latents": pgettext_lazy("cause", "whether encoders run in every step"),
        "image-tower": pgettext_lazy("cause", "whether the image encoder is trained"),
        "reference-model": pgettext_lazy("cause", "whether the reference model stays on the card"),
        "reference-logits": pgettext_lazy("cause", "copies of the reference model's logits"),
        "generation-engine": pgettext_lazy("cause", "whether answers are generated on the card"),
        "encoder-scores": pgettext_lazy("cause", "whether attention keeps its scores"),
        "encoder-head": pgettext_lazy("cause", "what the encoder predicts"),
        "clip-length": pgettext_lazy("cause", "number of frames in a clip"),
        "pixel-classes": pgettext_lazy("cause", "number of classes for each pixel"),
    },
    "lever": {
        "precision": pgettext_lazy("lever", "Mixed precision"),
        "checkpointing": pgettext_lazy("lever", "Recomputation of activations"),
        "micro-batch": pgettext_lazy("lever", "Micro-batch of one"),
        "fused-loss": pgettext_lazy("lever", "Fused cross-entropy"),
        "sharding": pgettext_lazy("lever", "Sharding over GPUs"),
        "more-gpus": pgettext_lazy("lever", "More GPUs"),
    },
    "effect": {
        "less": pgettext_lazy("effect", "less"),
        "same": pgettext_lazy("effect", "the same"),
        "more": pgettext_lazy("effect", "more"),
    },
    "rung_state": {
        "already": pgettext_lazy("step", "already in the recipe"),
        "assumed": pgettext_lazy("step", "not stated; the usual value taken has it already"),
        "no-effect": pgettext_lazy("step", "the peak lies elsewhere now; kept"),
        "worse": pgettext_lazy("step", "would take more here; not kept"),
    },
    "likeness": {
        "like": pgettext_lazy("measured run", "of the same kind"),
        "partly": pgettext_lazy("measured run", "partly comparable"),
        "unlike": pgettext_lazy("measured run", "of another kind"),
    },
    "memory_figure": {
        "allocated_gib": pgettext_lazy("memory", "Allocated by the framework"),
        "reserved_gib": pgettext_lazy("memory", "Held by its allocator"),
        "device_gib": pgettext_lazy("memory", "Shown by nvidia-smi"),
    },
    "verdict_headline": {
        "train": pgettext_lazy("conclusion", "Training on your own server is justified"),
        "pilot-first": pgettext_lazy("conclusion", "A pilot first, then the choice of a server"),
        "rent": pgettext_lazy("conclusion", "Rent for the pilot"),
        "do-not-buy-yet": pgettext_lazy("conclusion", "Too early to buy"),
        "insufficient": pgettext_lazy("conclusion", "Not enough data for figures"),
    },
    "readiness": {
        "early": pgettext_lazy("readiness", "the recipe or the site is not known yet"),
        "after-pilot": pgettext_lazy("readiness", "after a pilot"),
        "agreement": pgettext_lazy("readiness", "measured; the site has not agreed to everything"),
        "specification": pgettext_lazy("readiness", "ready for a specification"),
    },
    "sign_off": {
        "power": pgettext_lazy("sign-off", "power"),
        "cooling": pgettext_lazy("sign-off", "cooling"),
        "network": pgettext_lazy("sign-off", "network"),
        "access": pgettext_lazy("sign-off", "service access"),
    },
    "after_loss": {
        "full-speed": pgettext_lazy("after a loss", "full speed"),
        "slower": pgettext_lazy("after a loss", "runs slower"),
        "stops": pgettext_lazy("after a loss", "stops"),
    },
    "confidence": {
        "A": pgettext_lazy("confidence", "A: measured in a pilot or in a run of your own"),
        "B": pgettext_lazy(
            "confidence", "B: the main facts of the recipe are known, or a near run was measured"
        ),
        "C": pgettext_lazy("confidence", "C: up to two usual values were taken"),
        "D": pgettext_lazy("confidence", "D: only the class of the task is known"),
    },
}
