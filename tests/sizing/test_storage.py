"""The storage estimator: volumes, classes and rates of a platform."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sizing.estimators.storage import storage_estimator
from apps.sizing.ranges import Range
from apps.sizing.task import Cycle, Data, Model, Recipe, Task
from tests.sizing.stores import CATALOG, FULL_7B, block_for, keys_of, platform


def volume(block, key):
    return next(v for v in block["volumes"] if v["key"] == key)


def test_three_full_states_and_one_final_of_7_billion_take_308_gb():
    parts = volume(block_for(FULL_7B), "checkpoints")["parts_gb"]
    assert parts["intermediate-states"]["typical"] == pytest.approx(294)
    assert parts["final"]["typical"] == pytest.approx(14)


def test_data_and_checkpoints_lie_on_volumes_of_their_own():
    block = block_for(FULL_7B)
    assert [v["key"] for v in block["volumes"]] == ["dataset", "checkpoints"]
    total = sum(v["capacity_gb"]["typical"] for v in block["volumes"])
    assert block["total_gb"]["typical"] == pytest.approx(total)


def test_a_disk_that_fits_only_the_data_is_too_small():
    assert storage_estimator(FULL_7B, CATALOG, ())["total_gb"]["low"] > 200


@pytest.mark.parametrize("key", ["dataset", "checkpoints"])
def test_parts_sum_to_the_capacity(key):
    found = volume(block_for(FULL_7B), key)
    for end in ("low", "typical", "high"):
        assert sum(part[end] for part in found["parts_gb"].values()) == pytest.approx(
            found["capacity_gb"][end]
        )


def test_saving_the_weights_alone_takes_less_room_and_less_of_every_rate():
    resuming = block_for(FULL_7B)
    bare_recipe = replace(FULL_7B.recipe, save_kind="weights")
    bare = block_for(replace(FULL_7B, recipe=bare_recipe))
    parts = volume(bare, "checkpoints")["parts_gb"]
    assert parts["intermediate-states"]["typical"] == pytest.approx(3 * 14)
    assert parts["in-flight"]["typical"] == pytest.approx(14)
    # What a full state would be is still said: the client sees what is given up.
    assert bare["checkpoint"]["full_gb"] == resuming["checkpoint"]["full_gb"]
    for name in ("write_gb_per_s", "restart_read_gb_per_s"):
        assert bare["save"][name]["typical"] < resuming["save"][name]["typical"]
    assert bare["backup"]["volume_gb"]["typical"] < resuming["backup"]["volume_gb"]["typical"]


def test_it_is_said_that_weights_alone_do_not_resume():
    bare = replace(FULL_7B, recipe=replace(FULL_7B.recipe, save_kind="weights"))
    said, silent = (
        {m["key"] for m in storage_estimator(task, CATALOG, ())["assumptions"]}
        for task in (bare, FULL_7B)
    )
    assert said - silent == {"storage.assumption.weights-only"}


def dataset_parts(**data):
    task = replace(FULL_7B, data=replace(FULL_7B.data, **data))
    return volume(block_for(task), "dataset")["parts_gb"]


def test_raw_unpacked_and_intermediate_data_are_held_as_stated():
    parts = dataset_parts(unpacked_bytes=480e9, intermediate_bytes=60e9)
    assert parts["raw"]["typical"] == pytest.approx(200)
    assert parts["unpacked"]["typical"] == pytest.approx(480)
    assert parts["intermediate"] == {"low": 60, "typical": 60, "high": 60}
    # One to two copies are of what training reads, not of the archive.
    assert parts["copy"]["high"] == pytest.approx(480)
    assert dataset_parts()["unpacked"]["high"] == 0


def test_a_set_made_anew_between_epochs_takes_its_second_copy():
    made_anew, kept = dataset_parts(regenerated=True), dataset_parts(regenerated=False)
    assert made_anew["copy"]["low"] == pytest.approx(200)
    assert made_anew["copy"]["typical"] > kept["copy"]["typical"]
    assert kept == dataset_parts()


def test_keeping_more_states_needs_more_room():
    few, many = (
        replace(FULL_7B, recipe=Recipe(optimizer="adamw", saves_kept=kept)) for kept in (2, 20)
    )
    assert (
        volume(block_for(many), "checkpoints")["capacity_gb"]["low"]
        > volume(block_for(few), "checkpoints")["capacity_gb"]["high"]
    )


def test_two_experiments_at_a_time_double_the_checkpoints_and_the_reading():
    task = replace(FULL_7B, cycle=Cycle(parallel_runs=2))
    one, two = block_for(FULL_7B), block_for(task)
    assert two["read"]["gb_per_s"]["typical"] == pytest.approx(
        2 * one["read"]["gb_per_s"]["typical"]
    )
    parts = (volume(b, "checkpoints")["parts_gb"]["in-flight"]["typical"] for b in (one, two))
    assert next(parts) * 2 == pytest.approx(next(parts))


@pytest.mark.parametrize(
    ("data", "io_class"),
    [
        (Data(bytes=50e9, kind="video"), "light"),
        (Data(bytes=50e12, kind="text"), "light"),
        (Data(bytes=50e12, kind="images"), "intensive"),
        (Data(bytes=50e12, kind="multimodal"), "moderate"),
    ],
)
def test_the_class_of_reading_follows_kind_and_cache(data, io_class):
    block = block_for(replace(FULL_7B, data=data))
    assert block["read"]["io_class"] == io_class
    assert f"storage.advice.io-{io_class}" in keys_of(block)


def test_a_set_that_fits_in_ram_is_read_once():
    cached = block_for(replace(FULL_7B, data=Data(bytes=50e9, kind="images")))
    huge = block_for(replace(FULL_7B, data=Data(bytes=50e12, kind="images")))
    assert (cached["read"]["fits_in_ram"], huge["read"]["fits_in_ram"]) == (True, False)


def test_small_files_are_to_be_packed_and_large_ones_are_not():
    small = Data(bytes=1e13, kind="images", files=100_000_000)
    large = Data(bytes=1e13, kind="images", files=1_000)
    key = "storage.advice.pack-small-files"
    assert key in keys_of(block_for(replace(FULL_7B, data=small)))
    assert key not in keys_of(block_for(replace(FULL_7B, data=large)))


@pytest.mark.parametrize(("kind", "name"), [("video", "too-slow"), ("text", "check")])
def test_a_corporate_store_is_warned_about(kind, name):
    data = Data(bytes=5e13, kind=kind, location="san")
    keys = keys_of(block_for(replace(FULL_7B, data=data)))
    assert f"storage.warning.shared-location-{name}" in keys


def test_a_local_disk_is_not_warned_about():
    data = Data(bytes=5e13, kind="video", location="local")
    assert not any("shared-location" in k for k in keys_of(block_for(replace(FULL_7B, data=data))))


def test_several_nodes_need_storage_outside_the_servers():
    keys = keys_of(block_for(FULL_7B, gpus=16, nodes=2))
    assert "storage.advice.outside-the-server" in keys
    assert "storage.advice.outside-the-server" not in keys_of(block_for(FULL_7B))


def test_a_short_deadline_asks_for_a_faster_volume():
    data = Data(bytes=1e15, kind="text")
    slow, fast = (
        block_for(
            replace(
                FULL_7B,
                data=data,
                recipe=Recipe(epochs=10.0),
                cycle=Cycle(target_hours=hours, scope="run"),
            )
        )["read"]["gb_per_s"]["typical"]
        for hours in (1000, 100)
    )
    assert fast == pytest.approx(10 * slow)
    assert fast == pytest.approx(1e16 / 100 / 3600 / 1e9)


def test_a_slower_disk_does_until_saving_costs_too_much():
    small = storage_estimator(FULL_7B, CATALOG, ())["checkpoint"]["save_class"]
    large = replace(FULL_7B, model=Model(params_billion=405.0))
    slow = storage_estimator(large, CATALOG, ())["checkpoint"]["save_class"]
    lora = replace(FULL_7B, method="lora")
    tiny = storage_estimator(lora, CATALOG, ())["checkpoint"]["save_class"]
    assert (tiny["class"], small["class"], slow["class"]) == ("sata-ssd", "nvme", "several-nvme")


def test_saving_is_capped_by_what_the_client_accepts_to_lose():
    save = block_for(FULL_7B)["save"]
    assert save["interval_hours"] == CATALOG.constants["storage.checkpoint_interval"].typical
    assert save["young_interval_hours"]["typical"] > save["interval_hours"]
    assert save["mtbf_days"]["low"] == pytest.approx(153.8, abs=0.1)
    assert save["one_dwpd_is_enough"] is True


def test_more_nodes_fail_more_often_and_save_more_often():
    one, many = block_for(FULL_7B)["save"], block_for(FULL_7B, gpus=512, nodes=64)["save"]
    assert many["mtbf_days"]["typical"] == pytest.approx(one["mtbf_days"]["typical"] / 64)
    assert many["young_interval_hours"]["typical"] < one["young_interval_hours"]["typical"]


def test_drives_are_judged_by_the_bays():
    task = replace(FULL_7B, data=Data(bytes=200e12, kind="text"))
    assert block_for(task)["drives"]["verdict"] == "does-not-fit"
    assert block_for(FULL_7B)["drives"]["verdict"] == "fits"
    assert block_for(FULL_7B, server=None)["drives"]["verdict"] == "unknown"


def test_an_unknown_dataset_leaves_the_checkpoints_and_asks():
    task = replace(FULL_7B, data=Data())
    found = storage_estimator(task, CATALOG, (platform(),))
    assert [v["key"] for v in found["volumes"]] == ["checkpoints"]
    assert found["total_gb"] is None
    asked = {q["field"]: q["influence"] for q in found["open_questions"]}
    assert asked["data.bytes"] == max(asked.values())
    assert "storage.warning.dataset-unknown" in keys_of(found["platforms"]["x"])


def test_an_unknown_model_leaves_the_dataset():
    found = storage_estimator(Task(data=Data(bytes=1e12)), CATALOG, (platform(),))
    assert [v["key"] for v in found["volumes"]] == ["dataset"]
    assert found["checkpoint"] is None
    assert found["platforms"]["x"]["save"] is None


@given(
    size=st.floats(0, 1e16),
    kind=st.sampled_from([None, "text", "images", "video", "multimodal"]),
    kept=st.one_of(st.none(), st.integers(0, 50)),
)
def test_a_larger_dataset_never_needs_less_room(size, kind, kept):
    task = replace(FULL_7B, data=Data(bytes=size, kind=kind), recipe=Recipe(saves_kept=kept))
    more = replace(task, data=Data(bytes=size * 1.5 + 1, kind=kind))
    for end in ("low", "typical", "high"):
        assert (
            storage_estimator(task, CATALOG, ())["total_gb"][end]
            <= storage_estimator(more, CATALOG, ())["total_gb"][end]
        )
    Range.from_dict(block_for(task)["read"]["gb_per_s"])
