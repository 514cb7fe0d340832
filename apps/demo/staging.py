"""Queueing the demo stories of a new installation."""

from django.conf import settings
from django.db import transaction

from apps.demo.models import Story
from apps.demo.stories import told_stories
from apps.jobs import broker
from apps.jobs import services as jobs


@transaction.atomic
def stories_queue() -> int:
    """Queue every story once; the workers play them while the product is in use already.

    Returns:
        How many were queued now.

    Raises:
        RuntimeError: this is not an embedded installation.
    """
    if not settings.EMBEDDED:
        raise RuntimeError("demo stories exist in embedded mode only")
    if Story.objects.exists():
        return 0
    for key in told_stories():
        Story.objects.create(key=key)
        job = jobs.enqueue(kind="demo", key=f"demo:{key}", payload={"story": key})
        broker.poke_on_commit(job)
    return len(told_stories())
