"""On an old Python the one file that runs says what is needed, in the person's language."""

import ast
import os
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType

import pytest

from config.launcher.layout import ROOT

SCRIPT = ROOT / "podbor"


@pytest.fixture
def script() -> ModuleType:
    loader = SourceFileLoader("podbor_script", str(SCRIPT))
    spec = spec_from_loader("podbor_script", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture
def old_python(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[[], str]:
    """Run the script as if this Python, and every other here, were too old."""
    monkeypatch.setattr(script, "MINIMUM", (99, 0))
    monkeypatch.setattr("sys.argv", ["podbor", "up", "--port", "9000"])

    def run() -> str:
        assert script.main() == 2
        return capfd.readouterr().err

    return run


def test_it_parses_on_python_3_6() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_it_is_executable() -> None:
    assert os.access(SCRIPT, os.X_OK)


def test_an_old_python_is_told_the_version_it_needs(old_python: Callable[[], str]) -> None:
    said = old_python()
    assert "needs Python 99.0 or newer" in said
    assert "podbor up --port 9000" in said


def test_it_speaks_russian_in_a_russian_terminal(
    old_python: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert "нужен Python 99.0 или новее" in old_python()


def test_a_newer_python_in_path_is_found(script: ModuleType) -> None:
    path = script.newer_python()
    assert path is None or script.is_new_enough(path)
    assert not script.is_new_enough("/bin/false")
