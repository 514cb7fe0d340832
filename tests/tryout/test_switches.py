"""Switching language or appearance loses nothing that was typed, with no script at all."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_client, make_draft
from tests.intake.pages import section_url, stored

pytestmark = [pytest.mark.django_db, pytest.mark.one_stack]
SETTINGS = "model_name_or_path: Qwen/Qwen2.5-7B\nper_device_train_batch_size: 3 # «ёж» <b>"
REPORT = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB"
SWITCHES = [("language", "en"), ("language", "ru"), ("theme", "dark")]


def main_of(html: str) -> str:
    return html.partition("<main")[2].partition("</main>")[0]


def pressed(client: Client, html: str, name: str, value: str, **typed: str):
    """Press a switch of the footer as a browser does: it sends the form that the button names."""
    footer = html.partition("<footer")[2]
    button = re.search(rf'<button[^>]*name="{name}" value="{value}"[^>]*>', footer)
    assert button is not None
    form_id = re.search(r' form="([^"]+)"', button[0])
    action = re.search(r'formaction="([^"]+)"', button[0])
    assert form_id is not None
    assert action is not None
    form = re.search(rf'<form[^>]* id="{form_id[1]}".*?</form>', html, re.DOTALL)
    assert form is not None
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0])
    fields = {key: unescape(said) for key, said in hidden if key != "csrfmiddlewaretoken"}
    fields |= typed | {name: value}
    answer = client.post(action[1], fields)
    assert answer.status_code == 307
    # The browser posts the same once more, to where it is led.
    return client.post(answer["Location"], fields, follow=True)


def texts_of(html: str) -> dict[str, str]:
    areas = re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', html, re.DOTALL)
    return {name: unescape(text).replace("\r\n", "\n") for name, text in areas}


@pytest.mark.parametrize(("name", "value"), SWITCHES)
def test_pasted_texts_survive_the_switch(name, value):
    client = Client(headers={"accept-language": "ru"})
    pasted = {"settings": SETTINGS, "report": REPORT, "micro_batch": "7"}
    before = client.post(reverse("tryout:try"), pasted).content.decode()
    answer = pressed(client, before, name, value, **pasted)
    after = answer.content.decode()
    assert texts_of(after) == texts_of(before) == {"settings": SETTINGS, "report": REPORT}
    assert 'value="7"' in main_of(after)
    if name == "language":
        assert f'<html lang="{value}"' in after
    else:
        assert 'data-bs-theme="dark"' in after
    assert answer.context["figures"] is not None


def test_what_was_typed_and_not_sent_survives_too():
    client = Client(headers={"accept-language": "ru"})
    before = client.get(reverse("tryout:try")).content.decode()
    wrong = {"model_name": "нет такой модели", "sequence_length": "много"}
    after = pressed(client, before, "language", "en", **wrong).content.decode()
    assert 'value="нет такой модели"' in after
    assert 'value="много"' in after


@pytest.mark.parametrize(("name", "value"), SWITCHES)
def test_a_page_of_questions_is_saved_and_shown_again(name, value):
    draft = make_draft(make_client())
    client = Client(headers={"accept-language": "ru"})
    client.force_login(draft.requisition.owner)
    page = section_url(draft, "task")
    before = client.get(page).content.decode()
    answer = pressed(client, before, name, value, business_task="Ответы поддержки, ещё не всё")
    assert stored(draft)["business_task"] == "Ответы поддержки, ещё не всё"
    assert urlsplit(answer.redirect_chain[-1][0]).path == urlsplit(page).path
    assert "Ответы поддержки, ещё не всё" in answer.content.decode()


def test_a_form_is_sent_on_to_pages_of_ours_only():
    said = {"language": "en", "typed": "1", "settings": SETTINGS}
    for elsewhere in ("https://evil.example/", "//evil.example/", ""):
        answer = Client().post(reverse("set-language"), said | {"next": elsewhere})
        assert (answer.status_code, answer["Location"]) == (302, reverse("home"))
    plain = Client().post(reverse("set-language"), {"language": "en", "next": "/try/"})
    assert plain.status_code == 302
