"""Whatever dies while a request is being estimated costs time and nothing else."""

import time

import pytest

from tests.browser.product import Product, wait_until

pytestmark = pytest.mark.browser

UNFINISHED = "SELECT count(*) FROM requisitions_revision WHERE state = 'estimating'"
ASSESSMENTS = """
    SELECT r.number, count(a.id) FROM requisitions_requisition r
    JOIN requisitions_revision v ON v.requisition_id = r.id
    LEFT JOIN estimation_calculation c ON c.revision_id = v.id
    LEFT JOIN estimation_assessment a ON a.calculation_id = c.id
    WHERE r.number IS NOT NULL GROUP BY r.number
"""
KILL_AFTER_S = (0.0, 0.2, 0.5)  # the supervisor gives up at the fifth death in a minute


def estimated(product: Product) -> bool:
    return product.rows(UNFINISHED) == [(0,)]


def test_a_worker_killed_at_any_moment_leaves_exactly_one_assessment_each(product):
    for delay_s in KILL_AFTER_S:
        wait_until(lambda: bool(product.worker_pids()), what="a worker", timeout_s=60)
        product.send_request()
        time.sleep(delay_s)
        assert product.kill_worker() >= 1
    wait_until(lambda: estimated(product), what="every request estimated", timeout_s=180)
    assert all(count == 1 for _, count in product.rows(ASSESSMENTS))
    product.check_invariants()


def test_a_lost_queue_costs_seconds(product):
    before = len(product.rows(ASSESSMENTS))
    product.stack.lose_queue()
    product.send_request()
    product.stack.lose_queue()
    wait_until(lambda: estimated(product), what="the request estimated", timeout_s=180)
    assert len(product.rows(ASSESSMENTS)) == before + 1
    assert all(count == 1 for _, count in product.rows(ASSESSMENTS))
    product.check_invariants()
