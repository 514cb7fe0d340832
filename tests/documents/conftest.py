"""Shared by the tests of documents. Printing takes seconds, so what is only read is printed once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone, translation

from apps.accounts.models import Role, User
from apps.core.canonical import canonical_json, sha256_of
from apps.documents.models import Document
from apps.documents.notes.snapshot import Note
from apps.documents.page import sheet_of
from apps.documents.press import Attached, Printed, Sheet, print_pdf
from apps.documents.snapshot import Snapshot
from apps.estimation.models import Assessment, Calculation
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.documents import samples
from tests.factories import make_client, make_submitted, make_user
from tests.questionnaire.answers import REFERENCE

AT = datetime(2026, 12, 2, 9, 30, tzinfo=UTC)


def make_sheet(body: str = "<p>Оценка</p>", **overrides: object) -> Sheet:
    """A small document; a test names only what matters to it."""
    html = (
        '<!DOCTYPE html><html lang="ru"><head><meta charset="utf-8"><title>t</title>'
        '<meta name="dcterms.created" content="2026-12-02T09:30:00+00:00">'
        '<meta name="dcterms.modified" content="2026-12-02T09:30:00+00:00">'
        f"</head><body>{body}</body></html>"
    )
    attached = Attached(name="task.json", description="task", relationship="Source", text="{}")
    defaults = {"html": html, "identifier": "abc", "at": AT, "attachments": (attached,)}
    return Sheet(**defaults | overrides)  # type: ignore[arg-type]


def document_from(snapshot: Snapshot, kind: str = "draft", language: str = "ru") -> Document:
    """An unsaved row: what the press needs, without a database."""
    return Document(
        kind=kind,
        language=language,
        template_version="1",
        snapshot_text=snapshot.text(),
        snapshot_sha256=snapshot.facts_sha256(),
    )


def note_document(note: Note, language: str = "ru") -> Document:
    """An unsaved row of a note."""
    return Document(
        kind=Document.Kind.NOTE,
        language=language,
        template_version="1",
        snapshot_text=note.text(),
        snapshot_sha256=note.facts_sha256(),
    )


def printed(name: str, language: str, kind: str = "draft") -> Printed:
    """A sample as PDF, printed once a process."""
    return _printed(name, language, kind)


@cache
def _printed(name: str, language: str, kind: str) -> Printed:
    return print_pdf(sheet_of(document_from(getattr(samples, name)(), kind, language)))


@pytest.fixture(params=["ru", "en"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    with translation.override(request.param):
        yield request.param


@pytest.fixture
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's children get their folders: to see what they leave behind."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def make_assessed(
    state: State = State.IN_REVIEW, owner: User | None = None, revision: Revision | None = None
) -> Revision:
    """A revision with the reference answers and a finished calculation."""
    answers = {key: answer.as_dict() for key, answer in REFERENCE.items()}
    revision = revision or make_submitted(owner, effective=answers)
    Revision.objects.filter(pk=revision.pk).update(state=state, engineer=make_user(Role.ENGINEER))
    add_assessment(revision)
    return Revision.objects.select_related("requisition__company", "engineer").get(pk=revision.pk)


def add_assessment(revision: Revision, result: dict[str, Any] | None = None) -> Assessment:
    """One more calculation, done; its number is the next."""
    snapshot = samples.rent()
    text = canonical_json({"task": snapshot.task, "context": snapshot.context})
    calculation = Calculation.objects.create(
        revision=revision,
        number=revision.calculations.count() + 1,
        state=Calculation.State.DONE,
        input_text=text,
        input_sha256=sha256_of(text),
        catalog_sha256="0" * 64,
        engine_version="1.0",
        pending_count=0,
        finished_at=timezone.now(),
    )
    document = canonical_json(result or json.loads(canonical_json(snapshot.result)))
    return Assessment.objects.create(
        calculation=calculation, result_text=document, result_sha256=sha256_of(document)
    )


@pytest.fixture
def client_user(db: None) -> User:
    return make_client()
