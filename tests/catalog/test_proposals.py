"""Correcting the catalog takes two people; what is approved reaches the next calculation."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.catalog.fact_specs import SPECS
from apps.catalog.facts import fixture_document
from apps.catalog.models import Fact, Item, Proposal
from apps.catalog.proposals import proposal_approve, proposal_decline, proposal_withdraw
from apps.catalog.releases import present_catalog, present_sha256
from apps.catalog.services import catalog_sync
from apps.catalog.typed import read_value, written
from apps.core.errors import Conflict, DomainError, NotAllowed
from tests.factories import make_client, make_proposal, make_user

pytestmark = pytest.mark.usefixtures("stocked")

SKU = "SYS-521GE-TNRT"


@pytest.fixture
def administrator(db):
    return make_user(Role.ADMINISTRATOR)


def depths():
    rows = Fact.objects.filter(item__slug=SKU, key="depth_mm").order_by("superseded")
    return [(row.value, row.superseded) for row in rows]


def test_an_approved_fact_is_in_force_and_the_old_one_stays_beside_it(administrator):
    before = present_sha256()
    proposal = make_proposal()
    assert present_catalog().servers[SKU].depth_mm == 786.1
    proposal_approve(proposal=proposal, actor=administrator)
    assert present_catalog().servers[SKU].depth_mm == 800
    assert present_sha256() != before
    assert depths() == [(800, False), (786.1, True)]
    fact = Fact.objects.get(item__slug=SKU, key="depth_mm", superseded=False)
    assert (fact.confirmed_by, fact.origin) == (administrator, Fact.Origin.APPROVED)
    assert list(AuditEvent.objects.order_by("seq").values_list("action", flat=True))[-2:] == [
        "catalog.propose",
        "catalog.approve",
    ]
    assert catalog_sync() is None


def test_nobody_approves_their_own_proposal_not_even_the_database(administrator):
    proposal = make_proposal(administrator)
    with pytest.raises(NotAllowed):
        proposal_approve(proposal=proposal, actor=administrator)
    assert depths() == [(786.1, False)]
    with pytest.raises(IntegrityError), transaction.atomic():
        Proposal.objects.update(
            state="approved", decided_by=administrator, decided_at=timezone.now()
        )


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.APPROVER, Role.MANAGER])
def test_only_an_administrator_decides(role):
    proposal = make_proposal()
    for decide in (proposal_approve, proposal_decline):
        with pytest.raises(NotAllowed):
            decide(proposal=proposal, actor=make_user(role), answer="no")


def test_clients_propose_nothing():
    with pytest.raises(NotAllowed):
        make_proposal(make_client())


def test_a_decision_is_made_once(administrator):
    proposal = make_proposal()
    proposal_decline(proposal=proposal, actor=administrator, answer="It is the depth with rails")
    for again in (
        lambda: proposal_approve(proposal=proposal, actor=administrator),
        lambda: proposal_withdraw(proposal=proposal, actor=proposal.proposed_by),
    ):
        with pytest.raises(Conflict):
            again()
    assert depths() == [(786.1, False)]


def test_a_refusal_says_why(administrator):
    with pytest.raises(DomainError):
        proposal_decline(proposal=make_proposal(), actor=administrator, answer="  ")


def test_only_the_proposer_takes_it_back(administrator):
    proposal = make_proposal()
    with pytest.raises(NotAllowed):
        proposal_withdraw(proposal=proposal, actor=administrator)
    proposal_withdraw(proposal=proposal, actor=proposal.proposed_by)
    proposal.refresh_from_db()
    assert proposal.state == Proposal.State.WITHDRAWN


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": "-5"},
        {"value": "0"},
        {"value": "широкий"},
        {"value": ""},
        {"key": "price"},
        {"key": "bf16_tflops_per_s"},
        {"source": " "},
        {"key": "accelerators", "value": "H200-NVL-141, RTX-9999"},
        # A module does not go into a slot, whoever says so.
        {"key": "accelerators", "value": "H200-NVL-141, H200-SXM-141"},
        {"key": "gpu_counts", "value": "1, 2, many"},
        {"key": "gpu_counts_by_width", "value": "1 10"},
        {"confidence": "certain"},
    ],
)
@pytest.mark.one_stack
def test_what_cannot_be_true_is_refused(wrong):
    with pytest.raises(DomainError):
        make_proposal(**wrong)
    assert not Proposal.objects.exists()


def test_every_shipped_value_reads_back_as_it_was_written():
    for part in ("servers", "accelerators", "cpus", "nics", "drives", "dimms"):
        for row in fixture_document()[part]:
            specs = SPECS[row["kind"]][0]
            for fact in row["facts"]:
                value = fact["value"]
                if isinstance(value, list) and any("," in str(member) for member in value):
                    continue  # a configuration in words, with commas of its own
                assert read_value(written(value), specs[fact["key"]]) == value


def test_a_confirmed_value_is_no_contradiction(client, administrator):
    proposal_approve(proposal=make_proposal(value="786,1"), actor=administrator)
    text = client.get(f"/catalog/{SKU}/").content.decode()
    row = re.search(r"<dt>Глубина</dt>.*?</div>", text, re.DOTALL).group()
    assert "источники спорят" not in row
    assert "подтверждён" in row
    assert str(administrator) not in text


def post(client, address, **fields):
    return client.post(f"/catalog/{address}/", fields)


def test_the_whole_way_through_the_pages(client, administrator):
    engineer = make_user(Role.ENGINEER)
    client.force_login(engineer)
    form = client.get(f"/catalog/{SKU}/propose/?key=depth_mm").content.decode()
    assert 'value="786.1"' in form
    fields = {
        "key": "depth_mm",
        "value": "786,5",
        "source": "Data sheet, 2026",
        "source_ref": "https://example.com/sheet.pdf",
        "as_of": timezone.localdate().isoformat(),
        "confidence": "datasheet",
        "reason": "A newer sheet",
    }
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    for wrong in ({"value": "much"}, {"as_of": tomorrow}, {"reason": ""}, {"value": "-1"}):
        assert post(client, f"{SKU}/propose", **fields | wrong).status_code == 422
    assert post(client, f"{SKU}/propose", **fields).status_code == 302
    proposal = Proposal.objects.get()
    assert "ждёт администратора" in client.get("/catalog/proposals/").content.decode()
    assert post(client, f"proposals/{proposal.pk}/approve").status_code == 403
    client.force_login(administrator)
    assert post(client, f"proposals/{proposal.pk}/decline").status_code == 400
    assert post(client, f"proposals/{proposal.pk}/approve").status_code == 302
    assert post(client, f"proposals/{proposal.pk}/approve").status_code == 409
    assert present_catalog().servers[SKU].depth_mm == 786.5


def test_old_facts_are_listed_the_oldest_first(client):
    client.force_login(make_user(Role.MANAGER))
    assert "Все факты свежие" in client.get("/catalog/old-facts/").content.decode()
    for slug, day in (("L4", "2026-01-02"), ("A10", "2025-01-02")):
        Fact.objects.filter(item__slug=slug, key="tdp_w").update(as_of=day)
    text = client.get("/catalog/old-facts/").content.decode()
    assert re.findall(r'rowlink" href="/catalog/([^/]+)/', text) == ["A10", "L4"]


def test_proposals_of_a_retired_item_may_still_be_declined(administrator):
    proposal = make_proposal()
    Item.objects.filter(slug=SKU).update(retired=True)
    proposal_decline(proposal=proposal, actor=administrator, answer="No longer sold")
