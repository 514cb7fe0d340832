"""Redis hangs or is gone while people send: they notice nothing, and nothing is lost."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config.launcher import play
from config.launcher.layout import Checkout
from tests.browser.gate import Gate, gate_before
from tests.browser.product import ROOT, Product, start_on, wait_until
from tests.browser.stacks import Servers, stack_of_the_run

pytestmark = [pytest.mark.browser, pytest.mark.postgres]

GOAL_S = 0.5
SENT_COUNT = 2
UNFINISHED = "SELECT count(*) FROM requisitions_revision WHERE state = 'estimating'"
FINISHED = "SELECT count(*) FROM estimation_assessment"


@pytest.fixture(scope="module")
def gate_and_product(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Gate, Product]]:
    """A product that reaches its Redis through a gate."""
    data = Path(tmp_path_factory.mktemp("away"))
    with stack_of_the_run(data) as stack:
        redis = urlsplit(stack.variables["REDIS_URL"])
        with gate_before((str(redis.hostname), int(redis.port or 0))) as gate:
            through = redis._replace(netloc=f"127.0.0.1:{gate.port}").geturl()
            gated = replace(stack, variables={**stack.variables, "REDIS_URL": through})
            assert isinstance(gated, Servers)
            with start_on(data, gated) as product:
                yield gate, product


def seconds_to_send(product: Product) -> list[float]:
    """Fill in and send requests one after another; how long each press of «send» took."""
    client = product.sign_in("client")
    took = []
    for _ in range(SENT_COUNT):
        script = play.demo_script(Checkout(root=ROOT))
        form = play.fill_in(client, script, lambda *_, **__: None).form_to("/submit/")
        began_s = time.perf_counter()
        client.submit(form)
        took.append(time.perf_counter() - began_s)
    return took


def test_sending_is_quick_and_the_estimates_come_when_redis_is_back(gate_and_product):
    gate, product = gate_and_product
    usual_s = min(seconds_to_send(product))
    # A machine that has other work takes longer, and not evenly. Whoever waits for Redis waits
    # seconds: two until a connection is given up, five until an answer is.
    goal_s = GOAL_S + 4 * usual_s
    for lose, number in ((gate.hang, 2), (gate.refuse, 3)):
        wait_until(lambda: product.rows(UNFINISHED) == [(0,)], what="estimates", timeout_s=120)
        lose()
        assert min(seconds_to_send(product)) < goal_s, f"{lose.__name__}, usually {usual_s:.2f} s"
        assert product.rows(UNFINISHED) == [(SENT_COUNT,)]
        gate.open()
        wait_until(lambda: product.rows(UNFINISHED) == [(0,)], what="estimates", timeout_s=120)
        assert product.rows(FINISHED) == [(number * SENT_COUNT,)]
    product.check_invariants()
