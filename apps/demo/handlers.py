"""The worker's part of the demo data: stories are played in the background, one a job."""

from django.db import transaction
from django.db.models import F
from django.utils import translation

from apps.demo.models import Story
from apps.demo.scene import Scene, Words
from apps.demo.steps import STEPS, Step, open_story
from apps.demo.stories import Told, told_stories
from apps.jobs.models import Job
from apps.jobs.services import Claim, LostClaim
from apps.requisitions.models import Requisition


def play(job: Job, held: Claim) -> None:
    """Play one story to its end, going on after the last step that was finished."""
    told = told_stories()[job.payload["story"]]
    story = Story.objects.get(key=told.key)
    scene = Scene(told, _opened(story, told))
    with translation.override(scene.client.language):
        for words in told.steps[story.steps_done :]:
            _play_step(story, STEPS[words["do"]], scene, words)
    with transaction.atomic():
        held.finish()


@transaction.atomic
def _opened(story: Story, told: Told) -> Requisition:
    if story.requisition is None:
        story.requisition = open_story(told)
        story.save(update_fields=["requisition"])
    return story.requisition


def _play_step(story: Story, step: Step, scene: Scene, words: Words) -> None:
    """A step and the note that it is done are one transaction."""
    if step.wait is not None:
        step.wait(scene)
    with transaction.atomic():
        taken = Story.objects.filter(pk=story.pk, steps_done=story.steps_done).update(
            steps_done=F("steps_done") + 1
        )
        if not taken:
            raise LostClaim(f"story {story.key} is played by another worker")
        step.act(scene, words)
    story.steps_done += 1
