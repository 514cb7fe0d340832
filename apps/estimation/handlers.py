"""What the workers do for a calculation. Thin: fetch, compute, store."""

from apps.estimation import services
from apps.jobs.models import Job
from apps.jobs.services import Claim


def estimate(job: Job, held: Claim) -> None:
    """Run one estimator outside any transaction, then store everything or nothing."""
    calculation = services.calculation_of(job)
    estimator = job.payload["estimator"]
    output = services.estimate_run(calculation, estimator)
    services.estimate_store(calculation=calculation, estimator=estimator, held=held, output=output)


def estimate_failed(job: Job, error: str) -> None:
    services.estimate_missing(
        calculation=services.calculation_of(job), estimator=job.payload["estimator"], reason=error
    )


def assemble(job: Job, held: Claim) -> None:
    calculation = services.calculation_of(job)
    result = services.assessment_build(calculation)
    services.assessment_store(calculation=calculation, held=held, result=result)


def assemble_failed(job: Job, error: str) -> None:
    services.calculation_fail(services.calculation_of(job))
