"""The reference request from the first page to the status page, without JavaScript."""

import re

from django.test import Client
from django.urls import reverse

from apps.questionnaire.sections import SECTIONS
from apps.requisitions.models import Requisition
from apps.requisitions.workflow import State
from tests.questionnaire.answers import REFERENCE


def form_of(html: str, browser: Client) -> dict[str, list[str]]:
    """What a browser would send back of the questions on a page."""
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(
        r'<input type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"', html
    ):
        fields.setdefault(name, []).append(value)
    return fields


def answers_for(keys: list[str]) -> dict[str, list[str]]:
    """The reference answers to these questions; what it does not answer is unknown."""
    fields: dict[str, list[str]] = {}
    for key in keys:
        answer = REFERENCE.get(key)
        if answer is None or answer.unknown:
            fields[f"{key}-unknown"] = ["1"]
        else:
            fields[key] = [answer.text]
    return fields


def test_the_reference_request_is_filled_in_page_by_page_and_sent(browser, owner):
    html = browser.get(reverse("intake:new")).content.decode()
    first = form_of(html, browser)
    place = browser.post(reverse("intake:new"), first | answers_for(first["asked"]))
    requisition = Requisition.objects.get(owner=owner)
    visited = []
    for _ in range(40):
        assert place.status_code == 302, place.content[:2000]
        address = place["Location"].split("#")[0]
        page = browser.get(address)
        if page.request["PATH_INFO"].endswith("/s/files/"):
            break
        assert page.status_code == 200
        visited.append(address)
        form = form_of(page.content.decode(), browser)
        sent = form | answers_for(form["asked"]) | {"finished": ["yes"], "action": ["continue"]}
        place = browser.post(address, sent)
    else:
        raise AssertionError(f"the questionnaire never ends: {visited}")

    revision = requisition.revisions.get()
    expected = [s.key for s in SECTIONS if s.pages]
    assert sorted(revision.finished_sections) == sorted(expected)
    check = browser.get(reverse("intake:check", args=[requisition.pk])).content.decode()
    assert "Send for assessment" in check
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', check)
    assert seen
    sent = browser.post(reverse("intake:submit", args=[requisition.pk]), {"seen": seen[1]})
    assert sent["Location"] == reverse("intake:status", args=[requisition.pk])
    revision.refresh_from_db()
    assert revision.state == State.ESTIMATING
    assert revision.requisition.title == "LoRA adapters, Llama-3.1-8B, 2,048 tokens".replace(
        "48 t", "48\u00a0t"
    )
    status = browser.get(sent["Location"]).content.decode()
    assert requisition.revisions.get().requisition.display_number in status
