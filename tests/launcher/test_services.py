"""The private servers of the test run: ours alone, and gone afterwards."""

import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from config.launcher import services
from config.launcher.services import Unavailable


@pytest.mark.postgres
def test_the_private_cluster_answers_over_its_socket_and_disappears() -> None:
    with services.private_postgresql() as url:
        parts = urlsplit(url)
        folder = Path(unquote(parts.netloc.rpartition("@")[2]))
        program = services.postgresql_program("psql")
        assert program
        command = [program, "-h", str(folder), "-U", str(parts.username), "-Atc", "SHOW fsync"]
        answer = subprocess.run([*command, "postgres"], capture_output=True, text=True, check=True)
        assert answer.stdout.strip() == "off"
    assert not folder.exists()


def test_a_missing_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unavailable, match="redis-server"), services.private_redis():
        pytest.fail("there is no Redis to run")


def test_the_newest_postgresql_of_the_system_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("9.6", "13", "15"):
        program = tmp_path / version / "bin" / "postgres"
        program.parent.mkdir(parents=True)
        program.touch()
    monkeypatch.setattr(services, "DEBIAN_POSTGRESQL", tmp_path)
    assert services.postgresql_program("postgres") == str(tmp_path / "15" / "bin" / "postgres")
