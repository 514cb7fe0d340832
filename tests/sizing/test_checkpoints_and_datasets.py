"""Checkpoints and datasets against published sizes and worked examples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.cases import resolve_case
from apps.sizing.estimators.checkpoints import (
    checkpoint_sizes,
    drive_writes_per_day,
    full_state_bytes_per_param,
    lost_ratio,
    mtbf_days,
    write_rate_gb_per_s,
    write_s,
    young_interval_s,
)
from apps.sizing.estimators.datasets import (
    dataset_bytes,
    dataset_volume,
    deadline_read_rate,
    read_gb_per_s,
    read_rate,
    reads_per_s,
    tokenise_s,
    tokenised_bytes,
)
from apps.sizing.estimators.trained import trained_of
from apps.sizing.ranges import Range
from apps.sizing.task import Data, Model, Placement, Recipe, Task

CATALOG = fixture_catalog()
CONSTANTS = CATALOG.constants
GB, GIB = 10**9, 2**30
exact = Range.exact


@pytest.mark.parametrize(
    ("params", "key"),
    [
        (8.03e9, "storage.mlps_ckpt_8b"),
        (70.6e9, "storage.mlps_ckpt_70b"),
        (405.9e9, "storage.mlps_ckpt_405b"),
    ],
)
def test_full_states_have_the_sizes_mlperf_storage_publishes(params, key):
    per_param = full_state_bytes_per_param(Recipe(), CONSTANTS)
    assert params * per_param.typical / GIB == pytest.approx(CONSTANTS[key].typical, rel=0.011)


def test_a_state_of_70_billion_takes_988_gb():
    assert 70.6e9 * full_state_bytes_per_param(Recipe(), CONSTANTS).typical / GB == pytest.approx(
        988.4, abs=0.1
    )


@pytest.mark.parametrize(
    ("recipe", "typical"),
    [
        (Recipe(optimizer="adamw", precision="bf16-mixed"), 14),
        (Recipe(optimizer="adamw-8bit", precision="bf16-mixed"), 8),
        (Recipe(optimizer="adamw-8bit", precision="bf16-mixed", master_weights="none"), 4),
        (Recipe(optimizer="adamw", precision="bf16-pure"), 6),
        (Recipe(optimizer="sgd", precision="fp32"), 8),
        (Recipe(optimizer="lion", precision="bf16-mixed"), 10),
    ],
)
def test_bytes_per_parameter_follow_the_optimizer(recipe, typical):
    found = full_state_bytes_per_param(recipe, CONSTANTS)
    assert found.low <= found.typical == typical <= found.high


def test_saving_interval_of_one_node_by_young():
    save = write_s(988.4, 10)
    between = mtbf_days(1, exact(6.5)).typical
    interval = young_interval_s(save, between * 86_400)
    assert save == pytest.approx(98.8, abs=0.1)
    assert between == pytest.approx(153.8, abs=0.1)
    assert interval == pytest.approx(51_260, rel=0.001)
    assert interval / 3600 == pytest.approx(14.2, abs=0.05)
    assert lost_ratio(save, interval, between * 86_400) == pytest.approx(0.0039, abs=0.0001)


def test_sixteen_thousand_gpus_fail_every_three_hours():
    assert mtbf_days(16_384 // 8, exact(3.79)).typical * 24 == pytest.approx(3.1, abs=0.05)


@given(interval=st.floats(1, 1e6), save=st.floats(0.1, 1e4), between=st.floats(1e3, 1e8))
def test_no_interval_loses_less_than_youngs(interval, save, between):
    best = young_interval_s(save, between)
    assert lost_ratio(save, best, between) <= lost_ratio(save, interval, between) * (1 + 1e-9)


@pytest.mark.parametrize(("nodes", "failures_per_node_day"), [(1, 0.0065), (16, 0.00379)])
def test_the_lost_share_is_the_first_order_of_metas_effective_training_time(
    nodes, failures_per_node_day
):
    """ETTR = (1 - n·r·(u0 + tau/2)) / (1 + w/tau), without the time to start again u0."""
    day_s, save_s = 86_400, 98.8
    between_s = day_s / (nodes * failures_per_node_day)
    interval_s = young_interval_s(save_s, between_s)
    repeated = nodes * failures_per_node_day * interval_s / 2 / day_s
    effective = (1 - repeated) / (1 + save_s / interval_s)
    lost = lost_ratio(save_s, interval_s, between_s)
    assert 1 - effective == pytest.approx(lost, rel=0.01)
    if nodes == 1:
        assert effective == pytest.approx(0.9961, abs=0.0001)


def test_hourly_saves_ask_for_three_quarters_of_a_drive_write_a_day():
    assert drive_writes_per_day(988, 24, 8 * 3840) == pytest.approx(0.77, abs=0.005)


def test_saving_more_often_needs_a_faster_volume():
    rare, often = (
        write_rate_gb_per_s(exact(100), exact(hours), exact(0.01)).typical for hours in (4, 1)
    )
    assert often == pytest.approx(4 * rare)
    assert often == pytest.approx(100 / 36)


def test_a_full_fine_tune_of_7_billion_keeps_98_gb_states_and_14_gb_weights():
    task = Task(method="full", model=Model(params_billion=7.0), recipe=Recipe(optimizer="adamw"))
    sizes = checkpoint_sizes(trained_of(task, CATALOG), task.recipe, CONSTANTS)
    assert sizes.kind == "full-state"
    assert sizes.full_gb.typical == pytest.approx(98)
    assert sizes.final_gb.typical == pytest.approx(14)


def test_an_adapter_is_small_and_grows_with_its_rank():
    def adapter_gb(rank):
        recipe = Recipe(lora_rank=rank, lora_targets="all-linear")
        task = Task(method="lora", model=Model(name="Llama-3.1-8B"), recipe=recipe)
        return checkpoint_sizes(trained_of(task, CATALOG), task.recipe, CONSTANTS).full_gb.typical

    # 32 layers, all seven linears: 2.62 million parameters a unit of rank, ten bytes each.
    assert adapter_gb(16) == pytest.approx(16 * 2.62e6 * 10 / GB, rel=0.01)
    assert adapter_gb(32) == pytest.approx(2 * adapter_gb(16))


def test_a_resumable_state_is_larger_than_the_weights_alone():
    for method in ("full", "lora", "freeze"):
        task = Task(method=method, model=Model(params_billion=7.0))
        sizes = checkpoint_sizes(trained_of(task, CATALOG), task.recipe, CONSTANTS)
        assert sizes.full_gb.high > sizes.final_gb.high


def saved_gb(method, save_kind, billions, **recipe):
    task = Task(
        method=method,
        model=Model(params_billion=billions),
        recipe=Recipe(save_kind=save_kind, **recipe),
    )
    return checkpoint_sizes(trained_of(task, CATALOG), task.recipe, CONSTANTS).saved_gb


@settings(max_examples=30)
@given(
    billions=st.floats(0.1, 500),
    optimizer=st.sampled_from(["adamw", "adamw-8bit", "lion", "muon"]),
    rank=st.integers(1, 64),
)
def test_a_full_state_is_larger_than_weights_and_weights_than_an_adapter(billions, optimizer, rank):
    full = saved_gb("full", "full", billions, optimizer=optimizer)
    weights = saved_gb("full", "weights", billions, optimizer=optimizer)
    adapter = saved_gb("lora", "weights", billions, optimizer=optimizer, lora_rank=rank)
    for end in ("low", "typical", "high"):
        assert getattr(full, end) > getattr(weights, end) > getattr(adapter, end)


def test_what_is_not_stated_is_saved_to_resume():
    assert saved_gb("full", None, 7) == saved_gb("full", "full", 7)
    assert saved_gb("full", "weights", 7).typical == pytest.approx(14)


def test_a_frozen_backbone_is_saved_as_weights():
    task = Task(
        method="freeze",
        model=Model(params_billion=1.0),
        recipe=Recipe(trainable_params_million=100.0, optimizer="adamw"),
    )
    sizes = checkpoint_sizes(trained_of(task, CATALOG), task.recipe, CONSTANTS)
    assert sizes.full_gb.typical == pytest.approx((0.1 * 14 + 0.9 * 2), rel=0.001)


@pytest.mark.parametrize("framework", [None, *sorted(CATALOG.calibration.dialects)])
@pytest.mark.parametrize(
    "stated",
    [{}, {"lora_rank": 32}, {"lora_targets": ("q_proj",)}, {"modules_to_save": ("lm_head",)}],
)
def test_storage_counts_the_adapters_that_the_memory_counts(framework, stated):
    recipe = Recipe(framework=framework, **stated)
    task = Task(method="lora", model=Model(name="Llama-3.1-8B"), recipe=recipe)
    case = resolve_case(task, Placement(accelerator="H100-SXM5-80", gpus=1), CATALOG)
    adapters, counted = case.adapters, trained_of(task, CATALOG).trained_params
    whole = adapters.trained_modules_params
    assert counted.typical == pytest.approx(adapters.trained_params + whole)
    every_linear = recipe.lora_targets is None and 16 * 2_621_440 + whole
    assert counted.high >= max(counted.typical, every_linear)


def test_without_a_size_nothing_is_trained():
    assert trained_of(Task(method="full"), CATALOG) is None


@pytest.mark.parametrize(
    ("gpus", "samples_per_s", "bytes_per_sample", "gb_per_s"),
    [
        (8, 7 / 0.323, 146.6e6, 25.4),
        (8, 400 / 0.224, 114_660, 1.64),
        (8, 7300, 114_660, 6.7),
        (8, 1 / 0.0035, 2.83e6, 6.5),
        (8, 12_000, 4, 0.00038),
    ],
)
def test_read_rates_of_the_worked_examples(gpus, samples_per_s, bytes_per_sample, gb_per_s):
    assert read_gb_per_s(gpus, samples_per_s, bytes_per_sample) == pytest.approx(gb_per_s, rel=0.02)


def test_images_need_what_mlperf_storage_measures_and_text_next_to_nothing():
    images = read_rate(Data(kind="images"), 8, CONSTANTS)
    emulated = 8 * CONSTANTS["storage.mlps_resnet50_h100"].typical
    assert images.low <= emulated <= images.high
    text = read_rate(Data(kind="text"), 8, CONSTANTS)
    assert text.high < 0.01
    video = read_rate(Data(kind="video"), 1, CONSTANTS)
    assert video.low <= CONSTANTS["storage.mlps_unet3d_a100"].typical <= video.high


def test_an_unknown_kind_spans_text_to_images():
    unknown = read_rate(Data(), 8, CONSTANTS)
    assert unknown.low == read_rate(Data(kind="text"), 8, CONSTANTS).low
    assert unknown.high == read_rate(Data(kind="images"), 8, CONSTANTS).high


def test_one_to_two_copies_of_200_gb():
    volume = dataset_volume(Data(bytes=200e9, kind="text"), None, CONSTANTS)
    held = volume.raw_gb + volume.copy_gb
    assert (held.low, held.high) == (200, 400)
    assert volume.total_gb.high > 400


def test_parts_sum_to_the_volume_and_heavier_preprocessing_needs_more():
    light, heavy = (
        dataset_volume(Data(bytes=1e12, preprocessing=level), None, CONSTANTS)
        for level in ("light", "heavy")
    )
    parts = light.raw_gb + light.copy_gb + light.intermediate_gb + light.tokens_gb
    assert light.total_gb == parts + light.reserve_gb
    assert heavy.total_gb.typical > light.total_gb.typical


@pytest.mark.parametrize(
    ("data", "size_bytes"),
    [
        (Data(bytes=5e9, samples=3), 5e9),
        (Data(samples=1_000_000, bytes_per_sample=110_000), 1.1e11),
        (Data(tokens=1e9), 4e9),
        (Data(samples=1000), None),
        (Data(), None),
    ],
)
def test_the_set_is_sized_from_what_is_known(data, size_bytes):
    found = dataset_bytes(data, CONSTANTS)
    assert (found.typical if found else None) == size_bytes


@pytest.mark.parametrize(("vocab", "width"), [(32_000, 2), (65_536, 2), (128_256, 4)])
def test_tokens_take_two_bytes_for_a_small_vocabulary(vocab, width):
    assert tokenised_bytes(Data(tokens=1e9), vocab, CONSTANTS) == exact(width * 1e9)


def test_an_unknown_vocabulary_spans_both_widths():
    found = tokenised_bytes(Data(tokens=1e9), None, CONSTANTS)
    assert (found.low, found.high) == (2e9, 4e9)


def test_tokenising_a_terabyte_takes_an_hour_and_a_half():
    assert tokenise_s(1e12, 2.7, 64) == pytest.approx(5519, abs=1)


def test_small_files_are_counted_in_opens():
    read = exact(8 * 3000 * 114_660 / GB)
    found = reads_per_s(read, Data(kind="images"), CONSTANTS)
    assert found.typical == pytest.approx(24_000)
    assert reads_per_s(read, Data(kind="text"), CONSTANTS) is None


def test_a_deadline_sets_a_least_rate():
    assert deadline_read_rate(exact(3.6e12), 10, 10).typical == pytest.approx(1.0)
