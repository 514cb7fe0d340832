"""What is delivered beside the code: locks, CI, the compose file, the image, the production guide."""

import os
import re
import tomllib

import pytest
import yaml

from config.launcher.layout import ROOT, Checkout
from config.launcher.system import PDF_LIBRARIES, VENV_PACKAGE

PIN = re.compile(r"^([a-z0-9-]+)==([^ ;]+)(?: ; ([^\\]+))? \\$", re.MULTILINE)
REQUIREMENT = re.compile(r"^[A-Za-z0-9-]+")
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
OURS = ("prepare", "web", "worker")


def pins(lock: str) -> dict[str, tuple[str, str]]:
    """Package -> version and marker."""
    return {name: (version, marker) for name, version, marker in PIN.findall(lock)}


RUNTIME = Checkout().runtime_lock.read_text(encoding="utf-8")
DEVELOPMENT = Checkout().dev_lock.read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", [RUNTIME, DEVELOPMENT])
def test_a_lock_names_no_address_and_gives_every_package_a_hash(lock: str) -> None:
    assert "://" not in lock
    assert "--index" not in lock
    for entry in re.split(r"\n(?=[a-z])", lock.strip()):
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


def test_the_development_lock_repeats_the_runtime_lock() -> None:
    assert pins(RUNTIME).items() <= pins(DEVELOPMENT).items()


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for lock, asked in (
        (RUNTIME, project["dependencies"]),
        (DEVELOPMENT, project["optional-dependencies"]["dev"]),
    ):
        matches = [REQUIREMENT.match(requirement) for requirement in asked]
        assert {m.group().lower() for m in matches if m} <= set(pins(lock))


def test_debian_12s_python_gets_what_only_it_needs() -> None:
    """redis needs async-timeout before Python 3.11.3; a lock made on a later one would lack it."""
    assert pins(RUNTIME)["async-timeout"][1] == "python_full_version < '3.11.3'"


def test_ci_runs_the_projects_own_test_command() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "exec ./podbor test" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMPOSE["services"]))
def test_every_lasting_service_has_a_health_check_and_a_restart(name: str) -> None:
    service = COMPOSE["services"][name]
    if name == "prepare":
        assert service["restart"] == "no"
        return
    assert service["healthcheck"]["test"]
    assert service["restart"] == "unless-stopped"


def test_no_password_has_a_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    secret = re.compile(r"\$\{((?:PODBOR_SECRET|POSTGRES_PASS|REDIS_PASS)\w*)(.?.?)")
    used = secret.findall(text)
    assert {name for name, _ in used} == {
        "PODBOR_SECRET_KEY",
        "POSTGRES_PASSWORD",
        "REDIS_PASSWORD",
    }
    assert {operator for _, operator in used} == {":?"}


def test_only_the_web_is_reachable_and_only_from_this_machine() -> None:
    published = {n: s["ports"] for n, s in COMPOSE["services"].items() if "ports" in s}
    assert list(published) == ["web"]
    assert all(port.startswith("127.0.0.1:") for port in published["web"])


@pytest.mark.parametrize("name", OURS)
def test_our_containers_write_to_their_volume_only(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "data:/var/lib/podbor" in service["volumes"]


def test_web_and_worker_start_after_the_database_is_prepared() -> None:
    for name in ("web", "worker"):
        waits = COMPOSE["services"][name]["depends_on"]["prepare"]
        assert waits["condition"] == "service_completed_successfully"
    postgres = COMPOSE["services"]["prepare"]["depends_on"]["postgres"]
    assert postgres["condition"] == "service_healthy"


def test_the_image_and_the_guide_name_the_packages_that_the_launcher_installs() -> None:
    dockerfile = (ROOT / "config" / "docker" / "Dockerfile").read_text(encoding="utf-8")
    guide = (ROOT / "docs" / "production.md").read_text(encoding="utf-8")
    for package in set(PDF_LIBRARIES.values()):
        assert package in dockerfile
        assert package in guide
    assert VENV_PACKAGE in guide
    assert "--require-hashes" in dockerfile


def test_the_guide_names_every_variable_that_production_reads() -> None:
    guide = (ROOT / "docs" / "production.md").read_text(encoding="utf-8")
    read = set()
    for name in ("base", "production"):
        module = (ROOT / "config" / "settings" / f"{name}.py").read_text(encoding="utf-8")
        read |= set(re.findall(r'env_\w+\(\s*"([A-Z_]+)"', module))
    assert len(read) > 10
    assert [name for name in sorted(read) if f"`{name}`" not in guide] == []
