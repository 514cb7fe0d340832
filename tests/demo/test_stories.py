"""The demo stories come out as they are told, and a worker's death in the middle repeats nothing."""

import pytest
from django.utils import timezone

from apps.audit.selectors import chain_problems
from apps.demo import handlers, waiting
from apps.demo.models import Story
from apps.demo.people import PEOPLE, demo_people_create
from apps.demo.staging import stories_queue
from apps.demo.steps import STEPS
from apps.demo.stories import told_stories
from apps.documents.press import Printed
from apps.jobs.models import Job, JobState
from apps.jobs.tasks import run
from apps.pilots.judging import differing
from apps.requisitions.models import OverrideReply, Requisition
from apps.requisitions.workflow import State
from apps.review.dossier import dossier_of
from tests.helpers import first_everywhere

ENDS = {
    "full-finetune": "superseded approved",  # the longest, so the one that every stack sees
    "draft": "draft",
    "lora": "approved",
    "from-scratch": "in_review",
    "defects": "in_review",
    "queue": "in_review",
    "asked": "changes_requested draft",
    "waiting-approval": "in_approval",
    "returned": "in_review",
    "rejected": "rejected",
    "search-first": "redirected",
    "pilot-first": "redirected",
    "withdrawn": "withdrawn",
}


def _confirmed_and_offered(requisition):
    last = requisition.revisions.order_by("index").last()
    assert last.offers.count() == 3
    assert dossier_of(last).recommended.part.number == "SYS-821GE-TNHR"


def _talked_and_measured(requisition):
    revision = requisition.revisions.get()
    threads = revision.annotations.filter(parent__isnull=True)
    resolved = threads.filter(resolved_at__isnull=False)
    assert (threads.count(), resolved.count()) == (2, 1)
    run = revision.pilots.get()
    assert (run.state, differing(run)) == ("closed", ())


def _accepted(requisition):
    replies = OverrideReply.objects.filter(override__revision__requisition=requisition)
    assert replies.get().accepted


def _invited_too_long_ago(requisition):
    assert requisition.revisions.get().guest_invitations.get().expires_at <= timezone.now()


BESIDE = {
    "full-finetune": _confirmed_and_offered,
    "lora": _talked_and_measured,
    "defects": _accepted,
    "draft": _invited_too_long_ago,
}


@pytest.fixture
def stage(db, settings, tmp_path, monkeypatch):
    """Demo people, stories in the queue, and a printer that is quick."""
    settings.DATA_DIR = tmp_path
    printed = Printed(content=b"%PDF-1.7", page_count=1, refused=(), warnings=())
    monkeypatch.setattr(waiting, "_PATIENCE_S", 20.0)
    monkeypatch.setattr("apps.documents.handlers.print_pdf", lambda sheet: printed)
    demo_people_create()
    return stories_queue()


def play(key: str) -> Job:
    job = Job.objects.get(key=f"demo:{key}")
    assert run(str(job.pk))
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("key", first_everywhere(ENDS))
def test_a_story_ends_as_told(stage, key):
    job = play(key)
    assert job.state == JobState.DONE, job.last_error
    revisions = Story.objects.get(key=key).requisition.revisions.order_by("index")
    assert " ".join(revision.state for revision in revisions) == ENDS[key]
    if key in BESIDE:
        BESIDE[key](Story.objects.get(key=key).requisition)
    if State.IN_APPROVAL in ENDS[key] or State.APPROVED in ENDS[key]:
        documents = [d for revision in revisions for d in revision.documents.all()]
        assert documents
        assert all(d.is_ready for d in documents)
    assert chain_problems() == []


def test_every_story_is_here_and_every_step_known():
    assert set(told_stories()) == set(ENDS)
    people = {person.email for person in PEOPLE}
    for told in told_stories().values():
        assert told.client in people
        assert {words["do"] for words in told.steps} <= set(STEPS)


def test_a_story_goes_on_where_a_worker_died(stage, monkeypatch):
    """The step that failed is undone whole, the steps before it are not repeated."""

    def dies(scene, words):
        STEPS["take"].act(scene, words)
        raise OSError("the machine is gone")

    broken = STEPS | {"take": type(STEPS["take"])(dies, STEPS["take"].wait)}
    monkeypatch.setattr(handlers, "STEPS", broken)
    job = play("defects")
    assert job.state == JobState.READY
    told = told_stories()["defects"]
    story = Story.objects.get(key="defects")
    assert told.steps[story.steps_done]["do"] == "take"
    assert story.requisition.revisions.get().engineer is None
    monkeypatch.undo()
    Job.objects.filter(pk=job.pk).update(run_after=job.created_at)
    assert play("defects").state == JobState.DONE
    assert Requisition.objects.count() == 1


def test_stories_are_queued_once(stage):
    assert stage == len(ENDS)
    assert stories_queue() == 0
    assert Job.objects.filter(kind="demo").count() == len(ENDS)


def test_no_stories_outside_an_embedded_installation(db, settings):
    settings.EMBEDDED = False
    with pytest.raises(RuntimeError, match="embedded"):
        stories_queue()
