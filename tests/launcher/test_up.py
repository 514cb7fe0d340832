"""What `./podbor up` gives to its children, and when it prepares the data anew."""

import os
from pathlib import Path

import pytest

from config.launcher import up
from config.launcher.layout import Checkout, DataFolder, environment_without_settings

EMBEDDED = {"DJANGO_SETTINGS_MODULE": "config.settings.embedded"}


def test_an_address_says_what_to_open_and_which_hosts_are_ours() -> None:
    local = up.Address(host="127.0.0.1", port=8000)
    assert local.url == "http://127.0.0.1:8000"
    assert local.allowed_hosts() == "127.0.0.1,localhost,[::1]"
    assert up.Address(host="::1", port=80).url == "http://[::1]:80"
    everywhere = up.Address(host="0.0.0.0", port=8000)
    assert everywhere.url == "http://127.0.0.1:8000"
    assert os.uname().nodename in everywhere.allowed_hosts()
    assert "*" not in everywhere.allowed_hosts()


def test_children_work_in_the_data_folder_only(data: DataFolder) -> None:
    env = up.child_environment(data, up.Address(host="127.0.0.1", port=8123))
    assert env["PODBOR_DATA_DIR"] == str(data.path)
    assert env["TMPDIR"] == str(data.temporary)
    assert env["SITE_URL"] == "http://127.0.0.1:8123"


def test_a_given_site_address_is_kept(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_URL", "https://podbor.example")
    env = up.child_environment(data, up.Address(host="127.0.0.1", port=8123))
    assert env["SITE_URL"] == "https://podbor.example"


def test_the_data_is_prepared_once_and_again_when_a_migration_changes(
    checkout: Checkout, data: DataFolder
) -> None:
    migration = checkout.root / "apps" / "jobs" / "migrations" / "0001_initial.py"
    migration.parent.mkdir(parents=True)
    migration.write_text("one", encoding="utf-8")
    before = up.prepared_state(checkout, EMBEDDED)
    assert up.prepared_state(checkout, EMBEDDED) == before
    migration.write_text("other", encoding="utf-8")
    assert up.prepared_state(checkout, EMBEDDED) != before


def test_a_deleted_database_is_prepared_again(data: DataFolder) -> None:
    data.prepared_file.write_text("state", encoding="ascii")
    assert up.last_prepared(data) == ""
    data.database.touch()
    assert up.last_prepared(data) == "state"


def test_the_data_folder_and_all_that_comes_into_it_is_closed_to_others(tmp_path: Path) -> None:
    folder = DataFolder(path=tmp_path / "new")
    up.create_folder(folder)
    folder.database.touch()
    for path in (folder.path, folder.logs, folder.database):
        assert path.stat().st_mode & 0o077 == 0


def test_tests_and_demo_reach_no_database_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody@real/database")
    monkeypatch.setenv("PODBOR_DATA_DIR", "/srv/podbor")
    monkeypatch.setenv("HARMLESS", "kept")
    kept = environment_without_settings()
    assert "DATABASE_URL" not in kept
    assert "PODBOR_DATA_DIR" not in kept
    assert kept["HARMLESS"] == "kept"
