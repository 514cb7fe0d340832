"""A calculation keeps the catalog that it began with; the next one takes the corrected one."""

import json

import pytest

from apps.catalog import services
from apps.catalog.models import Fact, Item, Use
from apps.catalog.releases import contents_for, present_sha256
from apps.catalog.selectors import items_in_use
from apps.documents.collect import snapshot_of
from apps.estimation.services import calculation_start, engine_input
from apps.intake.hardware import hardware_named
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.architecture.world import TASK
from tests.factories import make_submitted
from tests.helpers import run_jobs

pytestmark = pytest.mark.usefixtures("stocked")

CARD = "H100-SXM5-80"


def correct(slug, key, value):
    """Set a fact and make a release of it, as an approved correction does."""
    Fact.objects.filter(item__slug=slug, key=key, superseded=False).update(value=value)
    services.publish(services.hold_head())


def start():
    return calculation_start(revision=make_submitted(), task=TASK, context={}, actor=None)


def test_a_correction_reaches_the_next_calculation_and_not_the_one_under_way():
    before = start()
    correct(CARD, "tdp_w", 650)
    after = start()
    assert before.catalog_sha256 != after.catalog_sha256 == present_sha256()
    assert engine_input(before)[1].accelerators[CARD].tdp_w == 700
    assert engine_input(after)[1].accelerators[CARD].tdp_w == 650


def test_every_estimator_of_a_calculation_sees_one_catalog():
    calculation = start()
    first = engine_input(calculation)[1]
    correct(CARD, "tdp_w", 650)
    assert engine_input(calculation)[1] is first


def test_a_document_copies_the_facts_of_its_own_catalog():
    calculation = start()
    run_jobs()
    result = json.loads(calculation.assessment.result_text)
    card = next(v["accelerator"] for v in result["variants"] if v["accelerator"])
    old = Fact.objects.get(item__slug=card, key="tdp_w", superseded=False).value
    correct(card, "tdp_w", old + 1)
    facts = snapshot_of(calculation.revision).facts
    assert {f.value for f in facts if f.item == card and f.key == "tdp_w"} == {old}


def test_a_calculation_of_an_unknown_catalog_takes_the_one_in_force():
    assert contents_for("0" * 64).sha256 == present_sha256()


def test_an_assessment_notes_what_it_names_once():
    calculation = start()
    run_jobs()
    result = json.loads(calculation.assessment.result_text)
    named = {v[part] for v in result["variants"] for part in ("server", "accelerator")} - {None}
    assert named
    assert {item.slug for item in items_in_use(calculation.pk)} == named
    services.uses_store(calculation=calculation.pk, slugs=named)
    assert Use.objects.filter(calculation=calculation.pk).count() == len(named)


def test_a_client_is_told_the_hardware_after_the_approval_only():
    calculation = start()
    run_jobs()
    revision = Revision.objects.get(pk=calculation.revision_id)
    for state in State:
        revision.state = state
        assert bool(hardware_named(revision)) == (state == State.APPROVED), state
    revision.state = State.APPROVED
    kinds = {item.kind for item in hardware_named(revision)}
    assert kinds <= {"server", "accelerator"}
    assert Item.objects.filter(slug__in=[i.slug for i in hardware_named(revision)]).exists()
