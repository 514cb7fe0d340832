"""Demo people of an embedded installation. Each installation has its own random passwords."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from apps.accounts.models import Company, Role, User
from apps.accounts.services import user_create

# Letters and digits that nobody mistakes for one another when reading them off a screen.
_ALPHABET = "abcdefghkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class Person:
    email: str
    full_name: str
    role: Role
    company: str | None = None
    language: str = "ru"


PEOPLE = (
    Person("anna@ladoga.example", "Анна Верещагина", Role.CLIENT, "Ладога Текст"),
    Person("igor@ladoga.example", "Игорь Лаптев", Role.CLIENT, "Ладога Текст"),
    Person("maria@onega.example", "Мария Кольцова", Role.CLIENT, "Онега Вижн"),
    Person("emma@northlight.example", "Emma Lindqvist", Role.CLIENT, "Northlight Robotics", "en"),
    Person("sergey@podbor.example", "Сергей Дымов", Role.ENGINEER),
    Person("olga@podbor.example", "Ольга Тихонова", Role.APPROVER),
    Person("pavel@podbor.example", "Павел Ершов", Role.MANAGER),
    Person("darya@podbor.example", "Дарья Мельник", Role.ADMINISTRATOR),
)


def new_password() -> str:
    """Sixteen characters in four groups: easy to type, not to guess."""
    groups = ("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))
    return "-".join(groups)


def demo_people_create() -> bool:
    """Make the demo people once and write their sign-ins beside the database.

    Returns:
        True when they were made now.

    Raises:
        RuntimeError: this is not an embedded installation.
    """
    if not settings.EMBEDDED:
        raise RuntimeError("demo people exist in embedded mode only")
    if User.objects.exists():
        return False
    sign_ins = [(person, new_password()) for person in PEOPLE]
    with transaction.atomic():
        for person, password in sign_ins:
            company = None
            if person.company:
                company, _created = Company.objects.get_or_create(name=person.company)
            user_create(
                email=person.email,
                full_name=person.full_name,
                password=password,
                roles=[person.role],
                company=company,
                language=person.language,
            )
        _write_sign_ins(Path(settings.DATA_DIR) / "sign-ins.txt", sign_ins)
    return True


def _write_sign_ins(path: Path, sign_ins: list[tuple[Person, str]]) -> None:
    """One line each, readable by the owner only: role, e-mail, password."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        for person, password in sign_ins:
            file.write(f"{person.role.value}\t{person.email}\t{password}\n")
