"""Printing is slow, so what several tests read is printed once a session."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import LazySettings

from apps.documents.press import Attached, Sheet

AT = datetime(2026, 12, 2, 9, 30, tzinfo=UTC)


def make_sheet(body: str = "<p>Оценка</p>", **overrides: object) -> Sheet:
    """A small document; a test names only what matters to it."""
    html = (
        '<!DOCTYPE html><html lang="ru"><head><meta charset="utf-8"><title>t</title>'
        '<meta name="dcterms.created" content="2026-12-02T09:30:00+00:00">'
        '<meta name="dcterms.modified" content="2026-12-02T09:30:00+00:00">'
        f"</head><body>{body}</body></html>"
    )
    attached = Attached(name="task.json", description="task", relationship="Source", text="{}")
    defaults = {"html": html, "identifier": "abc", "at": AT, "attachments": (attached,)}
    return Sheet(**defaults | overrides)  # type: ignore[arg-type]


@pytest.fixture
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's children get their folders: to see what they leave behind."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture(autouse=True)
def _blobs(settings: LazySettings, tmp_path: Path) -> None:
    settings.BLOB_DIR = tmp_path / "blobs"
