"""Symbols and units of the quantities that formulas are written with.

Symbols are Latin letters, `_` begins an index. Words stand in the layer above, by the same keys.
A coefficient of the calibration that has no row here is written as k with a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# key -> (symbol, unit as in `units`)
MODEL: Final[Mapping[str, tuple[str, str]]] = {
    "params": ("P", ""),
    "layers": ("L", ""),
    "hidden": ("h", ""),
    "heads": ("a", ""),
    "kv_heads": ("a_kv", ""),
    "head_dim": ("d", ""),
    "query": ("q", ""),
    "key_value": ("g", ""),
    "ffn": ("f", ""),
    "vocab": ("V", ""),
    "attention_params": ("P_att", ""),
    "mlp_params": ("P_mlp", ""),
    "experts": ("E", ""),
    "experts_per_token": ("E_top", ""),
    "expert_ffn": ("f_e", ""),
    "shared_ffn": ("f_sh", ""),
    "sample.half_bytes": ("i_act", "binary"),
    "sample.mixed_bytes": ("i_act", "binary"),
    "sample.full_bytes": ("i_act", "binary"),
    "sample.forward_flops": ("i_flop", "flops"),
    "sample.image_size": ("i_px", ""),
    "companions.text_encoder_params": ("P_txt", ""),
    "companions.autoencoder_params": ("P_vae", ""),
    "companions.text_tokens": ("n_txt", ""),
    "tower.params": ("P_tow", ""),
    "tower.hidden": ("h_tow", ""),
    "tower.layers": ("L_tow", ""),
    "tower.patches": ("n_pat", ""),
}
RECIPE: Final[Mapping[str, tuple[str, str]]] = {
    "micro_batch": ("b", ""),
    "sequence": ("s", ""),
    "padding": ("u", "ratio"),
    "accumulation": ("m", ""),
    "frozen_share": ("z", "ratio"),
    "frozen_copies": ("n_ref", ""),
    "trained_copies": ("n_val", ""),
    "weight_bytes": ("b_w", "bytes"),
    "gradient_bytes": ("b_g", "bytes"),
    "master_bytes": ("b_mw", "bytes"),
    "moment_bytes": ("b_mo", "bytes"),
    "temporary_bytes": ("b_tmp", "bytes"),
    "moments": ("n_mo", ""),
    "fixed_bytes": ("b_fix", "bytes"),
    "compute_bytes": ("b_c", "bytes"),
    "base_bytes": ("b_base", "bytes"),
    "scale_bytes": ("b_sc", "bytes"),
    "vocabulary_bytes": ("b_voc", "bytes"),
    "adapter_bytes": ("b_ad", "bytes"),
    "loss_bytes": ("b_loss", "bytes"),
    "residual_bytes": ("b_res", "bytes"),
    "engine_share": ("k_eng", "ratio"),
    "rank": ("r", ""),
    "adapter_params": ("P_ad", ""),
    "trained_modules": ("P_mod", ""),
}
LAYOUT: Final[Mapping[str, tuple[str, str]]] = {
    "gpus": ("n", ""),
    "nodes": ("n_node", ""),
    "tensor": ("t", ""),
    "pipeline": ("p", ""),
    "chunks": ("v", ""),
    "context": ("c", ""),
    "expert": ("e", ""),
    "data": ("D", ""),
    "shard": ("S", ""),
    "inter_gbit": ("R_net", "gbit_per_s"),
}
CARD: Final[Mapping[str, tuple[str, str]]] = {
    "memory_tb_per_s": ("R_hbm", "tb_per_s"),
    "bf16_tflops_per_s": ("F_bf16", "tflops_per_s"),
    "fp8_tflops_per_s": ("F_fp8", "tflops_per_s"),
    "usable_memory_gib": ("M_card", "gib"),
    "fp16_tflops_per_s": ("F_fp16", "tflops_per_s"),
    "fp32_tflops_per_s": ("F_fp32", "tflops_per_s"),
    "tf32_tflops_per_s": ("F_tf32", "tflops_per_s"),
    "link_gb_per_s": ("R_link", "gb_per_s"),
    "memory_gb": ("M_gpu", "gb"),
    "tdp_w": ("P_tdp", "w"),
    "rack_units": ("U_node", "rack_units"),
    "max_input_w": ("P_max", "w"),
    "psu_count": ("n_psu", ""),
    "psu_w": ("P_psu", "w"),
    "psu_needed": ("n_need", ""),
    "weight_kg": ("m_spec", "kg"),
    "depth_mm": ("l_node", "mm"),
    "cpu_sockets": ("n_cpu", ""),
}
DATA: Final[Mapping[str, tuple[str, str]]] = {
    "data.bytes": ("D_set", "bytes"),
    "data.samples": ("n_smp", ""),
    "data.tokens": ("n_tok", "tokens"),
    "data.files": ("n_file", ""),
    "data.bytes_per_sample": ("b_smp", "bytes"),
    "cycle.target_hours": ("t_due", "hours"),
    "cycle.parallel_runs": ("n_run", ""),
    "recipe.epochs": ("n_ep", ""),
    "recipe.steps": ("n_said", ""),
    "recipe.save_every_steps": ("n_save", ""),
    "recipe.saves_kept": ("n_keep", ""),
    "site.kw_usable": ("P_feed", "kw"),
    "site.amps": ("I", ""),
    "site.volts": ("U_line", ""),
    "site.feeds": ("n_feed", ""),
    "horizon.growth": ("k_grow", "ratio"),
    "trained_params": ("P_tr", ""),
    "measured_allocated": ("k_peak", "ratio"),
    "measured_reserved": ("k_held", "ratio"),
    "measured_device": ("k_dev", "ratio"),
    "measured_step": ("k_run", "ratio"),
}
# Coefficients of frameworks and cards that have a letter of their own.
COEFFICIENTS: Final[Mapping[str, tuple[str, str]]] = {
    "dialect.norm_hidden": ("c_h", "bytes"),
    "dialect.norm_hidden_fused": ("c_h", "bytes"),
    "dialect.layernorm_hidden": ("c_h", "bytes"),
    "dialect.ffn_gated": ("c_f", "bytes"),
    "dialect.ffn_gated_fused": ("c_f", "bytes"),
    "dialect.ffn_gated_compiled": ("c_f", "bytes"),
    "dialect.ffn_plain": ("c_f", "bytes"),
    "dialect.activation_ratio": ("k_act", "ratio"),
    "dialect.unit_count": ("k_unit", "ratio"),
    "dialect.bucket_ratio": ("k_buck", "ratio"),
    "dialect.layer_transient": ("c_tr", "bytes"),
    "dialect.gradient_copy": ("c_gc", "bytes"),
    "dialect.pipeline_unsharded": ("c_pp", "bytes"),
    "dialect.reserved_ratio": ("k_res", "ratio"),
    "dialect.reserved_ratio_alone": ("k_res", "ratio"),
    "dialect.host_ratio": ("k_host", "ratio"),
    "dialect.kernels_per_layer": ("n_kern", ""),
    "dialect.gradient_overlap": ("k_ovl", "ratio"),
    "dialect.gemm_gain": ("k_fw", "ratio"),
    "family.gemm_ratio": ("k_gemm", "ratio"),
    "family.context_gib": ("M_cuda", "gib"),
    "family.network_gbit": ("R_usual", "gbit_per_s"),
    "link.ratio": ("k_link", "ratio"),
    "link.gb_per_s": ("R_coll", "gb_per_s"),
    "layers.hidden": ("c_h", "bytes"),
    "layers.query": ("c_q", "bytes"),
    "layers.key_value": ("c_g", "bytes"),
    "layers.ffn": ("c_f", "bytes"),
    "layers.heads": ("c_a", "bytes"),
    "operators.hidden": ("o_h", "bytes"),
    "operators.query": ("o_q", "bytes"),
    "operators.key_value": ("o_g", "bytes"),
    "operators.ffn": ("o_f", "bytes"),
    "operators.heads": ("o_a", "bytes"),
    "elementwise.hidden": ("e_h", "bytes"),
    "elementwise.query": ("e_q", "bytes"),
    "elementwise.ffn": ("e_f", "bytes"),
}
# What the engine takes as usual: nobody states it and no row holds it.
USUAL: Final[Mapping[str, tuple[str, str]]] = {
    "usual.checkpoint_rate": ("R_ckpt", "bytes_per_s"),
    "usual.start": ("t_init", "s"),
    "usual.evaluation": ("k_eval", "ratio"),
    "usual.interruption": ("n_fail", ""),
    "usual.restart": ("t_back", "hours"),
    "usual.image_workspace": ("M_ws", "binary"),
    "usual.encoding": ("c_px", "bytes"),
}
INPUTS: Final[Mapping[str, tuple[str, str]]] = {
    **USUAL,
    **MODEL,
    **RECIPE,
    **LAYOUT,
    **CARD,
    **DATA,
    **COEFFICIENTS,
}
# How a coefficient's key ends or begins -> its unit. Others are ratios and counts.
_ENDINGS: Final = (
    ("_us", "us"),
    ("_ms", "ms"),
    ("_gib", "gib"),
    ("_tb_per_s", "tb_per_s"),
    ("half_bytes", "bytes"),
    ("image_bytes", "bytes"),
    ("_peak", "tflops_per_s"),
    ("_gbit", "gbit_per_s"),
)
_BEGINNINGS: Final = (
    ("data.read.", "gb_per_s"),
    ("offload.pcie.", "gb_per_s"),
    ("activations.temporaries", "bytes"),
    ("activations.autocast", "bytes"),
    ("activations.dropout", "bytes"),
    ("activations.eager", "bytes"),
    ("activations.megatron", "bytes"),
    ("adapters.", "bytes"),
    ("attention.eager_bytes", "bytes"),
    ("loss.", "bytes"),
    ("low_precision.cast", "bytes"),
    ("optimizer.bytes", "bytes"),
)


def unit_of_coefficient(key: str) -> str:
    """The unit of a constant of the calibration, as in `units`."""
    for ending, unit in _ENDINGS:
        if key.endswith(ending):
            return unit
    return next((unit for beginning, unit in _BEGINNINGS if key.startswith(beginning)), "")
