"""A manager fills a requisition in for a client, who confirms it, or is spoken for."""

import json
import re

import pytest
from django.core import mail
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Company, Invitation, Role, User
from apps.audit.models import AuditEvent
from apps.audit.services import subject_key
from apps.notices.models import Notice
from apps.requisitions import policy
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.policy import Deed
from apps.requisitions.services import answers_save, changes_request, revision_take
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import Action, State
from tests.factories import make_client, make_company, make_user
from tests.helpers import run_jobs
from tests.intake.pages import answer_all, section_url, stored, url

NEW = reverse("intake:behalf")
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def manager(db) -> User:
    return make_user(Role.MANAGER, full_name="Павел Ершов")


@pytest.fixture
def contact(db) -> User:
    company = make_company(name="Ладога Текст")
    return make_client(company=company, full_name="Анна Верещагина", email="anna@ladoga.example")


def reader(user: User) -> Client:
    client = Client(headers=ENGLISH)
    client.force_login(user)
    return client


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def filled(manager: User, contact: User) -> Revision:
    """A draft that the manager has filled in for the contact, complete."""
    reader(manager).post(NEW, {"who": "known", "contact": contact.pk})
    draft = Requisition.objects.get().revisions.get()
    answer_all(draft, by=manager)
    return draft


def happened(revision: Revision) -> list[tuple[str, str, dict]]:
    events = AuditEvent.objects.filter(subject=subject_key(revision))
    return [(e.action, e.actor_name, json.loads(e.payload_text)) for e in events]


def test_the_contact_owns_what_the_manager_opens(manager, contact):
    response = reader(manager).post(NEW, {"who": "known", "contact": contact.pk})
    requisition = Requisition.objects.get()
    assert response["Location"] == reverse("intake:section", args=[requisition.pk, "goal"])
    assert (requisition.owner, requisition.created_by) == (contact, manager)
    assert requisition.revisions.get().prepared_by == manager
    assert stored(requisition.revisions.get())["contact_email"] == contact.email


@pytest.mark.parametrize("words", ["анна", "ЛАДОГА", "anna@", "верещагина ладога"])
def test_people_are_found_by_name_company_and_address(manager, contact, words):
    make_client(full_name="Пётр Другой")
    html = page(reader(manager), f"{NEW}?q={words}")
    assert contact.email in html
    assert "Пётр" not in html


def test_who_was_switched_off_or_is_staff_is_not_offered(manager, contact):
    User.objects.filter(pk=contact.pk).update(is_active=False)
    client = reader(manager)
    assert contact.email not in page(client, NEW)
    for person in (contact, make_user(Role.ENGINEER)):
        html = client.post(NEW, {"who": "known", "contact": person.pk}).content.decode()
        assert "Choose the person for whom you fill it in." in html
    assert not Requisition.objects.exists()


def test_a_new_contact_of_a_new_company_is_invited_and_owns_it(manager):
    form = {
        "who": "new",
        "company_name": "Онега Вижн",
        "full_name": "Мария Кольцова",
        "email": "maria@onega.example",
    }
    assert reader(manager).post(NEW, form).status_code == 302
    owner = Requisition.objects.get().owner
    assert (owner.email, owner.company.name) == ("maria@onega.example", "Онега Вижн")
    assert not owner.is_active
    assert Invitation.objects.get().email == owner.email


def test_a_known_company_is_not_made_twice(manager, contact):
    form = {
        "who": "new",
        "company_name": " ладога  текст",
        "full_name": "И",
        "email": "i@l.example",
    }
    html = reader(manager).post(NEW, form).content.decode()
    assert "This company is known: choose it in the list." in html
    assert Company.objects.filter(search_text="ладога текст").count() == 1
    form |= {"company": contact.company_id, "company_name": ""}
    reader(manager).post(NEW, form)
    assert Requisition.objects.get().company == contact.company


def test_an_address_that_is_taken_elsewhere_says_so(manager, contact):
    other = make_client()
    form = {"who": "new", "company": contact.company_id, "full_name": "И", "email": other.email}
    response = reader(manager).post(NEW, form)
    assert "has an account already" in response.content.decode()
    assert not Requisition.objects.exists()


@pytest.mark.parametrize("role", [Role.CLIENT, Role.ENGINEER, Role.APPROVER, Role.ADMINISTRATOR])
def test_only_a_manager_fills_in_for_clients(role, contact):
    client = reader(make_user(role, company=make_company() if role == Role.CLIENT else None))
    assert client.get(NEW).status_code == 403
    assert client.post(NEW, {"who": "known", "contact": contact.pk}).status_code == 403
    assert not Requisition.objects.exists()


