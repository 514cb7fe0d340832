"""Addresses and posts of the client's screens, as a browser makes them."""

from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.relevance import relevant_sections
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.services import Change, answers_save
from tests.questionnaire.answers import REFERENCE


def url(name: str, revision: Revision, *args: Any, **query: str) -> str:
    path = reverse(f"intake:{name}", args=[revision.requisition_id, *args])
    return path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else "")


def section_url(revision: Revision, section: str, **query: str) -> str:
    return url("section", revision, section, **query)


def stored(revision: Revision) -> dict[str, Any]:
    """Values of the answers as they lie in the database."""
    return {a.key: a.value for a in revision.answers.all()}


def answer_all(
    revision: Revision, answers: Mapping[str, RawAnswer] = REFERENCE, by: User | None = None
) -> None:
    """Answer as the reference request does; the rest is marked unknown."""
    from apps.intake.selectors import draft_of
    from apps.intake.services import rest_mark_unknown

    owner = by or revision.requisition.owner
    versions = {a.key: a.version for a in revision.answers.all()}
    changes = [
        Change(key=k, base_version=versions.get(k, 0), **a.as_dict()) for k, a in answers.items()
    ]
    answers_save(revision=revision, changes=changes, actor=owner)
    draft = draft_of(revision)
    rest_mark_unknown(draft=draft, keys=draft.evaluated.missing, actor=owner)


def finish_all(revision: Revision) -> None:
    from apps.intake.selectors import draft_of

    sections = relevant_sections(draft_of(revision).evaluated.effective)
    revision.finished_sections = [s.key for s in sections if s.pages]
    revision.save(update_fields=["finished_sections"])


def send(browser: Client, revision: Revision) -> Requisition:
    """Answer everything and press «Send»."""
    answer_all(revision)
    response = browser.post(url("submit", revision))
    assert response.status_code == 302, response.content[:500]
    revision.refresh_from_db()
    return revision.requisition
