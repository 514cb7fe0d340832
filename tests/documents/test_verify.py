"""What anybody may learn about a paper: whether it counts, and nothing of what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pypdf import PdfReader

from apps.documents.codes import code_of, read_code, read_sha256, spaced
from apps.documents.models import Document
from apps.documents.page import sheet_of
from apps.documents.press import print_pdf
from apps.documents.sheets.verify import qr_drawing, verify_of
from apps.documents.verification import MISSES
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.documents import samples
from tests.documents.conftest import document_from, make_assessed

CODE = "7K3QFM9X2TB4HWZ1"
SHA256 = "ab" * 32


def test_a_code_has_eighty_bits_and_comes_from_the_identifier_alone() -> None:
    codes = {code_of(f"{number:032x}") for number in range(200)}
    assert len(codes) == 200
    assert all(re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{16}", code) for code in codes)
    assert code_of("a" * 32) == code_of("a" * 32)


@pytest.mark.parametrize(
    "typed", [CODE, spaced(CODE), "7k3q fm9x 2tb4 hwzi", " 7K3Q–FM9X–2TB4–HWZL "]
)
def test_a_code_is_read_as_people_type_it(typed: str) -> None:
    assert read_code(typed) == CODE


@pytest.mark.parametrize("typed", ["", "7K3Q", CODE + "1", "7K3QFM9X2TB4HWZU", "щ" * 16, "٣" * 16])
def test_what_cannot_be_a_code_is_none(typed: str) -> None:
    assert read_code(typed) == ""


def test_a_hash_is_read_as_commands_print_it() -> None:
    assert read_sha256(" AB" * 32) == SHA256
    assert read_sha256("ab" * 31) == read_sha256("xy" * 32) == ""


def test_the_square_on_the_paper_holds_the_address() -> None:
    """Drawn again on a grid: the modules are those of the code, with white around."""
    drawn = qr_drawing(f"http://testserver/verify/{CODE}/")
    side = float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1])  # type: ignore[index]
    moves = [(int(x) // 4, int(y) // 4) for x, y in re.findall(r"M(\d+) (\d+)h", drawn)]
    assert min(min(spot) for spot in moves) == 4
    assert max(max(spot) for spot in moves) == side / 4 - 5
    assert len(moves) > 300
    assert f"/verify/{CODE}/" in drawn


def test_a_sample_that_nobody_can_ask_about_has_no_code() -> None:
    assert verify_of("") is None
    assert 'class="verify"' not in sheet_of(document_from(samples.vague())).html


def make_document(kind: str = "final", state: State = State.APPROVED, **values: Any) -> Document:
    revision = make_assessed(state)
    if state in (State.APPROVED, State.SUPERSEDED):
        Revision.objects.filter(pk=revision.pk).update(approved_at=timezone.now())
    return add_document(revision, kind, **values)


def add_document(revision: Revision, kind: str, **values: Any) -> Document:
    defaults = {
        "language": "ru",
        "template_version": "1",
        "snapshot_text": "{}",
        "snapshot_sha256": "0" * 64,
        "sha256": SHA256,
        "size_bytes": 9,
        "page_count": 3,
        "code": CODE,
    }
    calculation = revision.calculations.get()
    return Document.objects.create(
        revision=revision, calculation=calculation, kind=kind, **defaults | values
    )


def ask(**about: str) -> str:
    """The answer alone, as the page shows it in English."""
    with translation.override("en"):
        response = Client(headers={"accept-language": "en"}).get(reverse("verify"), about)
    assert response.status_code == 200
    found = re.search(r'id="finding".*?</section>', response.content.decode(), re.DOTALL)
    return re.sub(r"<[^>]*>|\s+", " ", found[0]) if found else ""


@pytest.mark.django_db
def test_a_valid_paper_is_known_by_its_code_its_address_and_its_file() -> None:
    document = make_document()
    by_code, by_file = ask(code=spaced(CODE)), ask(sha256=SHA256.upper())
    assert by_code == by_file
    for said in (document.revision.requisition.display_number, "rev. A", "Approved assessment"):
        assert said in by_code
    assert " valid " in by_code
    page = Client().get(reverse("verify-code", args=[CODE]))
    assert 'id="finding"' in page.content.decode()
    assert page["X-Robots-Tag"] == "noindex"


@pytest.mark.django_db
def test_nothing_of_what_it_says_and_whose_it_is_is_told() -> None:
    document = make_document()
    revision = document.revision
    page = Client().get(reverse("verify"), {"code": CODE}).content.decode()
    people = [revision.requisition.owner, revision.engineer]
    private = [revision.requisition.company.name, revision.requisition.title, str(document.pk)]
    private += [str(person) for person in people if person]
    private += [person.email for person in people if person]
    for secret in filter(None, private):
        assert secret not in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "state", "said"),
    [
        ("draft", State.IN_REVIEW, "draft, not approved"),
        ("draft", State.APPROVED, "draft, not approved"),
        ("superseded", State.SUPERSEDED, "copy marked as replaced"),
        ("note", State.REJECTED, "valid"),
    ],
)
def test_what_a_paper_is_worth(kind: str, state: State, said: str) -> None:
    make_document(kind, state)
    assert f" {said} " in ask(code=CODE)


@pytest.mark.django_db
def test_of_a_replaced_paper_the_letter_that_took_its_place_is_named() -> None:
    original = make_document(state=State.SUPERSEDED)
    first = original.revision
    Revision.objects.create(
        requisition=first.requisition,
        index=2,
        state=State.APPROVED,
        submitted_at=timezone.now(),
        approved_at=timezone.now(),
        answers_text=first.answers_text,
        answers_sha256=first.answers_sha256,
    )
    part = add_document(first, "short", origin=original, code="0" * 16, sha256="cd" * 32)
    for answer in (ask(code=CODE), ask(code=part.code)):
        assert "replaced by a later revision" in answer
        assert "Revision B has taken its place" in answer


@pytest.mark.django_db
def test_a_part_of_a_draft_is_a_draft() -> None:
    draft = make_document("draft", State.IN_REVIEW)
    add_document(draft.revision, "protocol", origin=draft, code="0" * 16, sha256="cd" * 32)
    assert "draft, not approved" in ask(code="0" * 16)


@pytest.mark.django_db
def test_unknown_malformed_and_unprinted_are_alike() -> None:
    make_document(sha256="", size_bytes=None, page_count=None)
    answers = {
        ask(code=CODE),
        ask(code="0" * 16),
        ask(code="../etc"),
        ask(code="' or 1=1 --"),
        ask(sha256="00" * 32),
        ask(sha256="x"),
        ask(code="\x00"),
    }
    assert len(answers) == 1
    assert "not found" in answers.pop()


@pytest.mark.django_db
def test_guessing_is_slowed_down_and_asking_about_real_papers_is_not() -> None:
    make_document()
    for _ in range(MISSES.count + 1):
        assert " valid " in ask(code=CODE)
    for number in range(MISSES.count):
        ask(code=f"{number:016d}")
    for about in ({"code": CODE}, {"code": "1" * 16}, {"sha256": SHA256}):
        response = Client().get(reverse("verify"), about)
        assert response.status_code == 429
        assert "finding" not in response.content.decode()
    assert Client().get(reverse("verify")).status_code == 200


def test_the_cover_names_the_code_in_words_and_its_square_to_a_screen_reader() -> None:
    document = document_from(replace(samples.approved()), "short")
    document.code = CODE
    sheet = sheet_of(document)
    made = print_pdf(sheet)
    assert made.refused == made.warnings == ()
    text = PdfReader(BytesIO(made.content)).pages[0].extract_text()
    assert spaced(CODE) in text
    assert "testserver/verify/" in text
    assert 'alt="QR' in sheet.html
