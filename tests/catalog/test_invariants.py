"""Promises about the stored catalog: kept by the product, and a breach is named."""

import pytest

from apps.accounts.models import Role
from apps.catalog.invariants import CHECKS
from apps.catalog.models import Fact, Head, Proposal, Release
from apps.catalog.proposals import proposal_approve
from apps.documents.invariants import CHECKS as EVERY_CHECK
from tests.factories import make_proposal, make_user

pytestmark = pytest.mark.usefixtures("stocked")


def problems():
    return [line for check in CHECKS for line in check()]


def approve():
    proposal_approve(proposal=make_proposal(), actor=make_user(Role.ADMINISTRATOR))


def forge_release():
    Release.objects.create(sha256="ab" * 32, body=Release.objects.get().body)


def forge_head():
    forge_release()
    Head.objects.update(release="ab" * 32)


def forge_approval():
    approve()
    Proposal.objects.all().delete()


BREACHES = {
    "a figure": (
        lambda: Fact.objects.filter(key="tdp_w").update(value=1),
        "the tables of accelerators are not the release in force",
    ),
    "a release": (forge_release, "does not hash to its name"),
    "a head": (forge_head, "does not hash to its name"),
    "an approval": (forge_approval, "depth_mm was approved without a proposal"),
}


def test_the_product_keeps_them_and_asks_for_all_of_them():
    assert problems() == []
    approve()
    assert problems() == []
    assert set(CHECKS) <= set(EVERY_CHECK)


@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_is_named(breach):
    act, said = BREACHES[breach]
    act()
    assert any(said in line for line in problems()), problems()
