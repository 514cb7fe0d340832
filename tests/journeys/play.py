"""One requisition played through the services people's pages call, and looked at through the pages."""

import html
import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation

from apps.accounts.models import Role, User
from apps.demo.scene import Scene
from apps.demo.steps import STEPS, open_story
from apps.demo.stories import Told, told_stories
from apps.documents.models import Document
from apps.documents.page import sheet_of
from apps.requisitions.models import Revision

_TAGS = re.compile(r"<(script|style|svg)\b.*?</\1>|<[^>]+>", re.DOTALL)
_SPACES = re.compile(r"\s+")


class Play:
    """A story in the making: `do` takes one step, `reads` is what somebody sees."""

    def __init__(self, answers: Mapping[str, Any], client: str = "anna@ladoga.example") -> None:
        told = Told(
            key="journey", client=client, answers=answers, who="Анна", when="11.12.2026", steps=()
        )
        self.scene = Scene(told, open_story(told))

    @property
    def revision(self) -> Revision:
        """The latest that is not a draft, as it is now."""
        return self.scene.sent

    def do(self, *names: str, **words: Any) -> "Play":
        """Take steps one after the other; `words` go to each."""
        for name in names:
            step = STEPS[name]
            with translation.override(self.scene.client.language):
                if step.wait is not None:
                    step.wait(self.scene)
                with transaction.atomic():
                    step.act(self.scene, words)
        return self

    def sent(self) -> "Play":
        """Everything known answered, the rest marked unknown, sent and calculated."""
        return self.do("answer", "rest-unknown", "send", "wait-for-estimates")

    def approved(self) -> "Play":
        return self.do("take", "to-approval", "approve", "wait-for-documents")

    def browser(self, who: User | Role | None = None, language: str = "ru") -> Client:
        """Signed in: a person, somebody with a role, or the client of the requisition."""
        person = self.scene.staff(who) if isinstance(who, Role) else who or self.scene.client
        browser = Client(headers={"accept-language": language})
        browser.force_login(person)
        return browser

    def reads(
        self, page: str, who: User | Role | None = None, language: str = "ru", **places: Any
    ) -> str:
        """The words of a page of this requisition, as somebody sees them."""
        response = self.browser(who, language).get(self.address(page, **places))
        assert response.status_code == 200, (page, response.status_code)
        return words_of(response.content.decode())

    def paper(self, kind: str = "final") -> str:
        """The words of the document of the latest revision, as its client reads it."""
        language = self.scene.client.language
        document = Document.objects.get(revision=self.revision, kind=kind, language=language)
        with translation.override(language):
            return words_of(sheet_of(document).html)

    def posts(
        self, page: str, form: Mapping[str, Any], who: User | Role | None = None, **places: Any
    ) -> HttpResponse:
        """Press a button of a page, as somebody; the page as it is now unless the form says else."""
        form = {"expected_version": self.revision.version} | dict(form)
        return self.browser(who).post(self.address(page, **places), form)

    def address(self, page: str, **places: Any) -> str:
        of_client = page.partition(":")[0] == "intake"
        own = (
            {"requisition_id": self.scene.requisition.pk}
            if of_client
            else {"revision_id": self.revision.pk}
        )
        return reverse(page, kwargs=own | places)


def words_of(page: str) -> str:
    """What is written on a page, each gap one space."""
    return _SPACES.sub(" ", html.unescape(_TAGS.sub(" ", page))).strip()


def answers_of(story: str, **changed: Any) -> dict[str, Any]:
    """The answers of a demo story with some changed; None takes one away."""
    merged = dict(told_stories()[story].answers) | changed
    return {key: value for key, value in merged.items() if value is not None}
