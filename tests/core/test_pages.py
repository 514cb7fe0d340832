"""The frame of every page, the error pages, and the gallery of components."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
from django.http import HttpRequest
from django.template import Engine, RequestContext
from django.template.loader import get_template, render_to_string
from django.test import RequestFactory
from django.utils import translation

from tests.core import gallery

pytestmark = pytest.mark.urls("tests.core.urls")

VOID: Final = frozenset(["br", "hr", "img", "input", "link", "meta"])
GALLERY: Final = Path(__file__).with_name("gallery.html")


class Reader(HTMLParser):
    """Tags in balance, ids once, names for what people use."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.refers: list[str] = []
        self.labelled: set[str] = set()
        self.fields: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {k: v or "" for k, v in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if "id" in values:
            self.ids.append(values["id"])
        self.refers += values.get("aria-describedby", "").split()
        if tag == "label":
            self.labelled.add(values["for"])
        if tag in ("input", "textarea", "select") and values.get("type") != "hidden":
            self.fields.append(values["id"])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag


@dataclass(frozen=True)
class Person:
    """As much of a user as the frame looks at."""

    roles: frozenset[str]

    @property
    def is_authenticated(self) -> bool:
        return bool(self.roles)

    def __str__(self) -> str:
        return "Сергей Дымов"


def request(path: str = "/", *roles: str, **cookies: str) -> HttpRequest:
    made = RequestFactory().get(path)
    made.COOKIES.update(cookies)
    made.user = Person(frozenset(roles))  # type: ignore[assignment]
    return made


def page(path: str = "/", *roles: str, template: str = "404.html", **cookies: str) -> str:
    return render_to_string(template, {}, request(path, *roles, **cookies))


def render_gallery(language: str = "ru") -> str:
    template = Engine.get_default().from_string(GALLERY.read_text(encoding="utf-8"))
    with translation.override(language):
        return template.render(RequestContext(request("/q/", "engineer"), gallery.context()))


def test_the_frame_says_what_the_product_is_not() -> None:
    with translation.override("ru"):
        html = page()
    assert "Предварительная экспертная оценка. Не является коммерческим предложением." in html
    assert '<html lang="ru">' in html
    assert "A preliminary expert assessment. Not a price offer." in page()


def test_a_skip_link_leads_to_the_content() -> None:
    html = page()
    assert html.index('href="#main"') < html.index('<main id="main"')


@pytest.mark.parametrize(
    ("roles", "sections"),
    [
        ((), ["Catalog"]),
        (("client",), ["My requisitions", "Catalog", "Your company"]),
        (("engineer",), ["Queue", "Catalog"]),
        (("approver",), ["Approval", "Catalog"]),
        (("manager",), ["Board", "Catalog"]),
        (("administrator",), ["Catalog", "People", "Calendar"]),
        (("engineer", "approver"), ["Queue", "Approval", "Catalog"]),
    ],
)
def test_each_role_sees_its_own_sections(roles: tuple[str, ...], sections: list[str]) -> None:
    navigation = re.search(r"<nav.*?</nav>", page("/", *roles), re.DOTALL)
    found = re.findall(r"<a [^>]*>([^<]+)</a>", navigation.group()) if navigation else []
    assert found == sections


@pytest.mark.parametrize(
    ("path", "current"), [("/q/", "Queue"), ("/q/abc/", "Queue"), ("/a/", "Approval")]
)
def test_the_section_that_a_page_lies_in_is_marked(path: str, current: str) -> None:
    marked = re.findall(r'aria-current="page">([^<]+)', page(path, "engineer", "approver"))
    assert marked == [current]


def test_a_client_inside_a_requisition_is_in_that_section() -> None:
    assert 'href="/requisitions/" aria-current="page"' in page("/r/1b2c/", "client")


@pytest.mark.parametrize(
    ("cookie", "attribute"),
    [
        ("dark", ' data-bs-theme="dark"'),
        ("light", ' data-bs-theme="light"'),
        ("system", ""),
        ('"><b>', ""),
    ],
)
def test_the_theme_comes_from_the_cookie(cookie: str, attribute: str) -> None:
    assert f'<html lang="en"{attribute}>' in page(theme=cookie)


def test_theme_and_language_are_plain_forms_that_lead_back() -> None:
    html = page("/q/?mine=1")
    for action in ("/preferences/theme/", "/preferences/language/"):
        form = re.search(rf'<form method="post" action="{action}".*?</form>', html, re.DOTALL)
        assert form is not None
        assert 'name="next" value="/q/?mine=1"' in form.group()
        assert "csrfmiddlewaretoken" in form.group()
    assert re.findall(r'name="theme" value="(\w+)"', html) == ["system", "light", "dark"]
    assert re.findall(r'name="language" value="(\w+)"', html) == ["ru", "en"]
    assert 'value="en" lang="en" aria-pressed="true">English' in html


def test_who_is_signed_in_can_leave_by_a_post() -> None:
    assert 'method="post" action="/accounts/sign-out/"' in page("/", "client")
    assert 'href="/accounts/sign-in/"' in page()


@pytest.mark.parametrize(
    "name",
    [
        "400.html",
        "403.html",
        "404.html",
        "405.html",
        "409.html",
        "413.html",
        "csrf.html",
        "domain_error.html",
    ],
)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_an_error_page_says_what_to_do_next(name: str, language: str) -> None:
    context = {"message": "Эту заявку уже отправили.", "code": "conflict"}
    with translation.override(language):
        html = render_to_string(name, context, request())
    assert len(re.findall("<h1>", html)) == 1
    assert re.search(r'class="btn btn-primary" href="/"', html)
    assert Reader(html).open == []
    if name in ("409.html", "domain_error.html"):
        assert "Эту заявку уже отправили." in html


def test_the_page_of_a_broken_server_needs_no_request_and_no_database() -> None:
    # The `db` fixture is not asked for: a query would fail the test.
    html = get_template("500.html").render({"request_id": "4711abc"})
    assert "4711abc" in html
    assert "What you saved is safe" in html
    assert Reader(html).open == []


def test_a_broken_page_of_a_person_asks_nothing_of_the_database() -> None:
    html = render_to_string("500.html", {}, request("/", "engineer"))
    assert "<nav" not in html


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_gallery_is_whole(language: str) -> None:
    html = render_gallery(language)
    reader = Reader(html)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    assert set(reader.refers) <= set(reader.ids)
    assert set(reader.fields) <= reader.labelled
    assert not re.search(r'\sstyle=|<style|\son\w+="|javascript:', html)


def test_a_question_that_is_not_known_keeps_who_and_when() -> None:
    html = render_gallery()
    part = html[html.index('id="fused"') :]
    part = part[: part.index("</fieldset>")]
    assert 'value="?" data-unknown checked' in part
    assert 'name="fused-who" value="Анна"' in part
    assert part.count(" checked") == 1  # «I do not know» replaces the choice, it does not join it


def test_an_error_stands_beside_its_field_and_in_the_summary() -> None:
    html = render_gallery()
    assert '<a href="#deadline">Введите срок числом, например 72 часа</a>' in html
    assert re.search(
        r'id="deadline"[^>]*aria-invalid="true" aria-describedby="[^"]*deadline-error', html
    )


def test_what_a_client_typed_is_escaped_everywhere() -> None:
    hostile: dict[str, Any] = {
        "id": "x",
        "name": "x",
        "kind": "text",
        "label": "<b>",
        "hint": "<b>",
    }
    hostile |= dict.fromkeys(
        ("value", "echo", "error", "warning", "why", "who", "when"), '"><script>'
    )
    html = render_to_string("partials/question.html", {"q": hostile})
    assert "<script>" not in html
    assert "<b>" not in html
