"""What a guest sees and says: one section, saved as the client's, with their name beside it."""

import json

import pytest
from django.urls import reverse

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.core.errors import NotAllowed
from apps.questionnaire.sections import SECTIONS
from apps.requisitions.authors import authors_of
from apps.requisitions.models import GuestInvitation
from apps.requisitions.services import (
    Change,
    LinkOver,
    answers_save,
    guest_answer,
    guest_revoke,
    revision_open_next,
    section_finish,
)
from tests.factories import make_user
from tests.helpers import run_jobs
from tests.intake.guests import begun, link_to, make_guest, page, phone
from tests.intake.pages import answer_all, section_url, stored, url

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
SECRETS = {"business_task": "Совершенно секретная задача", "disk_bytes": "77 TB"}


@pytest.fixture
def guest(draft) -> GuestInvitation:
    changes = [Change(key=k, value=v) for k, v in SECRETS.items()]
    answers_save(revision=draft, changes=changes, actor=draft.requisition.owner)
    return make_guest(draft)


def test_a_guest_answers_as_the_client_does_and_says_that_it_is_done(browser, draft, guest):
    inside = begun(guest)
    form = {"asked": ["kw_usable", "feeds"], "kw_usable": "12", "action": "continue"}
    inside.post(page(guest) + "?page=power", form)
    assert stored(draft)["kw_usable"] == "12"
    home = inside.get(page(guest, "home")).content.decode()
    assert "12 kW" in home.replace("\u00a0", " ")
    answer = inside.post(page(guest, "home"), {"verdict": "done", "note": "Два ввода"}, follow=True)
    assert "Thank you: the section is answered." in answer.content.decode()
    draft.refresh_from_db()
    assert "site" in draft.finished_sections
    guest.refresh_from_db()
    assert (guest.verdict, guest.note) == ("done", "Два ввода")
    assert draft.requisition.owner.notices.filter(event="guest-answered").count() == 1


def test_saving_by_itself_works_for_a_guest(draft, guest):
    inside = begun(guest)
    form = {"asked": ["kw_usable"], "kw_usable": "7,5"}
    answer = inside.post(page(guest, "autosave") + "?page=power", form, headers=HTMX)
    html = answer.content.decode()
    assert "Saved at" in html
    assert 'name="kw_usable-version" value="1"' in html
    assert "preview" not in html, "a guest sees no results"
    assert stored(draft)["kw_usable"] == "7,5"
    echo = inside.get(page(guest, "echo", "kw_usable"), {"kw_usable": "7,5"}).content.decode()
    assert "7.5" in echo
    assert inside.get(page(guest, "echo", "business_task")).status_code == 404


def test_a_guest_reads_nothing_of_other_sections(draft, guest):
    inside = begun(guest)
    pages = [page(guest), page(guest) + "?page=room", page(guest, "home")]
    html = "".join(inside.get(address).content.decode() for address in pages)
    for secret in (*SECRETS.values(), "So far it comes to", str(draft.requisition.pk)):
        assert secret not in html
    for section in SECTIONS:
        assert (
            section.key == "site"
            or reverse("intake:section", args=[draft.requisition_id, section.key]) not in html
        )


def test_a_guest_writes_into_no_other_section(draft, guest):
    inside = begun(guest)
    form = {"asked": ["business_task", "kw_usable"], "business_task": "подмена", "kw_usable": "5"}
    inside.post(page(guest), form)
    inside.post(page(guest, "autosave"), form)
    assert stored(draft)["business_task"] == SECRETS["business_task"]
    assert stored(draft)["kw_usable"] == "5"
    change = Change(key="business_task", value="подмена", base_version=1)
    with pytest.raises(NotAllowed):
        answers_save(revision=draft, changes=[change], actor=guest)
    with pytest.raises(Exception, match="sent already"):
        section_finish(revision=draft, section="task", finished=True, actor=guest)


def test_a_link_revoked_while_somebody_types_saves_nothing(draft, guest):
    seen = GuestInvitation.objects.select_related("revision").get(pk=guest.pk)
    guest_revoke(invitation=guest, actor=draft.requisition.owner)
    with pytest.raises(NotAllowed):
        answers_save(revision=draft, changes=[Change(key="feeds", value="2")], actor=seen)
    with pytest.raises(LinkOver):
        guest_answer(invitation=seen, verdict="done", note="")
    assert "feeds" not in stored(draft)


