"""What people wait for, on a running product: estimates after sending, the PDF pair, pages."""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from config.launcher import play
from config.launcher.browser import Browser
from config.launcher.layout import Checkout
from tests.browser.product import ROOT, Product, running_product, wait_until

REQUESTS_COUNT = 5
PAGE_REPEATS_COUNT = 15
ESTIMATING = "SELECT count(*) FROM requisitions_revision WHERE state = 'estimating'"
UNPRINTED = "SELECT count(*) FROM documents_document WHERE sha256 = ''"


def timed(action: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    action()
    return time.perf_counter() - began_s


def said(name: str, seconds: list[float], *, unit: str = "s") -> None:
    factor = 1000 if unit == "ms" else 1
    low, median, high = (
        factor * v for v in (min(seconds), statistics.median(seconds), max(seconds))
    )
    digits = 0 if unit == "ms" else 2
    sys.stdout.write(
        f"{name:34} median {median:.{digits}f} {unit}"
        f"  ({low:.{digits}f}..{high:.{digits}f}, n = {len(seconds)})\n"
    )


def until(product: Product, query: str, what: str) -> None:
    wait_until(lambda: product.rows(query) == [(0,)], what=what, timeout_s=60)


def one_request(product: Product, client: Browser) -> tuple[str, str, float]:
    """Fill in and send a request; the seconds run from sending to the last estimate."""
    script = play.demo_script(Checkout(root=ROOT))
    check = play.fill_in(client, script, lambda *args, **kwargs: None)
    form = check.form_to("/submit/")
    began_s = time.perf_counter()
    status = client.submit(form)
    until(product, ESTIMATING, "estimates")
    return play.number_of(status), status.url, time.perf_counter() - began_s


def reviewed(product: Product, engineer: Browser, number: str) -> tuple[str, float]:
    """Send a request to approval; the seconds run until both PDFs are printed."""
    began_s = time.perf_counter()
    revision = play.review(engineer, number)
    until(product, UNPRINTED, "printed documents")
    return revision, time.perf_counter() - began_s


def measure(product: Product) -> None:
    client, engineer = product.sign_in("client"), product.sign_in("engineer")
    estimates, prints, revision, status_url = [], [], "", ""
    for _ in range(REQUESTS_COUNT):
        number, status_url, estimated_s = one_request(product, client)
        revision, printed_s = reviewed(product, engineer, number)
        estimates.append(estimated_s)
        prints.append(printed_s)
    said("sending -> all estimates", estimates)
    said("sending to approval -> PDF pair", prints)
    pages = {
        "landing": (client, "/"),
        "client's list": (client, "/requisitions/"),
        "status": (client, status_url),
        "queue": (engineer, "/q/"),
        "workspace": (engineer, f"/q/{revision}/"),
        "variants": (engineer, f"/q/{revision}/variants/"),
        "catalog": (engineer, "/catalog/"),
    }
    for name, (who, address) in pages.items():
        repeats = [timed(lambda w=who, a=address: w.get(a)) for _ in range(PAGE_REPEATS_COUNT)]
        said(f"page: {name}", repeats, unit="ms")


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory(prefix="podbor-bench-") as folder,
        running_product(Path(folder)) as running,
    ):
        measure(running)
