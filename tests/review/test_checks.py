"""What must hold before approval."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.utils import timezone

from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import OpenQuestion, Revision
from apps.requisitions.services import annotation_add, override_set
from apps.review import checks
from apps.review.checks import Check, blockers_of, checks_of, split
from apps.review.dossier import Dossier, dossier_of
from apps.review.services import question_assign, recalculate
from tests.review.samples import make_engineer, make_estimating, make_in_review

pytestmark = pytest.mark.django_db


def found(revision: Revision, actor) -> dict[str, Check]:
    return {check.key: check for check in checks_of(dossier_of(revision), actor)}


def blocking(revision: Revision, actor) -> set[str]:
    return {check.key for check in blockers_of(dossier_of(revision), actor)}


@pytest.fixture
def engineer():
    return make_engineer()


def test_a_whole_revision_has_no_obstacle(engineer):
    assert blocking(make_in_review(engineer), engineer) == set()


def test_every_obstacle_says_where_it_is_mended(engineer):
    revision = make_in_review(failed=("memory", "time"), micro_batch=RawAnswer(unknown=True))
    for check in blockers_of(dossier_of(revision), engineer):
        assert check.href, check.key
        assert check.link, check.key


def test_somebody_must_have_taken_it(engineer):
    assert "engineer" in blocking(make_in_review(), engineer)
    assert "engineer" in blocking(make_in_review(make_engineer()), engineer)


def test_a_calculation_that_runs_is_an_obstacle(engineer):
    assert "calculated" in blocking(make_estimating(), engineer)
    revision = make_in_review(engineer)
    recalculate(revision=revision, actor=engineer)
    assert "calculated" in blocking(revision, engineer)


@pytest.mark.parametrize(
    ("estimator", "state"),
    [("memory", "blocked"), ("time", "blocked"), ("storage", "tight"), ("rack", "tight")],
)
def test_a_failed_estimator_stops_only_where_nothing_can_be_said_without_it(
    engineer, estimator, state
):
    check = found(make_in_review(engineer, failed=(estimator,)), engineer)[f"estimator-{estimator}"]
    assert check.state == state
    assert check.sub == f"{estimator} broke"


def test_going_against_the_advice_needs_a_reason(engineer):
    answers = {"purpose": RawAnswer("knowledge"), "alternatives": RawAnswer("not-tested")}
    assert "gate" in blocking(make_in_review(engineer, **answers), engineer)
    answers["continue_reason"] = RawAnswer("Поиск проверен, качества не хватает.")
    check = found(make_in_review(engineer, **answers), engineer)["gate"]
    assert check.state == "tight"
    assert check.sub == "Поиск проверен, качества не хватает."


def test_a_critical_unknown_needs_a_person_and_a_day(engineer):
    revision = make_in_review(engineer, micro_batch=RawAnswer(unknown=True))
    assert "critical-question" in blocking(revision, engineer)
    question = revision.open_questions.get(key="micro_batch")
    question_assign(question=question, actor=engineer, owner_name="Анна", due_text="")
    assert "critical-question" in blocking(revision, engineer)
    question_assign(question=question, actor=engineer, owner_name="Анна", due_text="4 декабря")
    assert "critical-question" not in blocking(revision, engineer)


def test_a_small_unknown_is_only_mentioned(engineer):
    revision = make_in_review(engineer)
    assert revision.open_questions.get(key="depth_mm").owner_name == ""
    outcomes = found(revision, engineer)
    assert outcomes["critical-question"].state == "ok"
    assert outcomes["questions"].state == "tight"


def test_an_unknown_that_moves_half_of_the_result_is_critical(engineer):
    revision = make_in_review(engineer)
    OpenQuestion.objects.filter(key="depth_mm").update(influence=0.6)
    assert "critical-question" in blocking(revision, engineer)


@pytest.mark.parametrize("words", ["Сервер выйдет в 3 млн руб.", "About $25,000", "120 000 ₽"])
@pytest.mark.one_stack
def test_a_price_in_the_words_for_the_client_is_an_obstacle(engineer, words):
    revision = make_in_review(engineer)
    annotation_add(revision=revision, actor=engineer, text=words, visibility="internal")
    assert "prices" not in blocking(revision, engineer)
    annotation_add(revision=revision, actor=engineer, text=words, visibility="client")
    assert "prices" in blocking(revision, engineer)


def test_a_price_in_a_reason_is_an_obstacle(engineer):
    revision = make_in_review(engineer)
    override_set(
        revision=revision,
        actor=engineer,
        field="recipe.epochs",
        value=2,
        reason="Иначе дороже на 100 тыс. руб.",
    )
    assert "prices" in blocking(revision, engineer)


def test_a_rented_node_needs_no_part_number(engineer):
    revision = make_in_review(engineer)
    assert found(revision, engineer)["sku"].state == "tight"
    dossier = with_variants(dossier_of(revision), rented=True)
    assert "sku" not in {check.key for check in checks_of(dossier, engineer)}


def test_several_gpus_without_a_layout_are_an_obstacle(engineer):
    revision = make_in_review(engineer)
    assert "layout" not in blocking(revision, engineer)
    dossier = with_variants(dossier_of(revision), gpus=2, layout="")
    assert "layout" in {check.key for check in blockers_of(dossier, engineer)}


def with_variants(dossier: Dossier, **changes) -> Dossier:
    """The dossier with every variant changed."""
    return replace(dossier, variants=tuple(replace(v, **changes) for v in dossier.variants))


@pytest.mark.parametrize(
    "words", ["Память 42–59 ГиБ", "шаг 31 с", "5 прогонов 8B", "ред. B", "V100 32 ГБ", "8 карт"]
)
@pytest.mark.one_stack
def test_figures_of_the_task_are_no_prices(engineer, words):
    revision = make_in_review(engineer)
    annotation_add(revision=revision, actor=engineer, text=words, visibility="client")
    assert "prices" not in blocking(revision, engineer)


def test_what_the_client_has_not_planned_is_mentioned(engineer):
    revision = make_in_review(
        engineer, held_out_set=RawAnswer("no"), stop_criteria=RawAnswer(unknown=True)
    )
    outcomes = found(revision, engineer)
    assert outcomes["held-out"].state == "tight"
    assert outcomes["stop"].state == "tight"


def test_old_facts_are_mentioned(engineer, monkeypatch):
    revision = make_in_review(engineer)
    assert "facts" not in found(revision, engineer)
    old, new = "2020-01-01", timezone.localdate().isoformat()
    rows = [SimpleNamespace(as_of=day, name=f"card of {day}") for day in (old, new, "")]
    monkeypatch.setattr(checks, "facts_used", lambda task, result, contents: rows)
    check = found(revision, engineer)["facts"]
    assert check.state == "tight"
    assert check.sub == f"card of {old}"


def test_nothing_is_in_two_groups(engineer):
    everything = checks_of(dossier_of(make_in_review(engineer)), engineer)
    stops, notices, done = split(everything)
    assert len(stops) + len(notices) + len(done) == len(everything)


@pytest.mark.parametrize(("grade", "said"), [("D", True), ("C", False)])
@pytest.mark.one_stack
def test_the_lowest_confidence_is_mentioned(engineer, grade, said):
    dossier = dossier_of(make_in_review(engineer))
    assert dossier.result is not None
    dossier = replace(dossier, result={**dossier.result, "confidence": grade})
    states = {check.key: check.state for check in checks_of(dossier, engineer)}
    assert states.get("confidence") == ("tight" if said else None)


@pytest.mark.parametrize(("experiments", "said"), [("1", True), ("8", False)])
@pytest.mark.one_stack
def test_a_single_experiment_is_mentioned(engineer, experiments, said):
    revision = make_in_review(engineer, experiments=RawAnswer(experiments))
    check = found(revision, engineer).get("single-experiment")
    assert (check.state if check else None) == ("tight" if said else None)


@pytest.mark.one_stack
def test_a_calculation_that_names_no_assumptions_is_an_obstacle(engineer):
    dossier = dossier_of(make_in_review(engineer))
    assert dossier.result is not None
    assert "assumptions" not in {check.key for check in blockers_of(dossier, engineer)}
    bare = replace(dossier, result={**dossier.result, "assumptions": []})
    assert "assumptions" in {check.key for check in blockers_of(bare, engineer)}
