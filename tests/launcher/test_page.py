"""Pages are read as a browser without scripts would use them."""

import pytest

from config.launcher.browser import multipart, pressed_button
from config.launcher.page import Page, read_page

HTML = """
<html><head><title>unseen</title></head><body>
<form id="language" method="post" action="/preferences/language/"><input name="to" value="en"></form>
<form id="main" method="post">
  <input type="hidden" name="csrfmiddlewaretoken" value="token">
  <input name="tokens" value="1,5&nbsp;млрд">
  <input name="off" value="x" disabled>
  <input type="radio" name="method" value="full"><input type="radio" name="method" value="lora" checked>
  <input type="checkbox" name="targets" value="q" checked><input type="checkbox" name="targets" value="v">
  <textarea name="note">
Первая &lt;строка&gt;</textarea>
  <select name="kind"><option value="a">A</option><option value="b" selected>B</option></select>
  <select name="first"><option value="one">1</option><option value="two">2</option></select>
  <input type="file" name="config">
  <button name="go" value="back" formaction="/back/">Назад</button>
  <button name="go" value="on">Дальше</button>
  <button type="button" name="script">Не отправляет</button>
</form>
<input form="main" name="outside" value="counts">
<script>var unseen = "unseen";</script>
<p>Видимый   текст</p> <a href="../next/">Следующая <b>страница</b></a>
</body></html>
"""


@pytest.fixture
def page() -> Page:
    headers = {"content-type": "text/html; charset=utf-8"}
    return read_page("http://127.0.0.1:1/r/5/", 200, headers, HTML.encode())


def test_an_untouched_form_sends_what_a_browser_would(page: Page) -> None:
    form = page.form_with("tokens")
    assert form.action == "http://127.0.0.1:1/r/5/"
    assert form.filled({}) == [
        ("csrfmiddlewaretoken", "token"),
        ("tokens", "1,5\xa0млрд"),
        ("method", "lora"),
        ("targets", "q"),
        ("note", "Первая <строка>"),
        ("kind", "b"),
        ("first", "one"),
        ("outside", "counts"),
    ]


def test_answers_take_the_place_of_what_the_form_held(page: Page) -> None:
    sent = page.form_with("tokens").filled({"method": "full", "targets": ["q", "v"], "tokens": "2"})
    assert [pair for pair in sent if pair[0] in {"method", "targets", "tokens"}] == [
        ("method", "full"),
        ("targets", "q"),
        ("targets", "v"),
        ("tokens", "2"),
    ]


def test_what_a_person_could_not_send_is_refused(page: Page) -> None:
    form = page.form_with("tokens")
    with pytest.raises(LookupError, match="no field 'price'"):
        form.filled({"price": "1"})
    with pytest.raises(LookupError, match="offers"):
        form.filled({"method": "qlora"})
    with pytest.raises(LookupError, match="no button 'script'"):
        pressed_button(form, "script", None)


def test_a_button_is_told_from_others_of_its_name_by_value(page: Page) -> None:
    form = page.form_with("go")
    assert pressed_button(form, "go", "on") == ("go", "on", "")
    assert pressed_button(form, "go", "back") == ("go", "back", "http://127.0.0.1:1/back/")


def test_only_visible_text_and_links_are_seen(page: Page) -> None:
    assert "Видимый текст" in page.text
    assert "unseen" not in page.text
    assert page.links == [("http://127.0.0.1:1/r/next/", "Следующая страница")]
    assert page.link_to("/next/") == "http://127.0.0.1:1/r/next/"


def test_a_form_that_is_not_there_is_named_with_those_that_are(page: Page) -> None:
    with pytest.raises(LookupError, match="tokens"):
        page.form_with("price")
    with pytest.raises(LookupError, match="/preferences/language/"):
        page.form_to("/submit/")
    assert page.form_to("/preferences/language/").has("to")


def test_a_file_goes_with_its_name_and_bytes() -> None:
    body, content_type = multipart([("note", "да")], {"config": ("a.yaml", b"lr: 1\n")})
    boundary = content_type.rpartition("boundary=")[2]
    assert body.count(f"--{boundary}".encode()) == 3
    assert b'name="config"; filename="a.yaml"' in body
    assert b"\r\n\r\nlr: 1\n\r\n" in body
    assert "да".encode() in body
