"""One measured run of a source makes the estimates of its others better, and honestly narrower."""

import pytest
from django.core.management import call_command

from apps.catalog.one_run import Predicted, predicted_by_one_run


@pytest.fixture(scope="module")
def known() -> dict[tuple[str, bool], Predicted]:
    return {(found.quantity, found.near): found for found in predicted_by_one_run()}


@pytest.fixture(scope="module")
def withheld() -> dict[tuple[str, bool], Predicted]:
    found = predicted_by_one_run(software_known=False)
    return {(one.quantity, one.near): one for one in found}


@pytest.mark.parametrize(("quantity", "gain"), [("memory", 0.6), ("step", 0.75)])
def test_a_near_run_lowers_the_median_error(known, quantity, gain):
    near = known[quantity, True]
    assert near.pairs > 150
    assert near.median_with < gain * near.median_without
    assert near.half_width_with < 0.95 * near.half_width_without
    assert near.inside_with > 0.9


@pytest.mark.parametrize("quantity", ["memory", "step"])
def test_every_run_that_says_something_does_no_harm(known, quantity):
    found = known[quantity, False]
    assert found.median_with <= found.median_without
    assert found.inside_with > 0.9


@pytest.mark.parametrize("quantity", ["memory", "step"])
def test_of_software_that_nobody_measured_it_narrows_most(withheld, quantity):
    near = withheld[quantity, True]
    assert near.half_width_with < 0.85 * near.half_width_without
    assert near.median_with < 0.8 * near.median_without
    assert near.inside_with > 0.9


def test_the_command_prints_it(capsys):
    call_command("accuracy", "--one-run")
    printed = capsys.readouterr().out
    assert "software withheld" in printed
    assert printed.count("memory, near") == 2
