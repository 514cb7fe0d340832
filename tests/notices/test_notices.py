"""A person is told once, in their language, and nobody reads another's notices."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail as outbox
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from apps.accounts.models import User
from apps.jobs.models import Job
from apps.notices.context_processors import bell
from apps.notices.models import Notice
from apps.notices.selectors import UNREAD_SHOWN_MAX, notices_for, unread_count
from apps.notices.services import announce, notice_read, notices_purge, notices_read
from apps.notices.wording import EVENTS, words_of
from tests.factories import make_client, make_user
from tests.helpers import run_jobs

pytestmark = pytest.mark.django_db

PARAMS = {"number": "ЗС-0042", "letter": "B", "successor": "C", "days": 7}
PARAMS |= {"free": 2, "today": 1, "answered": 0, "comments": 3}
PAGE = "/r/42/status/"


@pytest.fixture
def anna() -> User:
    return make_client(full_name="Анна", language="ru")


def tell(*people: User, **overrides) -> None:
    values = {
        "event": "approved",
        "recipients": people,
        "actor": None,
        "subject": people[0],
        "params": PARAMS,
        "path": PAGE,
        "by_mail": True,
    }
    announce(**values | overrides)


def browser(user: User, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


def test_each_person_gets_a_notice_and_a_mail_in_their_own_language(anna):
    john = make_client(full_name="John", language="en")
    tell(anna, john)
    run_jobs()
    assert [notices_for(p).count() for p in (anna, john)] == [1, 1]
    texts = {m.to[0]: m for m in outbox.outbox}
    assert texts[anna.email].subject == "[ЗС-0042 ред. B] Оценка утверждена"
    assert texts[john.email].subject == "[ЗС-0042 rev. B] The assessment is approved"
    assert texts[anna.email].body.startswith("Скачайте документ.\n")
    assert texts[john.email].body.startswith("Download the document.\n")
    assert "http://testserver/notices/mails/" in texts[john.email].body
    assert f"http://testserver{PAGE}" in texts[john.email].body


def test_without_a_mail_there_is_a_notice_only(anna):
    tell(anna, by_mail=False)
    assert unread_count(anna) == 1
    assert not Job.objects.exists()


def test_the_same_event_is_told_once_and_at_another_time_again(anna):
    tell(anna)
    tell(anna)
    tell(anna, occurrence="v7")
    tell(anna, event="rejected")
    assert notices_for(anna).count() == 3
    assert run_jobs() == 3


def test_a_person_named_twice_is_told_once(anna):
    tell(anna, User.objects.get(pk=anna.pk))
    assert run_jobs() == 1


def test_whoever_did_it_and_whoever_is_switched_off_is_not_told(anna):
    off = make_client()
    off.is_active = False
    tell(anna, off, actor=anna)
    assert not Notice.objects.exists()


def test_what_is_rolled_back_was_never_told(anna):
    with transaction.atomic():
        tell(anna)
        transaction.set_rollback(True)
    assert not Notice.objects.exists()
    assert run_jobs() == 0


def test_a_person_switched_off_meanwhile_gets_no_mail(anna):
    tell(anna)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    run_jobs()
    assert outbox.outbox == []
    assert Job.objects.get().last_error == "the person is gone"


def test_a_name_with_line_breaks_adds_nothing_to_the_mail():
    bad = make_client(full_name="Anna\r\nBcc: all@evil.example\r\n\r\nPay to account 1")
    tell(bad)
    run_jobs()
    message = outbox.outbox[0].message()
    assert message["Bcc"] is None
    assert "\n" not in outbox.outbox[0].subject
    lines = outbox.outbox[0].body.splitlines()
    assert not [line for line in lines if line.startswith(("Bcc", "Pay"))]


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("event", sorted(EVENTS))
@pytest.mark.one_stack
def test_every_event_reads_whole_in_both_languages(event, language):
    with translation.override(language):
        words = words_of(event, PARAMS)
    for text in (words.heading, words.todo, words.text, words.link):
        assert text
        assert "%(" not in text
        assert any("а" <= c.lower() <= "я" for c in text.replace("ЗС", "")) == (language == "ru")
    assert words.heading.startswith("[ЗС-0042 ") == EVENTS[event].numbered
    assert words.link.endswith(":")


def test_an_event_without_words_or_a_foreign_page_is_refused(anna):
    with pytest.raises(KeyError):
        tell(anna, event="no-such-event")
    with pytest.raises(KeyError):
        tell(anna, params={"number": "ЗС-0042"})
    for path in ("https://evil.example/", "//evil.example/", "/\\evil.example", "r/42/"):
        with pytest.raises(ValueError, match="not a page of ours"):
            tell(anna, path=path)
    assert not Notice.objects.exists()


def test_opening_a_notice_reads_it_and_leads_on(anna):
    tell(anna)
    notice = notices_for(anna).get()
    answer = browser(anna).post(reverse("notices:open", args=[notice.pk]))
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert unread_count(anna) == 0
    first = notices_for(anna).get().read_at
    notice_read(notice)
    assert notices_for(anna).get().read_at == first


def test_anothers_notice_can_be_neither_seen_nor_opened(anna):
    tell(anna)
    stranger = browser(make_user())
    assert b"0042" not in stranger.get(reverse("notices:list")).content
    notice = notices_for(anna).get()
    assert stranger.post(reverse("notices:open", args=[notice.pk])).status_code == 404
    stranger.post(reverse("notices:read-all"))
    assert unread_count(anna) == 1


def test_reading_all_leaves_what_came_after_the_page_was_shown(anna):
    tell(anna)
    client = browser(anna)
    until = client.get(reverse("notices:list")).context["until"]
    tell(anna, occurrence="later")
    answer = client.post(reverse("notices:read-all"), {"until": until}, follow=True)
    assert "All notices are marked as read." in answer.content.decode()
    assert unread_count(anna) == 1
    client.post(reverse("notices:read-all"), {"until": "nonsense"})
    assert unread_count(anna) == 0
    assert notices_read(user=anna, until=timezone.now()) == 0


def test_the_list_is_newest_first_in_pages_and_says_what_is_unread(anna):
    for number in range(30):
        tell(anna, occurrence=str(number), by_mail=False)
    oldest = notices_for(anna).last()
    past = timezone.now() - timedelta(days=1)
    Notice.objects.filter(pk=oldest.pk).update(created_at=past, read_at=past)
    first = browser(anna).get(reverse("notices:list"))
    assert len(first.context["rows"]) == 25
    assert first.content.decode().count('class="unread"') == 25
    assert ">unread<" in first.content.decode()  # the word, not the colour alone
    second = browser(anna).get(reverse("notices:list"), {"page": 2})
    rows = second.context["rows"]
    assert (rows[-1].id, rows[-1].unread) == (oldest.pk, False)
    assert [row.at for row in rows] == sorted((row.at for row in rows), reverse=True)


def test_old_notices_go_and_the_others_stay(anna, settings):
    settings.NOTICES_KEPT_DAYS = 30
    for name in ("old", "old and read", "new"):
        tell(anna, occurrence=name, by_mail=False)
    old = Notice.objects.filter(occurrence__startswith="old")
    old.update(created_at=timezone.now() - timedelta(days=31))
    Notice.objects.filter(occurrence="old and read").update(read_at=timezone.now())
    assert notices_purge() == 2
    assert [n.occurrence for n in Notice.objects.all()] == ["new"]
    assert notices_purge() == 0


def test_without_notices_the_page_says_what_will_be_there(anna):
    html = browser(anna).get(reverse("notices:list")).content.decode()
    assert "No notices yet." in html
    assert "Mark all as read" not in html


@pytest.mark.parametrize(
    ("count", "shown", "spoken"),
    [
        (0, "", "Notices, none unread"),
        (1, ">1<", "Notices, 1 unread"),
        (UNREAD_SHOWN_MAX, ">99<", "Notices, 99 unread"),
        (UNREAD_SHOWN_MAX + 5, ">99+<", "Notices, more than 99 unread"),
    ],
)
def test_the_bell_counts_what_is_unread(anna, count, shown, spoken):
    for number in range(count):
        tell(anna, occurrence=str(number), by_mail=False)
    html = browser(anna).get(reverse("intake:list")).content.decode()
    assert spoken in html
    assert shown in html


def test_the_bell_asks_once_and_nobody_without_a_sign_in(
    anna, rf, client, django_assert_num_queries
):
    request = rf.get("/")
    request.user = anna
    with django_assert_num_queries(0):
        context = bell(request)
    with django_assert_num_queries(1):
        assert context["unread_count"]() == context["unread_count"]() == 0
    request.user = AnonymousUser()
    with django_assert_num_queries(0):
        assert bell(request)["unread_count"]() == 0
        assert bell(rf.get("/"))["unread_count"]() == 0
    assert "Notices" not in client.get(reverse("home"), HTTP_ACCEPT_LANGUAGE="en").content.decode()
