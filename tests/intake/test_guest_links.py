"""Links to one section: made and watched by the client, opened by somebody without an account."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEvent
from apps.intake import services
from apps.intake.selectors import draft_of
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.guest_keys import key_make
from apps.requisitions.models import GuestInvitation, GuestKey
from apps.requisitions.services import Change, answers_save, guest_prolong, guest_revoke
from tests.factories import make_client, make_draft
from tests.intake.guests import ask, begun, letter, link_to, make_guest, page, path_of, phone
from tests.intake.pages import answer_all, send, url

pytestmark = pytest.mark.django_db


def only() -> GuestInvitation:
    return GuestInvitation.objects.get()


def expire(guest: GuestInvitation) -> None:
    GuestInvitation.objects.filter(pk=guest.pk).update(
        expires_at=timezone.now() - timedelta(minutes=1)
    )
    guest.refresh_from_db()


def test_a_letter_asks_for_one_section_says_by_when_and_holds_one_link(browser, draft):
    User.objects.update(language="en")
    due = timezone.localdate() + timedelta(days=20)
    answer = ask(browser, draft, send="1", email="Petr@Test.Example", due=f"{due:%d.%m.%Y}")
    assert answer.status_code == 302
    link, _code, text = letter()
    assert text.count("/guest/link/") == 1
    assert "Please answer the section “Rack”" in text.splitlines()[0]
    assert draft.requisition.owner.email in text
    for typed in ("Пётр", "Верещагина"):
        assert typed not in text, "a stranger's mailbox gets no word that somebody typed"
    assert str(due.day) in text.splitlines()[0]
    assert phone().get(link).status_code == 200
    assert timezone.localtime(only().expires_at).date() > due, (
        "the link outlives the day of the answer"
    )


def test_scanners_open_the_link_three_times_and_then_a_person_begins(browser, draft):
    ask(browser, draft, send="1", email="petr@test.example")
    link, _code, _text = letter()
    events = AuditEvent.objects.count()
    for _scan in range(3):
        scanner = phone()
        seen = scanner.get(link)
        assert seen.status_code == 200
        assert "asks you to answer the section “Rack”" in seen.content.decode()
        assert not scanner.cookies.keys() - {"csrftoken"}
        assert scanner.get(page(only())).status_code == 403
    assert only().begun_at is None
    assert AuditEvent.objects.count() == events
    person = phone()
    answer = person.post(link, {"begin": "1"}, follow=True)
    assert "How much power is there?" in answer.content.decode()
    assert only().begun_at is not None


def test_the_link_is_shown_once_and_only_hashes_are_kept(browser, draft):
    html = ask(browser, draft, **{"take-link": "1"}).content.decode()
    token = re.search(r"/guest/link/([\w-]{43})/", html)
    code = re.search(r"\d{5} \d{5}", html)
    assert token
    assert code
    stored = str(GuestKey.objects.values().get())
    assert token[1] not in stored
    assert code[0].replace(" ", "") not in stored
    assert token[1] not in str(list(AuditEvent.objects.values()))
    assert token[1] not in browser.get(url("guests", draft)).content.decode()


def test_a_form_sent_twice_makes_one_invitation(browser, draft):
    form = {"form": "5f9f1a2e-6f3b-4c55-9c55-0a4c7b1d0001", "take-link": "1"}
    ask(browser, draft, **form)
    assert ask(browser, draft, **form).status_code == 200
    assert GuestInvitation.objects.count() == 1


def test_what_the_form_lacks_is_said(browser, draft):
    html = ask(browser, draft, send="1").content.decode()
    assert "Write the e-mail, or take a link to hand over." in html
    html = ask(browser, draft, section="goal").content.decode()
    assert "This section is not asked now." in html
    html = ask(browser, draft, due="1.1.2020").content.decode()
    assert "This day has already passed." in html
    assert not GuestInvitation.objects.exists()


def test_the_code_opens_what_the_link_opens(draft):
    guest = make_guest(draft)
    secret = key_make(guest)
    browser = phone()
    shown = browser.post(reverse("intake:guest-code"), {"code": secret.spaced_code})
    assert "asks you to answer the section “Rack”" in shown.content.decode()
    assert browser.get(page(guest)).status_code == 403, "typing the code alone begins nothing"
    form = {"code": secret.spaced_code.replace(" ", "-"), "begin": "1"}
    answer = browser.post(reverse("intake:guest-code"), form, follow=True)
    assert "How much power is there?" in answer.content.decode()


def test_codes_cannot_be_guessed_for_long(draft):
    secret = key_make(make_guest(draft))
    guesser = phone()
    for guess in range(10):
        wrong = guesser.post(reverse("intake:guest-code"), {"code": f"{guess:010d}"})
        assert wrong.status_code == 422
    form = {"code": secret.code, "begin": "1"}
    assert guesser.post(reverse("intake:guest-code"), form).status_code == 429
    elsewhere = Client(REMOTE_ADDR="203.0.113.7")
    assert elsewhere.post(reverse("intake:guest-code"), form).status_code == 302


@pytest.mark.parametrize("language", ["ru", "en"])
def test_pages_with_a_token_stay_out_of_caches_and_other_requests(draft, language):
    guest = make_guest(draft)
    client = Client(headers={"accept-language": language})
    for address in (link_to(guest), reverse("intake:guest-code"), page(guest)):
        answer = client.get(address)
        assert answer["Cache-Control"] == "no-store"
        assert answer["Referrer-Policy"] == "strict-origin"
        assert "noindex" in answer["X-Robots-Tag"]


def test_a_made_up_link_opens_nothing(draft):
    make_guest(draft)
    assert phone().get(reverse("intake:guest-link", args=["x" * 43])).status_code == 404
    assert (
        phone().post(reverse("intake:guest-link", args=["x" * 43]), {"begin": "1"}).status_code
        == 404
    )


def test_a_revoked_link_is_shut_for_whoever_has_it_and_whoever_is_inside(browser, draft):
    guest = make_guest(draft)
    link, inside = link_to(guest), begun(guest)
    browser.post(url("guest-revoke", draft, guest.pk))
    for answer in (phone().get(link), phone().post(link, {"begin": "1"}), inside.get(page(guest))):
        assert answer.status_code == 410
        assert "taken the link back" in answer.content.decode()


def test_from_a_link_whose_time_is_over_a_new_one_can_be_asked_for(browser, draft):
    guest = make_guest(draft)
    link, inside = link_to(guest), begun(guest)
    expire(guest)
    assert "The time of this link is over" in phone().get(link).content.decode()
    assert inside.get(page(guest)).status_code == 410
    asked = phone().post(link, {"again": "1"})
    assert "They have been told that you wait" in asked.content.decode()
    phone().post(link, {"again": "1"})
    owner = draft.requisition.owner
    assert owner.notices.filter(event="guest-asks-again").count() == 1, "once an hour"
    assert "asks for a new one" in browser.get(url("guests", draft)).content.decode()
    browser.post(url("guest-prolong", draft, guest.pk), {"days": "3"})
    assert phone().get(link).status_code == 200, "the same link works again"
    guest.refresh_from_db()
    assert guest.asked_again_at is None
    assert phone().get(letter()[0]).status_code == 200, "who asked for it is written to"
    assert guest.expires_at < timezone.now() + timedelta(days=4)


def test_what_was_typed_when_the_link_ended_is_there_once_it_works_again(draft):
    guest = make_guest(draft)
    link, inside = link_to(guest), begun(guest)
    expire(guest)
    form = {"asked": ["kw_usable"], "kw_usable": "12 кВт", "action": "continue"}
    assert inside.post(page(guest), form).status_code == 410
    guest_prolong(invitation=guest, days=3, actor=draft.requisition.owner)
    answer = inside.post(link, {"begin": "1"}, follow=True)
    assert 'value="12 кВт"' in answer.content.decode()


def test_sending_the_requisition_ends_its_links(browser, draft):
    guest = make_guest(draft)
    link, inside = link_to(guest), begun(guest)
    answer_all(draft)
    send(browser, draft)
    for answer in (phone().get(link), inside.get(page(guest)), phone().post(link, {"begin": "1"})):
        assert answer.status_code == 410
        assert "The requisition is sent" in answer.content.decode()
    form = {"asked": ["kw_usable"], "kw_usable": "3"}
    assert inside.post(page(guest, "autosave"), form).status_code == 410
    assert not draft.answers.filter(guest__isnull=False).exists()


def test_giving_the_draft_up_ends_its_links(draft):
    guest = make_guest(draft)
    link = link_to(guest)
    services.draft_delete(revision=draft, actor=draft.requisition.owner)
    answer = phone().get(link)
    assert answer.status_code == 410
    assert "was given up or withdrawn" in answer.content.decode()


def test_a_section_that_is_asked_no_more_ends_its_links(draft):
    guest = make_guest(draft)
    link = link_to(guest)
    changes = [Change(key="acquisition", value="rent")]
    answers_save(revision=draft, changes=changes, actor=draft.requisition.owner)
    assert "This section is not asked any more" in phone().get(link).content.decode()


def test_the_owner_sees_state_and_log_of_every_link(browser, draft):
    guest = make_guest(draft)
    assert "not opened yet" in browser.get(url("guests", draft)).content.decode()
    inside = begun(guest)
    assert "opened, not finished" in browser.get(url("guests", draft)).content.decode()
    inside.post(page(guest, "home"), {"verdict": "lacking", "note": "Нет схемы питания"})
    html = browser.get(url("guests", draft)).content.decode()
    assert "looked, data is missing" in html
    assert "Нет схемы питания" in html
    log = re.findall(r"<li>[^<]* · ([^<]*)</li>", html)
    assert log == [
        f"{draft.requisition.owner}: invited a colleague to answer a section by a link",
        "Пётр Стойкин: opened a section by a link",
        "Пётр Стойкин: looked at a section by a link: data is missing",
    ]


def test_a_stranger_and_a_guest_manage_no_links(draft):
    guest = make_guest(draft)
    stranger = phone()
    stranger.force_login(make_client())
    for name in ("guest-revoke", "guest-prolong", "guest-send", "guest-new-link"):
        assert stranger.post(url(name, draft, guest.pk)).status_code == 404
        assert begun(guest).post(url(name, draft, guest.pk)).status_code == 302  # to sign in
    assert stranger.get(url("guests", draft)).status_code == 404
    guest.refresh_from_db()
    assert guest.revoked_at is None


def test_a_link_of_another_requisition_is_not_managed_here(browser, draft):
    other = make_guest(make_draft())
    assert browser.post(url("guest-revoke", draft, other.pk)).status_code == 404


def test_a_revoked_link_cannot_be_prolonged(browser, draft):
    guest = make_guest(draft)
    guest_revoke(invitation=guest, actor=draft.requisition.owner)
    assert browser.post(url("guest-prolong", draft, guest.pk)).status_code == 410
    assert browser.post(url("guest-new-link", draft, guest.pk)).status_code == 410
    assert phone().get(path_of(key_make(guest))).status_code == 410
    assert draft_of(draft).revision.is_draft


def test_one_press_beside_an_open_question_writes_to_whoever_may_know(browser, draft):
    answer_all(draft)
    version = draft.answers.get(key="kw_usable").version
    said = Change(
        key="kw_usable",
        value="",
        unknown=True,
        who="Пётр Стойкин petr@test.example",
        when=f"{timezone.localdate() + timedelta(days=4):%d.%m.%Y}",
        base_version=version,
    )
    answers_save(revision=draft, changes=[said], actor=draft.requisition.owner)
    html = browser.get(url("check", draft)).content.decode()
    form = html[html.index(f'action="{url("guests", draft)}"') :].split("</form>")[0]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    browser.post(url("guests", draft), fields | {"send": "1"})
    guest = only()
    assert (guest.section, guest.question) == ("site", "kw_usable")
    assert (guest.name, guest.email) == ("Пётр Стойкин", "petr@test.example")
    assert guest.due == timezone.localdate() + timedelta(days=4)
    html = browser.get(url("check", draft)).content.decode()
    assert "A colleague is asked by a link." in html
    begun(guest).post(page(guest), {"asked": ["kw_usable"], "kw_usable": "12"})
    assert "kw_usable" not in draft_of(draft).evaluated.unknown, "answering closes the question"


def test_late_questions_come_first_on_the_task_list(browser, draft):
    answer_all(draft)
    light = [k for k in draft_of(draft).evaluated.unknown if QUESTIONS[k].weight == 1][-1]
    row = draft.answers.get(key=light)
    assert browser.get(url("hub", draft)).content.decode().count("overdue") == 0
    draft.answers.filter(pk=row.pk).update(when="1.11.2026", who="Ольга")
    html = browser.get(url("hub", draft)).content.decode()
    first = html[html.index("Open questions</h2>") :].split("</li>")[0]
    assert str(QUESTIONS[light].name) in first
    assert "overdue" in first
