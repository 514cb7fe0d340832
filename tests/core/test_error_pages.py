"""What breaks ends in a page that says what happened, what is not lost, and one way on."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role
from apps.requisitions.workflow import State
from tests.core.test_pages import Reader
from tests.factories import make_client, make_draft, make_in_state, make_user

pytestmark = [
    pytest.mark.urls("tests.core.broken_urls"),
    pytest.mark.django_db,
    pytest.mark.one_stack,
]
# (what breaks it, status, what happened, what is not lost)
PAGES = [
    ("/broken/400/", 400, "could not be read", "Nothing was changed"),
    ("/broken/403/", 403, "not open to you", "Nothing was changed"),
    ("/broken/refused/", 403, "Это решает другой человек.", "Nothing was changed"),
    ("/broken/mistake/", 400, "Файл пуст.", "Nothing was changed"),
    ("/nowhere/", 404, "no such page", "stay where they were"),
    ("/form/", 405, "takes a form", "nothing was changed"),
    ("/broken/409/", 409, "Эту заявку уже отправили.", "Nothing was overwritten"),
    ("/broken/500/", 500, "broke on our side", "What you saved is safe"),
]


def visitor(signed_in: bool, language: str = "en", **options: Any) -> Client:
    client = Client(raise_request_exception=False, headers={"accept-language": language}, **options)
    if signed_in:
        client.force_login(make_client())
    return client


@pytest.mark.parametrize("signed_in", [False, True])
@pytest.mark.parametrize(("address", "status", "happened", "kept"), PAGES)
def test_says_what_happened_what_is_not_lost_and_one_way_on(
    address, status, happened, kept, signed_in
):
    response = visitor(signed_in).get(address)
    html = response.content.decode()
    assert response.status_code == status
    assert happened in html
    assert kept in html
    assert len(re.findall(r'class="btn btn-primary"', html)) == 1
    assert len(re.findall(r"<h1[ >]", html)) == 1
    assert Reader(html).open == []
    assert "css/app.css" in html
    assert "a secret of ours" not in html


@pytest.mark.parametrize("signed_in", [False, True])
@pytest.mark.parametrize("address", [page[0] for page in PAGES])
def test_speaks_russian_too(address, signed_in):
    html = visitor(signed_in, "ru").get(address).content.decode()
    assert '<html lang="ru"' in html
    assert not re.search(r"Nothing was|What you saved|Somebody was", html)


def test_the_way_on_of_a_signed_in_person_is_where_their_work_is():
    client = visitor(signed_in=True)
    assert f'href="{reverse("intake:list")}">My requisitions' in client.get("/x/").content.decode()
    client.force_login(make_user(Role.ENGINEER))
    assert f'href="{reverse("review:queue")}">Queue' in client.get("/x/").content.decode()


def test_a_conflict_says_what_it_is_like_now_and_leads_there():
    revision = make_in_state(State.IN_REVIEW)
    client = visitor(signed_in=False)
    client.force_login(revision.requisition.owner)
    address = reverse("intake:section", args=[revision.requisition_id, "task"])
    response = client.post(address, {"business_task": "поздно"})
    html = response.content.decode()
    assert response.status_code == 409
    assert f"{revision.requisition.display_number}, revision A: “In review”" in html
    assert f'href="{reverse("intake:status", args=[revision.requisition_id])}"' in html


@pytest.mark.parametrize(
    ("role", "post", "page"),
    [
        (Role.ENGINEER, "review:send", "review:workspace"),
        (Role.APPROVER, "review:decide", "review:approval"),
    ],
)
def test_a_conflict_of_staff_leads_to_their_page(role, post, page):
    revision = make_in_state(State.WITHDRAWN)
    client = visitor(signed_in=False)
    client.force_login(make_user(role))
    form = {"expected_version": "1", "decision": "reject", "comment": "нет данных о модели"}
    form |= {"refusal": "other"}
    response = client.post(reverse(post, args=[revision.pk]), form)
    assert response.status_code == 409, response.content.decode()
    assert f'href="{reverse(page, args=[revision.pk])}"' in response.content.decode()
    assert "“Withdrawn”" in response.content.decode()


def test_a_conflict_tells_a_stranger_nothing():
    revision = make_in_state(State.IN_REVIEW)
    address = reverse("intake:submit", args=[revision.requisition_id])
    response = visitor(signed_in=True).post(address)
    assert response.status_code == 404
    assert revision.requisition.display_number not in response.content.decode()


def test_a_form_pressed_after_the_session_ended_leads_back_to_its_page():
    draft = make_draft()
    check = reverse("intake:check", args=[draft.requisition_id])
    submit = reverse("intake:submit", args=[draft.requisition_id])
    response = Client().post(submit, headers={"referer": f"http://testserver{check}"})
    assert response["Location"].endswith(f"?next={check.replace('/', '%2F')}")


def test_opening_an_address_that_takes_forms_leads_to_the_page_itself():
    draft = make_draft()
    client = visitor(signed_in=False)
    client.force_login(draft.requisition.owner)
    response = client.get(reverse("intake:submit", args=[draft.requisition_id]))
    assert response.status_code == 405
    assert response["Allow"] == "POST"
    status = reverse("intake:status", args=[draft.requisition_id])
    assert f'href="{status}"' in response.content.decode()


def stale(client: Client, **headers: str) -> str:
    client.cookies["csrftoken"] = "a" * 32
    form = {"csrfmiddlewaretoken": "b" * 32, "text": 'мой "текст"', "more": ["1", "2"]}
    response = client.post("/form/", form, headers=headers)
    assert response.status_code == 403
    return response.content.decode()


def test_a_stale_form_of_ours_can_be_sent_once_more():
    client = visitor(signed_in=True, enforce_csrf_checks=True)
    html = stale(client, origin="http://testserver")
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))
    assert fields["text"] == "мой &quot;текст&quot;"
    assert 'action="/form/"' in html
    again = re.search(r'action="/form/">.*?value="(\w{64})"', html, re.DOTALL)
    assert again is not None
    form = {"csrfmiddlewaretoken": again.group(1), "text": "мой текст"}
    response = client.post("/form/", form, headers={"origin": "http://testserver"})
    assert (response.status_code, response.content.decode()) == (200, "мой текст")


@pytest.mark.parametrize("origin", ["null", "https://elsewhere.example", ""])
def test_a_form_of_another_site_never_becomes_ours(origin):
    headers = {"origin": origin} if origin else {}
    html = stale(visitor(signed_in=True, enforce_csrf_checks=True), **headers)
    assert "мой" not in html
    assert "Send it once more" not in html


def test_a_password_does_not_come_back():
    client = visitor(signed_in=False, enforce_csrf_checks=True)
    form = {"username": "a@b.example", "password": "correct horse"}
    address = reverse("accounts:sign-in")
    response = client.post(address, form, headers={"origin": "http://testserver"})
    assert response.status_code == 403
    assert "correct horse" not in response.content.decode()


def test_a_form_that_is_too_large_is_refused_in_words(settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    draft = make_draft()
    client = visitor(signed_in=False)
    client.force_login(draft.requisition.owner)
    address = reverse("intake:paste", args=[draft.requisition_id])
    files = reverse("intake:files", args=[draft.requisition_id])
    response = client.post(
        address, {"text": "x" * 2000}, headers={"referer": f"http://testserver{files}"}
    )
    assert response.status_code == 413
    assert "Too large to be taken" in response.content.decode()
    assert f'href="http://testserver{files}"' in response.content.decode()


def test_a_body_beyond_reason_is_not_read_at_all(settings):
    settings.MAX_BODY_BYTES = 1000
    response = visitor(signed_in=True).post("/form/", {"text": "x" * 2000})
    assert response.status_code == 413


def test_the_page_of_a_fault_needs_no_database(monkeypatch):
    client = visitor(signed_in=False)
    monkeypatch.setattr(connection, "cursor", lambda *_: (_ for _ in ()).throw(RuntimeError))
    response = client.get("/broken/500/")
    assert response.status_code == 500
    assert "broke on our side" in response.content.decode()


def test_the_page_of_a_fault_survives_its_own_fault(monkeypatch):
    def no_template(name: str) -> Any:
        raise OSError(name)

    monkeypatch.setattr("apps.core.error_views.get_template", no_template)
    response = visitor(signed_in=False).get("/broken/500/")
    assert response.status_code == 500
    assert "What you saved is safe" in response.content.decode()
    assert "Сохранённое цело" in response.content.decode()


def test_a_fault_shows_the_number_that_the_log_has():
    response = visitor(signed_in=False).get("/broken/500/")
    assert response["X-Request-Id"] in response.content.decode()
