"""A template of the tests, and people that can be gone."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.template import engines

from apps.jobs.services import Unrepeatable

GONE = 404
NAMES = {1: "Anna", 2: "Anna\r\nBcc: everybody@evil.example\u2028\u202egnihsihp\x00"}


def words(params: Mapping[str, Any]) -> dict[str, Any]:
    """The context function of the test's mail."""
    if params["person"] == GONE:
        raise Unrepeatable("the person is gone")
    return {"name": NAMES[params["person"]], "url": "http://testserver/r/1/"}


@pytest.fixture(autouse=True)
def _template(settings, tmp_path: Path) -> Iterator[None]:
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "hello.subject.txt").write_text(
        "{% load i18n %}{% translate 'Back' %}: {{ name }}\n", encoding="utf-8"
    )
    (folder / "hello.txt").write_text(
        '{% extends "mail/base.txt" %}{% block body %}{{ url }}?a=1&b=2{% endblock %}',
        encoding="utf-8",
    )
    settings.MAIL_CONTEXTS = {"hello": "tests.mail.conftest.words"}
    engine = engines["text"].engine
    before = engine.dirs
    engine.dirs = [*before, tmp_path]
    yield
    engine.dirs = before
