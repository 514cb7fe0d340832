"""Storage and host: the worked examples, the contradictions, the saves a task states."""

from dataclasses import replace

import pytest

from apps.sizing.candidates import candidates_of
from apps.sizing.estimators.checkpoints import drive_writes_per_day, mtbf_days
from apps.sizing.estimators.datasets import read_rate
from apps.sizing.estimators.host_memory import loaders_gb, ratio_status
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.estimators.storage_rates import endurance_class
from apps.sizing.ranges import Range
from apps.sizing.task import Data, Task
from tests.sizing.engine import task_of
from tests.sizing.stores import CATALOG, FULL_7B, block_for, keys_of, platform

CONSTANTS = CATALOG.constants
GB, GIB = 10**9, 2**30
exact = Range.exact


@pytest.mark.parametrize(
    ("key", "params", "per_param"),
    [
        ("storage.mlps_ckpt_8b", 8.03e9, 14.04),
        ("storage.mlps_ckpt_70b", 70.6e9, 13.87),
        ("storage.mlps_ckpt_405b", 405.9e9, 13.99),
    ],
)
def test_published_sizes_are_gib_of_fourteen_bytes(key, params, per_param):
    found = CONSTANTS[key].typical * GIB / params
    assert found == pytest.approx(per_param, abs=0.01)
    assert found == pytest.approx(CONSTANTS["storage.ckpt_b_per_param_full_adam"].typical, rel=0.01)
    # Read as GB they would be thirteen bytes, which no state has.
    assert CONSTANTS[key].typical * GB / params == pytest.approx(13, abs=0.1)


def test_rates_of_failure_and_days_between_them_agree():
    rate, between = CONSTANTS["storage.node_failure_rate"], CONSTANTS["storage.node_mtbf_8gpu"]
    days = mtbf_days(1, rate)
    assert days.low == pytest.approx(between.typical, abs=0.5)
    assert days.high == pytest.approx(between.high, abs=0.5)
    # The gloomiest figure, of 1024 GPUs, lies apart and is not taken.
    assert mtbf_days(1, exact(23.7)).typical == pytest.approx(between.low, abs=0.5)
    interruptions = CONSTANTS["storage.llama3_unexpected_interruptions"].typical
    assert 54 * 24 / interruptions == pytest.approx(3.1, abs=0.05)


@pytest.mark.parametrize(
    ("constant", "each"),
    [("nvme8_raid0_cloud_measured_read", "read"), ("nvme8_raid0_cloud_measured_write", "write")],
)
def test_eight_drives_give_eight_times_one(constant, each):
    one = CONSTANTS[f"storage.{constant}"].typical / 8
    rated = CONSTANTS[f"storage.nvme_gen4_{each}"]
    assert rated.low <= round(one, 1) <= rated.high


@pytest.mark.parametrize(
    ("writes", "name"),
    [(0.2, "any"), (0.77, "read-intensive"), (2.0, "mixed-use"), (3.5, "beyond")],
)
def test_hourly_saves_of_70_billion_wear_out_qlc_and_not_a_drive_of_one_write_a_day(writes, name):
    assert drive_writes_per_day(988, 24, 8 * 3840) == pytest.approx(0.77, abs=0.005)
    assert endurance_class(writes, CONSTANTS) == name


@pytest.mark.parametrize(
    ("kind", "tier"), [("text", "low"), ("images", "typical"), ("multimodal", "typical")]
)
def test_eight_gpus_read_within_the_tier_of_their_data(kind, tier):
    """Good 4, better 8, best 40 GB/s a node: language, compressed images, raw video."""
    limit = CONSTANTS["storage.superpod_h100_node_read"]
    found = read_rate(Data(kind=kind), 8, CONSTANTS)
    assert found.typical <= getattr(limit, tier)


def test_raw_video_needs_the_tier_that_text_and_images_do_not():
    tiers = CONSTANTS["storage.superpod_h100_node_read"]
    video = read_rate(Data(kind="video"), 8, CONSTANTS)
    assert tiers.typical < video.typical <= tiers.high
    assert video.high == pytest.approx(
        8 * CONSTANTS["storage.superpod_cv_read_per_gpu"].typical * 1.5
    )


def test_the_spread_of_one_network_is_asked_about_and_not_averaged():
    """ResNet-50 on H100: 1786 in MLPerf Storage, 7300 tuned, a spread of four."""
    low = CONSTANTS["host.rn50_img_s_h100_mlperf_storage"].typical
    high = CONSTANTS["host.rn50_img_s_h100_mlperf_tuned"].typical
    assert high / low == pytest.approx(4.1, abs=0.1)
    jpeg = CONSTANTS["storage.bytes_imagenet_jpeg"].typical
    images = CONSTANTS["storage.read_per_gpu_images"]
    assert images.typical == pytest.approx(low * jpeg / GB, abs=0.001)
    assert images.high == pytest.approx(high * jpeg / GB, abs=0.01)
    assert "data.preprocessing" in {
        q["field"]
        for q in estimate_all(Task(data=Data(kind="images")), CATALOG, (platform(),))["host"][
            "open_questions"
        ]
    }


def test_batches_ready_in_eight_times_four_loaders_take_13_gb():
    batch_gb = 64 * 512 * 512 * 3 * 4 / GB
    assert batch_gb == pytest.approx(0.201, abs=0.0005)
    found = loaders_gb(exact(0.0), exact(2 * batch_gb), exact(8 * 4))
    assert found.typical == pytest.approx(12.9, abs=0.05)


