"""How long the catalog takes with 2,000 SKUs, on both databases, over HTTP."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

from config.launcher import services
from config.launcher.browser import Browser
from tests.bench.pages import measure_pages
from tests.browser.product import ROOT, Product, running_product

SKUS_COUNT = 2000
ITEMS = ("SYS-821GE-TNHR", "SYS-521GE-TNRT", "SYS-821GE-TNHR-100", "AS-8125GS-TNMR2")
PAGES = {
    "all": "/catalog/",
    "servers": "/catalog/?kind=server",
    "servers, four filters": "/catalog/?kind=server&form=sxm&gpus=8&cooling=air&memory=141",
    "servers, by height": "/catalog/?kind=server&sort=height",
    "accelerators, by rate": "/catalog/?kind=accelerator&sort=rate&memory=80",
    "a word": f"/catalog/?search={quote('видеокарта Н100')}",
    "nothing found": "/catalog/?search=qwerty",
    "last page": "/catalog/?page=9999",
    "comparison of four": "/catalog/compare/?" + "&".join(f"item={slug}" for slug in ITEMS),
    "card of a server": f"/catalog/{ITEMS[0]}/",
    "card of an accelerator": "/catalog/H200-NVL-141/",
}


@contextmanager
def stocked_product() -> Iterator[Product]:
    with (
        tempfile.TemporaryDirectory(prefix="podbor-bench-") as folder,
        running_product(Path(folder)) as product,
    ):
        command = [sys.executable, str(ROOT / "tests" / "bench" / "stock.py"), str(SKUS_COUNT)]
        env = product.environment | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, env=env, check=True)
        yield product


def measure_on_servers() -> None:
    with ExitStack() as stack:
        os.environ["DATABASE_URL"] = stack.enter_context(services.private_postgresql())
        os.environ["REDIS_URL"] = stack.enter_context(services.private_redis())
        product = stack.enter_context(stocked_product())
        measure_pages(Browser(product.url), PAGES, "PostgreSQL + Redis", product.web_pids())


if __name__ == "__main__":
    with stocked_product() as embedded:
        measure_pages(Browser(embedded.url), PAGES, "SQLite", embedded.web_pids())
    try:
        measure_on_servers()
    except services.Unavailable as reason:
        sys.stdout.write(f"PostgreSQL + Redis: not measured, {reason}\n")
