"""New items from a file: drafts that nothing counts until an administrator admits them."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.catalog.additions import proposals_approve, proposals_decline
from apps.catalog.exports import as_json
from apps.catalog.import_files import read_import_file
from apps.catalog.imports import added_by, import_propose, judge
from apps.catalog.models import Fact, Head, Item, Proposal
from apps.catalog.releases import present_catalog
from apps.catalog.services import catalog_sync
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.sizing.compatibility import Proposal as Pair
from apps.sizing.compatibility import check
from tests.factories import make_client, make_user

pytestmark = pytest.mark.usefixtures("stocked")


def document_like(slug, new_slug, **changes):
    """The exported card of an item under another name."""
    (card,) = json.loads(as_json(Item.objects.filter(slug=slug)))
    card |= {"slug": new_slug, "name": f"{card['name']} new"} | changes
    return card


def lines_of(*cards):
    return read_import_file(json.dumps(cards).encode())


def propose(*cards, actor=None):
    lines = lines_of(*cards)
    return import_propose(
        lines=lines,
        name="new.json",
        chosen=frozenset(line.number for line in lines),
        reason="A new machine of the maker",
        actor=actor or make_user(Role.ENGINEER),
    )


def without(card, key):
    return card | {"facts": [fact for fact in card["facts"] if fact["key"] != key]}


@pytest.mark.parametrize(
    "slug", ["SYS-521GE-TNRT", "H200-NVL-141", "8558", "B3220", "DDR5-5600-RDIMM-64"]
)
def test_an_item_of_each_kind_is_proposed_and_admitted(slug):
    before = Head.objects.get().release_id
    (added,) = added_by(judge(lines_of(document_like(slug, "NEW-1"))))
    assert added.missing == ()
    propose(document_like(slug, "NEW-1"))
    item = Item.objects.get(slug="NEW-1")
    assert (item.draft, item.retired) == (True, True)
    assert Head.objects.get().release_id == before
    admin = make_user(Role.ADMINISTRATOR)
    made = proposals_approve(item=item, actor=admin)
    item.refresh_from_db()
    assert (item.draft, item.retired) == (False, False)
    assert {proposal.state for proposal in made} == {"approved"}
    assert set(item.facts.values_list("confirmed_by", flat=True)) == {admin.pk}
    assert Head.objects.get().release_id != before
    assert AuditEvent.objects.filter(action="catalog.admit").count() == 1


def test_an_admitted_server_is_used_by_the_engine():
    propose(document_like("SYS-521GE-TNRT", "SYS-NEW"))
    assert "SYS-NEW" not in present_catalog().servers
    item = Item.objects.get(slug="SYS-NEW")
    proposals_approve(item=item, actor=make_user(Role.ADMINISTRATOR))
    catalog = present_catalog()
    assert check(Pair(server="SYS-NEW", accelerator="H200-NVL-141", gpus=8), catalog).valid
    assert not check(Pair(server="SYS-NEW", accelerator="H200-SXM-141", gpus=8), catalog).valid


def test_what_is_missing_is_named_and_keeps_the_item_out():
    card = without(document_like("SYS-521GE-TNRT", "SYS-NEW"), "rack_units")
    (added,) = added_by(judge(lines_of(card)))
    assert len(added.missing) == 1
    propose(card)
    item = Item.objects.get(slug="SYS-NEW")
    with pytest.raises(DomainError) as refused:
        proposals_approve(item=item, actor=make_user(Role.ADMINISTRATOR))
    assert added.missing[0] in refused.value.message
    assert not Fact.objects.filter(item=item).exists()
    # A second file brings what was missing.
    propose(document_like("SYS-521GE-TNRT", "SYS-NEW"))
    proposals_approve(item=item, actor=make_user(Role.ADMINISTRATOR))
    assert "SYS-NEW" in present_catalog().servers


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "price list"},
        {"kind": "constant"},
        {"vendor": ""},
        {"family": "no-such-family"},
        {"form_factor": "cube"},
        {"name": "=HYPERLINK(1)"},
        {"name": "x" * 300},
        {"slug": "../x y"},
        {"slug": "compare"},
    ],
)
def test_an_item_that_cannot_be_is_refused_line_by_line(changes):
    judged = judge(lines_of(document_like("H200-NVL-141", "NEW-GPU") | changes))
    assert {one.state for one in judged} == {"wrong"}
    assert all(one.problem for one in judged)


def test_prices_are_refused():
    with pytest.raises(DomainError):
        lines_of(document_like("8558", "NEW-CPU", price="1"))


def test_a_module_is_not_admitted_into_a_chassis_of_cards():
    card = document_like("SYS-521GE-TNRT", "SYS-NEW")
    for fact in card["facts"]:
        if fact["key"] == "accelerators" and not fact.get("superseded"):
            fact["value"] = ["H200-SXM-141"]
    propose(card)
    with pytest.raises(DomainError):
        proposals_approve(
            item=Item.objects.get(slug="SYS-NEW"), actor=make_user(Role.ADMINISTRATOR)
        )
    assert Item.objects.get(slug="SYS-NEW").draft


def test_who_decides_about_everything_at_once():
    card = document_like("8558", "NEW-CPU")
    both = make_user(Role.ADMINISTRATOR)
    propose(card, actor=both)
    item = Item.objects.get(slug="NEW-CPU")
    for person in (both, make_user(Role.ENGINEER), make_client()):
        with pytest.raises(NotAllowed):
            proposals_approve(item=item, actor=person)
    other = make_user(Role.ADMINISTRATOR)
    with pytest.raises(DomainError):
        proposals_decline(item=item, actor=other, answer=" ")
    proposals_decline(item=item, actor=other, answer="Not delivered here")
    assert not Proposal.objects.filter(state="open").exists()
    with pytest.raises(Conflict):
        proposals_approve(item=item, actor=other)


def test_an_added_item_outlives_a_synchronisation():
    propose(document_like("8558", "NEW-CPU"))
    proposals_approve(item=Item.objects.get(slug="NEW-CPU"), actor=make_user(Role.ADMINISTRATOR))
    Head.objects.update(fixtures_sha256="")
    catalog_sync()
    assert "NEW-CPU" in present_catalog().processors


def test_the_whole_way_through_the_pages(client):
    client.force_login(make_user(Role.ENGINEER))
    body = json.dumps([document_like("SYS-521GE-TNRT", "SYS-NEW")]).encode()
    upload = SimpleUploadedFile("new.json", body)
    shown = client.post("/catalog/import/", {"file": upload}, headers={"accept-language": "en"})
    assert "a new item of the catalog" in shown.content.decode()
    numbers = [row.line.number for row in shown.context["rows"]]
    given = {"kept": shown.context["kept"], "line": numbers, "reason": "New"}
    assert client.post("/catalog/import/propose/", given).status_code == 302
    assert client.get("/catalog/SYS-NEW/").status_code == 200
    client.logout()
    assert client.get("/catalog/SYS-NEW/").status_code == 404
    client.force_login(make_user(Role.ADMINISTRATOR))
    page = client.get("/catalog/proposals/of/SYS-NEW/", headers={"accept-language": "en"})
    assert "Admit to the catalog" in page.content.decode()
    refused = client.post("/catalog/proposals/of/SYS-NEW/decline/", {"answer": ""})
    assert refused.status_code == 422
    done = client.post("/catalog/proposals/of/SYS-NEW/approve/", {"answer": "Seen"})
    assert done.url == "/catalog/SYS-NEW/"
    client.logout()
    assert client.get("/catalog/SYS-NEW/").status_code == 200


def test_several_facts_of_a_known_item_are_approved_at_once():
    card = document_like("SYS-521GE-TNRT", "SYS-521GE-TNRT")
    for fact in card["facts"]:
        if fact["key"] in ("depth_mm", "height_mm") and not fact.get("superseded"):
            fact["value"] += 1
    made = propose(card)
    assert len(made) == 2
    approved = proposals_approve(item=made[0].item, actor=make_user(Role.ADMINISTRATOR))
    assert {proposal.key for proposal in approved} == {"depth_mm", "height_mm"}
    present = Item.objects.get(slug="SYS-521GE-TNRT").facts.filter(superseded=False)
    assert present.filter(key__in=["depth_mm", "height_mm"], origin="approved").count() == 2
