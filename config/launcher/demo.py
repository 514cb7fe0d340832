"""`./podbor demo`: the whole way of one request, over HTTP, in a temporary folder."""

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from config.launcher import children, play, ports, system
from config.launcher.browser import Unexpected
from config.launcher.health import is_served
from config.launcher.layout import Checkout, DataFolder, environment_without_settings
from config.launcher.texts import Problem, say, text

START_TIMEOUT_S = 90.0
SAMPLE_SITE = "https://podbor.example"  # the sample outlives the address it is made at


class Narrator:
    """Prints each step with the time since the demo began, and remembers the last one."""

    def __init__(self) -> None:
        self.began_s = time.monotonic()
        self.last = text("demo.starting")

    def took_s(self) -> float:
        return time.monotonic() - self.began_s

    def step(self, key: str, **params: object) -> None:
        self.last = text(key, **params)
        say("demo.step", at_s=self.took_s(), what=self.last)


def demo(checkout: Checkout, *, keep: Path | None, sample: bool = False) -> int:
    """Play one request to its approved PDF. Raises Problem naming the step that failed."""
    narrator = Narrator()
    shown = SAMPLE_SITE if sample else ""
    with data_folder(keep) as data, running_product(checkout, data, shown) as url:
        narrator.step("demo.started", url=url)
        try:
            script = play.demo_script(checkout)
            number, documents = play.play(url, sign_ins(data), script, narrator.step)
            stored = store(checkout, documents)
            for pdf in stored:
                play.verify(checkout, pdf, number, narrator.step)
            if sample:
                publish_sample(checkout, stored)
        except (Unexpected, LookupError) as reason:
            if keep is None:
                show_logs(data)
            raise Problem("demo.failed", step=narrator.last, reason=reason) from reason
    say("demo.done", took_s=narrator.took_s(), pdf=stored[0])
    if keep:
        say("demo.kept", folder=keep)
    return 0


@contextmanager
def data_folder(keep: Path | None) -> Iterator[DataFolder]:
    """The folder given to keep, or one that is gone afterwards."""
    if keep:
        yield DataFolder(path=keep.resolve())
        return
    with tempfile.TemporaryDirectory(prefix="podbor-demo-") as folder:
        yield DataFolder(path=Path(folder))


@contextmanager
def running_product(checkout: Checkout, data: DataFolder, shown: str) -> Iterator[str]:
    """Run `./podbor up` on the data folder and a free port; give its address.

    Args:
        shown: the address that documents name instead, if any.
    """
    port = ports.free_port()
    url = f"http://127.0.0.1:{port}"
    argv = [sys.executable, str(checkout.root / "podbor"), "up"]
    argv += ["--port", str(port), "--data", str(data.path)]
    data.path.mkdir(parents=True, exist_ok=True)
    log = data.path / "up.log"
    env = environment_without_settings() | {"PODBOR_DEMO_STORIES": "off"}
    if shown:
        env["SITE_URL"] = shown
    process = children.start(argv, log=log, env=env)
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not is_served(url):
            if process.poll() is not None or time.monotonic() > deadline:
                raise Problem("demo.product_ended", tail=tail(log))
            time.sleep(0.1)
        yield url
    finally:
        children.stop([process], grace_s=20.0)


def sign_ins(data: DataFolder) -> dict[str, tuple[str, str]]:
    """The first name and password of each role."""
    people: dict[str, tuple[str, str]] = {}
    for line in data.sign_ins_file.read_text(encoding="utf-8").splitlines():
        role, name, password = line.split("\t")
        people.setdefault(role, (name, password))
    return people


def store(checkout: Checkout, documents: Mapping[str, bytes]) -> list[Path]:
    """Put the PDFs where they outlive the demo: var/demo of the checkout, else a temporary folder."""
    folder = checkout.root / "var" / "demo"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        system.require_writable(folder)
    except (OSError, Problem):
        folder = Path(tempfile.mkdtemp(prefix="podbor-demo-pdf-"))
    for name, content in documents.items():
        (folder / Path(name).name).write_bytes(content)
    return [folder / Path(name).name for name in documents]


def publish_sample(checkout: Checkout, stored: list[Path]) -> None:
    """Replace the sample that the landing page leads to, one PDF a language."""
    folder = checkout.root / "static" / "sample"
    folder.mkdir(exist_ok=True)
    for pdf in stored:
        (folder / f"podbor-{play.language_of(pdf)}.pdf").write_bytes(pdf.read_bytes())


def show_logs(data: DataFolder) -> None:
    """The logs go with the folder, so their ends are shown now."""
    for log in sorted(data.logs.glob("*.log")):
        print(f"{log.name}:\n{tail(log)}", file=sys.stderr)


def tail(log: Path) -> str:
    return system.last_lines(log.read_text(encoding="utf-8", errors="replace"))
