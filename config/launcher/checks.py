"""`./podbor test`: every check of the project in order, and a summary that hides nothing."""

import os
import secrets
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack

from config.launcher import children, services, system
from config.launcher.layout import Checkout, environment_without_settings
from config.launcher.pytest_run import NO_TESTS_RAN, Outcome, Phase, run_pytest
from config.launcher.services import Unavailable
from config.launcher.texts import say, text

# Folders of tests that reach no database: on a second one they need not even be collected.
NO_DATABASE = ("charts", "configs", "phrases", "questionnaire", "sizing")
# These and folders of tests that look at what pages say, which no database changes. (Other tests
# that reach no database are left out by tests/conftest.py.)
RUN_ONCE = ("architecture", "leaks", *NO_DATABASE)
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SITE_URL": "https://podbor.example",
    "DATABASE_URL": "postgresql://podbor@127.0.0.1/podbor",
    "REDIS_URL": "redis://127.0.0.1/0",
    "EMAIL_HOST": "127.0.0.1",
    "DEFAULT_FROM_EMAIL": "Podbor <podbor@podbor.example>",
}


def test(checkout: Checkout, *, everything: bool, expression: str | None) -> int:
    """Run all checks, or with `expression` only the tests that match. Returns the exit code.

    Whatever ends it early (Ctrl+C, SIGTERM, a closed terminal) ends all that it has started.
    """
    with children.unwinding_on_signals():
        return run_all(checkout, everything=everything, expression=expression)


def run_all(checkout: Checkout, *, everything: bool, expression: str | None) -> int:
    missing = services.install_missing()
    outcomes = [] if expression else list(static_checks(checkout))
    lacking = [text("test.lacks_package", name=name) for name in missing]
    marks = marks_to_run(everything=everything, missing=missing)
    embedded = Phase(name="pytest, SQLite", marks=" and ".join(["not postgres", *marks]))
    outcomes.append(run_pytest(checkout, embedded, expression))
    try:
        outcomes.append(on_servers(checkout, " and ".join(marks), expression))
    except Unavailable as reason:
        lacking.append(text("test.no_servers", reason=reason))
    exit_code = summarise(outcomes, lacking)
    return exit_code if any(outcome.ran for outcome in outcomes) else NO_TESTS_RAN


def marks_to_run(*, everything: bool, missing: Sequence[str]) -> list[str]:
    """What pytest leaves out, on any database."""
    marks = [] if everything else ["not slow"]
    if "chromium" in missing:
        marks.append("not browser")
    return marks


def on_servers(checkout: Checkout, marks: str, expression: str | None) -> Outcome:
    """The tests again on PostgreSQL and Redis: all that reach the database, the browser's too."""
    with ExitStack() as stack:
        variables = {
            "DATABASE_URL": stack.enter_context(services.private_postgresql()),
            "REDIS_URL": stack.enter_context(services.private_redis()),
        }
        phase = Phase(
            name="pytest, PostgreSQL + Redis",
            marks=marks,
            variables=variables,
            ignored=RUN_ONCE,
        )
        return run_pytest(checkout, phase, expression)


def static_checks(checkout: Checkout) -> Iterator[Outcome]:
    python = str(checkout.python)
    production = {**PRODUCTION, "PODBOR_SECRET_KEY": secrets.token_urlsafe(64)}
    yield run(checkout, "ruff check", [python, "-m", "ruff", "check", "."])
    yield run(checkout, "ruff format", [python, "-m", "ruff", "format", "--check", "."])
    yield run(checkout, "mypy", [python, "-m", "mypy"])
    yield run(checkout, "import-linter", [str(checkout.venv / "bin" / "lint-imports")])
    migrations = checkout.manage("makemigrations", "--check", "--dry-run")
    with tempfile.TemporaryDirectory(prefix="podbor-check-") as folder:
        yield run(checkout, "makemigrations --check", migrations, {"PODBOR_DATA_DIR": folder})
    deploy = checkout.manage("check", "--deploy", "--fail-level", "WARNING")
    yield run(checkout, "check --deploy", deploy, production)


def run(
    checkout: Checkout, name: str, argv: Sequence[str], variables: Mapping[str, str] | None = None
) -> Outcome:
    """Run one check; its output is shown as it comes."""
    say("test.step", name=name)
    began_s = time.monotonic()
    environment = {**environment_without_settings(), **(variables or {})}
    done = subprocess.run(argv, cwd=checkout.root, env=environment, check=False)
    return Outcome(name=name, ok=done.returncode == 0, took_s=time.monotonic() - began_s)


def summarise(outcomes: Sequence[Outcome], lacking: Sequence[str]) -> int:
    """Print every outcome, then loudly what could not run, then pytest's own closing lines."""
    say("test.summary")
    for outcome in outcomes:
        word = text("test.ok") if outcome.ok else text("test.failed")
        print(f"  {word:<10} {outcome.name:<28} {outcome.took_s:7.1f} s")
    print(f"  {'':<10} {text('test.in_all'):<28} {sum(o.took_s for o in outcomes):7.1f} s")
    for reason in lacking:
        print(f"  {text('test.not_run'):<10} {reason}")
    for outcome in outcomes:
        if outcome.slow:
            say("test.slow", name=outcome.name)
            print("\n".join(outcome.slow))
    strict = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
    if lacking:
        say("test.incomplete_fails" if strict else "test.incomplete")
        if not system.is_root():
            say("test.run_as_root")
    failed = [outcome for outcome in outcomes if not outcome.ok]
    print("\n".join(outcome.closing for outcome in outcomes if outcome.closing), flush=True)
    return 1 if failed or (lacking and strict) else 0
