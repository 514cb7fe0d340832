"""Doing in a test what the workers do."""

from apps.jobs import services
from apps.jobs.models import Job, JobState
from apps.jobs.tasks import run


def run_jobs(kind: str = "", *, limit: int = 100) -> int:
    """Execute everything that is due, in this process, until nothing is left. Returns the count.

    `kind` is how the kinds begin that are meant; "" means all.
    """
    done = 0
    while done < limit:
        ready = Job.objects.filter(state=JobState.READY, kind__startswith=kind)
        due = ready.order_by("created_at").first()
        if due is None:
            return done
        if not run(str(due.pk)):
            return done
        done += 1
    raise AssertionError(f"jobs kept coming: more than {limit}")


def claim(job: Job) -> services.Claim:
    held = services.claim(job.pk)
    assert held is not None
    return held
