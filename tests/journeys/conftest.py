"""The demo people on a stage where printing takes no time."""

import pytest

from apps.demo import waiting
from apps.demo.people import demo_people_create


@pytest.fixture(autouse=True)
def _stage(db, settings, tmp_path, monkeypatch, quick_press):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(waiting, "_PATIENCE_S", 20.0)
    demo_people_create()
