"""`manage.py person_add`: the first administrator of a new installation, and anybody after."""

import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Company, Role, User
from apps.accounts.services import user_create

PASSWORD_BYTES = 12  # sixteen characters


class Command(BaseCommand):
    help = "Add a person with roles; prints a random password once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", required=True, help="full name")
        parser.add_argument("--role", required=True, action="append", choices=Role.values)
        parser.add_argument("--company", help="the client's company; made when there is none")
        parser.add_argument("--company-id", type=int, help="of several companies of one name")
        parser.add_argument("--language", choices=dict(settings.LANGUAGES), help="of their mails")

    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.filter(email__iexact=options["email"]).exists():
            raise CommandError(f"{options['email']} is there already")
        roles = [Role(role) for role in options["role"]]
        company = self._company(options["company"], options["company_id"])
        if Role.CLIENT in roles and company is None:
            raise CommandError("a client belongs to a company: give --company")
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        user_create(
            email=options["email"],
            full_name=options["name"],
            password=password,
            roles=roles,
            company=company,
            language=options["language"] or settings.LANGUAGE_CODE,
        )
        self.stdout.write(f"{options['email']}\t{password}")

    def _company(self, name: str | None, company_id: int | None) -> Company | None:
        """The company of that id or that name; two of one name are for the caller to tell apart."""
        if company_id is not None:
            found = Company.objects.filter(pk=company_id).first()
            if found is None:
                raise CommandError(f"there is no company {company_id}")
            return found
        if not name:
            return None
        named = list(Company.objects.filter(name=name))
        if len(named) > 1:
            ids = ", ".join(str(company.pk) for company in named)
            raise CommandError(f"several companies bear this name: give --company-id of {ids}")
        return named[0] if named else Company.objects.create(name=name)
