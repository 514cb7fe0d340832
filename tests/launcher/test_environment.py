"""The virtual environment is filled once, again when a lock changes, and failures are explained."""

import json
import sys
from pathlib import Path

import pytest

from config.launcher import environment, system
from config.launcher.layout import Checkout
from config.launcher.texts import Problem


@pytest.fixture
def installed(checkout: Checkout) -> Checkout:
    """As a finished set-up leaves it, without the development tools."""
    checkout.python.parent.mkdir(parents=True)
    checkout.python.symlink_to(sys.executable)
    facts = environment.wanted(checkout, development=False)
    (checkout.venv / environment.MARKER).write_text(json.dumps(facts), encoding="utf-8")
    return checkout


def test_a_finished_environment_is_left_alone(
    installed: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "missing_pdf_packages", list)
    before = sorted(installed.venv.rglob("*"))
    environment.set_up(installed)
    assert sorted(installed.venv.rglob("*")) == before


def test_a_changed_lock_asks_for_a_new_install(installed: Checkout) -> None:
    assert environment.is_ready(installed, development=False)
    installed.runtime_lock.write_text("django==5.2.1\n", encoding="utf-8")
    assert not environment.is_ready(installed, development=False)


def test_the_development_tools_are_asked_for_separately(installed: Checkout) -> None:
    assert not environment.is_ready(installed, development=True)


def test_a_half_made_environment_is_not_ready(installed: Checkout) -> None:
    (installed.venv / environment.MARKER).write_text("{", encoding="utf-8")
    assert not environment.is_ready(installed, development=False)
    (installed.venv / environment.MARKER).unlink()
    assert not environment.is_ready(installed, development=False)


def test_both_installs_come_before_the_marker(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def install(_checkout: Checkout, lock: Path) -> None:
        assert not (checkout.venv / environment.MARKER).exists()
        seen.append(lock.name)

    monkeypatch.setattr(system, "missing_pdf_packages", list)
    monkeypatch.setattr(environment, "install", install)
    checkout.venv.mkdir()
    monkeypatch.setattr(environment, "make_venv", lambda _checkout: None)
    environment.set_up(checkout, development=True)
    assert seen == ["requirements.lock", "requirements-dev.lock"]
    assert (checkout.venv / environment.MARKER).exists()


def test_without_pango_and_without_root_the_exact_command_is_told(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "is_root", lambda: False)
    monkeypatch.setattr(system, "has_library", lambda _name: False)
    with pytest.raises(Problem) as caught:
        environment.set_up(checkout)
    assert caught.value.remedy == (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends"
        " libharfbuzz-subset0 libpangoft2-1.0-0"
    )
    assert not checkout.venv.exists()


def test_a_bare_debian_gets_all_its_packages_in_one_go(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(system, "has_library", lambda _name: False)
    monkeypatch.setattr(system, "can_make_venv", lambda: False)
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    monkeypatch.setattr(system, "require_packages", asked.append)
    monkeypatch.setattr(environment, "make_venv", lambda _checkout: checkout.venv.mkdir())
    monkeypatch.setattr(environment, "install", lambda _checkout, _lock: None)
    environment.set_up(checkout)
    assert asked == [["libharfbuzz-subset0", "libpangoft2-1.0-0", "python3-venv"]]


def test_a_python_that_debian_cannot_complete_is_named(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "missing_pdf_packages", list)
    monkeypatch.setattr(system, "can_make_venv", lambda: False)
    monkeypatch.setattr(sys, "executable", "/opt/python/bin/python3")
    with pytest.raises(Problem, match="/opt/python/bin/python3 has no ensurepip"):
        environment.set_up(checkout)


def test_without_the_subset_library_alone_the_product_still_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "is_root", lambda: False)
    system.require_packages(["libharfbuzz-subset0"])
    assert "libharfbuzz-subset0" in capsys.readouterr().err


def test_root_without_apt_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "is_root", lambda: True)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Problem, match="no apt-get"):
        system.require_packages(["libpangoft2-1.0-0"])


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("NewConnectionError: Failed to establish a new connection", "could not reach"),
        ("OSError: [Errno 28] No space left on device", "no space is left"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE", "differs from what"),
        ("ERROR: something else", "ERROR: something else"),
    ],
)
def test_a_failed_install_is_explained(output: str, said: str, checkout: Checkout) -> None:
    assert said in str(environment.pip_problem(output, checkout.runtime_lock))


def test_a_full_disk_is_named_with_its_folder(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="MB are needed") as caught:
        system.require_space(tmp_path / "not" / "yet", 2**63)
    assert str(tmp_path) in str(caught.value)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(Problem, match="cannot write to"):
        system.require_writable(file)
