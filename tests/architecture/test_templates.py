"""What holds for every template: the policy for content, partials that explain themselves, size."""

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

ROOT: Final = Path(settings.BASE_DIR) / "templates"
TEMPLATES: Final = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file())
PARTIALS: Final = [name for name in TEMPLATES if "partials/" in name]

# (what is wrong, pattern). The Content-Security-Policy blocks them, so they would silently do nothing.
FORBIDDEN: Final = {
    "an inline style": r"""\sstyle\s*=\s*["']""",
    "a style element": r"<style\b",
    "an event attribute": r"""\son[a-z]+\s*=\s*["']""",
    "an inline script": r"<script\b(?![^>]*\bsrc\s*=)",
    "a script address": r"javascript:",
    "an address outside": r"""(?:src|href)\s*=\s*["'](?:https?:)?//""",
    "escaping switched off": r"\|\s*safe\b|\{%\s*autoescape\s+off",
}


@cache
def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_a_template_holds_nothing_that_the_policy_blocks() -> None:
    assert len(TEMPLATES) > 100
    found = [
        f"{name}: {flaw}"
        for name in TEMPLATES
        for flaw, pattern in FORBIDDEN.items()
        if re.search(pattern, text_of(name), re.IGNORECASE)
    ]
    assert found == []


def test_a_partial_opens_with_what_it_needs() -> None:
    assert len(PARTIALS) > 50
    opening = re.compile(r"\{% comment %\}\s*[«\w][^{]{5,}")
    assert [name for name in PARTIALS if not opening.match(text_of(name))] == []


def test_a_form_that_changes_something_carries_its_token() -> None:
    form = re.compile(r"<form\b[^>]*\bmethod=\"post\".*?</form>", re.DOTALL)
    forms = [(name, found) for name in TEMPLATES for found in form.findall(text_of(name))]
    assert len(forms) > 20
    assert [name for name, found in forms if "{% csrf_token %}" not in found] == []


def test_words_in_a_template_are_translatable() -> None:
    """Source texts are English; a Cyrillic letter in a template would stand in both languages."""
    comment = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
    said = {name: comment.sub("", text_of(name)) for name in TEMPLATES}
    assert [name for name, text in said.items() if re.search("[а-яёА-ЯЁ]", text)] == []


@pytest.mark.parametrize(
    ("flaw", "html"),
    [
        ("an inline style", "<p style='color: red'>"),
        ("a style element", "<style>p {}</style>"),
        ("an event attribute", '<a onclick="x()">'),
        ("an inline script", "<script>x()</script>"),
        ("a script address", '<a href="JavaScript:x()">'),
        ("an address outside", '<script src="//cdn.example/x.js">'),
        ("escaping switched off", "{{ text|safe }}"),
    ],
)
def test_the_scan_notices_what_it_looks_for(flaw: str, html: str) -> None:
    assert re.search(FORBIDDEN[flaw], html, re.IGNORECASE)
    assert not re.search(
        FORBIDDEN[flaw], "<script src=\"{% static 'js/a.js' %}\" defer></script>", re.IGNORECASE
    )
