"""How far a demo story has been played, so that a worker that dies in the middle goes on there."""

from django.db import models

from apps.requisitions.models import Requisition


class Story(models.Model):
    """One story of `fixtures/demo/stories.json` in this installation."""

    key = models.SlugField(unique=True)
    requisition = models.ForeignKey(
        Requisition, on_delete=models.CASCADE, null=True, related_name="+"
    )
    steps_done = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.key}: {self.steps_done}"