def test_every_page_says_for_whom_it_is_filled_in(manager, contact):
    draft = filled(manager, contact)
    client, words = reader(manager), "You are filling it in for Анна Верещагина, Ладога Текст."
    pages = [url(name, draft) for name in ("hub", "check", "files")]
    for address in [*pages, section_url(draft, "goal"), section_url(draft, "recipe")]:
        assert words in page(client, address), address
    assert "The manager Павел Ершов is filling it in for you." in page(
        reader(contact), url("hub", draft)
    )


def test_the_draft_names_everybody_who_sees_it(manager, contact):
    draft = filled(manager, contact)
    for person in (manager, contact):
        html = page(reader(person), url("hub", draft))
        assert "Only people of Ладога Текст and Павел Ершов see the draft" in html


def test_the_board_leads_back_to_the_draft(manager, contact):
    draft = filled(manager, contact)
    html = page(reader(manager), reverse("review:board"))
    assert "Drafts for clients" in html
    assert f'href="{url("hub", draft)}"' in html
    other = page(reader(make_user(Role.MANAGER)), reverse("review:board"))
    assert url("hub", draft) not in other


def ask(manager: User, draft: Revision) -> str:
    html = page(reader(manager), url("check", draft))
    seen = re.search(r'name="seen" value="(\w+)"', html)
    assert seen is not None
    response = reader(manager).post(url("ask-confirmation", draft), {"seen": seen.group(1)})
    assert response.status_code == 302
    draft.refresh_from_db()
    return seen.group(1)


def test_the_client_is_asked_by_mail_sees_who_answered_what_and_confirms(manager, contact):
    draft = filled(manager, contact)
    ask(manager, draft)
    run_jobs()
    letter = next(m for m in mail.outbox if m.to == [contact.email])
    assert url("check", draft) in letter.body
    assert "Llama" not in letter.body
    assert Notice.objects.filter(user=contact, event="please-confirm").count() == 1

    client = reader(contact)
    assert "To be confirmed" in page(client, reverse("intake:list"))
    html = page(client, url("check", draft))
    assert "The manager Павел Ершов has filled it in for you" in html
    client.post(section_url(draft, "recipe"), {"lora_rank": "32"})
    html = page(client, url("check", draft))
    assert html.count('small muted">Анна Верещагина<') == 1
    assert html.count('small muted">Павел Ершов<') > 10
    assert "Confirm and send for assessment" in html

    client.post(url("submit", draft))
    draft.refresh_from_db()
    assert (draft.submitted_by, draft.on_behalf_of) == (contact, None)
    assert ("requisition.confirm", str(contact), {"manager": str(manager)}) in happened(draft)
    words = "Filled in by the manager Павел Ершов, confirmed and sent by Анна Верещагина."
    assert words in page(client, url("status", draft))
    run_jobs()
    assert words in page(reader(manager), reverse("review:workspace", args=[draft.pk]))


def test_while_the_client_checks_the_manager_only_reads(manager, contact):
    draft = filled(manager, contact)
    seen = ask(manager, draft)
    client = reader(manager)
    for address in (url("hub", draft), section_url(draft, "task"), url("files", draft)):
        assert client.get(address)["Location"] == url("check", draft)
    for name in ("attach", "paste", "another-way"):
        assert client.post(url(name, draft)).status_code == 409, name
    assert client.post(section_url(draft, "task"), {"business_task": "x"}).status_code == 409
    assert client.post(url("submit", draft), {"seen": seen}).status_code in {302, 403, 409}
    assert client.post(url("delete-draft", draft)).status_code == 403
    html = page(client, url("check", draft))
    assert "Take the draft back" in html
    assert 'name="seen"' not in html
    draft.refresh_from_db()
    assert draft.state == State.DRAFT
    assert not policy.may(manager, Deed.EDIT_ANSWERS, draft)


def test_the_manager_takes_the_draft_back_and_asks_once_more(manager, contact):
    draft = filled(manager, contact)
    ask(manager, draft)
    client = reader(manager)
    assert client.post(url("take-back", draft))["Location"] == url("hub", draft)
    assert client.post(url("take-back", draft)).status_code == 409
    client.post(
        section_url(draft, "task"), {"business_task": "Уточнено по телефону, 400 обращений"}
    )
    assert stored(draft)["business_task"].startswith("Уточнено")
    ask(manager, draft)
    assert Notice.objects.filter(user=contact, event="please-confirm").count() == 2


def test_what_has_gaps_is_not_handed_over(manager, contact):
    reader(manager).post(NEW, {"who": "known", "contact": contact.pk})
    draft = Requisition.objects.get().revisions.get()
    reader(manager).post(url("ask-confirmation", draft))
    draft.refresh_from_db()
    assert draft.confirmation_asked_at is None


