"""J2, J5, J7, J8, J9, J18, J19: what the site, the data and the parts allow."""

import html
import json

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation

from apps.accounts.models import Role
from apps.estimation.models import Assessment, PartConfirmation
from apps.offers.needed import needed_of
from apps.offers.services import offer_add
from apps.requisitions.models import OpenQuestion
from tests.intake.guests import link_to, make_guest
from tests.journeys.play import Play, answers_of


def result_of(play: Play) -> dict:
    latest = Assessment.objects.filter(calculation__revision=play.revision).latest("created_at")
    return json.loads(latest.result_text)


def racks_of(play: Play) -> dict[str, str]:
    return {v["key"]: v["verdicts"]["rack"] for v in result_of(play)["variants"]}


def architect_says(play: Play, **answers: str) -> None:
    """Somebody without an account answers the rack section of the draft by a link."""
    guest = make_guest(play.scene.revision)
    architect = Client(headers={"accept-language": "ru"})
    architect.post(link_to(guest), {"begin": "1"})
    section = reverse("intake:guest-section", args=[guest.pk])
    architect.post(section, {"asked": list(answers), **answers})


def test_j2_a_rack_that_is_too_weak_blocks_and_ten_kilowatts_open_it():
    """With the 8B model of the demo: of 30B already the smallest that is bought has eight GPUs."""
    play = Play(answers_of("full-finetune", kw_usable=None, feeds=None), "igor@ladoga.example")
    play.do("answer")
    architect_says(play, power_known_as="kilowatts", kw_usable="5 кВт", feeds="1")
    play.do("rest-unknown", "send", "wait-for-estimates")
    assert "Нужен ввод на" in play.reads("review:variants", Role.ENGINEER)
    blocked = racks_of(play)
    assert blocked["V2"] == "does-not-fit"
    assert "does-not-fit" not in {blocked["V0"], blocked["V1"]}
    assert "Нужен ввод на" in play.approved().paper()
    play.do("open-next")
    architect_says(play, power_known_as="kilowatts", kw_usable="10 кВт", feeds="2")
    play.do("rest-unknown", "send", "wait-for-estimates")
    assert racks_of(play)["V2"] == "fits"
    changes = play.reads("review:changes", Role.ENGINEER)
    assert "Теперь рекомендуется V2: 8×" in changes


def test_j5_two_hundred_billion_from_scratch_are_magnitudes_with_questions_of_the_network():
    play = Play(answers_of("from-scratch", params="200 млрд"), client="maria@onega.example").sent()
    result = result_of(play)
    assert result["status"] == "magnitude"
    page = play.reads("review:variants", Role.ENGINEER)
    page += play.reads("review:workspace", Role.ENGINEER)
    assert "Уверенность D" in page
    assert "Сеть между узлами должна поддерживать RDMA" in page
    assert "Финальный запуск" in page
    assert all(v["nodes"] > 1 for v in result["variants"])
    assert OpenQuestion.objects.filter(revision=play.revision, key="node_network").exists()


def test_j7_millions_of_small_files_want_their_data_in_order_first():
    play = Play(answers_of("defects"), client="maria@onega.example").sent()
    page = play.reads("review:workspace", Role.ENGINEER)
    assert "соберите их в архивы или шарды до обучения" in page
    assert "скопируйте их на локальные диски" in page
    host = result_of(play)["host"]
    cards = result_of(play)["variants"][0]["gpus"]
    assert host["cores"]["typical"] > 8 * cards


def test_j8_an_nvl_card_in_an_sxm_chassis_is_refused_with_what_fits_instead():
    play = Play(answers_of("full-finetune", sku="SYS-821GE-TNHR, 8×H200 NVL")).sent()
    text = play.reads("review:variants", Role.ENGINEER)
    assert "части не сочетаются" in text
    assert "SYS-821GE-TNHR принимает только модули" in text
    assert "Вместо этого подойдёт: сервер SYS-521GE-TNRT" in text
    assert "GPU NVIDIA H200 SXM 141GB" in text


def test_j9_a_part_code_is_read_and_only_the_suppliers_document_confirms_it():
    play = Play(answers_of("full-finetune", sku="8×H200/2×8558/16×64")).sent().do("take")
    offer = result_of(play)["offer"]["configuration"]
    assert (offer["gpus"], offer["cpus"], offer["ram_gb"]) == (8, 2, 1024)
    text = play.reads("review:variants", Role.ENGINEER)
    assert "требует подтверждения" in text
    assert "это ничего не подтверждает: подтверждает документ поставщика" in text
    assert "1 024 ГБ" in text
    bought = next(v["key"] for v in result_of(play)["variants"] if not v["rented"])
    form = {"part_number": "SYS-821GE-TNHR-0042", "says": "8 модулей H200, 2 × 8558, 16 × 64 ГБ"}
    without = play.posts("review:variant-part", form, Role.ENGINEER, variant_key=bought)
    assert without.status_code == 400
    assert not PartConfirmation.objects.exists()
    form["document"] = SimpleUploadedFile("spec.pdf", b"%PDF-1.7 supplier")
    confirmed = play.posts("review:variant-part", form, Role.ENGINEER, variant_key=bought)
    assert confirmed.status_code == 302
    page = play.reads("review:variant", Role.ENGINEER, variant_key=bought)
    assert "SYS-821GE-TNHR-0042" in page
    assert "spec.pdf" in page
    assert "подтверждён" in page


def test_j18_repeated_training_is_sized_by_its_heaviest_cycle_with_a_reserve():
    answers = answers_of(
        "full-finetune", strategy="continual", cycle_every="1 месяц", cycle_share="30 %"
    )
    page = Play(answers).sent().reads("review:variants", Role.ENGINEER)
    assert "Самый тяжёлый плановый цикл, 30 % данных" in page
    assert "с запасом 20 %" in page


def test_j19_three_teams_on_one_server_share_memory_and_wait_or_need_more_cards():
    shared = answers_of("full-finetune", sharing="shared", teams="3", parallel_runs="3")
    play = Play(shared).sent()
    page = play.reads("review:workspace", Role.ENGINEER) + play.reads(
        "review:variants", Role.ENGINEER
    )
    assert "Одновременных запусков: 3" in page
    assert "команд), поэтому RAM взята с запасом" in page
    alone = Play(answers_of("full-finetune")).sent()
    assert (
        result_of(play)["host"]["ram_gb"]["typical"] > result_of(alone)["host"]["ram_gb"]["typical"]
    )


def test_what_is_needed_stands_beside_the_offers_in_the_assessments_own_figures():
    play = Play(answers_of("full-finetune")).sent().approved()
    with translation.override("ru"):
        needed = needed_of(play.revision)
    best = next(v for v in result_of(play)["variants"] if v["recommended"])
    assert needed["part_number"] == best["server"]
    assert set(needed) >= {"composition", "network", "storage", "placement", "step_s", "quality"}
    offer_add(revision=play.revision, values={"supplier": "Альфа"}, actor=play.scene.client)
    page = play.browser().get(reverse("offers:list", args=[play.revision.pk])).content.decode()
    assert needed["step_s"] in html.unescape(page)
