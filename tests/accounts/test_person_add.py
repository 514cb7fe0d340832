"""The command that makes the first administrator."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import Company, Role, User

pytestmark = pytest.mark.django_db


def add(*arguments: str) -> str:
    out = StringIO()
    call_command("person_add", *arguments, stdout=out)
    return out.getvalue()


def test_the_printed_password_signs_in_and_the_roles_are_held() -> None:
    said = add("a@podbor.example", "--name", "А", "--role", "administrator", "--role", "approver")
    user = User.objects.get(email="a@podbor.example")
    assert user.check_password(said.strip().split("\t")[1])
    assert {grant.role for grant in user.grants.all()} == {Role.ADMINISTRATOR, Role.APPROVER}


def test_each_person_gets_another_password() -> None:
    one = add("a@podbor.example", "--name", "А", "--role", "engineer")
    two = add("b@podbor.example", "--name", "Б", "--role", "engineer")
    assert one.split("\t")[1] != two.split("\t")[1]


def test_nobody_is_added_twice_in_whatever_case() -> None:
    add("a@podbor.example", "--name", "А", "--role", "engineer")
    with pytest.raises(CommandError, match="already"):
        add("A@podbor.example", "--name", "А", "--role", "manager")


def test_a_client_needs_a_company() -> None:
    with pytest.raises(CommandError, match="--company"):
        add("a@ladoga.example", "--name", "А", "--role", "client")
    add("a@ladoga.example", "--name", "А", "--role", "client", "--company", "Ладога")
    company = User.objects.get().company
    assert company
    assert company.name == "Ладога"


def test_of_several_companies_of_one_name_the_id_tells_which() -> None:
    twins = [Company.objects.create(name="Ладога") for _ in range(2)]
    client = ("a@ladoga.example", "--name", "А", "--role", "client")
    with pytest.raises(CommandError, match="--company-id"):
        add(*client, "--company", "Ладога")
    with pytest.raises(CommandError, match="no company"):
        add(*client, "--company-id", "999999")
    add(*client, "--company-id", str(twins[1].pk), "--language", "en")
    person = User.objects.get()
    assert (person.company, person.language) == (twins[1], "en")