def test_a_pass_opens_its_own_invitation_only(draft, guest):
    other = make_guest(draft, section="horizon")
    inside = begun(guest)
    cookie = inside.cookies[f"guest-{guest.pk.hex}"]
    assert cookie["path"] == page(guest, "home")
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    inside.cookies[f"guest-{other.pk.hex}"] = cookie.value
    assert inside.get(page(other)).status_code == 403
    inside.cookies[f"guest-{guest.pk.hex}"] = cookie.value[:-1] + "x"
    assert inside.get(page(guest)).status_code == 403


def test_the_owner_and_the_guest_change_one_answer_and_both_values_are_shown(browser, draft, guest):
    inside = begun(guest)
    form = {"asked": ["kw_usable"], "kw_usable-version": "0"}
    inside.post(page(guest), form | {"kw_usable": "12"})
    answer = browser.post(section_url(draft, "site", page="power"), form | {"kw_usable": "9"})
    assert answer.status_code == 409
    assert "Saved by Пётр Стойкин, by a link" in answer.content.decode()
    form["kw_usable-version"] = "1"
    browser.post(section_url(draft, "site", page="power"), form | {"kw_usable": "9"})
    answer = inside.post(page(guest), form | {"kw_usable": "11"})
    assert answer.status_code == 409
    assert "Saved by Анна Верещагина" in answer.content.decode()


def test_two_browsers_of_one_link_are_told_apart_by_version(draft, guest):
    first, second = begun(guest), begun(guest)
    form = {"asked": ["kw_usable"], "kw_usable-version": "0"}
    first.post(page(guest), form | {"kw_usable": "12"})
    assert second.post(page(guest), form | {"kw_usable": "9"}).status_code == 409


def test_lacking_data_is_something_else_than_not_having_looked(browser, draft, guest):
    inside = begun(guest)
    empty = inside.post(page(guest, "home"), {"note": "?"})
    assert empty.status_code == 422
    assert "Say whether the section is answered." in empty.content.decode()
    inside.post(page(guest, "home"), {"verdict": "lacking"})
    draft.refresh_from_db()
    assert "site" not in draft.finished_sections
    assert draft.requisition.owner.notices.filter(event="guest-lacking").count() == 1
    html = browser.get(url("hub", draft)).content.decode()
    assert "Пётр Стойкин: looked, data is missing" in html


def test_a_guest_without_a_name_writes_it_once(draft):
    guest = make_guest(draft, name="")
    link = link_to(guest)
    nameless = phone().post(link, {"begin": "1"})
    assert "Write your name" in nameless.content.decode()
    begun(guest, name="Олег Щитов")
    assert guest.name == "Олег Щитов"
    begun(guest, name="Кто-то Другой")
    assert guest.name == "Олег Щитов"


def test_who_answered_what_is_read_on_the_check_page(browser, draft, guest):
    answer_all(draft)
    begun(guest).post(page(guest), {"asked": ["kw_usable"], "kw_usable": "12"})
    html = browser.get(url("check", draft)).content.decode()
    assert html.count("Пётр Стойкин, by a link") == 1
    assert "All other answers: Анна Верещагина." in html


def test_who_answered_what_goes_along_to_review_and_to_the_next_letter(browser, draft, guest):
    answer_all(draft)
    begun(guest).post(page(guest), {"asked": ["kw_usable"], "kw_usable": "12"})
    browser.post(url("submit", draft))
    run_jobs()
    draft.refresh_from_db()
    engineer = phone()
    engineer.force_login(make_user(Role.ENGINEER))
    html = engineer.get(reverse("review:workspace", args=[draft.pk])).content.decode()
    assert "Пётр Стойкин, by a link" in html
    after = revision_open_next(revision=draft, actor=draft.requisition.owner)
    assert authors_of(after)["kw_usable"].guest


def test_the_trail_names_the_guest_and_holds_no_answer(draft, guest):
    inside = begun(guest)
    inside.post(page(guest), {"asked": ["kw_usable"], "kw_usable": "12"})
    inside.post(page(guest, "home"), {"verdict": "done", "note": "Тайная записка"})
    guest_revoke(invitation=guest, actor=draft.requisition.owner)
    events = list(AuditEvent.objects.filter(action__startswith="guest.").order_by("seq"))
    assert [(e.action, e.actor_name, e.actor_id is None) for e in events] == [
        ("guest.invite", "Анна Верещагина", False),
        ("guest.open", "Пётр Стойкин", True),
        ("guest.answer", "Пётр Стойкин", True),
        ("guest.revoke", "Анна Верещагина", False),
    ]
    for event in events:
        payload = json.loads(event.payload_text)
        assert payload == {"invitation": str(guest.pk), "section": "site"}
