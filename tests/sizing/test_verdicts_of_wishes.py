"""A limit of time is judged by its high end, a wish by its typical figure."""

import pytest

from apps.sizing.ranges import Range
from apps.sizing.verdicts import deadline_verdict

HOURS = Range(50, 70, 90)


@pytest.mark.parametrize(
    ("target", "limit", "wish"),
    [
        (100, "fits", "fits"),
        (80, "risk", "tight"),
        (60, "does-not-fit", "does-not-fit"),
        (None, "unknown", "unknown"),
    ],
)
def test_a_wish_is_judged_by_its_middle(target, limit, wish):
    assert deadline_verdict(HOURS, target) == limit
    assert deadline_verdict(HOURS, target, wished=True) == wish
