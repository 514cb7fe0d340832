"""Names of the numbers that formulas are filled with, by their key."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

INPUTS: Final[dict[str, Promise]] = {
    "params": pgettext_lazy("number of a formula", "Parameters of the model"),
    "layers": pgettext_lazy("number of a formula", "Layers"),
    "hidden": pgettext_lazy("number of a formula", "Hidden width"),
    "heads": pgettext_lazy("number of a formula", "Attention heads"),
    "kv_heads": pgettext_lazy("number of a formula", "Heads of keys and values"),
    "head_dim": pgettext_lazy("number of a formula", "Width of a head"),
    "query": pgettext_lazy("number of a formula", "Width of the queries"),
    "key_value": pgettext_lazy("number of a formula", "Width of keys and of values"),
    "ffn": pgettext_lazy("number of a formula", "Feed-forward width"),
    "vocab": pgettext_lazy("number of a formula", "Vocabulary"),
    "attention_params": pgettext_lazy("number of a formula", "Parameters of attention in a layer"),
    "mlp_params": pgettext_lazy("number of a formula", "Parameters of the feed-forward of a layer"),
    "experts": pgettext_lazy("number of a formula", "Experts"),
    "experts_per_token": pgettext_lazy("number of a formula", "Experts a token passes"),
    "expert_ffn": pgettext_lazy("number of a formula", "Width of an expert"),
    "shared_ffn": pgettext_lazy("number of a formula", "Width that every token passes"),
    "sample.half_bytes": pgettext_lazy(
        "number of a formula", "Activations of one image in half precision"
    ),
    "sample.mixed_bytes": pgettext_lazy(
        "number of a formula", "Activations of one image in mixed precision"
    ),
    "sample.full_bytes": pgettext_lazy("number of a formula", "Activations of one image in fp32"),
    "sample.forward_flops": pgettext_lazy(
        "number of a formula", "Operations of one image, forward"
    ),
    "sample.image_size": pgettext_lazy("number of a formula", "Side of an image, pixels"),
    "companions.text_encoder_params": pgettext_lazy(
        "number of a formula", "Parameters of the text encoders"
    ),
    "companions.autoencoder_params": pgettext_lazy(
        "number of a formula", "Parameters of the autoencoder"
    ),
    "companions.text_tokens": pgettext_lazy("number of a formula", "Tokens of a caption"),
    "tower.params": pgettext_lazy("number of a formula", "Parameters of the image tower"),
    "tower.hidden": pgettext_lazy("number of a formula", "Width of the image tower"),
    "tower.layers": pgettext_lazy("number of a formula", "Layers of the image tower"),
    "tower.patches": pgettext_lazy("number of a formula", "Patches of an image"),
    "usual.checkpoint_rate": pgettext_lazy(
        "number of a formula", "Rate a node reads and writes a checkpoint at, as usual"
    ),
    "usual.start": pgettext_lazy("number of a formula", "Starting of the processes, as usual"),
    "usual.evaluation": pgettext_lazy("number of a formula", "Evaluation over the steps, as usual"),
    "usual.interruption": pgettext_lazy(
        "number of a formula", "GPU hours per interruption (Llama 3, arXiv 2407.21783)"
    ),
    "usual.restart": pgettext_lazy("number of a formula", "Lost at a restart, as usual"),
    "usual.image_workspace": pgettext_lazy(
        "number of a formula", "Workspace of convolution libraries"
    ),
    "usual.encoding": pgettext_lazy(
        "number of a formula", "Bytes of a pixel at the widest stage of the autoencoder"
    ),
    "engine_share": pgettext_lazy("number of a formula", "Share of the card for generation"),
    "micro_batch": pgettext_lazy("number of a formula", "Micro-batch of one GPU"),
    "sequence": pgettext_lazy("number of a formula", "Sequence length"),
    "padding": pgettext_lazy("number of a formula", "Average over the longest pass"),
    "accumulation": pgettext_lazy("number of a formula", "Accumulated passes before a step"),
    "frozen_share": pgettext_lazy("number of a formula", "Frozen share of the parameters"),
    "frozen_copies": pgettext_lazy("number of a formula", "Frozen models beside the trained one"),
    "trained_copies": pgettext_lazy("number of a formula", "Trained models beside the first"),
    "weight_bytes": pgettext_lazy("number of a formula", "Bytes of a trained weight"),
    "gradient_bytes": pgettext_lazy("number of a formula", "Bytes of a gradient"),
    "master_bytes": pgettext_lazy("number of a formula", "Bytes of a master weight"),
    "moment_bytes": pgettext_lazy("number of a formula", "Bytes of an optimizer's moment"),
    "temporary_bytes": pgettext_lazy("number of a formula", "Bytes of a temporary of the step"),
    "moments": pgettext_lazy("number of a formula", "Moments the optimizer keeps"),
    "fixed_bytes": pgettext_lazy(
        "number of a formula", "Bytes the optimizer keeps in any precision"
    ),
    "compute_bytes": pgettext_lazy("number of a formula", "Bytes of a weight in the pass"),
    "base_bytes": pgettext_lazy("number of a formula", "Bytes of a frozen weight"),
    "scale_bytes": pgettext_lazy("number of a formula", "Bytes of its scales"),
    "vocabulary_bytes": pgettext_lazy("number of a formula", "Bytes of a weight of the vocabulary"),
    "adapter_bytes": pgettext_lazy("number of a formula", "Bytes of an adapter's weight"),
    "loss_bytes": pgettext_lazy("number of a formula", "Bytes the loss keeps of a logit"),
    "residual_bytes": pgettext_lazy("number of a formula", "Bytes of a layer's input"),
    "rank": pgettext_lazy("number of a formula", "Rank of the adapters"),
    "trained_modules": pgettext_lazy(
        "number of a formula", "Parameters trained in full beside the adapters"
    ),
    "gpus": pgettext_lazy("number of a formula", "GPUs"),
    "nodes": pgettext_lazy("number of a formula", "Nodes"),
    "tensor": pgettext_lazy("number of a formula", "Tensor parallelism"),
    "pipeline": pgettext_lazy("number of a formula", "Pipeline stages"),
    "chunks": pgettext_lazy("number of a formula", "Virtual stages of a GPU"),
    "context": pgettext_lazy("number of a formula", "Context parallelism"),
    "expert": pgettext_lazy("number of a formula", "Expert parallelism"),
    "data": pgettext_lazy("number of a formula", "Data-parallel copies"),
    "shard": pgettext_lazy("number of a formula", "GPUs that share the states"),
    "inter_gbit": pgettext_lazy("number of a formula", "Network of a node"),
    "memory_tb_per_s": pgettext_lazy("number of a formula", "Memory bandwidth of the card"),
    "bf16_tflops_per_s": pgettext_lazy("number of a formula", "Dense bf16 rate of the card"),
    "fp8_tflops_per_s": pgettext_lazy("number of a formula", "Dense fp8 rate of the card"),
    "fp16_tflops_per_s": pgettext_lazy("number of a formula", "Dense fp16 rate of the card"),
    "fp32_tflops_per_s": pgettext_lazy("number of a formula", "fp32 rate of the card"),
    "tf32_tflops_per_s": pgettext_lazy("number of a formula", "Dense TF32 rate of the card"),
    "usable_memory_gib": pgettext_lazy("number of a formula", "Usable memory of the card"),
    "link_gb_per_s": pgettext_lazy("number of a formula", "Link of the card, one direction"),
    "memory_gb": pgettext_lazy("number of a formula", "Memory of the card"),
    "tdp_w": pgettext_lazy("number of a formula", "Rated power of the card"),
    "rack_units": pgettext_lazy("number of a formula", "Height of the server"),
    "max_input_w": pgettext_lazy("number of a formula", "The maker's maximum power of the server"),
    "psu_count": pgettext_lazy("number of a formula", "Power supplies"),
    "psu_w": pgettext_lazy("number of a formula", "Rating of a power supply"),
    "psu_needed": pgettext_lazy("number of a formula", "Power supplies that are needed"),
    "weight_kg": pgettext_lazy("number of a formula", "Mass of the server"),
    "depth_mm": pgettext_lazy("number of a formula", "Depth of the server"),
    "cpu_sockets": pgettext_lazy("number of a formula", "CPU sockets"),
    "trained_params": pgettext_lazy("number of a formula", "Parameters that are trained"),
    "measured_allocated": pgettext_lazy(
        "number of a formula", "Your own runs over the estimate, peak"
    ),
    "measured_reserved": pgettext_lazy(
        "number of a formula", "Your own runs over the estimate, held"
    ),
    "measured_device": pgettext_lazy(
        "number of a formula", "Your own runs over the estimate, on the card"
    ),
    "measured_step": pgettext_lazy("number of a formula", "Your own runs over the estimate, step"),
    "dialect.norm_hidden": pgettext_lazy(
        "number of a formula", "Kept of a norm and its input, per width"
    ),
    "dialect.norm_hidden_fused": pgettext_lazy(
        "number of a formula", "Kept of a fused norm, per width"
    ),
    "dialect.layernorm_hidden": pgettext_lazy(
        "number of a formula", "Kept of a LayerNorm, per width"
    ),
    "dialect.ffn_gated": pgettext_lazy(
        "number of a formula", "Kept of a gated feed-forward, per width"
    ),
    "dialect.ffn_gated_fused": pgettext_lazy(
        "number of a formula", "Kept of a fused gated feed-forward"
    ),
    "dialect.ffn_gated_compiled": pgettext_lazy(
        "number of a formula", "Kept of a compiled gated feed-forward"
    ),
    "dialect.ffn_plain": pgettext_lazy(
        "number of a formula", "Kept of a plain feed-forward, per width"
    ),
    "dialect.activation_ratio": pgettext_lazy("number of a formula", "Activations over the count"),
    "dialect.unit_count": pgettext_lazy("number of a formula", "Layers gathered at a time"),
    "dialect.bucket_ratio": pgettext_lazy("number of a formula", "Bucket over the usual one"),
    "dialect.layer_transient": pgettext_lazy(
        "number of a formula", "Transient of a layer, per parameter"
    ),
    "dialect.gradient_copy": pgettext_lazy(
        "number of a formula", "Copy of gradients, per parameter"
    ),
    "dialect.pipeline_unsharded": pgettext_lazy(
        "number of a formula", "Kept whole with a pipeline, per parameter"
    ),
    "dialect.reserved_ratio": pgettext_lazy("number of a formula", "Held over allocated"),
    "dialect.reserved_ratio_alone": pgettext_lazy(
        "number of a formula", "Held over allocated, one GPU"
    ),
    "dialect.host_ratio": pgettext_lazy("number of a formula", "CPU time over the usual one"),
    "dialect.kernels_per_layer": pgettext_lazy("number of a formula", "Kernels of a layer"),
    "dialect.gradient_overlap": pgettext_lazy(
        "number of a formula", "Share of gradients' exchange that is hidden"
    ),
    "dialect.gemm_gain": pgettext_lazy(
        "number of a formula", "Products of the framework over the usual"
    ),
    "family.gemm_ratio": pgettext_lazy(
        "number of a formula", "Reached of the card's peak by products"
    ),
    "family.context_gib": pgettext_lazy("number of a formula", "Context of the driver"),
    "family.network_gbit": pgettext_lazy("number of a formula", "Usual network of such a node"),
    "family.attention": pgettext_lazy(
        "number of a formula", "Reached of the card's peak by attention"
    ),
    "family.low_precision_gain": pgettext_lazy(
        "number of a formula", "Low precision over the fp8 peak"
    ),
    "link.ratio": pgettext_lazy("number of a formula", "Reached of the link by collectives"),
    "link.gb_per_s": pgettext_lazy("number of a formula", "Rate of collectives over the link"),
    "layers.hidden": pgettext_lazy("number of a formula", "Kept of a layer, per hidden width"),
    "layers.query": pgettext_lazy("number of a formula", "Kept of a layer, per query width"),
    "layers.key_value": pgettext_lazy("number of a formula", "Kept of a layer, per key width"),
    "layers.ffn": pgettext_lazy("number of a formula", "Kept of a layer, per feed-forward width"),
    "layers.heads": pgettext_lazy("number of a formula", "Kept of a layer, per head"),
    "operators.hidden": pgettext_lazy("number of a formula", "Selectively kept, per hidden width"),
    "operators.query": pgettext_lazy("number of a formula", "Selectively kept, per query width"),
    "operators.key_value": pgettext_lazy("number of a formula", "Selectively kept, per key width"),
    "operators.ffn": pgettext_lazy(
        "number of a formula", "Selectively kept, per feed-forward width"
    ),
    "operators.heads": pgettext_lazy("number of a formula", "Selectively kept, per head"),
    "elementwise.hidden": pgettext_lazy(
        "number of a formula", "Traffic of element-wise work, per hidden width"
    ),
    "elementwise.query": pgettext_lazy(
        "number of a formula", "Traffic of element-wise work, per query width"
    ),
    "elementwise.ffn": pgettext_lazy(
        "number of a formula", "Traffic of element-wise work, per feed-forward width"
    ),
}