@pytest.mark.parametrize(
    ("ram_gb", "vram_gb", "status"),
    [
        (2048, 640, "comfortable"),
        (2048, 1128, "lean"),
        (2048, 1440, "lean"),
        (512, 640, "below-vram"),
    ],
)
def test_the_makers_own_ratios_are_never_refused(ram_gb, vram_gb, status):
    """3.2, 1.8 and 1.4 times the GPU memory, as DGX H100, H200 and B200 are shipped."""
    ratio = CONSTANTS["host.ram_to_vram_ratio"]
    assert CONSTANTS["host.h100_dgx_ram_per_node"].typical / 640 == pytest.approx(ratio.high)
    assert ratio_status(ram_gb, vram_gb) == status


@pytest.mark.parametrize(
    ("generation", "key"), [(5, "h2d_pcie5_measured"), (4, "h2d_pcie4_measured")]
)
def test_moving_states_to_the_host_is_no_faster_than_was_measured(generation, key):
    assumed = CATALOG.calibration.constants[f"offload.pcie.{generation}"]
    assert 0 < assumed <= CONSTANTS[f"host.{key}"].high


def test_decoding_inside_loaders_is_slower_than_a_single_thread():
    single = CONSTANTS["host.jpeg_decode_single_thread"]
    inside = CONSTANTS["host.jpeg_dataloader_per_physical_core"]
    whole = CONSTANTS["host.jpeg_full_pipeline_per_core"]
    assert inside.high < single.low
    assert whole.typical < inside.typical


def test_a_backup_holds_what_cannot_be_made_again_and_comes_back_over_a_line():
    block = block_for(FULL_7B)["backup"]
    # The set, the finished weights (14 GB) and one full state (98 GB), once.
    assert block["volume_gb"]["typical"] == pytest.approx(200 + 14 + 98)
    assert block["recovery_hours"]["typical"] == pytest.approx(312 / 2.6 / 3600)
    assert block["volume_gb"]["high"] > 2 * 312 - 1
    assert block_for(replace(FULL_7B, data=Data()))["backup"] is None


@pytest.mark.parametrize(("files", "warned"), [(100_000_000, True), (1_000, False), (None, False)])
def test_a_corporate_store_is_asked_for_operations_as_well_as_bytes(files, warned):
    """24 thousand images a second: nothing to NVMe, with metadata too much for a plain NFS."""
    data = Data(bytes=1.1466e13, kind="images", files=files, location="nfs")
    data = data if files else replace(data, kind="text")
    block = block_for(replace(FULL_7B, data=data))
    assert ("storage.warning.shared-operations" in keys_of(block)) is warned
    local = block_for(replace(FULL_7B, data=replace(data, location="local")))
    assert "storage.warning.shared-operations" not in keys_of(local)


def test_what_goes_beyond_one_server_says_so():
    huge = block_for(replace(FULL_7B, data=Data(bytes=200e12, kind="text")))
    assert "storage.advice.beyond-the-bays" in keys_of(huge)
    assert "storage.advice.beyond-the-bays" not in keys_of(block_for(FULL_7B))


def test_a_store_is_promised_no_more_than_its_line():
    """Sources contradict each other on direct storage (27 or 40 GB/s): nothing of it is promised."""
    data = Data(bytes=5e13, kind="video", location="san")
    advice = block_for(replace(FULL_7B, data=data))["advice"]
    said = next(m for m in advice if m["key"] == "storage.warning.shared-location-too-slow")
    assert said["params"]["line_gb_per_s"] == pytest.approx(12.5 * 0.85)


def saved_every(steps):
    task = task_of(gpus=8, placement={"data_parallel": "fsdp"}, recipe={"save_every_steps": steps})
    where = replace(platform(accelerator="A100-SXM4-80", server=None), placement=task.placement)
    outputs = estimate_all(task, CATALOG, (where,))
    blocks = candidates_of(task, CATALOG, (where,), outputs)[0].blocks
    return blocks["storage"], blocks["time"]


def test_the_stated_interval_is_that_of_the_platforms_own_steps():
    storage, time = saved_every(100)
    stated = storage["save"]["stated"]
    step_s = time["step_s"]["typical"] / (1 - time["data_share"])
    assert stated["interval_hours"] == pytest.approx(100 * step_s / 3600)
    assert stated["stall_ratio"] == pytest.approx(
        storage["save"]["save_s"]["typical"] / (100 * step_s)
    )


def test_saving_more_often_takes_more_of_the_time_and_is_warned_about():
    often, rare = saved_every(10)[0], saved_every(1_000_000)[0]
    assert often["save"]["stated"]["stall_ratio"] > rare["save"]["stated"]["stall_ratio"]
    rates = [b["save"]["stated"]["write_gb_per_s"]["typical"] for b in (often, rare)]
    assert rates[0] == pytest.approx(1e5 * rates[1])
    assert "storage.warning.saves-stall" in keys_of(often)
    assert "storage.warning.saves-rare" in keys_of(rare)


def test_without_a_stated_interval_nothing_is_said_of_it():
    task = task_of()
    where = replace(platform(accelerator="A100-SXM4-80", server=None), placement=task.placement)
    found = candidates_of(task, CATALOG, (where,), estimate_all(task, CATALOG, (where,)))[0]
    assert "stated" not in found.blocks["storage"]["save"]
    assert 0 < found.blocks["storage"]["save"]["lost_ratio"] < 0.1
