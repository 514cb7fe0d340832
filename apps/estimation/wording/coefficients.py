"""Names of coefficients of the calibration and of constants of the catalog, by their key."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

CALIBRATED: Final[dict[str, Promise]] = {
    "gemm.inner_half": pgettext_lazy(
        "coefficient", "Inner size at which a product reaches half of its rate"
    ),
    "gemm.outer_half": pgettext_lazy(
        "coefficient", "Output at which it does, on the reference card"
    ),
    "gemm.outer_half_peak": pgettext_lazy("coefficient", "Peak of the reference card"),
    "attention.sequence_half": pgettext_lazy(
        "coefficient", "Sequence at which attention reaches half of its rate"
    ),
    "attention.head_floor": pgettext_lazy("coefficient", "Rate left to narrow heads"),
    "attention.backward": pgettext_lazy("coefficient", "Attention backward over forward"),
    "attention.eager_bytes": pgettext_lazy(
        "coefficient", "Traffic of one score of plain attention"
    ),
    "attention.eager_gemm": pgettext_lazy("coefficient", "Products of scores over large products"),
    "memory.bandwidth_ratio": pgettext_lazy("coefficient", "Reached of the memory bandwidth"),
    "elementwise.ratio": pgettext_lazy("coefficient", "Factor on element-wise traffic"),
    "kernel.launch_us": pgettext_lazy("coefficient", "Launch of one kernel"),
    "kernel.backward": pgettext_lazy("coefficient", "Launches backward over forward"),
    "kernel.backward_recompute": pgettext_lazy("coefficient", "The same with recomputation"),
    "kernel.per_adapter": pgettext_lazy("coefficient", "Launches an adapter adds"),
    "kernel.per_adapter_fused": pgettext_lazy("coefficient", "Launches a fused adapter adds"),
    "kernel.gptq": pgettext_lazy("coefficient", "Launches a GPTQ layer adds"),
    "kernel.nf4": pgettext_lazy("coefficient", "Launches an NF4 layer adds"),
    "kernel.moe": pgettext_lazy("coefficient", "Launches of a layer of experts over a dense one"),
    "fsdp.unit_us": pgettext_lazy("coefficient", "CPU time of a wrapped unit"),
    "fsdp.zero3_units": pgettext_lazy("coefficient", "Units of a ZeRO-3 layer"),
    "collective.latency_us": pgettext_lazy("coefficient", "Latency of a collective in a node"),
    "collective.half_bytes": pgettext_lazy(
        "coefficient", "Message at which half of the bandwidth is reached"
    ),
    "collective.launch_us": pgettext_lazy("coefficient", "Fixed cost of a collective in a layer"),
    "network.pcie_gbit": pgettext_lazy("coefficient", "Usual network of a node of PCIe cards"),
    "network.superchip_gbit": pgettext_lazy("coefficient", "Usual network of a tray of superchips"),
    "collective.network_ratio": pgettext_lazy(
        "coefficient", "Reached of the network by collectives"
    ),
    "overlap.interference": pgettext_lazy(
        "coefficient", "Slow-down of computing by exchange beside it"
    ),
    "overlap.exposed": pgettext_lazy("coefficient", "Computing that exchange does not hide behind"),
    "tensor_parallel.hidden": pgettext_lazy(
        "coefficient", "Hidden share of exchange inside layers"
    ),
    "gradients.hidden": pgettext_lazy("coefficient", "Share of a pass that hides gradients"),
    "tensor_parallel.sequence_ratio": pgettext_lazy(
        "coefficient", "Re-gathering with sequence parallelism"
    ),
    "context_parallel.hidden": pgettext_lazy(
        "coefficient", "Share of attention that hides the ring"
    ),
    "context_parallel.imbalance": pgettext_lazy("coefficient", "Idle share of a causal ring"),
    "pipeline.head": pgettext_lazy("coefficient", "Weight of the head on the last stage"),
    "expert.all_to_all_ratio": pgettext_lazy("coefficient", "Reached of the link by all-to-all"),
    "dequantize.gptq_per_s": pgettext_lazy(
        "coefficient", "GPTQ parameters unpacked a second, reference card"
    ),
    "dequantize.nf4_per_s": pgettext_lazy(
        "coefficient", "NF4 parameters unpacked a second, reference card"
    ),
    "dequantize.reference_tb_per_s": pgettext_lazy(
        "coefficient", "Memory bandwidth of the reference card"
    ),
    "low_precision.cast_bytes": pgettext_lazy("coefficient", "Traffic of casts, per element"),
    "low_precision.cast_bytes_megatron": pgettext_lazy(
        "coefficient", "Traffic of casts, Transformer Engine"
    ),
    "data.read.local": pgettext_lazy("coefficient", "Reading of local NVMe by a node"),
    "data.read.nfs": pgettext_lazy("coefficient", "Reading over NFS by a node"),
    "data.read.san": pgettext_lazy("coefficient", "Reading of a SAN by a node"),
    "data.read.object": pgettext_lazy("coefficient", "Reading of an object store by a node"),
    "data.cores_per_gpu": pgettext_lazy("coefficient", "CPU cores for loaders of a GPU"),
    "data.prepare.light": pgettext_lazy(
        "coefficient", "Samples a core prepares in a second, light"
    ),
    "data.prepare.medium": pgettext_lazy(
        "coefficient", "Samples a core prepares in a second, medium"
    ),
    "data.prepare.heavy": pgettext_lazy(
        "coefficient", "Samples a core prepares in a second, heavy"
    ),
    "data.video_frames": pgettext_lazy("coefficient", "Frames of a video sample"),
    "data.image_bytes": pgettext_lazy("coefficient", "Usual size of an image"),
    "optimizer.overhead_ms": pgettext_lazy("coefficient", "Fixed time of the optimizer's step"),
    "optimizer.bytes_fused": pgettext_lazy("coefficient", "Traffic of a fused step, per parameter"),
    "optimizer.bytes_foreach": pgettext_lazy(
        "coefficient", "Traffic of a foreach step, per parameter"
    ),
    "offload.pcie.3": pgettext_lazy("coefficient", "Host memory to a card, PCIe 3"),
    "offload.pcie.4": pgettext_lazy("coefficient", "Host memory to a card, PCIe 4"),
    "offload.pcie.5": pgettext_lazy("coefficient", "Host memory to a card, PCIe 5"),
    "offload.pcie.6": pgettext_lazy("coefficient", "Host memory to a card, PCIe 6"),
    "offload.cpu_adam_per_s": pgettext_lazy(
        "coefficient", "AdamW on the CPU, one process, parameters a second"
    ),
    "offload.cpu_adam_node_per_s": pgettext_lazy("coefficient", "AdamW on the CPU, the whole node"),
    "step.jitter": pgettext_lazy("coefficient", "Slow-down per doubling of nodes"),
    "step.full_card": pgettext_lazy("coefficient", "Slow-down of a nearly full card"),
    "activations.temporaries_hidden": pgettext_lazy(
        "coefficient", "Temporaries of a layer backward, per hidden width"
    ),
    "activations.temporaries_ffn": pgettext_lazy(
        "coefficient", "Temporaries of a layer backward, per feed-forward width"
    ),
    "activations.fp32": pgettext_lazy("coefficient", "Activations in fp32 over those in bf16"),
    "activations.autocast_hidden": pgettext_lazy("coefficient", "Copies that autocast keeps"),
    "activations.eager_scores": pgettext_lazy(
        "coefficient", "Kept of one score of plain attention"
    ),
    "activations.megatron_scores": pgettext_lazy("coefficient", "Kept of one score in Megatron"),
    "activations.dropout_hidden": pgettext_lazy("coefficient", "Kept of an adapter's dropout"),
    "images.working": pgettext_lazy("coefficient", "Block being run, of all activations"),
    "images.checkpointed": pgettext_lazy("coefficient", "Kept with recomputation"),
    "images.product_ratio": pgettext_lazy("coefficient", "Reached of the peak on images"),
    "images.traffic": pgettext_lazy("coefficient", "Traffic of a step over activations"),
    "rates.tf32": pgettext_lazy("coefficient", "TF32 over half precision"),
    "adapters.backward_hidden": pgettext_lazy(
        "coefficient", "Temporaries of adapters backward, one GPU"
    ),
    "adapters.backward_hidden_sharded": pgettext_lazy(
        "coefficient", "Temporaries of adapters backward, sharded"
    ),
    "adapters.backward_hidden_plain_base": pgettext_lazy(
        "coefficient", "Added by an unquantised base"
    ),
    "adapters.sharded_residual": pgettext_lazy(
        "coefficient", "Further copy of a layer's input, sharded"
    ),
    "loss.hidden": pgettext_lazy("coefficient", "Copies of the last hidden state at the loss"),
    "loss.hidden_fused": pgettext_lazy("coefficient", "The same with fused kernels"),
    "loss.no_upcast": pgettext_lazy("coefficient", "Loss without upcasting"),
    "loss.no_upcast_fused": pgettext_lazy("coefficient", "The same, fused"),
    "units.zero3_live_params": pgettext_lazy("coefficient", "Live parameters of ZeRO-3"),
    "units.bucket_elements": pgettext_lazy("coefficient", "Elements of a bucket"),
    "units.zero3_buckets": pgettext_lazy("coefficient", "Buckets alive in the backward pass"),
    "allocator.base_gib": pgettext_lazy("coefficient", "Workspace of libraries"),
    "allocator.least_ratio": pgettext_lazy("coefficient", "Least that is held over allocated"),
    "allocator.card_share": pgettext_lazy("coefficient", "Share of a card that may be cached"),
    "allocator.hf_loss_fused": pgettext_lazy("coefficient", "Held beyond the loss, fused kernels"),
    "allocator.hf_loss": pgettext_lazy("coefficient", "Held beyond the loss"),
    "allocator.hf_loss_plain": pgettext_lazy(
        "coefficient", "Held beyond allocated, no recomputation"
    ),
    "allocator.hf_backward_alone": pgettext_lazy(
        "coefficient", "Held over allocated backward, one GPU"
    ),
    "allocator.hf_backward": pgettext_lazy("coefficient", "Held over allocated backward"),
    "allocator.hf_step": pgettext_lazy("coefficient", "Held over allocated at the step"),
    "allocator.fused_loss_plain": pgettext_lazy(
        "coefficient", "Held over allocated, fused loss, no recomputation"
    ),
    "allocator.fused_loss": pgettext_lazy("coefficient", "Held over allocated, fused loss"),
    "context.several_gib": pgettext_lazy("coefficient", "First communicator"),
    "context.parallel_gib": pgettext_lazy("coefficient", "Communicators of model parallelism"),
    "kernel.expert": pgettext_lazy("coefficient", "Launches of one expert"),
    "expert.all_to_all_ratio_rack": pgettext_lazy(
        "coefficient", "Reached of a rack's one switch by all-to-all"
    ),
    "encoder.autocast_hidden": pgettext_lazy(
        "coefficient", "Norms that autocast keeps in an encoder"
    ),
    "encoder.scores_full": pgettext_lazy("coefficient", "Kept of one score of an encoder, fp32"),
    "encoder.scores_mixed": pgettext_lazy(
        "coefficient", "Kept of one score of an encoder, mixed precision"
    ),
    "encoder.scores_pure": pgettext_lazy(
        "coefficient", "Kept of one score of an encoder, half precision"
    ),
    "images.adapter_traffic": pgettext_lazy(
        "coefficient", "Traffic of a step with adapters over that without"
    ),
    "images.adapters": pgettext_lazy("coefficient", "Activations kept with adapters"),
    "images.adapters_dense": pgettext_lazy(
        "coefficient", "Activations kept with adapters, blocks of a transformer"
    ),
    "rates.plain_fp32": pgettext_lazy("coefficient", "Reached of the fp32 rate by products"),
    "context.hf_several_gib": pgettext_lazy("coefficient", "Held beyond by HF on several GPUs"),
}

CONSTANTS: Final[dict[str, Promise]] = {
    "storage.ckpt_b_per_param_full_adam": pgettext_lazy(
        "constant", "Checkpoint that resumes, per parameter (Adam)"
    ),
    "storage.ckpt_b_per_param_weights": pgettext_lazy(
        "constant", "Finished weights, per parameter"
    ),
    "storage.dataset_copies": pgettext_lazy("constant", "Copies of the dataset"),
    "storage.intermediate_ratio_light": pgettext_lazy(
        "constant", "Intermediate files over the dataset, light"
    ),
    "storage.intermediate_ratio_medium": pgettext_lazy(
        "constant", "Intermediate files over the dataset, medium"
    ),
    "storage.intermediate_ratio_heavy": pgettext_lazy(
        "constant", "Intermediate files over the dataset, heavy"
    ),
    "storage.bytes_per_token_stored": pgettext_lazy("constant", "Bytes of a stored token"),
    "storage.bytes_raw_text_per_token": pgettext_lazy("constant", "Bytes of text in a token"),
    "storage.bytes_imagenet_jpeg": pgettext_lazy("constant", "Usual JPEG"),
    "storage.fill_share": pgettext_lazy("constant", "Share of a volume that may be filled"),
    "storage.checkpoints_kept_intermediate": pgettext_lazy("constant", "Checkpoints kept"),
    "storage.checkpoints_kept_final": pgettext_lazy("constant", "Finished weights kept"),
    "storage.checkpoint_interval": pgettext_lazy("constant", "Hours between saves"),
    "storage.stall_share": pgettext_lazy("constant", "Share of time for saving"),
    "storage.backup_copies": pgettext_lazy("constant", "Copies in the backup"),
    "storage.recovery_line": pgettext_lazy("constant", "Line that a backup comes back over"),
    "storage.restart_minutes": pgettext_lazy("constant", "Time to read a state back"),
    "storage.drive_tb": pgettext_lazy("constant", "Size of a drive"),
    "storage.drive_use": pgettext_lazy("constant", "Reached of a drive's rate"),
    "storage.nvme_gen4_read": pgettext_lazy("constant", "Reading of an NVMe drive"),
    "storage.nvme_gen4_write": pgettext_lazy("constant", "Writing of an NVMe drive"),
    "storage.sata_ssd_seq": pgettext_lazy("constant", "Rate of a SATA SSD"),
    "storage.read_headroom": pgettext_lazy("constant", "Headroom of reading"),
    "storage.read_per_gpu_text": pgettext_lazy("constant", "Reading of a GPU, text"),
    "storage.read_per_gpu_images": pgettext_lazy("constant", "Reading of a GPU, images"),
    "storage.read_per_gpu_video": pgettext_lazy("constant", "Reading of a GPU, video"),
    "storage.read_per_gpu_multimodal": pgettext_lazy("constant", "Reading of a GPU, mixed data"),
    "host.ram_to_vram_ratio": pgettext_lazy("constant", "RAM over the memory of all GPUs"),
    "host.os_reserve": pgettext_lazy("constant", "RAM for the system"),
    "host.os_reserved_cores": pgettext_lazy("constant", "Cores for the system"),
    "host.shared_use_factor": pgettext_lazy("constant", "RAM when the server is shared"),
    "host.cores_per_gpu_min_cert": pgettext_lazy(
        "constant", "Least cores of a GPU, certified systems"
    ),
    "host.dataloader_workers_per_gpu": pgettext_lazy("constant", "Loaders of a GPU, text"),
    "host.dataloader_workers_medium": pgettext_lazy("constant", "Loaders of a GPU, images"),
    "host.dataloader_worker_overhead": pgettext_lazy("constant", "RAM of a loader"),
    "host.prefetch_batches": pgettext_lazy("constant", "Batches ready in a loader"),
    "host.images_per_s_per_gpu": pgettext_lazy("constant", "Images a GPU takes in a second"),
    "host.jpeg_full_pipeline_per_core": pgettext_lazy(
        "constant", "Images a core prepares in a second"
    ),
    "host.page_cache_share": pgettext_lazy("constant", "Page cache over the dataset"),
    "host.zero3_offload_cpu_bytes": pgettext_lazy(
        "constant", "Host memory of an offloaded parameter"
    ),
    "power.gpu_utilisation_power_factor_peak": pgettext_lazy(
        "constant", "Peak power of a GPU over its rating"
    ),
    "power.gpu_utilisation_power_factor_avg_llm": pgettext_lazy(
        "constant", "Power of a GPU under training over its rating"
    ),
    "power.cpu_default_tdp": pgettext_lazy("constant", "Rated power of a CPU"),
    "power.cpu_power_factor_training": pgettext_lazy(
        "constant", "Power of a CPU under training over its rating"
    ),
    "power.dimm_ddr5_rdimm": pgettext_lazy("constant", "Power of a memory module"),
    "power.nvme_u2": pgettext_lazy("constant", "Power of a drive"),
    "power.nic_connectx7_400g": pgettext_lazy("constant", "Power of a network card"),
    "power.optic_400g": pgettext_lazy("constant", "Power of its optics"),
    "power.base_board_bmc_misc": pgettext_lazy("constant", "Power of the board"),
    "power.nvswitch_and_baseboard_hgx": pgettext_lazy("constant", "Power of a GPU baseboard"),
    "power.pcie_switch_board": pgettext_lazy("constant", "Power of PCIe switches"),
    "power.fan_share": pgettext_lazy("constant", "Fans over the load they cool"),
    "power.fan_share_liquid": pgettext_lazy("constant", "Fans with cold plates over the load"),
    "power.feed_planning_ratio": pgettext_lazy(
        "constant", "Power to plan over the rating of the GPUs"
    ),
    "power.feed_reserve": pgettext_lazy("constant", "Share of a feed kept free"),
    "power.cpu_small_tdp": pgettext_lazy("constant", "Rated power of a CPU, small chassis"),
    "power.nic_house": pgettext_lazy("constant", "Power of a network card up to 100 Gbit/s"),
    "power.fan_share_small": pgettext_lazy("constant", "Fans over the load, small chassis"),
    "power.psu_power_factor": pgettext_lazy("constant", "Power factor"),
    "power.psu_titanium_eff_10pct": pgettext_lazy("constant", "Efficiency at a tenth of the load"),
    "power.psu_titanium_eff_20pct": pgettext_lazy("constant", "Efficiency at a fifth of the load"),
    "power.psu_titanium_eff_50pct": pgettext_lazy("constant", "Efficiency at half of the load"),
    "power.psu_titanium_eff_100pct": pgettext_lazy("constant", "Efficiency at full load"),
    "cooling.tile_share_of_rack_mass": pgettext_lazy("constant", "Share of the rack on one tile"),
    "cooling.uptime_pue_2025": pgettext_lazy("constant", "Room over its equipment (PUE)"),
    "cooling.btu_per_kw": pgettext_lazy("constant", "BTU an hour in a kilowatt"),
    "cooling.air_temperature_rise": pgettext_lazy("constant", "Warming of the air"),
    "cooling.mass_per_rack_unit": pgettext_lazy("constant", "Mass of a rack unit"),
    "cooling.rack_own_mass": pgettext_lazy("constant", "Mass of the empty rack"),
    "cooling.depth_clearance": pgettext_lazy("constant", "Room for cables behind"),
}
