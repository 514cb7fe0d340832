"""What a pilot means for the variants: the one that was measured is marked, scaling is stopped."""

import pytest

from apps.pilots.models import PilotRun
from apps.pilots.selectors import facts_of
from apps.pilots.services import pilot_close
from apps.pilots.standing import (
    confirms,
    held_back,
    pilot_of,
    status_words,
    stop_of,
    stop_text,
)
from tests.pilots.samples import QUALITY, make_run
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db
VARIANT = {
    "key": "V2",
    "server": "SYS-1",
    "accelerator": "H100-NVL-94",
    "gpus": 4,
    "nodes": 1,
    "rented": False,
    "layout": {"data_parallel": "fsdp"},
}
PLACE = {
    "name": "A1",
    "server": "SYS-1",
    "accelerator": "H100-NVL-94",
    "gpus": 4,
    "nodes": 1,
    "layout": "fsdp",
}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("server", "SYS-2"),
        ("server", None),
        ("accelerator", "H200-NVL-141"),
        ("gpus", 8),
        ("nodes", 2),
        ("layout", "ddp"),
    ],
)
def test_only_the_very_variant_is_confirmed(name, other):
    assert confirms({"confirmed": [PLACE]}, VARIANT)
    assert not confirms({"confirmed": [PLACE | {name: other}]}, VARIANT)
    rented = VARIANT | {"rented": True}
    assert confirms({"confirmed": [PLACE | {name: other}]}, rented) == (name == "server")


def test_a_pilot_without_a_gain_speaks_against_scaling_only():
    stop = {"name": "A1", "metric": "accuracy", "baseline": 0.6, "result": 0.6}
    assert "not recommended" in status_words({"stop": stop}, VARIANT)
    assert "not recommended" not in status_words({"stop": stop}, VARIANT | {"key": "V1"})
    assert "Do not scale" in stop_text({"stop": stop})
    assert stop_text({}) == ""


def test_nothing_bigger_is_recommended_nor_bought_after_a_pilot_without_a_gain():
    result = {
        "verdict": "train",
        "readiness": "specification",
        "variants": [{"key": key, "recommended": key == "V2"} for key in ("V0", "V1", "V2")],
    }
    assert held_back(result, {}) is result
    held = held_back(result, {"stop": {"name": "A1"}})
    assert not any(v["recommended"] for v in held["variants"])
    assert (held["verdict"], held["readiness"]) == ("do-not-buy-yet", "early")
    small = result | {"variants": [{"key": "V1", "recommended": True}]}
    assert held_back(small, {"stop": {"name": "A1"}})["variants"][0]["recommended"]


def test_a_revision_knows_its_pilots_of_the_same_workload():
    engineer = make_engineer()
    revision = make_in_review(engineer)
    assert set(pilot_of(revision)) == {"protocol"}
    make_run(revision, engineer, parameters__sequence_length=4096)
    assert set(pilot_of(revision)) == {"protocol"}
    worse = {k.replace(".", "__"): v for k, v in QUALITY.items()} | {"quality__result": 0.5}
    run = make_run(revision, engineer, **worse)
    place = pilot_of(revision)["confirmed"][0]
    facts = facts_of(revision)
    assert facts is not None
    assert (place["accelerator"], place["gpus"]) == (
        facts["place"]["accelerator"],
        facts["place"]["gpus"],
    )
    point = next(p for p in pilot_of(revision)["points"] if p["gpus"] == facts["place"]["gpus"])
    assert point["step_s"] == pytest.approx(facts["estimates"]["step_s"]["typical"])
    assert point["hours"] * 3600 > point["step_s"] * facts["estimates"]["steps"]
    assert "stop" not in pilot_of(revision)
    assert stop_of(revision) == {}
    pilot_close(run=PilotRun.objects.get(pk=run.pk), actor=engineer)
    assert pilot_of(revision)["stop"]["result"] == 0.5
    assert set(stop_of(revision)) == {"stop"}
