"""After sending: the course, the rough figures, what the client may do."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role
from apps.catalog.facts import fixture_catalog
from apps.documents.models import Document
from apps.documents.selectors import DocumentRun
from apps.requisitions.models import Annotation, Revision
from apps.requisitions.services import changes_request, revision_transition
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import Action, State
from tests.factories import make_in_state, make_user
from tests.helpers import first_everywhere, run_jobs
from tests.intake.pages import section_url, send, stored, url


def page(browser, address) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def reviewed(browser, draft) -> Revision:
    """Sent, computed, in review."""
    send(browser, draft)
    run_jobs()
    draft.refresh_from_db()
    assert draft.state == State.IN_REVIEW
    return draft


def test_the_estimators_are_shown_while_they_work(browser, draft):
    send(browser, draft)
    html = page(browser, url("status", draft))
    assert "0 of 6 estimates are ready" in html
    assert 'hx-trigger="every 2s"' in html
    assert ">Refresh</a>" in html
    part = browser.get(url("runs", draft), headers={"HX-Request": "true"})
    assert "0 of 6" in part.content.decode()
    assert "HX-Refresh" not in part
    run_jobs()
    part = browser.get(url("runs", draft), headers={"HX-Request": "true"})
    assert part["HX-Refresh"] == "true"


def test_before_approval_no_page_names_a_server_or_an_accelerator(browser, reviewed):
    catalog = fixture_catalog()
    names = [a.name for a in catalog.accelerators.values()] + list(catalog.accelerators)
    names += list(catalog.servers)
    pages = [url("status", reviewed), url("runs", reviewed)]
    for address in pages:
        html = page(browser, address)
        assert not [n for n in names if re.search(rf"(?<![\w-]){re.escape(n)}(?![\w-])", html)]


def test_a_rough_band_is_shown_after_the_calculation(browser, reviewed):
    html = page(browser, url("status", reviewed))
    assert "A first guide, over all variants" in html
    assert re.search(r"\d+–\d+\u00a0GiB", html)


def test_the_time_of_an_estimate_is_said_to_the_second(browser, reviewed):
    html = page(browser, url("status", reviewed))
    assert not re.search(r"\d\u00a0ms", html)
    assert re.search(r"less than a second|\d\u00a0s<", html)


def test_a_failed_estimate_does_not_stop_the_page(browser, draft, monkeypatch):
    send(browser, draft)
    failed = {"state": "failed", "name": "Storage", "said": "", "took": ""}
    monkeypatch.setattr("apps.intake.progress.runs_for_client", lambda _revision: [failed])
    assert "Failed" in page(browser, url("status", draft))


def test_a_client_withdraws_and_takes_it_up_again(browser, reviewed):
    browser.post(url("withdraw", reviewed), {"comment": "бюджет перенесли"})
    reviewed.refresh_from_db()
    assert reviewed.state == State.WITHDRAWN
    assert "The requisition is withdrawn" in page(browser, url("status", reviewed))
    assert browser.post(url("withdraw", reviewed)).status_code == 409
    response = browser.post(url("open-next", reviewed))
    assert response["Location"] == url("hub", reviewed)
    following = reviewed.requisition.revisions.last()
    assert (following.letter, following.is_draft) == ("B", True)
    assert stored(following)["dataset_bytes"] == "200 ГБ"


def test_a_draft_can_be_withdrawn_too(browser, draft):
    assert browser.post(url("withdraw", draft))["Location"] == url("status", draft)
    draft.refresh_from_db()
    assert draft.state == State.WITHDRAWN
    assert page(browser, url("status", draft))


def test_the_answers_may_be_changed_while_the_old_letter_is_in_review(browser, reviewed):
    assert "Change the answers" in page(browser, url("status", reviewed))
    for _click in range(2):
        assert browser.post(url("open-next", reviewed))["Location"] == url("hub", reviewed)
    assert reviewed.requisition.revisions.count() == 2
    html = page(browser, url("status", reviewed))
    assert "Revision B is open" in html
    assert "An engineer is checking the calculation" in html
    assert "Change the answers" not in html
    html = page(browser, url("hub", reviewed))
    assert "Work on it goes on until you send this one." in html
    changes = reverse("intake:changes", args=[reviewed.requisition_id, "A", "B"])
    assert changes in html
    assert "No answer changed." in page(browser, changes)
    for pair in (("B", "A"), ("A", "A"), ("A", "C")):
        wrong = reverse("intake:changes", args=[reviewed.requisition_id, *pair])
        assert browser.get(wrong).status_code == 404


def test_the_engineers_questions_lead_to_their_fields_and_sending_again_answers_them(
    browser, reviewed
):
    engineer = make_user(Role.ENGINEER, full_name="Sergey")
    asks = [Ask("Какой ранг вы пробовали?", "lora_rank"), Ask("Можно ли ждать неделю?")]
    following = changes_request(revision=reviewed, actor=engineer, asks=asks)
    html = page(browser, url("hub", reviewed))
    assert "Какой ранг вы пробовали?" in html
    assert "Можно ли ждать неделю?" in html
    assert f"{section_url(following, 'recipe')}?page=adapters&amp;return=check#q-lora_rank" in html
    assert f"{section_url(following, 'task')}?page=task&amp;return=check#q-business_task" in html
    assert "Add the answer to the description of the task." in html
    assert "Revision B is open" in page(browser, url("status", reviewed))

    browser.post(section_url(following, "recipe"), {"lora_rank": "32"})
    browser.post(url("submit", following))
    following.refresh_from_db()
    assert following.state == State.DRAFT, "one question has neither an answer nor a comment"
    comment = {"text": "Можно.", "visibility": "client", "target": ""}
    browser.post(reverse("talk:add", args=[reviewed.pk]), comment)
    browser.post(url("submit", following))
    following.refresh_from_db()
    reviewed.refresh_from_db()
    assert following.state == State.ESTIMATING
    assert reviewed.state == State.SUPERSEDED
    assert json.loads(following.answers_text)["answers"]["lora_rank"]["value"] == "32"
    assert following.requisition.number == 1


def test_a_client_reads_only_remarks_written_for_the_client(browser, reviewed):
    engineer = make_user(Role.ENGINEER)
    for visibility, text in (("internal", "внутреннее"), ("client", "для клиента")):
        Annotation.objects.create(
            revision=reviewed, text=text, visibility=visibility, author=engineer
        )
    html = page(browser, url("status", reviewed))
    assert "для клиента" in html
    assert "внутреннее" not in html


def test_a_declined_requisition_says_why(browser, reviewed):
    approver = make_user(Role.APPROVER)
    revision_transition(
        revision=reviewed,
        action=Action.REJECT,
        actor=approver,
        comment="Нет данных <b>о модели</b>",
    )
    html = page(browser, url("status", reviewed))
    assert "The requisition is rejected" in html
    assert "Нет данных &lt;b&gt;о модели&lt;/b&gt;" in html


@pytest.mark.parametrize("state", [s for s in State if s is not State.DRAFT])
@pytest.mark.parametrize("language", first_everywhere(["en", "ru"]))
def test_every_state_has_a_page_in_both_languages(state, language, db):
    revision = make_in_state(state)
    client = Client(headers={"accept-language": language})
    client.force_login(revision.requisition.owner)
    response = client.get(url("status", revision))
    assert response.status_code == 200
    assert f'lang="{language}"' in response.content.decode()


def test_a_draft_that_was_never_sent_has_no_status(browser, draft):
    assert browser.get(url("status", draft))["Location"] == url("hub", draft)


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.one_stack
def test_the_document_in_the_language_of_the_page_comes_first(
    owner, reviewed, monkeypatch, language
):
    made = [
        DocumentRun(document=Document(language=spoken), state="queued", reason="")
        for spoken in ("en", "ru")
    ]
    monkeypatch.setattr("apps.intake.views.status.document_runs", lambda _documents: made)
    client = Client(headers={"accept-language": language})
    client.force_login(owner)
    shown = client.get(url("status", reviewed)).context["documents"]
    assert shown[0].document.language == language
    assert len(shown) == len(made)


def test_the_first_guide_is_gone_when_the_requisition_is_over(browser, reviewed):
    assert "A first guide" in page(browser, url("status", reviewed))
    browser.post(url("withdraw", reviewed))
    html = page(browser, url("status", reviewed))
    assert "A first guide" not in html
    assert "estimates are ready" not in html
