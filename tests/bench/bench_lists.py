"""How long the lists take with thousands of requisitions, on both databases, over HTTP.

The load of the machine stands first: beside much other work only the processor's time says much.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

from config.launcher import services
from tests.bench.pages import measure_pages
from tests.browser.product import ROOT, Product, running_product, wait_until

REQUISITIONS_COUNT = 11_200  # nine of ten stand in the queue: ten thousand
ESTIMATING = "SELECT count(*) FROM requisitions_revision WHERE state = 'estimating'"
YOLKA = quote("Елки")
LISTS = {
    "engineer": {
        "queue": "/q/",
        "queue, free": "/q/?whose=free",
        "queue, a state": "/q/?state=in_approval",
        "queue, late": "/q/?due=late",
        "queue, failed": "/q/?due=failed",
        "queue, a class": "/q/?size=large",
        "queue, a word": f"/q/?q={YOLKA}",
        "queue, a number": "/q/?q=15123",
        "queue, last page": "/q/?page=9999",
    },
    "approver": {"approvals": "/a/"},
    "manager": {
        "board": "/m/",
        "board, a state": "/m/?state=in_approval",
        "board, a word": f"/m/?q={YOLKA}",
        "board, nothing found": "/m/?q=qwerty",
        "board, last page": "/m/?page=9999",
    },
    "client": {
        "client's list": "/requisitions/",
        "client's list, a word": f"/requisitions/?q={YOLKA}",
        "client's list, a group": "/requisitions/?group=waiting",
        "client's list, last page": "/requisitions/?page=9999",
    },
}


@contextmanager
def crowded_product() -> Iterator[Product]:
    """A running product with one real requisition and thousands of copies."""
    with (
        tempfile.TemporaryDirectory(prefix="podbor-bench-") as folder,
        running_product(Path(folder)) as product,
    ):
        product.send_request()
        wait_until(lambda: product.rows(ESTIMATING) == [(0,)], what="estimates", timeout_s=60)
        command = [sys.executable, str(ROOT / "tests" / "bench" / "crowd.py")]
        command.append(str(REQUISITIONS_COUNT))
        env = product.environment | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, env=env, check=True)
        yield product


def measure(product: Product, stack: str) -> None:
    sys.stdout.write(f"{stack:18} load {' '.join(f'{load:.1f}' for load in os.getloadavg())}\n")
    for role, pages in LISTS.items():
        measure_pages(product.sign_in(role), pages, stack, product.web_pids())


def measure_on_servers() -> None:
    with ExitStack() as stack:
        os.environ["DATABASE_URL"] = stack.enter_context(services.private_postgresql())
        os.environ["REDIS_URL"] = stack.enter_context(services.private_redis())
        measure(stack.enter_context(crowded_product()), "PostgreSQL + Redis")


if __name__ == "__main__":
    with crowded_product() as embedded:
        measure(embedded, "SQLite")
    try:
        measure_on_servers()
    except services.Unavailable as reason:
        sys.stdout.write(f"PostgreSQL + Redis: not measured, {reason}\n")
