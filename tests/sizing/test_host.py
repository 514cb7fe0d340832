"""The host estimator against its worked examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.host import host_estimator
from apps.sizing.estimators.host_cores import cores_for, cores_needed, processor_choices
from apps.sizing.estimators.host_memory import (
    offload_gb,
    population_for,
    ram_needed_gb,
    ratio_status,
)
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Data, Horizon, Model, Placement, Recipe, Task

CATALOG = fixture_catalog()
CONSTANTS = CATALOG.constants


def platform(server="SYS-821GE-TNHR", accelerator="H200-SXM-141", gpus=8, nodes=1):
    return Platform(
        key="x",
        server=server,
        accelerator=accelerator,
        gpus=gpus,
        nodes=nodes,
        placement=Placement(),
    )


def block_for(task, **where):
    found = host_estimator(task, CATALOG, (platform(**where),))
    return found["platforms"]["x"]


@pytest.mark.parametrize(
    ("workers", "images_per_s", "cores"),
    [(2, 0, 48), (4, 0, 48), (4, 3000, 172), (4, 1786, 108)],
)
def test_cores_of_eight_gpus_by_the_worked_examples(workers, images_per_s, cores):
    found = cores_for(
        8,
        workers=workers,
        certified=6,
        reserved=4,
        samples_per_s=images_per_s,
        samples_per_s_per_core=150,
    )
    assert found == cores


def test_heavier_preprocessing_never_needs_fewer_cores():
    light, medium, heavy = (
        cores_needed(Data(kind="images", preprocessing=level), 8, CONSTANTS)
        for level in ("light", "medium", "heavy")
    )
    assert light.typical <= medium.typical < heavy.typical
    assert light.high < medium.high < heavy.high
    # Images that are decoded heavily take noticeably more than text.
    assert heavy.typical >= 2 * cores_needed(Data(kind="text"), 8, CONSTANTS).typical


def test_unknown_preprocessing_spans_what_may_be_meant():
    unknown = cores_needed(Data(kind="images"), 8, CONSTANTS)
    heavy = cores_needed(Data(kind="images", preprocessing="heavy"), 8, CONSTANTS)
    assert unknown.high >= heavy.typical
    assert unknown.typical < heavy.typical


@given(gpus=st.integers(1, 15), level=st.sampled_from(["light", "medium", "heavy", None]))
def test_more_gpus_never_need_fewer_cores(gpus, level):
    fewer, more = (
        cores_needed(Data(kind="images", preprocessing=level), n, CONSTANTS)
        for n in (gpus, gpus + 1)
    )
    assert fewer.low <= more.low
    assert fewer.typical <= more.typical
    assert fewer.high <= more.high


@pytest.mark.parametrize(
    ("params", "nodes", "gigabytes"), [(70e9, 1, 1890), (7e9, 1, 189), (70e9, 2, 945)]
)
def test_states_offloaded_to_the_host_take_27_bytes_a_parameter(params, nodes, gigabytes):
    per_param = CONSTANTS["host.zero3_offload_cpu_bytes"].typical
    assert offload_gb(params, per_param, nodes) == pytest.approx(gigabytes)


def test_offload_of_70_billion_asks_for_two_terabytes():
    task = Task(method="full", model=Model(params_billion=70.0), recipe=Recipe(offload="params"))
    small = platform("SYS-521GE-TNRT", "L40S", 4)
    plain = ram_needed_gb(Task(method="full", model=task.model), small, CATALOG, 192)
    offloaded = ram_needed_gb(task, small, CATALOG, 192)
    assert offloaded.typical == pytest.approx(1890 + 64)
    assert plain.typical < 500


def test_ram_starts_from_twice_the_gpu_memory_and_no_less_than_once():
    found = ram_needed_gb(Task(), platform(), CATALOG, 1128)
    assert found.typical == pytest.approx(2 * 1128 + 64)
    assert found.low == pytest.approx(1128 + 32)


def test_a_small_dataset_is_kept_in_the_page_cache():
    def typical_gb(size, kind="images"):
        task = Task(data=Data(bytes=size, kind=kind))
        return ram_needed_gb(task, platform(), CATALOG, 384).typical

    assert typical_gb(1e9) < typical_gb(800e9) < typical_gb(1e12)
    assert typical_gb(5e12) == typical_gb(1e9)
    assert typical_gb(1e12, "text") == typical_gb(1e9, "text")


def test_a_shared_host_never_needs_less():
    alone = ram_needed_gb(Task(), platform(), CATALOG, 1128)
    shared = ram_needed_gb(Task(horizon=Horizon(sharing="service")), platform(), CATALOG, 1128)
    assert shared.low >= alone.low
    assert shared.typical > alone.typical


@pytest.mark.parametrize(
    ("ram_gb", "status"), [(1024, "below-vram"), (1536, "lean"), (2256, "comfortable")]
)
def test_the_ratio_warns_and_never_refuses(ram_gb, status):
    assert ratio_status(ram_gb, 1128) == status


@pytest.mark.parametrize(
    ("need_gb", "sockets", "channels", "slots", "expected"),
    [
        (1000, 2, 8, 32, (16, 64, 1024, 1)),
        (1100, 2, 8, 32, (16, 96, 1536, 1)),
        (2000, 2, 8, 32, (16, 128, 2048, 1)),
        (1500, 2, 12, 24, (24, 64, 1536, 1)),
        (100, 2, 8, None, (16, 16, 256, 1)),
    ],
)
def test_channels_are_filled_evenly_with_the_fewest_gigabytes(
    need_gb, sockets, channels, slots, expected
):
    found = population_for(need_gb, sockets, channels, slots)
    assert tuple(found.values()) == expected


def test_no_population_is_invented_for_an_impossible_need():
    assert population_for(100_000, 2, 8, 32) is None


def test_processors_fit_the_socket_and_have_the_cores():
    server = CATALOG.servers["SYS-521GE-TNRT"]
    choices = processor_choices(server, Range.exact(100), CATALOG)
    assert [c["cores"] for c in choices] == sorted(c["cores"] for c in choices)
    assert all(c["cores"] >= 100 for c in choices)
    assert all(CATALOG.processors[c["id"]].socket == "LGA-4677" for c in choices)


def test_when_no_processor_is_enough_the_largest_come_first():
    server = CATALOG.servers["SYS-521GE-TNRT"]
    choices = processor_choices(server, Range.exact(1000), CATALOG)
    assert choices[0]["cores"] == 128


def test_a_block_says_all_of_the_host():
    block = block_for(Task(data=Data(kind="images", preprocessing="heavy")))
    assert block["cores_verdict"] in ("risk", "tight", "does-not-fit")
    assert {m["key"] for m in block["advice"]} >= {"host.advice.decode-elsewhere"}
    assert [d["purpose"] for d in block["dimms"]] == ["least", "comfortable"]
    assert block["dimms"][0]["total_gb"] >= block["ram_gb"]["low"]


def test_loading_a_copy_for_each_gpu_is_warned_about():
    task = Task(method="full", model=Model(params_billion=405.0))
    keys = {m["key"] for m in block_for(task)["advice"]}
    assert "host.warning.load-copies" in keys
    small = Task(method="full", model=Model(params_billion=1.0))
    assert "host.warning.load-copies" not in {m["key"] for m in block_for(small)["advice"]}


def test_an_unknown_accelerator_leaves_the_cores_and_a_reason():
    block = block_for(Task(), server=None, accelerator=None)
    assert block["ram_gb"] is None
    assert block["reason"]["key"] == "host.reason.no-accelerator"
    assert block["cores"]["typical"] == 48


def test_tokenising_is_counted_for_text_only():
    text = host_estimator(Task(data=Data(kind="text", bytes=1e12)), CATALOG, ())
    assert text["tokenise_hours"]["typical"] == pytest.approx(1.53, abs=0.01)
    images = host_estimator(Task(data=Data(kind="images", bytes=1e12)), CATALOG, ())
    assert images["tokenise_hours"] is None
