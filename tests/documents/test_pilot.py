"""The protocol of the pilot is of the platform that is rented, whatever is decided on."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from apps.documents.page import html_of
from apps.documents.sheets.matrix import matrix_of
from apps.documents.sheets.pace import pace_of
from apps.documents.sheets.pilot import Pilot, pilot_of
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.summary import headline_text, summary_of
from apps.documents.sheets.variants import Variant, picked, piloted, variants_of
from apps.documents.snapshot import Snapshot
from apps.pilots.standing import stop_text, stop_title
from apps.questionnaire.gate import OUTCOMES
from apps.questionnaire.ways import WAYS
from tests.documents import samples

SAMPLES: list[Callable[[], Snapshot]] = [samples.rent, samples.full, samples.scratch]


def copied(snapshot: Snapshot, change: Callable[[dict[str, Any]], None]) -> Snapshot:
    """The snapshot with every variant changed; the samples themselves are shared."""
    result = deepcopy(dict(snapshot.result))
    for variant in result["variants"]:
        change(variant)
    return replace(snapshot, result=result)


def protocol(
    snapshot: Snapshot, language: str = "en"
) -> tuple[Pilot, Variant | None, Variant | None]:
    reading = Reading(snapshot=snapshot, kind="draft")
    variants = variants_of(reading)
    with translation.override(language):
        return pilot_of(reading, variants), piloted(variants), picked(variants)


def counts_of(pilot: Pilot) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", pilot.rows[0].what.partition(":")[2])]


@pytest.mark.parametrize("make", SAMPLES, ids=lambda make: make.__name__)
def test_no_more_gpus_are_asked_for_than_are_rented(
    make: Callable[[], Snapshot], language: str
) -> None:
    snapshot = make()
    pilot, tried, _wanted = protocol(snapshot, language)
    rented = [v["gpus"] for v in snapshot.result["variants"] if v["rented"]]
    if not rented:
        return
    assert tried is not None
    assert tried.rented
    assert max(counts_of(pilot)) == rented[0] == tried.gpus
    with translation.override(language):
        assert tried.key in pilot.conclusion
        assert tried.hardware in pilot.conclusion


def test_a_count_that_does_not_hold_the_model_is_not_measured() -> None:
    """Full training of eight billion parameters: one card is too small, so one is not tried."""
    snapshot = copied(samples.full(), lambda variant: None)
    _pilot, tried, _wanted = protocol(snapshot)
    assert tried is not None
    methods = snapshot.result["methods"]
    methods["accelerator"] = tried.accelerator
    own = next(row for row in methods["rows"] if row["named"])
    own["fewest"] = {**(own["fewest"] or {}), "gpus": 2}
    assert counts_of(protocol(snapshot)[0]) == [n for n in (2, 4, 8) if n <= tried.gpus]


def test_where_the_model_is_split_one_gpu_is_not_tried() -> None:
    def laid_out(name: str) -> Callable[[dict[str, Any]], None]:
        return lambda variant: variant.update(
            gpus=4, layout={**variant["layout"], "name": name}, accelerator="another"
        )

    split, copied_whole = (
        counts_of(protocol(copied(samples.full(), laid_out(name)))[0])
        for name in ("fsdp-4", "ddp-4")
    )
    assert (split, copied_whole) == ([2, 4], [1, 2, 4])


def test_a_step_measured_elsewhere_decides_in_proportion() -> None:
    """The wanted platform takes half of the deadline, so a step may take twice its estimate."""

    deadline_hours = samples.full().task["cycle"]["target_hours"]

    def change(variant: dict[str, Any]) -> None:
        variant["rented"] = variant["key"] == "V0"
        variant["recommended"] = variant["key"] == "V2"
        variant["gpus"] = 2 if variant["rented"] else 8
        hours = 4 * deadline_hours if variant["rented"] else deadline_hours / 2
        variant["time"]["step_s"] = {"low": 3.0, "typical": 4.0, "high": 5.0}
        variant["time"]["cycle"]["hours"] = dict.fromkeys(("low", "typical", "high"), hours)
        peak = 30.0 if variant["rented"] else 60.0
        variant["memory"]["device_gib"] = dict.fromkeys(("low", "typical", "high"), peak)
        variant["memory"]["capacity_gib"] = 100.0

    pilot, _tried, wanted = protocol(copied(samples.full(), change))
    assert wanted is not None
    assert wanted.key == "V2"
    step, peak = pilot.rows[0], pilot.rows[1]
    assert "with 2 GPUs" in step.estimate.replace("\u00a0", " ")
    assert "V2 is in time if a step of the pilot takes no longer than 8" in step.decides
    # 60 GiB there are 30 GiB here, so 90 GiB there are 45 GiB here.
    assert "stays under 45" in peak.decides


def test_a_result_without_a_rented_platform_is_measured_on_its_own() -> None:
    snapshot = copied(samples.rent(), lambda v: v.update(rented=False))
    pilot, tried, wanted = protocol(snapshot)
    assert tried is wanted
    assert "rented" not in pilot.conclusion.partition("Platform of the pilot")[2]


@pytest.mark.parametrize("texts", [OUTCOMES["pilot-first"].steps, WAYS["pilot"].steps])
def test_the_words_of_a_pilot_name_no_number_of_gpus(texts: Any, language: str) -> None:
    """How many are rented is a figure of the note, and it may be two."""
    with translation.override(language):
        said = " ".join(map(str, texts)).casefold()
        rules = " ".join(str(rule.text) for rule in WAYS["pilot"].rules).casefold()
    for word in ("one rented", "a rented gpu", "одном арендованном", "same rented gpu,"):
        assert word not in said + rules


DRAFT: dict[str, str] = {"kind": "draft"}
STOP = {"name": "A1", "metric": "accuracy", "baseline": 0.61, "result": 0.6}
POINT = {
    "name": "A1",
    "card": "H100 NVL",
    "accelerator": "H100-NVL-94",
    "gpus": 2,
    "step_s": 3.5,
    "hours": 41.0,
}


def read(snapshot: Snapshot, **pilot: Any) -> tuple[Reading, tuple[Variant, ...]]:
    reading = Reading(snapshot=replace(snapshot, pilot=pilot), kind="draft")
    return reading, variants_of(reading)


def test_without_a_gain_cover_summary_and_matrix_say_not_to_scale(language: str) -> None:
    snapshot = copied(samples.full(), lambda v: v.update(recommended=v["key"] == "V2"))
    with translation.override(language):
        reading, variants = read(snapshot, stop=STOP)
        summary = summary_of(reading, variants, pilot_of(reading, variants))
        title, why = stop_title({"stop": STOP}), stop_text({"stop": STOP})
        plain, unstopped = read(snapshot)
        assert headline_text(plain, picked(unstopped)) != title
        matrix = matrix_of(reading, variants)
        page = html_of(reading.snapshot, **DRAFT, language=language)
    assert summary.headline == title
    assert summary.obstacles[0].text == why
    assert (bool(summary.next_steps), summary.next_rows) == (True, ())
    assert [here for _name, here in summary.stages] == [True, False, False]
    assert matrix.conclusion == why
    assert not any(c.recommended for c in matrix.columns)
    assert page.count(title) >= 2  # the cover and the sheet after it
    assert all(step in page for step in summary.next_steps)


def test_what_pilots_measured_is_drawn_and_stands_in_the_table(language: str) -> None:
    with translation.override(language):
        before, after = (
            html_of(read(samples.full(), **pilot)[0].snapshot, **DRAFT, language=language)
            for pilot in ({}, {"points": [POINT]})
        )
        pace = pace_of(*read(samples.full(), points=[POINT]))
    assert "c-halo" not in before
    assert "c-halo" in after
    assert [row.name for row in pace.measured] == ["A1"]
    assert all(text in after for text in (pace.measured[0].place, pace.measured[0].step))
