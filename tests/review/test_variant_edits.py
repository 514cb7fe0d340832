"""What the engineer adds to a variant: a confirmed part number, own lines, another choice."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation

from apps.audit.models import AuditEvent
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.documents.collect import snapshot_of
from apps.documents.sheets.matrix import matrix_of
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import variants_of
from apps.documents.snapshot import Snapshot
from apps.estimation.models import PartConfirmation, VariantRemark
from apps.estimation.selectors import latest_assessment, result_of
from apps.requisitions.models import Attachment, Revision
from apps.requisitions.services import revision_touch
from apps.requisitions.workflow import State
from apps.review import editing
from apps.review.checks import checks_of
from apps.review.dossier import dossier_of
from tests.factories import make_client
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
NUMBER = "SYS-521GE-TNRT-0042"
SAYS = "Спецификация от 28.11.2026: 8 карт, 2 процессора, 16 модулей."


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


@pytest.fixture
def revision(engineer):
    return make_in_review(engineer)


def chosen(revision):
    return dossier_of(revision).recommended


def owned(revision):
    """A variant that somebody would buy, and that the calculation does not recommend."""
    views = dossier_of(revision).variants
    return next(v for v in views if not v.rented and not v.recommended)


def confirm(revision, engineer, view, **fields):
    values = {
        "part_number": NUMBER,
        "says": SAYS,
        "file_name": "spec.pdf",
        "content": b"%PDF-1.7 supplier",
        "expected_version": revision.version,
    }
    row = editing.part_confirm(
        revision=revision, actor=engineer, variant=view.block, **values | fields
    )
    revision.refresh_from_db()
    return row


def write(revision, engineer, view, kind="pro", text="Знаком команде.", **fields):
    row = editing.line_write(
        revision=revision,
        actor=engineer,
        variant=view.block,
        kind=kind,
        text=text,
        **{"expected_version": revision.version} | fields,
    )
    revision.refresh_from_db()
    return row


def states(revision, user) -> dict[str, str]:
    return {check.key: check.state for check in checks_of(dossier_of(revision), user)}


def sheet(revision):
    reading = Reading(snapshot=Snapshot.read(snapshot_of(revision).text()), kind="draft")
    with translation.override("en"):
        return matrix_of(reading, variants_of(reading))


def cells(revision, label: str, key: str):
    matrix = sheet(revision)
    column = [c.key for c in matrix.columns].index(key)
    return next(row for row in matrix.rows if row.label == label).cells[column]


def test_a_part_number_is_unconfirmed_until_a_document_stands_behind_it(revision, engineer):
    view = owned(revision)
    assert cells(revision, "Part number", view.key).tag_state == "tight"
    confirm(revision, engineer, view)
    again = next(v for v in dossier_of(revision).variants if v.key == view.key)
    assert again.confirmed
    assert again.part.number == NUMBER
    cell = cells(revision, "Part number", view.key)
    assert (cell.text, cell.tag_state) == (NUMBER, "ok")
    for words in ("spec.pdf", SAYS, str(engineer)):
        assert words in cell.note
    assert AuditEvent.objects.filter(action="review.part-confirm").count() == 1


def test_confirming_the_recommended_part_lifts_the_warning(revision, engineer):
    view = chosen(revision)
    if view.rented:
        pytest.fail("the sample recommends something to buy")
    assert states(revision, engineer)["sku"] == "tight"
    confirm(revision, engineer, view)
    assert "sku" not in states(revision, engineer)


@pytest.mark.parametrize(
    "fields",
    [
        {"part_number": " "},
        {"part_number": "H200"},
        {"part_number": "8× H200 NVL"},
        {"part_number": "NVIDIA H200 NVL 141GB"},
        {"says": "  "},
        {"says": "Стоит 9 000 000 руб."},
        {"content": b""},
        {"content": b"x" * (10 * 2**20 + 1)},
    ],
)
def test_nothing_is_confirmed_without_a_number_a_document_and_its_words(revision, engineer, fields):
    with pytest.raises(DomainError):
        confirm(revision, engineer, owned(revision), **fields)
    assert not PartConfirmation.objects.exists()
    assert not Attachment.objects.exists()


def test_a_form_without_a_document_confirms_nothing(client, revision, engineer):
    url = reverse("review:variant-part", args=[revision.pk, owned(revision).key])
    data = {"part_number": NUMBER, "says": SAYS, "expected_version": revision.version}
    assert client.post(url, data).status_code == 400
    assert not PartConfirmation.objects.exists()
    data["document"] = SimpleUploadedFile("../../е\u202evil.html", b"<script>alert(1)</script>")
    assert client.post(url, data).status_code == 302
    kept = Attachment.objects.get()
    assert kept.name == "еvil.html"
    got = client.get(reverse("intake:attachment", args=[revision.requisition_id, kept.pk]))
    assert got["Content-Type"] == "application/octet-stream"
    assert got["Content-Disposition"].startswith("attachment")


def test_the_clients_people_neither_see_nor_fetch_the_document(client, revision, engineer):
    kept = confirm(revision, engineer, owned(revision)).attachment
    owner = revision.requisition.owner
    client.force_login(owner)
    url = reverse("intake:attachment", args=[revision.requisition_id, kept.pk])
    assert client.get(url).status_code == 404
    page = client.get(reverse("intake:status", args=[revision.requisition_id]))
    assert "spec.pdf" not in page.content.decode()
    assert NUMBER not in page.content.decode()


def test_taking_it_back_needs_a_reason_and_leaves_a_trace(revision, engineer):
    view = owned(revision)
    confirm(revision, engineer, view)

    def withdraw(reason: str) -> None:
        editing.part_withdraw(
            revision=revision,
            actor=engineer,
            variant=view.block,
            reason=reason,
            expected_version=revision.version,
        )

    with pytest.raises(DomainError):
        withdraw(" ")
    withdraw("Поставщик снял позицию.")
    row = PartConfirmation.objects.get()
    assert (row.withdrawn_by, row.withdrawn_reason) == (engineer, "Поставщик снял позицию.")
    assert not any(v.confirmed for v in dossier_of(revision).variants)


def test_the_next_letter_keeps_it_for_the_same_build_only(revision, engineer):
    from_a = confirm(revision, engineer, owned(revision))
    other = make_in_review(engineer)
    PartConfirmation.objects.filter(pk=from_a.pk).update(revision=revision)
    Revision.objects.filter(pk=revision.pk).update(state=State.SUPERSEDED)
    other.requisition.revisions.update(requisition=revision.requisition, index=revision.index + 1)
    other.refresh_from_db()
    view = owned(revision)
    same = [v for v in dossier_of(other).variants if v.key == view.key]
    assert same[0].confirmed
    assert same[0].part.letter == revision.letter
    PartConfirmation.objects.update(gpu_count=view.gpus + 1)
    assert not any(v.confirmed for v in dossier_of(other).variants)


def test_only_the_engineer_who_has_it_changes_a_variant(client, revision, engineer):
    other = make_engineer()
    for person in (other, make_client()):
        with pytest.raises(NotAllowed):
            write(revision, person, owned(revision))
        with pytest.raises(NotAllowed):
            confirm(revision, person, owned(revision))
    client.force_login(other)
    page = client.get(reverse("review:variant", args=[revision.pk, owned(revision).key]))
    assert page.status_code == 200
    assert b"<textarea" not in page.content


def test_a_page_opened_before_does_not_write_over_what_came_meanwhile(revision, engineer):
    view, seen = owned(revision), revision.version
    revision_touch(revision)
    with pytest.raises(Conflict):
        write(revision, engineer, view, expected_version=seen)


def test_own_lines_stand_beside_the_computed_ones_in_their_order(revision, engineer):
    view = owned(revision)
    write(revision, engineer, view, text="Первое.")
    second = write(revision, engineer, view, text="Второе.")
    editing.line_change(
        revision=revision,
        actor=engineer,
        remark=second,
        deed="up",
        expected_version=revision.version,
    )
    own = next(v for v in dossier_of(revision).variants if v.key == view.key).own["pro"]
    assert [line.text for line in own] == ["Второе.", "Первое."]
    assert cells(revision, "Rests on", view.key).text.endswith("Второе. Первое.")


def test_a_rewritten_line_keeps_the_original_and_a_removed_one_comes_back(revision, engineer):
    view = owned(revision)
    first = write(revision, engineer, view, kind="con", text="Шумит.")
    second = write(revision, engineer, view, kind="con", text="Шумит: 70 дБА.", instead=first)
    assert second.replaces == first
    assert VariantRemark.objects.count() == 2

    def change(deed: str) -> list[str]:
        revision.refresh_from_db()
        editing.line_change(
            revision=revision,
            actor=engineer,
            remark=second,
            deed=deed,
            expected_version=revision.version,
        )
        view_now = next(v for v in dossier_of(revision).variants if v.key == view.key)
        return [line.text for line in view_now.own["con"]]

    assert change("remove") == []
    assert change("restore") == ["Шумит: 70 дБА."]


def test_a_hidden_line_leaves_the_document_and_the_result_stays(client, revision, engineer):
    view = next(v for v in dossier_of(revision).variants if v.risks)
    page = client.get(reverse("review:variant", args=[revision.pk, view.key]), headers=ENGLISH)
    digest = page.context["groups"][1].computed[0][0]
    before = result_of(latest_assessment(revision))
    url = reverse("review:variant-line", args=[revision.pk, view.key])
    data = {
        "kind": "hide",
        "line": digest,
        "text": "Не относится к этому стенду.",
        "expected_version": revision.version,
    }
    assert client.post(url, data).status_code == 302
    now = next(v for v in dossier_of(revision).variants if v.key == view.key)
    assert now.risks == view.risks[1:]
    assert [h.hidden for h in now.hidden] == [view.risks[0]]
    assert result_of(latest_assessment(revision)) == before
    with pytest.raises(DomainError):
        write(revision, engineer, view, kind="hide", line="0" * 64, expected_version=2)


def test_another_choice_says_whose_it_is_and_why(revision, engineer):
    computed, other = chosen(revision), owned(revision)
    row = write(revision, engineer, other, kind="pick", text="Стойка уже под него готова.")
    dossier = dossier_of(revision)
    assert dossier.recommended.key == other.key
    assert dossier.recommended.pick.computed == computed.key
    conclusion = sheet(revision).conclusion
    assert other.hardware.split("× ")[1] in conclusion.replace("\u00a0", " ")
    assert "Стойка уже под него готова." in conclusion
    revision.refresh_from_db()
    editing.line_change(
        revision=revision,
        actor=engineer,
        remark=row,
        deed="remove",
        expected_version=revision.version,
    )
    assert chosen(revision).key == computed.key


def test_no_line_names_a_price(revision, engineer):
    with pytest.raises(DomainError):
        write(revision, engineer, owned(revision), text="Дешевле на 2 млн руб.")


def test_a_line_about_another_build_is_not_printed_and_the_checks_say_so(revision, engineer):
    view = owned(revision)
    write(revision, engineer, view, text="Знаком команде.")
    assert "lost-lines" not in states(revision, engineer)
    VariantRemark.objects.update(gpu_count=view.gpus + 1)
    assert states(revision, engineer)["lost-lines"] == "tight"
    printed = [cell.text for row in sheet(revision).rows for cell in row.cells]
    assert printed
    assert not any("Знаком команде." in text for text in printed)


def test_without_additions_the_facts_of_a_document_are_what_they_were(revision):
    assert '"edits"' not in snapshot_of(revision).text()
