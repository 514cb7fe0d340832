"""Requisitions that are sent, asked about and answered at stated moments."""

from datetime import datetime
from unittest.mock import patch
from zoneinfo import ZoneInfo

from apps.requisitions.models import Revision
from apps.requisitions.services import (
    changes_request,
    requisition_create,
    revision_submit,
    revision_take,
    revision_transition,
)
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import Action
from tests.factories import make_client
from tests.review.samples import make_engineer

ZONE = ZoneInfo("Europe/Moscow")
ANSWERS = {"wanted_date": {"value": "15.12.2026", "unknown": False}}


def at(day: int, hour: int) -> datetime:
    return datetime(2026, 12, day, hour, tzinfo=ZONE)


def on(moment: datetime):
    return patch("django.utils.timezone.now", return_value=moment)


def sent(moment: datetime) -> Revision:
    client = make_client()
    with on(moment):
        draft = requisition_create(company=client.company, owner=client, actor=client)
        return revision_submit(revision=draft, actor=client, effective=ANSWERS, title="LoRA")


def asked(revision: Revision, moment: datetime) -> Revision:
    """The draft for the answers."""
    engineer = make_engineer()
    with on(moment):
        revision_transition(revision=revision, action=Action.FINISH_ESTIMATES, actor=None)
        revision_take(revision=revision, actor=engineer)
        return changes_request(revision=revision, actor=engineer, asks=[Ask("Какой сервер?")])


def answered(draft: Revision, moment: datetime) -> Revision:
    owner = draft.requisition.owner
    with on(moment):
        return revision_submit(revision=draft, actor=owner, effective=ANSWERS, title="LoRA")
