"""Parts of a document that are printed on demand: who may, from what, and what they say."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from apps.accounts.models import Role, User
from apps.audit.models import AuditEvent
from apps.core.errors import DomainError
from apps.documents import services
from apps.documents.models import Document
from apps.documents.page import html_of
from apps.documents.selectors import documents_for, leads_to, print_choices
from apps.documents.snapshot import Snapshot, Superseded
from apps.jobs.models import Job
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.documents import samples
from tests.documents.conftest import document_from, make_assessed
from tests.factories import make_client, make_company, make_user

KINDS = ("short", "protocol")


def titles(html: str) -> list[str]:
    return [unescape(t) for t in re.findall(r'<h1 data-title="\d+\. ([^"]+)"', html)]


def html(kind: str, snapshot: Snapshot | None = None, language: str = "en") -> str:
    with translation.override(language):
        return html_of(snapshot or samples.full(), kind=kind, language=language)


def test_the_short_version_is_the_answer_the_variants_and_the_open_questions() -> None:
    made = html("short")
    assert titles(made) == ["Variants of the platform", "Open questions"]
    assert "The answer on one sheet" in made
    assert "preliminary expert assessment, short" in made


def test_the_protocol_names_no_client_and_gives_no_answer() -> None:
    snapshot = replace(samples.full(), client="Ladoga Analytics")
    whole, protocol = html("final", snapshot), html("protocol", snapshot)
    assert "Ladoga Analytics" in whole
    assert "Ladoga Analytics" not in protocol
    assert "The answer on one sheet" not in protocol
    assert "Protocol of the pilot" in protocol


@pytest.mark.parametrize("kind", KINDS)
def test_a_part_carries_the_mark_of_what_it_is_a_part_of(kind: str) -> None:
    approved = samples.approved()
    replaced = replace(approved, superseded=Superseded(letter="C", at=approved.calculated_at))
    assert 'data-mark="DRAFT"' in html(kind)
    assert "data-mark" not in html(kind, approved)
    assert 'data-mark="REPLACED BY REV. C"' in html(kind, replaced)


def test_each_kind_is_another_file() -> None:
    snapshot = samples.approved()
    made = [document_from(snapshot, kind).identifier for kind in ("final", *KINDS)]
    assert len(set(made)) == 3


@pytest.fixture
def owner(db: None) -> User:
    return make_client(company=make_company())


def whole(owner: User, state: State = State.APPROVED, kind: str = "final") -> Document:
    """A whole document of a revision in this state, with facts that can be printed."""
    revision = make_assessed(state, owner)
    if state in (State.APPROVED, State.SUPERSEDED):
        Revision.objects.filter(pk=revision.pk).update(approved_at=timezone.now())
    return add_whole(revision, kind)


def add_whole(revision: Revision, kind: str, language: str = "ru") -> Document:
    snapshot = samples.approved()
    if kind == "superseded":
        snapshot = replace(snapshot, superseded=Superseded(letter="B", at=snapshot.calculated_at))
    return Document.objects.create(
        revision=Revision.objects.get(pk=revision.pk),
        calculation=revision.calculations.get(),
        kind=kind,
        language=language,
        template_version="1",
        snapshot_text=snapshot.text(),
        snapshot_sha256="0" * 64,
    )


def ask(person: User, origin: Document, kind: str = "short") -> int:
    browser = Client()
    browser.force_login(person)
    address = reverse("documents:print", args=[origin.pk])
    return browser.post(address, {"kind": kind}).status_code


@pytest.mark.parametrize("kind", KINDS)
def test_the_client_has_a_part_printed_after_the_approval(owner: User, kind: str) -> None:
    origin = whole(owner)
    assert ask(owner, origin, kind) == 302
    part = Document.objects.get(origin=origin)
    assert (part.kind, part.language, part.snapshot_text) == (kind, "ru", origin.snapshot_text)
    assert part in documents_for(owner, origin.revision)
    assert Job.objects.filter(key=f"pdf:{part.pk}").count() == 1
    assert AuditEvent.objects.filter(action="document.print", actor=owner).count() == 1


def test_asking_again_is_the_same_document(owner: User) -> None:
    origin = whole(owner)
    ask(owner, origin)
    ask(make_user(Role.ENGINEER), origin)
    assert Document.objects.filter(origin=origin).count() == 1


def test_a_part_of_a_draft_is_for_staff_only(owner: User) -> None:
    origin = whole(owner, State.IN_REVIEW, "draft")
    assert ask(owner, origin) == 404
    for role in (Role.ENGINEER, Role.MANAGER):
        assert ask(make_user(role), origin) == 302
    part = Document.objects.get(origin=origin)
    assert part not in documents_for(owner, origin.revision)
    Revision.objects.filter(pk=origin.revision_id).update(
        state=State.APPROVED, approved_at=timezone.now()
    )
    origin.revision.refresh_from_db()
    assert part not in documents_for(owner, origin.revision)
    browser = Client()
    browser.force_login(owner)
    for name in ("download", "state", "data"):
        assert browser.get(reverse(f"documents:{name}", args=[part.pk])).status_code == 404


def test_a_stranger_and_an_administrator_have_nothing_printed(owner: User) -> None:
    origin = whole(owner)
    assert ask(make_client(), origin) == 404
    assert ask(make_user(Role.ADMINISTRATOR), origin) == 404
    assert not Document.objects.filter(origin=origin).exists()


def test_nothing_else_is_printed_on_demand(owner: User) -> None:
    origin = whole(owner)
    for kind in ("final", "draft", "note", "", "everything"):
        with pytest.raises(DomainError):
            services.extract_create(origin=origin, kind=kind, actor=owner)
    part = services.extract_create(origin=origin, kind="short", actor=owner)
    with pytest.raises(DomainError):
        services.extract_create(origin=part, kind="protocol", actor=owner)


def test_of_a_replaced_letter_the_part_with_the_stamp_is_handed_out(owner: User) -> None:
    original = whole(owner, State.SUPERSEDED)
    copy = add_whole(original.revision, "superseded")
    part = services.extract_create(origin=original, kind="short", actor=owner)
    assert leads_to(owner, part, original=False) == copy
    stamped = services.extract_create(origin=copy, kind="short", actor=owner)
    assert leads_to(owner, part, original=False) == stamped
    engineer = make_user(Role.ENGINEER)
    assert leads_to(engineer, part, original=True) == part
    assert set(documents_for(owner, original.revision)) == {copy, stamped}
    assert stamped.file_name.endswith("-заменено.pdf")


def test_what_may_be_printed_is_offered_once_and_of_the_document_that_counts(owner: User) -> None:
    final = whole(owner)
    add_whole(final.revision, "draft")
    engineer = make_user(Role.ENGINEER)
    for person in (owner, engineer):
        (choice,) = print_choices(person, final.revision)
        assert choice.document == final
        assert choice.kinds == Document.EXTRACTS
    services.extract_create(origin=final, kind="short", actor=owner)
    (choice,) = print_choices(owner, final.revision)
    assert choice.kinds == (Document.Kind.PROTOCOL,)
    services.extract_create(origin=final, kind="protocol", actor=owner)
    assert print_choices(owner, final.revision) == []


def test_the_page_of_a_part_says_how_far_it_is(owner: User) -> None:
    part = services.extract_create(origin=whole(owner), kind="short", actor=owner)
    browser = Client()
    browser.force_login(owner)
    address = reverse("documents:state", args=[part.pk])
    waiting = browser.get(address).content.decode()
    assert f'hx-get="{address}"' in waiting
    Document.objects.filter(pk=part.pk).update(sha256="1" * 64, size_bytes=9, page_count=3)
    Job.objects.filter(key=f"pdf:{part.pk}").update(state="done", finished_at=timezone.now())
    made = browser.get(address).content.decode()
    assert reverse("documents:download", args=[part.pk]) in made
    assert "hx-get" not in made
