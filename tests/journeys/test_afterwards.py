"""J10, J17, J20 and the end of J1: questions, corrections and measurements that come later."""

import json
from datetime import datetime
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from apps.accounts.models import Role
from apps.catalog.models import Use
from apps.catalog.proposals import proposal_approve
from apps.catalog.services import catalog_sync
from apps.estimation.models import Calculation
from apps.pilots.models import PilotRun
from apps.pilots.records import SCHEMA
from apps.pilots.selectors import facts_of
from apps.requisitions.workflow import State
from tests.factories import make_proposal
from tests.journeys.play import Play, answers_of
from tests.journeys.test_limits import result_of
from tests.pilots.samples import QUALITY, whole_values

ZONE = ZoneInfo("Europe/Moscow")


def at(day: int, hour: int):
    """A moment of December 2026: the 4th is a Friday."""
    moment = datetime(2026, 12, day, hour, tzinfo=ZONE)
    return patch("django.utils.timezone.now", return_value=moment)


def measured(play: Play, **changes: float) -> PilotRun:
    """The client sends what the kit wrote, the engineer closes the pilot."""
    facts = facts_of(play.revision)
    values = whole_values(facts) | QUALITY | {k.replace("__", "."): v for k, v in changes.items()}
    given = play.posts(
        "pilots:upload",
        {"text": json.dumps({"schema": SCHEMA, "values": values})},
        play.scene.client,
    )
    assert given.status_code == 302, given.content.decode()[:2000]
    run = PilotRun.objects.get(revision=play.revision)
    closed = play.posts("pilots:close", {}, Role.ENGINEER, run_id=run.pk)
    assert closed.status_code == 302
    return run


def step_of(play: Play) -> dict[str, float]:
    """The step of the variant that is rented for the pilot."""
    facts = facts_of(play.revision, "V0")
    return facts["estimates"]["step_s"]


def test_j1_what_the_pilot_measured_narrows_the_next_letter():
    """Approved, then measured: B holds the measured points and a narrower range."""
    play = Play(answers_of("lora", lora_rank=None)).sent().approved()
    before = step_of(play)
    run = measured(play, runs__1__step_s=before["typical"] * 1.1)
    carried = play.posts("pilots:carry", {}, play.scene.client, run_id=run.pk)
    assert carried.status_code == 302
    play.do("rest-unknown", "send", "wait-for-estimates")
    assert play.revision.letter == "B"
    after = step_of(play)
    assert after["high"] - after["low"] < 0.7 * (before["high"] - before["low"])
    assert after["low"] <= before["typical"] * 1.1 <= after["high"]
    assert "confirmed by a pilot" in play.reads("review:variants", Role.ENGINEER, "en")
    assert "пилот 1 редакции A" in play.reads("review:workspace", Role.ENGINEER)


def test_j10_a_question_over_a_weekend_stops_the_clock_and_the_answer_starts_it_again():
    """Asked on Friday at 16:00, answered on Monday at 11:00: four working hours, not three days."""
    play = Play(answers_of("lora"))
    with at(3, 10):
        play.sent()
        due = play.revision.due_at
    with at(4, 16):
        play.do(
            "ask",
            comment="Одно число решает.",
            questions=[{"key": "sequence_length", "text": "Какой длины самый длинный пример?"}],
        )
    with at(5, 12):
        waiting = play.revision
        assert (waiting.state, waiting.due_at) == (State.CHANGES_REQUESTED, None)
        assert "Ждём вас с 4" in play.reads("intake:status")
        assert "4 декабря" in play.reads("review:workspace", Role.ENGINEER)
    with at(7, 11):
        play.do("answer", answers={"sequence_length": "2048"}).do("send", "wait-for-estimates")
        answered = play.revision
        assert (answered.letter, answered.state) == ("B", State.IN_REVIEW)
        assert (answered.due_at - due).total_seconds() == 4 * 3600
        play.do("take", "to-approval", "approve")
        assert play.revision.clock.stopped_at is not None


def test_who_sends_after_hours_reads_when_it_is_read():
    with at(4, 20):
        play = Play(answers_of("lora")).sent()
        assert "Прочитаем в понедельник с 09:00" in play.reads("intake:status")


def test_j17_a_corrected_fact_leads_to_what_rests_on_it():
    catalog_sync()
    approved = Play(answers_of("lora")).sent().approved()
    open_one = Play(answers_of("lora", lora_rank="32")).sent().do("take")
    administrator = approved.scene.staff(Role.ADMINISTRATOR)
    proposal_approve(proposal=make_proposal(), actor=administrator)
    slug = "SYS-521GE-TNRT"
    rests = set(Use.objects.filter(slug=slug).values_list("calculation", flat=True))
    assert rests >= set(Calculation.objects.values_list("pk", flat=True))
    page = open_one.browser(Role.ENGINEER).get(reverse("review:where-used", args=[slug]))
    listed = page.content.decode()
    said = {approved: "утверждённые цифры остаются", open_one: "факты изменились: пересчитайте"}
    for play, words in said.items():
        row = next(r for r in listed.split("<tr>") if play.address("review:workspace") in r)
        assert words in row
    suggested = open_one.reads("review:workspace", Role.ENGINEER)
    assert "После расчёта изменились факты каталога" in suggested
    noted = approved.reads("review:workspace", Role.ENGINEER)
    assert "утверждённые цифры остаются прежними" in noted
    assert "После расчёта изменились факты каталога" not in noted
    first = open_one.revision.calculations.count()
    assert open_one.posts("review:recalculate", {}, Role.ENGINEER).status_code == 302
    open_one.do("wait-for-estimates")
    assert open_one.revision.calculations.count() == first + 1
    assert "изменились факты каталога" not in open_one.reads("review:workspace", Role.ENGINEER)


@pytest.mark.parametrize(("result", "stops"), [(0.61, True), (0.86, False)], ids=["same", "better"])
def test_j20_a_pilot_without_a_gain_stops_what_is_bigger(result, stops):
    play = Play(answers_of("full-finetune", kw_usable="10 кВт", feeds="2")).sent().approved()
    assert any(v["key"] == "V2" and v["recommended"] for v in result_of(play)["variants"])
    measured(play, quality__result=result)
    pilot = play.reads("pilots:pilot", Role.ENGINEER, "en")
    variants = play.reads("review:variants", Role.ENGINEER, "en")
    for page in (pilot, variants):
        assert ("Do not scale" in page) is stops
    assert ("not recommended: the pilot showed no gain" in variants) is stops
