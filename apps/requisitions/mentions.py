"""People named in a comment: «@olga» is a colleague of the same side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from apps.accounts.models import Role, User
from apps.requisitions import policy
from apps.requisitions.models import Annotation, Revision

MENTIONED_AT_MOST: Final = 10
_NAMED = re.compile(r"(?<![\w@.])@([\w.+-]*\w)")
_HOUSE: Final = (Role.ENGINEER, Role.APPROVER, Role.MANAGER)


def colleagues_of(author: User, revision: Revision) -> list[User]:
    """Whom the author may name: the people of the client's company, or those of the house."""
    if policy.is_client_of(author, revision.requisition):
        people = User.objects.filter(company=revision.requisition.company, grants__role=Role.CLIENT)
    else:
        people = User.objects.filter(grants__role__in=_HOUSE)
    return list(people.filter(is_active=True).exclude(pk=author.pk).distinct().order_by("pk"))


def mention_of(person: User) -> str:
    """What to write to name the person: `@sergey`, the address up to its `@`."""
    return f"@{person.email.partition('@')[0]}"


def mentioned_in(comment: Annotation) -> list[User]:
    """The colleagues named in a comment by the name in their address or by their first name."""
    named = {name.casefold() for name in _NAMED.findall(comment.text)}
    if not named:
        return []
    found = (p for p in colleagues_of(comment.author, comment.revision) if named & _names(p))
    return list(found)[:MENTIONED_AT_MOST]


def _names(person: User) -> set[str]:
    return {mention_of(person)[1:].casefold(), *_first(person.full_name.split())}


def _first(words: Iterable[str]) -> set[str]:
    return {word.casefold() for word in list(words)[:1]}
