"""`./podbor test` hides nothing: what could not run is named, and fails under CI."""

import re
from contextlib import nullcontext
from dataclasses import replace

import pytest
from django.db import connection

from config.launcher import checks
from config.launcher.checks import summarise
from config.launcher.layout import ROOT, Checkout
from config.launcher.pytest_run import Outcome, Phase
from tests.conftest import DATABASE_FIXTURES, needs_database

PASSED = Outcome(name="pytest, SQLite", ok=True, took_s=1.0, closing="=== 3 passed in 0.1s ===")
FAILED = Outcome(name="mypy", ok=False, took_s=1.0)


@pytest.fixture(autouse=True)
def not_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


def test_the_last_line_is_pytests_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert summarise([FAILED, PASSED], []) == 1
    said = capsys.readouterr().out.rstrip().splitlines()
    assert said[-1] == PASSED.closing
    assert any("FAILED" in line and "mypy" in line for line in said)


def test_what_took_longest_is_said_again_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    slow = replace(PASSED, slow=("    61.2 s    38  tests/documents/test_pdf.py",))
    assert summarise([slow, FAILED], []) == 1
    said = capsys.readouterr().out
    assert said.index("What took longest: pytest, SQLite") < said.index(slow.slow[0])
    assert "What took longest: mypy" not in said
    assert re.search(r"in all +2\.0 s", said)


def test_what_could_not_run_is_named_and_allowed_at_home(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert summarise([PASSED], ["the tests on PostgreSQL"]) == 0
    said = capsys.readouterr().out
    assert "NOT RUN" in said
    assert "the tests on PostgreSQL" in said


def test_what_could_not_run_fails_under_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert summarise([PASSED], ["the tests on PostgreSQL"]) == 1
    assert summarise([PASSED], []) == 0


def test_slow_tests_and_the_browser_are_left_out_by_name() -> None:
    assert checks.marks_to_run(everything=False, missing=[]) == ["not slow"]
    assert checks.marks_to_run(everything=True, missing=["redis-server"]) == []
    assert checks.marks_to_run(everything=True, missing=["chromium"]) == ["not browser"]


def test_all_that_touches_the_database_runs_on_both(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's journeys too: only what a database cannot change runs once."""
    ran: list[Phase] = []

    def note(_checkout: Checkout, phase: Phase, _expression: str | None) -> Outcome:
        ran.append(phase)
        return PASSED

    monkeypatch.setattr(checks, "run_pytest", note)
    monkeypatch.setattr(checks.services, "install_missing", list)
    monkeypatch.setattr(checks.services, "private_postgresql", lambda: nullcontext("postgresql:"))
    monkeypatch.setattr(checks.services, "private_redis", lambda: nullcontext("redis:"))
    checks.test(checkout, everything=False, expression="anything")
    embedded, servers = ran
    assert (embedded.marks, dict(embedded.variables)) == ("not postgres and not slow", {})
    assert (servers.marks, servers.ignored) == ("not slow", checks.RUN_ONCE)
    assert dict(servers.variables) == {"DATABASE_URL": "postgresql:", "REDIS_URL": "redis:"}


@pytest.mark.django_db
def test_a_test_with_the_mark_is_run_on_both(request: pytest.FixtureRequest) -> None:
    assert needs_database(request.node)


def test_a_test_with_a_fixture_that_reaches_it_is_run_on_both(
    request: pytest.FixtureRequest, db: None
) -> None:
    assert needs_database(request.node)


def test_a_test_that_reaches_no_database_is_run_once(request: pytest.FixtureRequest) -> None:
    if connection.vendor == "postgresql":
        pytest.fail("left out there")
    assert not needs_database(request.node)


@pytest.mark.parametrize("folder", checks.RUN_ONCE)
def test_a_folder_left_out_on_postgresql_has_nothing_to_show_there(folder: str) -> None:
    modules = list((ROOT / "tests" / folder).glob("**/*.py"))
    assert modules
    for module in modules:
        text = module.read_text(encoding="utf-8")
        assert "mark.postgres" not in text, module
        assert "transaction=True" not in text, module


@pytest.mark.parametrize("folder", checks.NO_DATABASE)
def test_a_folder_said_to_reach_no_database_reaches_none(folder: str) -> None:
    reaching = re.compile(rf"\b(django_db|mark\.browser|{'|'.join(DATABASE_FIXTURES)})\b")
    for module in (ROOT / "tests" / folder).glob("**/*.py"):
        assert not reaching.search(module.read_text(encoding="utf-8")), module


def phases(monkeypatch: pytest.MonkeyPatch, *, ran: bool) -> None:
    """Let both phases end at once, with or without a test that matched."""
    closing = "=== 3 passed in 0.1s ===" if ran else "=== 9 deselected in 0.1s ==="
    outcome = Outcome(name="pytest", ok=True, took_s=0.1, closing=closing, ran=ran)
    monkeypatch.setattr(checks.services, "install_missing", list)
    monkeypatch.setattr(checks, "run_pytest", lambda *_: outcome)
    monkeypatch.setattr(checks, "on_servers", lambda *_, **__: outcome)


def test_an_expression_that_matches_no_test_at_all_fails(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    phases(monkeypatch, ran=True)
    assert checks.test(checkout, everything=False, expression="ports") == 0
    phases(monkeypatch, ran=False)
    assert checks.test(checkout, everything=False, expression="prots") == checks.NO_TESTS_RAN
