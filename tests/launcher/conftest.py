"""What the launcher's tests share: English texts and a checkout of their own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.launcher.layout import Checkout, DataFolder


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture(autouse=True)
def _own_umask() -> Iterator[None]:
    """The launcher closes its process's files to others; the tests that follow keep theirs."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A checkout with two lock files and nothing else."""
    root = tmp_path / "checkout"
    (root / "config").mkdir(parents=True)
    (root / "requirements.lock").write_text("django==5.2\n", encoding="utf-8")
    (root / "config" / "requirements-dev.lock").write_text("pytest==9\n", encoding="utf-8")
    return Checkout(root=root)


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    folder = DataFolder(path=tmp_path / "data")
    folder.create()
    return folder
