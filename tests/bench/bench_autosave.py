"""A hundred people filling in the questionnaire: each saves a page every three seconds.

Every editor has a draft of their own and changes one answer of a page of the recipe at a time, as
the page's script sends it. Printed: how long a save took, and what one costs the server's CPU.
"""

import http.client
import os
import re
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Mapping
from contextlib import ExitStack
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from config.launcher import services
from tests.browser.product import Product, running_product

EDITORS_COUNT = int(os.environ.get("BENCH_EDITORS", "100"))
EVERY_S = 3.0
DURATION_S = float(os.environ.get("BENCH_SECONDS", "60"))
GOAL_MS = 80
PAGE = "s/recipe/?page=batch"
GOAL = {"purpose": "domain", "weights_change": "yes"}


class Person:
    """Somebody signed in: cookies, and forms that carry their token."""

    def __init__(self, product: Product, role: str) -> None:
        self.url = product.url
        self.jar = CookieJar()
        handlers = urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.jar)
        self.opener = urllib.request.build_opener(*handlers)
        email, password = product.people()[role]
        self.open("/accounts/sign-in/")
        self.post("/accounts/sign-in/", {"username": email, "password": password})

    def open(self, path: str, data: bytes | None = None) -> tuple[str, str]:
        """Address of the page that it led to, and the page."""
        with self.opener.open(self.url + path, data, timeout=60) as answer:
            return answer.url, answer.read().decode()

    def post(self, path: str, fields: Mapping[str, str]) -> tuple[str, str]:
        return self.open(path, urlencode({"csrfmiddlewaretoken": self.token, **fields}).encode())

    @property
    def token(self) -> str:
        return next(c.value or "" for c in self.jar if c.name == "csrftoken")

    @property
    def cookies(self) -> str:
        return "; ".join(f"{c.name}={c.value}" for c in self.jar)


class Editor:
    """One page of one draft in one tab."""

    def __init__(self, person: Person) -> None:
        self.person = person
        draft, _page = person.post("/requisitions/new/", GOAL)
        self.path = urlsplit(draft).path.split("/s/")[0] + "/" + PAGE
        _address, page = person.open(self.path)
        self.asked = re.findall(r'name="asked" value="(\w+)"', page)
        self.version = 0
        self.times_ms: list[float] = []
        self.lost_count = 0

    def save(self, number: int) -> None:
        fields = [
            ("csrfmiddlewaretoken", self.person.token),
            *(("asked", key) for key in self.asked),
        ]
        fields += [("sequence_length", str(1024 + number))]
        fields += [("sequence_length-version", str(self.version))]
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "HX-Request": "true",
            "Cookie": self.person.cookies,
        }
        began_s = time.perf_counter()
        # The server ends a connection that rests for two seconds: each save opens one.
        connection = http.client.HTTPConnection(urlsplit(self.person.url).netloc)
        connection.request("POST", self.path.replace("?", "save/?"), urlencode(fields), headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        self.times_ms.append(1000 * (time.perf_counter() - began_s))
        self.version += 1
        self.lost_count += answer.headers["X-Saved"] != "all"

    def work(self, starts_s: float, ends_s: float) -> None:
        due_s, number = starts_s, 0
        while due_s < ends_s:
            time.sleep(max(0.0, due_s - time.monotonic()))
            number += 1
            self.save(number)
            due_s += EVERY_S


def cpu_s(product: Product) -> float:
    """CPU seconds that the web processes of a product have used."""
    used = 0
    for pid in product.web_pids():
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def measure(product: Product, stack: str) -> None:
    client = Person(product, "client")
    editors = [Editor(client) for _ in range(EDITORS_COUNT)]
    used_s, starts_s = cpu_s(product), time.monotonic() + 1
    ends_s = starts_s + DURATION_S
    threads = [
        threading.Thread(target=e.work, args=(starts_s + EVERY_S * n / EDITORS_COUNT, ends_s))
        for n, e in enumerate(editors)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = sorted(t for e in editors for t in e.times_ms)
    each_ms = 1000 * (cpu_s(product) - used_s) / len(times)
    cuts = statistics.quantiles(times, n=100)
    verdict = "" if cuts[94] <= GOAL_MS else f"  OVER {GOAL_MS} ms"
    sys.stdout.write(
        f"{stack:18} {EDITORS_COUNT} editors, {len(times)} saves, {sum(e.lost_count for e in editors)} lost:"
        f" p50 {cuts[49]:.0f} p95 {cuts[94]:.0f} p99 {cuts[98]:.0f} ms,"
        f" {each_ms:.1f} ms of CPU each{verdict}\n"
    )


def measure_new(stack: str) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="podbor-bench-") as folder,
        running_product(Path(folder)) as product,
    ):
        measure(product, stack)


def measure_on_servers() -> None:
    with ExitStack() as stack:
        os.environ["DATABASE_URL"] = stack.enter_context(services.private_postgresql())
        os.environ["REDIS_URL"] = stack.enter_context(services.private_redis())
        measure_new("PostgreSQL + Redis")


if __name__ == "__main__":
    measure_new("SQLite")
    try:
        measure_on_servers()
    except services.Unavailable as reason:
        sys.stdout.write(f"PostgreSQL + Redis: not measured, {reason}\n")
