"""A manager who fills a requisition in for a client."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.accounts.models import Company, Role, User
from apps.accounts.services import company_create, contact_create
from apps.core.searching import search_words
from apps.intake.selectors import Draft
from apps.intake.services import requisition_start

MOST_SHOWN: Final = 20


def contacts(search: str = "") -> QuerySet[User]:
    """People of clients, and contacts who have no account yet; not whom somebody switched off."""
    people = User.objects.filter(company__isnull=False, grants__role=Role.CLIENT)
    people = people.filter(Q(is_active=True) | Q(confirmed_at__isnull=True))
    for word in search_words(search):
        people = people.filter(
            Q(search_text__contains=word) | Q(company__search_text__contains=word)
        )
    return people.select_related("company").order_by("company__name", "full_name", "pk")


@transaction.atomic
def start_for_new(
    *, company: Company | None, company_name: str, full_name: str, email: str, actor: User
) -> Draft:
    """Open a requisition for somebody who is not known yet, and invite them.

    Raises:
        AddressTaken: the address belongs to an account elsewhere.
    """
    company = company or company_create(name=company_name, actor=actor)
    owner = contact_create(company=company, email=email, full_name=full_name, actor=actor)
    return requisition_start(actor=actor, contact=owner)