def test_sent_on_behalf_is_said_everywhere(manager, contact):
    draft = filled(manager, contact)
    client = reader(manager)
    client.post(url("submit", draft))
    draft.refresh_from_db()
    assert (draft.submitted_by, draft.on_behalf_of) == (manager, contact)
    assert ("requisition.on-behalf", str(manager), {"client": str(contact)}) in happened(draft)
    run_jobs()
    words = "Sent by the manager Павел Ершов on behalf of the client: Анна Верещагина."
    engineer = reader(make_user(Role.ENGINEER))
    assert words in page(client, url("status", draft))
    assert words in page(reader(contact), url("status", draft))
    assert words in page(engineer, reverse("review:workspace", args=[draft.pk]))
    assert "client: Анна Верещагина" in page(engineer, reverse("review:journal", args=[draft.pk]))
    board = page(client, reverse("review:board"))
    assert "sent by a manager on behalf of the client" in board


def test_the_manager_answers_the_engineer_for_a_client_they_spoke_for(manager, contact):
    draft = filled(manager, contact)
    reader(manager).post(url("submit", draft))
    following = questioned(draft)
    assert following.prepared_by == manager
    assert policy.may(manager, Deed.EDIT_ANSWERS, following)
    assert "Drafts for clients" in page(reader(manager), reverse("review:board"))


def questioned(revision: Revision) -> Revision:
    """The draft that the engineer's question opens."""
    run_jobs()
    engineer = make_user(Role.ENGINEER)
    revision.refresh_from_db()
    revision_take(revision=revision, actor=engineer)
    changes_request(
        revision=revision,
        actor=engineer,
        asks=[Ask(key="lora_rank", text="")],
        comment="",
    )
    return revision.requisition.revisions.get(state=State.DRAFT)


def test_once_the_client_has_sent_one_the_manager_acts_no_more(manager, contact):
    draft = filled(manager, contact)
    reader(contact).post(url("submit", draft))
    following = questioned(draft)
    assert following.prepared_by is None
    client = reader(manager)
    for name in ("hub", "check", "status", "files"):
        assert client.get(url(name, draft)).status_code == 404, name
    for name in ("submit", "withdraw", "open-next", "delete-draft", "attach", "take-back"):
        assert client.post(url(name, draft)).status_code == 404, name
    assert not policy.can(manager, Action.SUBMIT, following)
    assert client.get(reverse("review:workspace", args=[draft.pk])).status_code == 200
    assert "Drafts for clients" not in page(client, reverse("review:board"))


def test_another_manager_has_no_part_in_it(manager, contact):
    draft = filled(manager, contact)
    other = reader(make_user(Role.MANAGER))
    assert other.get(url("hub", draft)).status_code == 404
    assert other.post(url("ask-confirmation", draft)).status_code == 404
    assert other.post(url("submit", draft)).status_code == 404


def test_the_client_neither_asks_nor_takes_back(manager, contact):
    draft = filled(manager, contact)
    assert reader(contact).post(url("take-back", draft)).status_code == 409
    reader(contact).post(url("ask-confirmation", draft))
    draft.refresh_from_db()
    assert draft.confirmation_asked_at is None


def test_a_manager_whose_role_is_taken_away_loses_the_draft(manager, contact):
    draft = filled(manager, contact)
    manager.grants.all().delete()
    fresh = User.objects.get(pk=manager.pk)
    assert reader(fresh).get(url("hub", draft)).status_code == 404
    with pytest.raises(Exception, match="does not allow"):
        answers_save(revision=draft, changes=[], actor=fresh)


def test_the_manager_deletes_a_draft_and_brings_it_back(manager, contact):
    draft = filled(manager, contact)
    client = reader(manager)
    client.post(url("delete-draft", draft))
    assert "Bring the draft back" in page(client, url("status", draft))
    client.post(url("open-next", draft))
    draft.refresh_from_db()
    assert (draft.state, draft.letter) == (State.DRAFT, "A")


def test_the_manager_may_end_it_on_another_way(manager, contact):
    reader(manager).post(NEW, {"who": "known", "contact": contact.pk})
    draft = Requisition.objects.get().revisions.get()
    client = reader(manager)
    client.post(section_url(draft, "goal"), {"purpose": "serve", "weights_change": "no"})
    assert client.post(url("another-way", draft)).status_code == 302
    draft.refresh_from_db()
    assert draft.state == State.REDIRECTED


def test_the_database_knows_who_may_speak_for_a_client(manager, contact):
    """Nobody speaks for themselves, and nothing is said for a client that nobody sent."""
    draft = filled(manager, contact)
    reader(manager).post(url("submit", draft))
    rows = Revision.objects.filter(pk=draft.pk)
    assert rows.get().on_behalf_of == contact
    for wrong in ({"on_behalf_of": manager}, {"submitted_by": None}, {"submitted_at": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**wrong)
    with pytest.raises(DatabaseError, match="never change once"), transaction.atomic():
        rows.update(answers_text="{}", answers_sha256="0" * 64)
