"""Where things lie: the checkout, its virtual environment and one data folder."""

import os
from dataclasses import dataclass
from pathlib import Path

OWNER_ONLY = 0o077
ROOT = Path(__file__).resolve().parents[2]


SETTINGS = ("DATABASE_URL", "REDIS_URL", "SITE_URL", "DJANGO_SETTINGS_MODULE")


def environment_without_settings() -> dict[str, str]:
    """Our environment less the product's settings: tests and demo reach nobody's real data."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in SETTINGS and not name.startswith("PODBOR_")
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A copy of the project on disk."""

    root: Path = ROOT

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def runtime_lock(self) -> Path:
        return self.root / "requirements.lock"

    @property
    def dev_lock(self) -> Path:
        return self.root / "config" / "requirements-dev.lock"

    def manage(self, *arguments: str) -> list[str]:
        return [str(self.python), str(self.root / "manage.py"), *arguments]

    def default_data_dir(self) -> Path:
        return Path(os.environ.get("PODBOR_DATA_DIR") or self.root / "var").resolve()


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFolder:
    """The folder that holds all that one instance knows: database, files, queue, logs."""

    path: Path

    @property
    def logs(self) -> Path:
        return self.path / "log"

    @property
    def temporary(self) -> Path:
        return self.path / "tmp"

    @property
    def database(self) -> Path:
        return self.path / "podbor.sqlite3"

    @property
    def instance_file(self) -> Path:
        return self.path / "instance.json"

    @property
    def prepared_file(self) -> Path:
        return self.path / "prepared.sha256"

    @property
    def sign_ins_file(self) -> Path:
        return self.path / "sign-ins.txt"

    def create(self) -> None:
        """Make the folder and what the launcher itself needs in it.

        From here on this process and its children make files for their owner only: the database
        holds what clients said, beside the session keys.
        """
        os.umask(OWNER_ONLY)
        self.path.mkdir(parents=True, exist_ok=True)
        self.logs.mkdir(exist_ok=True)
        self.temporary.mkdir(exist_ok=True)
