"""The tests' memory of what the engine said tells the same as the engine, to each on its own."""

import pytest

from apps.estimation import services
from tests import remembering
from tests.estimation.test_calculation import refreshed, start
from tests.helpers import run_jobs


@pytest.mark.django_db
@pytest.mark.one_stack
def test_what_is_remembered_is_what_is_worked_out():
    calculation = start()
    run_jobs()
    calculation = refreshed(calculation)
    assert services.assessment_build is not remembering.assessment_build  # not in this folder
    fresh = services.assessment_build(calculation)
    first, again = (remembering.assessment_build(calculation) for _ in range(2))
    assert first == again == fresh
    first["variants"].clear()
    assert again["variants"]
    assert remembering.estimate_run(calculation, "rack") == services.estimate_run(
        calculation, "rack"
    )
    assert remembering.estimate_run(calculation, "rack") != remembering.estimate_run(
        calculation, "host"
    )
