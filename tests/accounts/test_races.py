"""Two people at the same instant. SQLite would hide every one of these mistakes."""

import pytest

from apps.accounts import services
from apps.accounts.errors import LastAdministrator, LinkSpent
from apps.accounts.models import Company, Invitation, Role, RoleGrant, User
from apps.audit.selectors import chain_problems
from apps.core.errors import NotAllowed
from tests.accounts.letters import PASSWORD
from tests.factories import make_client, make_invitation, make_sign_up, make_user
from tests.helpers import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TIMES = 5


def accepting(pk, name: str):
    def act() -> User:
        return services.invitation_accept(
            invitation=Invitation.objects.get(pk=pk),
            full_name=name,
            password=PASSWORD,
            language="ru",
        )

    return act


def test_of_eight_acceptances_of_one_invitation_one_makes_the_account():
    for _ in range(TIMES):
        row = make_invitation()
        outcomes = at_once(*(accepting(row.pk, f"Person {n}") for n in range(8)))
        made = [o for o in outcomes if isinstance(o, User)]
        assert len(made) == 1
        assert all(isinstance(o, User | LinkSpent) for o in outcomes), outcomes
        person = User.objects.get(email=row.email)
        assert person.full_name == made[0].full_name
        row.refresh_from_db()
        assert row.person == person
    assert chain_problems() == []


def test_one_address_invited_by_two_companies_gets_one_account():
    rows = [make_invitation(email="new@vostok.example") for _ in range(2)]
    outcomes = at_once(*(accepting(row.pk, "А") for row in rows))
    assert sum(isinstance(o, User) for o in outcomes) == 1
    assert User.objects.filter(email="new@vostok.example").count() == 1
    assert Invitation.objects.filter(accepted_at__isnull=False).count() == 1


def test_of_eight_confirmations_one_makes_person_and_company():
    link = make_sign_up(company_name="Восток")

    def confirm():
        return services.sign_up_confirm(link=link, password="long-enough-password")[0]

    outcomes = at_once(*[confirm] * 8)
    assert sum(isinstance(o, User) for o in outcomes) == 1
    assert all(isinstance(o, User | LinkSpent) for o in outcomes), outcomes
    assert Company.objects.filter(name="Восток").count() == 1


def test_of_two_administrators_who_remove_each_other_one_stays():
    for deed in (
        lambda person, actor: services.roles_set(person=person, roles=[], actor=actor),
        lambda person, actor: services.person_switch_off(person=person, actor=actor),
    ):
        for _ in range(TIMES):
            RoleGrant.objects.all().delete()
            one, two = make_user(Role.ADMINISTRATOR), make_user(Role.ADMINISTRATOR)
            outcomes = at_once(
                lambda d=deed, a=one, b=two: d(b, a), lambda d=deed, a=one, b=two: d(a, b)
            )
            refused = [o for o in outcomes if isinstance(o, LastAdministrator | NotAllowed)]
            assert len(refused) == 1, outcomes
            left = RoleGrant.objects.filter(role=Role.ADMINISTRATOR, user__is_active=True)
            assert left.count() == 1


def test_a_colleague_invited_by_many_at_once_has_one_invitation():
    inviter = make_client()

    def invite():
        return services.invitation_create(
            company=inviter.company, email="new@vostok.example", actor=inviter
        )

    outcomes = at_once(*[invite] * 8)
    assert all(isinstance(o, Invitation) for o in outcomes), outcomes
    assert Invitation.objects.count() == 1
