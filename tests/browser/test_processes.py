"""Several web and worker processes against one database: who serves or works does not matter."""

import itertools
import os
import re
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.launcher import children, play, up
from config.launcher.browser import Browser
from config.launcher.children import Child
from config.launcher.health import is_served
from config.launcher.layout import Checkout, DataFolder
from config.launcher.page import Page
from config.launcher.ports import free_port
from tests.browser.product import ROOT, Product, running_product, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.postgres]

REQUESTS_COUNT = 3
UNFINISHED = "SELECT count(*) FROM requisitions_revision WHERE state = 'estimating'"
RUNNING = "SELECT count(*) FROM jobs_job WHERE state = 'running'"
JOBS = "SELECT state, attempts, count(*) FROM jobs_job GROUP BY 1, 2"
FINISHED_TWICE = """
    SELECT subject FROM audit_auditevent WHERE action = 'requisition.finish-estimates'
    GROUP BY subject HAVING count(*) <> 1
"""
DOUBLE = """
    SELECT calculation_id, estimator FROM estimation_estimateresult
    GROUP BY 1, 2 HAVING count(*) <> 1
"""
ASSESSED = "SELECT count(*) FROM estimation_assessment"
WORKERS = "SELECT count(*) FROM jobs_workerbeat"
ADDRESS = re.compile(r"^http://127\.0\.0\.1:\d+")


@dataclass(frozen=True, slots=True)
class Crowd:
    """A product with a second web and a second worker beside those that `up` supervises."""

    product: Product
    webs: tuple[str, str]
    second_worker: "subprocess.Popen[bytes]"

    def first_worker_pids(self) -> list[int]:
        return [pid for pid in self.product.worker_pids() if pid != self.second_worker.pid]


class Balanced(Browser):
    """A person whose every request goes to the next web, as behind a balancer of load."""

    def __init__(self, webs: tuple[str, str]) -> None:
        super().__init__(webs[0])
        self.turns = itertools.cycle(webs)
        self.served: list[str] = []

    def _send(self, request: urllib.request.Request) -> Page:
        web = next(self.turns)
        request.full_url = ADDRESS.sub(web, request.full_url)
        if request.has_header("Origin"):
            request.add_header("Origin", web)
        self.served.append(web)
        return super()._send(request)


@contextmanager
def beside(child: Child) -> "Iterator[subprocess.Popen[bytes]]":
    process = children.start(child.argv, log=child.log, env=child.env, cwd=child.cwd)
    try:
        yield process
    finally:
        children.stop([process])


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    with running_product(Path(tmp_path_factory.mktemp("crowd"))) as product:
        second = up.Address(host="127.0.0.1", port=free_port())
        env = product.environment | {"DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
        checkout, data = Checkout(root=ROOT), DataFolder(path=product.data)
        web, worker = up.web(checkout, data, second, env), up.worker(checkout, data, env)
        web.log, worker.log = data.logs / "web-2.log", data.logs / "worker-2.log"
        with beside(web), beside(worker) as second_worker:
            wait_until(lambda: is_served(second.url), what="the second web", timeout_s=90)
            wait_until(lambda: product.rows(WORKERS) == [(2,)], what="two workers", timeout_s=90)
            yield Crowd(product, (product.url, second.url), second_worker)


def send(crowd: Crowd) -> Balanced:
    """Fill in and send the demo's request, each page served by the other web than the last."""
    client = Balanced(crowd.webs)
    email, password = crowd.product.people()["client"]
    form = client.get("/accounts/sign-in/").form_with("username", "password")
    client.submit(form, {"username": email, "password": password})
    check = play.fill_in(client, play.demo_script(Checkout(root=ROOT)), lambda *_, **__: None)
    client.submit(check.form_to("/submit/"))
    return client


def held_at_work(crowd: Crowd) -> bool:
    """Stop the second worker where it stands; let it go on when it has nothing in hand there."""
    os.killpg(crowd.second_worker.pid, signal.SIGSTOP)
    if crowd.product.rows(RUNNING) != [(0,)]:
        return True
    os.killpg(crowd.second_worker.pid, signal.SIGCONT)
    return False


def assert_done_exactly_once(product: Product) -> None:
    wait_until(lambda: product.rows(UNFINISHED) == [(0,)], what="estimates", timeout_s=180)
    assert product.rows(FINISHED_TWICE) == []
    assert product.rows(DOUBLE) == []
    # a request is done an instant before the job that did it
    wait_until(
        lambda: {row[0] for row in product.rows(JOBS)} == {"done"}, what="jobs", timeout_s=60
    )
    product.check_invariants()


def test_requests_spread_over_two_webs_are_worked_off_once_by_two_workers(crowd):
    ((before,),) = crowd.product.rows(ASSESSED)
    served = [web for _ in range(REQUESTS_COUNT) for web in send(crowd).served]
    assert abs(served.count(crowd.webs[0]) - served.count(crowd.webs[1])) <= REQUESTS_COUNT
    assert_done_exactly_once(crowd.product)
    assert crowd.product.rows(ASSESSED) == [(before + REQUESTS_COUNT,)]
    assert {attempts for _state, attempts, _count in crowd.product.rows(JOBS)} == {1}


def test_what_a_killed_worker_had_in_hand_is_done_by_the_other(crowd):
    ((before,),) = crowd.product.rows(ASSESSED)
    for pid in crowd.first_worker_pids():
        os.kill(pid, signal.SIGSTOP)  # so that the second one takes what comes
    try:
        send(crowd)
        wait_until(lambda: held_at_work(crowd), what="work", timeout_s=60)
        ((in_hand,),) = crowd.product.rows(RUNNING)
        os.killpg(crowd.second_worker.pid, signal.SIGKILL)
    finally:
        for pid in crowd.first_worker_pids():
            os.kill(pid, signal.SIGCONT)
    assert in_hand > 0
    assert_done_exactly_once(crowd.product)
    assert crowd.product.rows(ASSESSED) == [(before + 1,)]
    again = sum(count for _state, attempts, count in crowd.product.rows(JOBS) if attempts == 2)
    assert again == in_hand
