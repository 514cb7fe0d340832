"""Signs of life: a beat that stops changing, a web that stops answering."""

import sqlite3
from contextlib import closing
from pathlib import Path

from config.launcher.health import Answers, Pulse, last_beat


def test_the_newest_beat_of_any_worker_is_read(tmp_path: Path) -> None:
    database = tmp_path / "podbor.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE jobs_workerbeat (name TEXT, at TEXT)")
        connection.executemany(
            "INSERT INTO jobs_workerbeat VALUES (?, ?)",
            [("old:1", "2026-11-30 10:00:00"), ("new:2", "2026-11-30 10:00:10")],
        )
        connection.commit()
    assert last_beat(database) == "2026-11-30 10:00:10"


def test_without_a_database_there_is_no_beat(tmp_path: Path) -> None:
    assert last_beat(tmp_path / "absent.sqlite3") == ""
    assert not (tmp_path / "absent.sqlite3").exists()


def test_a_pulse_is_lost_after_the_silence_allowed_and_found_with_the_next_beat() -> None:
    now_s, beat = [0.0], ["a"]
    pulse = Pulse(lambda: beat[0], silence_s=60, clock=lambda: now_s[0])
    assert pulse()
    now_s[0] = 60
    assert pulse()
    now_s[0] = 61
    assert not pulse()
    beat[0] = "b"
    assert pulse()


def test_a_new_process_gets_the_whole_silence_again() -> None:
    now_s = [0.0]
    pulse = Pulse(lambda: "", silence_s=60, clock=lambda: now_s[0])
    now_s[0] = 61
    pulse.reset()
    assert pulse()


def test_single_failures_of_the_web_are_forgiven() -> None:
    answers = iter([False, False, True, False, False, False])
    check = Answers(lambda: next(answers), failures_allowed_count=2)
    assert [check() for _ in range(6)] == [True, True, True, True, True, False]
