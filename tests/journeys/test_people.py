"""J11–J17: letters, failures, two at once, guests, managers, and who may sign."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role, RoleGrant, User
from apps.audit.models import AuditEvent
from apps.audit.services import subject_key
from apps.documents.models import Document
from apps.estimation import services as estimation
from apps.notices.models import Notice
from apps.requisitions.models import GuestInvitation, Override, Requisition
from apps.requisitions.workflow import State
from tests.factories import make_user
from tests.helpers import run_jobs
from tests.intake.guests import link_to, make_guest
from tests.intake.pages import answer_all, stored, url
from tests.journeys.play import Play, answers_of, words_of


def test_j11_the_next_letter_replaces_the_first_and_whoever_holds_it_is_told():
    play = Play(answers_of("full-finetune"), client="igor@ladoga.example").sent().approved()
    first = play.revision
    document = Document.objects.get(revision=first, kind="final", language="ru")
    reader = play.browser(Role.MANAGER)
    assert reader.get(reverse("documents:download", args=[document.pk])).status_code == 200
    play.do("open-next").do("answer", answers={"kw_usable": "12 кВт", "feeds": "2"})
    play.do("send", "wait-for-estimates").approved()
    first.refresh_from_db()
    assert first.state == State.SUPERSEDED
    told = Notice.objects.filter(event="superseded", subject=subject_key(first))
    assert told.filter(user=play.scene.staff(Role.MANAGER)).exists()
    assert Document.objects.filter(revision=first, kind="superseded").count() == 2
    assert "заменено" in play.reads("intake:status")
    asked = Client(headers={"accept-language": "ru"}).get(
        reverse("verify-code", args=[document.code])
    )
    assert "заменён следующей редакцией" in words_of(asked.content.decode())
    assert "Его заменила редакция B" in words_of(asked.content.decode())


@pytest.mark.parametrize(("broken", "blocked"), [("storage", False), ("memory", True)])
def test_j12_a_failed_estimator_leaves_a_cell_and_only_a_mandatory_one_blocks(
    monkeypatch, settings, broken, blocked
):
    settings.JOB_MAX_ATTEMPTS = 1
    run = estimation.estimate_run

    def breaks(calculation, estimator):
        if estimator == broken:
            raise ValueError("no such volume")
        return run(calculation, estimator)

    monkeypatch.setattr(estimation, "estimate_run", breaks)
    play = Play(answers_of("lora")).do("answer", "rest-unknown", "send")
    run_jobs("estimate")
    run_jobs("assemble")
    assert play.revision.state == State.IN_REVIEW
    assert "не рассчитано" in play.reads("review:workspace", Role.ENGINEER).lower()
    play.do("take")
    handed_on = play.posts("review:send", {}, Role.ENGINEER)
    if not blocked:
        assert handed_on.status_code == 302
        assert play.revision.state == State.IN_APPROVAL
        return
    assert handed_on.status_code != 302
    assert play.revision.state == State.IN_REVIEW
    monkeypatch.setattr(estimation, "estimate_run", run)
    assert play.posts("review:recalculate", {}, Role.ENGINEER).status_code == 302
    play.do("wait-for-estimates")
    assert "не рассчитано" not in play.reads("review:workspace", Role.ENGINEER).lower()
    assert play.posts("review:send", {}, Role.ENGINEER).status_code == 302
    assert play.revision.state == State.IN_APPROVAL


def test_j13_two_engineers_see_who_has_it_and_a_late_value_is_refused():
    play = Play(answers_of("lora")).sent().do("take")
    first, second = play.scene.staff(Role.ENGINEER), make_user(Role.ENGINEER, full_name="Вера")
    play.reads("review:workspace", first)
    page = play.reads("review:workspace", second)
    assert "Над заявкой работает Сергей Дымов: согласуйте изменения" in page
    assert "Open now also by: Сергей Дымов" in play.reads("review:workspace", second, "en")
    stale = play.revision.version - 1
    values = {"field": "recipe.lora_rank", "value": "16", "reason": "x", "expected_version": stale}
    late = play.posts("review:override", values, first)
    assert late.status_code == 409
    assert "Кто-то успел раньше" in words_of(late.content.decode())
    assert not Override.objects.exists()


def test_j14_a_guest_answers_the_rack_by_a_link_and_asks_for_a_new_one_when_it_is_over():
    play = Play(answers_of("full-finetune", kw_usable=None)).do("answer")
    draft = play.scene.revision
    guest = make_guest(draft)
    link = link_to(guest)
    phone = Client(headers={"accept-language": "ru"})
    phone.post(link, {"begin": "1"})
    section = reverse("intake:guest-section", args=[guest.pk])
    assert "46 ГБ" not in words_of(phone.get(section).content.decode())
    phone.post(section, {"asked": ["kw_usable"], "kw_usable": "10 кВт"})
    assert stored(draft)["kw_usable"] == "10 кВт"
    assert "Пётр Стойкин" in play.reads("intake:check")
    GuestInvitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
    late = Client(headers={"accept-language": "ru"})
    shut = words_of(late.get(link).content.decode())
    assert "Попросить новую ссылку" in shut
    assert "10 кВт" not in shut
    late.post(link, {"again": "1"})
    assert Notice.objects.filter(user=play.scene.client, event="guest-asks-again").exists()


def test_j15_what_a_manager_fills_in_from_a_call_counts_when_the_client_confirms_it():
    owner = User.objects.get(email="anna@ladoga.example")
    manager = User.objects.get(grants__role=Role.MANAGER)
    caller, client = (Client(headers={"accept-language": "ru"}) for _ in range(2))
    caller.force_login(manager)
    client.force_login(owner)
    caller.post(reverse("intake:behalf"), {"who": "known", "contact": owner.pk})
    draft = Requisition.objects.get().revisions.get()
    answer_all(draft, by=manager)
    seen = re.search(r'name="seen" value="(\w+)"', caller.get(url("check", draft)).content.decode())
    assert seen is not None
    caller.post(url("ask-confirmation", draft), {"seen": seen[1]})
    client.post(url("submit", draft))
    draft.refresh_from_db()
    assert draft.submitted_by == owner
    events = AuditEvent.objects.filter(subject=subject_key(draft))
    names = {event.action: event.actor_name for event in events}
    assert names["requisition.confirm"] == str(owner)
    assert str(manager) in {event.actor_name for event in events}


def test_j16_nobody_approves_what_they_worked_on():
    play = Play(answers_of("lora")).sent()
    both, olga = play.scene.staff(Role.ENGINEER), play.scene.staff(Role.APPROVER)
    RoleGrant.objects.create(user=both, role=Role.APPROVER)
    play.do("take", "to-approval", "wait-for-documents")
    revision = play.revision
    shown = Document.objects.get(revision=revision, kind="draft", language="ru")
    form = {
        "decision": "approve",
        "document_sha256": shown.sha256,
        "expected_version": revision.version,
    }
    address = play.address("review:decide")
    assert play.browser(both).post(address, form).status_code == 403
    assert play.revision.state == State.IN_APPROVAL
    assert play.browser(olga).post(address, form).status_code == 302
    assert play.revision.state == State.APPROVED
