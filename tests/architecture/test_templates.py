"""What holds for every template: the policy for content, partials that explain themselves, size."""

import re
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
LONGEST_PAGE, LONGEST_PARTIAL = 120, 60


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_holds_nothing_that_the_policy_blocks(name: str) -> None:
    found = [
        flaw
        for flaw, pattern in FORBIDDEN.items()
        if re.search(pattern, text_of(name), re.IGNORECASE)
    ]
    assert found == []


@pytest.mark.parametrize("name", PARTIALS)
def test_a_partial_opens_with_what_it_needs(name: str) -> None:
    assert re.match(r"\{% comment %\}\s*[«\w][^{]{5,}", text_of(name))


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_short_enough_to_read(name: str) -> None:
    limit = LONGEST_PARTIAL if name in PARTIALS else LONGEST_PAGE
    assert len(text_of(name).splitlines()) <= limit


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_form_that_changes_something_carries_its_token(name: str) -> None:
    forms = re.findall(r"<form\b[^>]*\bmethod=\"post\".*?</form>", text_of(name), re.DOTALL)
    assert all("{% csrf_token %}" in form for form in forms)


@pytest.mark.parametrize("name", TEMPLATES)
def test_words_in_a_template_are_translatable(name: str) -> None:
    """Source texts are English; a Cyrillic letter in a template would stand in both languages."""
    assert not re.search(
        "[а-яёА-ЯЁ]",
        re.sub(r"\{% comment %\}.*?\{% endcomment %\}", "", text_of(name), flags=re.DOTALL),
    )


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
