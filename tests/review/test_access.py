"""Who may open and do what: every address of these screens against every kind of person."""

import uuid

import pytest
from django.http import Http404
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.requisitions.models import Annotation, OpenQuestion, Revision
from apps.review.selectors import staff_revision_get_for
from apps.review.urls import urlpatterns
from tests.factories import make_client, make_draft, make_user
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db

LISTS = {"queue": Role.ENGINEER, "approvals": Role.APPROVER, "board": Role.MANAGER}
READERS = {Role.ENGINEER, Role.APPROVER, Role.MANAGER}
# Page of a revision -> who may open it.
PAGES = {
    "workspace": READERS,
    "runs": READERS,
    "variants": READERS,
    "what-if": READERS,
    "document": READERS,
    "document-list": READERS,
    "journal": READERS,
    "changes": READERS,
    "ask": {Role.ENGINEER},
    "redirect": {Role.ENGINEER},
    "approval": {Role.APPROVER},
    "approval-drafts": {Role.APPROVER},
}
# What changes a revision -> who may send it at all.
DEEDS = {
    "take": {Role.ENGINEER},
    "give-back": {Role.ENGINEER},
    "override": {Role.ENGINEER},
    "override-remove": {Role.ENGINEER},
    "recalculate": {Role.ENGINEER},
    "recheck": {Role.ENGINEER},
    "what-if-take": {Role.ENGINEER},
    "send": {Role.ENGINEER},
    "print-draft": {Role.ENGINEER, Role.APPROVER},
    "decide": {Role.APPROVER},
}
# Pages and deeds of one variant, tried in the matrix of the architecture.
VARIANT = {"variant", "variant-part", "variant-part-withdraw", "variant-line"}
VARIANT |= {"variant-line-change"}
# Files, figures and lists, tried in the matrix of the architecture.
BESIDE = {"board-csv", "client-link", "figures", "figures-csv", "where-used"}
QUESTION_DEEDS = {"question-settle", "question-assign"}
ROLES = [Role.CLIENT, Role.ENGINEER, Role.APPROVER, Role.MANAGER, Role.ADMINISTRATOR]


def person(role: Role) -> User:
    return make_client() if role == Role.CLIENT else make_user(role)


def test_every_address_is_in_this_matrix():
    names = {pattern.name for pattern in urlpatterns}
    assert names == {*LISTS, *PAGES, *DEEDS, *QUESTION_DEEDS, *VARIANT, *BESIDE}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", LISTS)
def test_lists_are_for_their_role(client, name, role):
    client.force_login(person(role))
    expected = 200 if LISTS[name] == role else 403
    assert client.get(reverse(f"review:{name}")).status_code == expected


@pytest.mark.parametrize("role", ROLES)
def test_pages_of_a_revision_are_for_staff(client, role):
    revision = make_in_review(make_engineer())
    client.force_login(person(role))
    for name, allowed in PAGES.items():
        status = client.get(reverse(f"review:{name}", args=[revision.pk])).status_code
        assert status == (200 if role in allowed else 403), name


@pytest.mark.parametrize("role", ROLES)
def test_deeds_are_for_their_roles(client, role):
    revision = make_in_review(make_engineer())
    client.force_login(person(role))
    before = Revision.objects.values().get(pk=revision.pk)
    for name, allowed in DEEDS.items():
        if role in allowed:
            continue
        assert client.post(reverse(f"review:{name}", args=[revision.pk])).status_code == 403, name
    assert Revision.objects.values().get(pk=revision.pk) == before


@pytest.mark.parametrize("role", [Role.CLIENT, Role.APPROVER, Role.MANAGER])
def test_questions_are_settled_by_engineers(client, role):
    revision = make_in_review(make_engineer())
    question = revision.open_questions.first()
    client.force_login(person(role))
    for name in QUESTION_DEEDS:
        url = reverse(f"review:{name}", args=[revision.pk, question.pk])
        assert client.post(url, {"outcome": "dropped"}).status_code == 403
    assert revision.open_questions.get(pk=question.pk).state == OpenQuestion.State.OPEN


def test_a_client_sees_nothing_of_the_own_requisition_here(client):
    """No estimate before approval, no internal remark ever."""
    owner = make_client()
    revision = make_in_review(make_engineer(), owner)
    Annotation.objects.create(revision=revision, author=revision.engineer, text="внутреннее слово")
    client.force_login(owner)
    for name in PAGES:
        response = client.get(reverse(f"review:{name}", args=[revision.pk]))
        assert response.status_code in (403, 404)
        assert "внутреннее слово" not in response.content.decode()


def test_the_selector_alone_keeps_clients_out():
    """Whatever a view forgets: a client's own revision is not here, a stranger's neither."""
    owner = make_client()
    revision = make_in_review(make_engineer(), owner)
    for user in (owner, make_client(), make_user(Role.ADMINISTRATOR)):
        with pytest.raises(Http404):
            staff_revision_get_for(user, revision.pk)
    assert staff_revision_get_for(make_engineer(), revision.pk) == revision


def test_strangers_are_asked_to_sign_in(client):
    revision = make_in_review()
    for name in [*PAGES, *DEEDS]:
        send = client.get if name in PAGES else client.post
        response = send(reverse(f"review:{name}", args=[revision.pk]))
        assert response.status_code == 302, name
        assert response.url.startswith(reverse("accounts:sign-in")), name


def test_deeds_take_posts_only(client):
    revision = make_in_review()
    client.force_login(make_user(Role.ENGINEER, Role.APPROVER))
    for name in DEEDS:
        assert client.get(reverse(f"review:{name}", args=[revision.pk])).status_code == 405, name


def test_deeds_need_the_token(client):
    strict = type(client)(enforce_csrf_checks=True)
    engineer = make_engineer()
    revision = make_in_review()
    strict.force_login(engineer)
    assert strict.post(reverse("review:take", args=[revision.pk])).status_code == 403
    assert Revision.objects.get(pk=revision.pk).engineer is None


def test_drafts_and_unknown_ids_are_not_found(client):
    client.force_login(make_user(Role.ENGINEER, Role.APPROVER))
    for revision_id in (make_draft().pk, uuid.uuid4()):
        for name in PAGES:
            response = client.get(reverse(f"review:{name}", args=[revision_id]))
            assert response.status_code == 404, name


def test_a_question_of_another_revision_is_not_found(client):
    mine, other = make_in_review(make_engineer()), make_in_review(make_engineer())
    question = other.open_questions.first()
    client.force_login(make_engineer())
    url = reverse("review:question-settle", args=[mine.pk, question.pk])
    assert client.post(url, {"outcome": "dropped"}).status_code == 404


def test_pages_of_signed_in_people_are_not_cached(client):
    revision = make_in_review()
    client.force_login(make_engineer())
    response = client.get(reverse("review:workspace", args=[revision.pk]))
    assert response["Cache-Control"] == "no-store"
