"""A calculation becomes a draft: at once for a client, after signing in for a visitor."""

import pytest
from django.test import Client

from apps.accounts import links
from apps.accounts.models import Role
from apps.core import blobs
from apps.requisitions.models import Requisition
from tests.factories import make_client, make_sign_up, make_user
from tests.tryout.test_pasted import AXOLOTL

pytestmark = pytest.mark.django_db
MAKE = "/try/requisition/"
FIELDS = {
    "model_name": "meta-llama/Meta-Llama-3.1-8B",
    "method": "lora",
    "sequence_length": "2048",
    "file-method": "lora",
    "file-lora_rank": "32",
    "file-data_parallel": "zero2",
    "gpus": "4",
}


def signed_in(user) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def answers(requisition: Requisition) -> dict[str, tuple[str, str, str]]:
    revision = requisition.revisions.get()
    return {a.key: (a.value, a.provenance, a.note) for a in revision.answers.all()}


def files(requisition: Requisition) -> dict[str, str]:
    return {a.name: blobs.read(a.sha256).decode() for a in requisition.attachments.all()}


def test_a_client_gets_a_draft_with_answers_and_where_they_come_from():
    owner = make_client()
    response = signed_in(owner).post(MAKE, FIELDS)
    made = Requisition.objects.get()
    assert response["Location"] == f"/r/{made.pk}/"
    found = answers(made)
    assert found["model_name"] == (FIELDS["model_name"], "client", "")
    assert found["method"] == ("lora", "file", "pasted-settings.txt")
    assert found["lora_rank"] == ("32", "file", "pasted-settings.txt")
    assert made.owner == owner


def test_what_no_question_asks_for_and_what_was_pasted_become_files():
    owner = make_client()
    signed_in(owner).post(MAKE, FIELDS | {"settings": AXOLOTL, "report": "CUDA out of memory."})
    kept = files(Requisition.objects.get())
    assert kept["pasted-settings.txt"].strip() == AXOLOTL.strip()
    assert kept["memory-report.txt"] == "CUDA out of memory."
    assert "GPUs: 4" in kept["calculated-before.txt"]
    assert "data_parallel: zero2" in kept["calculated-before.txt"]


def test_the_questionnaire_then_offers_what_the_settings_leave_to_the_framework():
    owner = make_client()
    client = signed_in(owner)
    html = client.post("/try/", {"settings": AXOLOTL}).content.decode()
    assert 'name="file-lora_rank" value="32"' in html
    hub = client.post(MAKE, {"file-framework": "axolotl", "model_name": "8B", "settings": AXOLOTL})
    recipe = client.get(f"{hub['Location']}s/recipe/?page=course").content.decode()
    assert "The file does not say" in recipe


def test_a_visitor_signs_in_first_and_finds_everything():
    owner = make_client(password="long-enough-password")
    visitor = Client(headers={"accept-language": "en"})
    led = visitor.post(MAKE, FIELDS | {"settings": AXOLOTL})
    assert led["Location"] == "/accounts/sign-in/?next=%2Ftry%2Frequisition%2F"
    assert not Requisition.objects.exists()
    entered = visitor.post(
        "/accounts/sign-in/",
        {"username": owner.email, "password": "long-enough-password", "next": MAKE},
    )
    assert entered["Location"] == MAKE
    html = visitor.get(MAKE).content.decode()
    assert "Meta-Llama-3.1-8B" in html
    assert "lora_target_linear" in html  # in the hidden text of the form
    visitor.post(MAKE, FIELDS | {"settings": AXOLOTL})
    assert answers(Requisition.objects.get())["sequence_length"][0] == "2048"
    assert visitor.get(MAKE)["Location"] == "/try/"  # used up


def test_a_visitor_who_signs_up_is_reminded():
    visitor = Client(headers={"accept-language": "en"})
    visitor.post(MAKE, FIELDS)
    link = f"/accounts/confirm/{links.token_of(make_sign_up(language='en'))}/"
    response = visitor.post(link, {"password": "long-enough-password"}, follow=True)
    assert f'href="{MAKE}"' in response.content.decode()
    assert "Meta-Llama-3.1-8B" in visitor.get(MAKE).content.decode()


def test_signing_in_without_a_calculation_reminds_of_nothing():
    owner = make_client(password="long-enough-password")
    visitor = Client(headers={"accept-language": "en"})
    sent = {"username": owner.email, "password": "long-enough-password"}
    html = visitor.post("/accounts/sign-in/", sent, follow=True).content.decode()
    assert MAKE not in html


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.APPROVER, Role.MANAGER, Role.ADMINISTRATOR])
def test_nobody_else_makes_one(role):
    client = signed_in(make_user(role))
    assert client.post(MAKE, FIELDS).status_code == 403
    assert client.get(MAKE).status_code == 403
    assert "Make it a requisition" not in client.get("/try/", FIELDS).content.decode()
    assert not Requisition.objects.exists()


def test_opening_the_page_makes_nothing():
    owner = make_client()
    client = signed_in(owner)
    assert client.get(MAKE)["Location"] == "/try/"
    assert client.post(MAKE, {})["Location"] == "/try/"
    assert not Requisition.objects.exists()
