"""J1, J3, J4, J6: whether training, and a server of one's own, is the way at all."""

import pytest

from apps.accounts.models import Role
from apps.documents.models import Document
from apps.estimation.models import Calculation
from apps.requisitions.models import OpenQuestion
from apps.requisitions.workflow import State
from tests.journeys.play import Play, answers_of


def test_j1_a_rent_begins_with_a_measured_step_and_says_so():
    """LoRA on 200 GB, a month of rent: the rank is unknown, rent comes first, bought is nothing yet."""
    play = Play(answers_of("lora", lora_rank=None)).sent()
    unknown = OpenQuestion.objects.filter(revision=play.revision, key="lora_rank")
    assert unknown.exists()
    variants = play.reads("review:variants", Role.ENGINEER)
    assert "Аренда для пилота: подходят V0" in variants
    play.do("take", "override", field="recipe.lora_rank", value=16, reason="Обычно 8–64")
    play.do("wait-for-estimates", "to-approval", "approve", "wait-for-documents")
    assert "Готовность к закупке: после пилота" in play.reads("intake:status")
    assert play.revision.state == State.APPROVED


def test_j3_answers_over_documents_go_to_search_first_and_come_back_with_evidence():
    play = Play(answers_of("search-first")).do("answer")
    assert "поиск по документам (RAG)" in play.reads("intake:gate")
    play.do("another-way", "wait-for-documents")
    assert play.scene.revision.state == State.REDIRECTED
    assert "поиск по документам (RAG)" in play.reads("intake:status")
    assert not Calculation.objects.exists()
    note = Document.objects.get(revision=play.scene.revision, kind="note", language="ru")
    assert note.is_ready
    evidence = "RAG проверен: 64 % верных ответов на 150 вопросах, нужно 85 %"
    play.browser().post(play.address("intake:evidence"), {"evidence": evidence})
    play.do("answer", answers={"weights_change": "yes"})
    assert evidence in play.reads("intake:check")
    assert play.scene.revision.state == State.DRAFT
    assert play.scene.requisition.revisions.count() == 2
    kept = play.scene.revision.answers.get(key="evidence")
    assert (kept.value, kept.updated_by) == (evidence, play.scene.client)


def test_j4_unchanged_weights_are_inference_and_the_answers_are_kept():
    play = Play(answers_of("full-finetune", purpose="serve", weights_change="no"))
    play.do("answer", "another-way", "wait-for-documents")
    assert play.scene.revision.state == State.REDIRECTED
    page = play.reads("intake:status")
    assert "Вам нужен сервер для инференса, а не для обучения" in page
    assert "Llama-3.1-8B" in page
    assert not Calculation.objects.exists()


@pytest.mark.parametrize(
    ("acquisition", "compared"), [("undecided", True), ("buy", False)], ids=["undecided", "decided"]
)
def test_j6_who_has_not_decided_reads_own_and_rented_side_by_side(acquisition, compared):
    answers = answers_of("full-finetune", acquisition=acquisition, busy_share="30 %")
    if acquisition == "buy":
        answers.pop("busy_share")
    page = Play(answers).sent().reads("review:variants", Role.ENGINEER)
    assert ("Свой, аренда или оба" in page) is compared
    if compared:
        assert "По оценке клиента GPU будут заняты 30 % времени" in page
        assert "Владение выгоднее аренды с такой доли часов" in page
