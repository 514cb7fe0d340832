"""`manage.py person_add`: the first administrator of a new installation, and anybody after."""

import secrets
from argparse import ArgumentParser
from typing import Any

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

    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.filter(email__iexact=options["email"]).exists():
            raise CommandError(f"{options['email']} is there already")
        roles = [Role(role) for role in options["role"]]
        if Role.CLIENT in roles and not options["company"]:
            raise CommandError("a client belongs to a company: give --company")
        company = None
        if options["company"]:
            company, _created = Company.objects.get_or_create(name=options["company"])
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        user_create(
            email=options["email"],
            full_name=options["name"],
            password=password,
            roles=roles,
            company=company,
        )
        self.stdout.write(f"{options['email']}\t{password}")
