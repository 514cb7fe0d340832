"""The sum of a table has no digit that its largest part does not have."""

import pytest

from apps.estimation.presenters.detail_tables import cycle_table, memory_table


def texts(table) -> list[str]:
    return [row["cells"][0]["text"].replace("\u202f", " ") for row in table.rows]


@pytest.mark.parametrize(
    ("hours", "shown"),
    [
        ({"steps": 48.123, "evaluation": 1.443}, ["48.1", "1.4", "49.6"]),
        ({"steps": 48.123, "saves": 0.0000673}, ["48.1", "less than 0.1", "48.1"]),
        # Of an order of magnitude, as `magnitude.as_shown` leaves it: two digits.
        ({"steps": 24000.0, "evaluation": 730.0}, ["24,000", "1,000", "25,000"]),
        ({"steps": 97000.0, "evaluation": 5000.0}, ["97,000", "5,000", "100,000"]),
    ],
)
def test_the_hours_of_a_cycle(hours, shown):
    assert texts(cycle_table({"parts_hours": hours})) == shown


@pytest.mark.parametrize(
    ("gib", "shown"),
    [
        ({"weights": 33.0, "optimizer": 65.0, "activations": 0.0}, ["33", "65", "0", "98"]),
        ({"weights": 65.0, "optimizer": 65.0}, ["65", "65", "130"]),
        ({"weights": 64.87, "optimizer": 129.71}, ["64.9", "129.7", "194.6"]),
    ],
)
def test_the_parts_of_the_memory(gib, shown):
    assert texts(memory_table({"components_gib": gib})) == shown
