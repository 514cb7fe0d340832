"""Facts from a file: a preview that stores nothing, then proposals; hostile files are refused."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.catalog.exports import as_csv, as_json
from apps.catalog.import_files import MAX_BYTES, MAX_LINES, ImportFileError, read_import_file
from apps.catalog.imports import import_propose, judge
from apps.catalog.models import Item, Proposal
from apps.catalog.proposals import proposal_approve
from apps.core.errors import DomainError, NotAllowed
from tests.factories import make_client, make_user

HEAD = "slug,key,value,unit,source,source_ref,as_of,confidence\n"
LINE = "SYS-521GE-TNRT,depth_mm,790,mm,Datasheet of the maker,https://example.com/a,2026-10-01,datasheet\n"


def lines_of(text):
    return read_import_file(text.encode())


def fact(**changes):
    plain = {
        "slug": "SYS-521GE-TNRT",
        "key": "depth_mm",
        "value": "790",
        "unit": "mm",
        "source": "Datasheet of the maker",
        "source_ref": "",
        "as_of": "2026-10-01",
        "confidence": "datasheet",
    }
    return HEAD + ",".join(f'"{v}"' for v in (plain | changes).values()) + "\n"


@pytest.mark.usefixtures("stocked")
@pytest.mark.parametrize("write", [as_csv, as_json])
def test_the_exported_catalog_says_nothing_new(write):
    items = Item.objects.exclude(kind="constant").prefetch_related("facts")
    found = judge(read_import_file(write(items).encode()))
    assert {one.state for one in found} == {"same"}, [
        (one.line, one.problem) for one in found if one.state != "same"
    ][:3]
    assert len(found) > 500


@pytest.mark.usefixtures("stocked")
@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "changes"),
        ({"value": "786,1"}, "confirms"),
        ({"key": "psu_min_volts", "value": "200", "unit": "V"}, "new"),
        ({"key": "accelerators", "value": '[""L40S"", ""L4""]', "unit": "ids"}, "changes"),
    ],
)
def test_the_preview_says_what_is_new_and_what_changes(changes, state):
    (found,) = judge(lines_of(fact(**changes)))
    assert (found.state, found.problem) == (state, "")
    assert not Proposal.objects.exists()


@pytest.mark.usefixtures("stocked")
@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"slug": "SYS-521GE-TNR"}, "SYS-521GE-TNRT"),
        ({"key": "depth"}, "depth_mm"),
        ({"unit": "cm"}, "mm"),
        ({"value": "-5"}, "formula"),
        ({"value": "=1+1"}, "formula"),
        ({"value": "deep"}, "2700"),
        ({"value": "0"}, "cannot be true"),
        ({"source": ""}, "source"),
        ({"source": "=HYPERLINK(1)"}, "formula"),
        ({"as_of": "01.10.2026"}, "2026-11-30"),
        ({"as_of": "2099-01-01"}, "still to come"),
        ({"confidence": "certain"}, "datasheet"),
        (
            {"key": "seen_configurations", "value": '[""8x L4, 2x 8480""]', "unit": "texts"},
            "comma inside",
        ),
        ({"key": "accelerators", "value": "H200-SXM-141", "unit": "ids"}, "module"),
    ],
)
@pytest.mark.one_stack
def test_a_wrong_line_says_how_to_mend_it(changes, hint, settings):
    settings.LANGUAGE_CODE = "en"
    (found,) = judge(lines_of(fact(**changes)))
    assert found.state == "wrong"
    assert hint in found.problem


@pytest.mark.usefixtures("stocked")
def test_a_fact_stated_twice_is_taken_once():
    assert [one.state for one in judge(lines_of(HEAD + LINE + LINE))] == ["changes", "wrong"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x" * (MAX_BYTES + 1),
        fact(source="Поставщик").encode("cp1251"),
        fact().encode("utf-16"),
        b"slug,key\n\0\0,1\n",
        b"slug,key,value\nA,b,1\n",
        (HEAD.strip() + ",price\n" + LINE).encode(),
        (HEAD.strip() + ",Цена\n" + LINE).encode(),
        fact(key="price_usd").encode(),
        json.dumps([{"slug": "L4", "facts": [{"key": "memory_gb", "cost": 1}]}]).encode(),
        json.dumps([{"slug": "L4", "facts": "all"}]).encode(),
        b"[" * 100_000,
        b'[{"slug": "L4"',
        HEAD.encode() + b'"open,quote\n',
        (",".join(["slug"] * 100) + "\n").encode(),
        HEAD.encode() + LINE.encode() * (MAX_LINES + 1),
        HEAD.encode(),
    ],
)
def test_a_hostile_file_is_refused_with_what_to_do(content):
    with pytest.raises(ImportFileError) as problem:
        read_import_file(content)
    assert len(str(problem.value)) > 10


def test_a_file_of_a_russian_spreadsheet_is_read():
    text = "\ufeff" + (HEAD + LINE).replace(",", ";")
    (found,) = read_import_file(text.encode())
    assert (found.slug, found.value, found.number) == ("SYS-521GE-TNRT", "790", 2)


@pytest.mark.usefixtures("stocked")
def test_ticked_lines_become_proposals_that_another_person_approves():
    engineer = make_user(Role.ENGINEER)
    given = {"name": "facts.csv", "chosen": frozenset({2}), "actor": engineer}
    text = HEAD + LINE + LINE.replace("depth_mm,790", "height_mm,230")
    (made,) = import_propose(lines=lines_of(text), reason="Measured in the rack", **given)
    assert made.key == "depth_mm"
    assert "facts.csv: 2" in made.reason
    assert AuditEvent.objects.filter(action="catalog.propose").count() == 1
    proposal_approve(proposal=made, actor=make_user(Role.ADMINISTRATOR))
    present = Item.objects.get(slug="SYS-521GE-TNRT").facts.get(key="depth_mm", superseded=False)
    assert present.value == 790
    with pytest.raises(DomainError):  # the catalog says so already
        import_propose(lines=lines_of(HEAD + LINE), reason="Again", **given)


@pytest.mark.usefixtures("stocked")
def test_nothing_is_proposed_without_a_reason_twice_or_by_a_client():
    given = {"lines": lines_of(HEAD + LINE), "name": "facts.csv", "chosen": frozenset({2})}
    engineer = make_user(Role.ENGINEER)
    with pytest.raises(DomainError):
        import_propose(reason=" ", actor=engineer, **given)
    with pytest.raises(NotAllowed):
        import_propose(reason="Mine", actor=make_client(), **given)
    import_propose(reason="Seen", actor=engineer, **given)
    assert [one.state for one in judge(given["lines"])] == ["waiting"]
    with pytest.raises(DomainError):
        import_propose(reason="Seen", actor=engineer, **given)
    assert Proposal.objects.count() == 1


@pytest.mark.usefixtures("stocked")
def test_the_whole_way_through_the_pages(client):
    client.force_login(make_user(Role.ENGINEER))
    wrong = LINE.replace("depth_mm", "depth")
    upload = SimpleUploadedFile("facts.csv", (HEAD + LINE + wrong).encode())
    shown = client.post("/catalog/import/", {"file": upload}, headers={"accept-language": "en"})
    text = shown.content.decode()
    assert "Is it depth_mm?" in text
    kept = shown.context["kept"]
    assert not Proposal.objects.exists()
    unsaid = client.post("/catalog/import/propose/", {"kept": kept, "line": ["2"]})
    assert unsaid.status_code == 422
    done = client.post(
        "/catalog/import/propose/", {"kept": kept, "line": ["2", "x"], "reason": "Seen"}
    )
    assert done.url == "/catalog/proposals/"
    assert Proposal.objects.count() == 1


@pytest.mark.usefixtures("stocked")
def test_a_preview_of_another_person_is_not_taken(client):
    client.force_login(make_user(Role.ENGINEER))
    upload = SimpleUploadedFile("facts.csv", (HEAD + LINE).encode())
    kept = client.post("/catalog/import/", {"file": upload}).context["kept"]
    client.force_login(make_user(Role.MANAGER))
    for value in (kept, "", "x.y.z"):
        answer = client.post("/catalog/import/propose/", {"kept": value, "reason": "Seen"})
        assert answer.url == "/catalog/import/"
    assert not Proposal.objects.exists()


@pytest.mark.usefixtures("stocked")
@pytest.mark.one_stack
def test_a_wrong_file_is_said_on_the_page(client):
    client.force_login(make_user(Role.ENGINEER))
    upload = SimpleUploadedFile("facts.csv", fact(key="price").encode())
    answer = client.post("/catalog/import/", {"file": upload}, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert "keeps no prices" in answer.content.decode()
