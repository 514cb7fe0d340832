"""The sample on the landing page is what the product makes of the same answers today."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import assemble
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task

FOLDER = Path(settings.BASE_DIR) / "static" / "sample"
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def attached(language: str, name: str) -> dict:
    reader = PdfReader(FOLDER / f"podbor-{language}.pdf")
    return json.loads(reader.attachments[name][0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_holds_what_the_engine_says_today(language):
    """When this fails: `./podbor demo --sample`."""
    task, catalog = parse_task(attached(language, "task.json")), fixture_catalog()
    platforms = candidate_platforms(task, catalog)
    now = assemble(task, catalog, platforms, estimate_all(task, catalog, platforms))
    said = attached(language, "result.json")
    for part in ("status", "size_class", "candidates", "versions"):
        assert json.loads(json.dumps(now[part])) == said[part], part


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.one_stack
def test_the_sample_is_one_click_from_the_first_page(language):
    page = Client(headers={"accept-language": language}).get(reverse("home"))
    assert f"sample/podbor-{language}.pdf" in page.content.decode()
